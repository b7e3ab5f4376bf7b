import assert from 'node:assert/strict'
import { test } from 'vitest'
import { below, mutated, seededRandom } from '../../random.ts'
import { OK } from '../../status.ts'
import { decodeRgba, newDecoder, type PngParts } from './decoder.ts'
import { makePicture } from './made-picture.ts'

/** Larger declared sizes are refused by the host before the decoder sees them. */
const MAX_PIXELS = 100_000_000

test('whatever the chunks hold the picture is decoded or refused, and the next good one decodes to the same pixels', () => {
  const seed = 11
  const random = seededRandom(seed)
  const decoder = newDecoder()
  const sources = ([0, 2, 3, 4, 6] as const).flatMap((colourType) =>
    [false, true].map((interlaced) =>
      makePicture(
        { width: 40, height: 30, colourType, depth: 8, interlaced, transparent: colourType === 3 },
        500,
        random,
      ),
    ),
  )
  const [good] = sources
  assert.ok(good)
  const expected = decodeRgba(decoder, good, 20, 15)
  assert.equal(expected.status, OK)
  for (let round = 0; round < 600; round++) {
    const source = sources[below(sources.length, random)] ?? good
    const maybe = (bytes: Uint8Array): Buffer =>
      random() < 0.5 ? mutated(Buffer.from(bytes), random) : Buffer.from(bytes)
    const parts: PngParts = {
      ihdr: maybe(source.ihdr),
      plte: source.plte && maybe(source.plte),
      trns: source.trns && maybe(source.trns),
      pieces: [...source.pieces].map(maybe),
    }
    const declared = parts.ihdr.length === 13 ? declaredPixels(Buffer.from(parts.ihdr)) : 0
    if (declared > MAX_PIXELS) continue
    const started = performance.now()
    decodeRgba(decoder, parts, 20, 15, 2 ** 20)
    assert.ok(performance.now() - started < 5000, `seed ${seed}, round ${round}`)
    if (round % 20 > 0) continue
    assert.ok(decodeRgba(decoder, good, 20, 15).rgba.equals(expected.rgba), `seed ${seed}, round ${round}`)
  }
})

test('a picture 8000 pixels wide is decoded within 4 MB', () => {
  const decoder = newDecoder()
  const wide = { width: 8000, height: 64, colourType: 6, depth: 16, interlaced: false, transparent: false } as const
  const parts = makePicture(wide, 256 * 1024, seededRandom(12))
  assert.equal(decodeRgba(decoder, parts, 200, 2).status, OK)
  assert.ok(decoder.memory.buffer.byteLength < 4 * 2 ** 20)
})

function declaredPixels(ihdr: Buffer): number {
  return ihdr.readUInt32BE(0) * ihdr.readUInt32BE(4)
}
