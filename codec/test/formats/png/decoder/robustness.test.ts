import { expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { type DecoderExports, decodeRgba, newDecoder, type PngParts } from './decoder.ts'
import { makeImage } from './made-image.ts'

/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 100_000

/** Larger declared sizes are refused by the host before the decoder sees them. */
const MAX_PIXELS = 100_000_000

test('whatever the chunks hold the image is decoded or refused, and the next good one decodes to the same pixels', () => {
  const seed = 11
  const random = seededRandom(seed)
  const decoder = newCountedInstance<DecoderExports>()
  const sources = ([0, 2, 3, 4, 6] as const).flatMap((colourType) =>
    [false, true].map((interlaced) =>
      makeImage(
        { width: 40, height: 30, colourType, depth: 8, interlaced, transparent: colourType === 3 },
        500,
        random,
      ),
    ),
  )
  const good = sources[0] ?? expect.fail('no source')
  const expected = decodeRgba(decoder, good, 20, 15)
  expect(expected.status).toBe(Status.Ok)
  for (let round = 0; round < 600; round++) {
    const source = sources[below(sources.length, random)] ?? good
    const maybe = (bytes: Uint8Array): Buffer =>
      random() < 0.5 ? mutated(Buffer.from(bytes), random) : Buffer.from(bytes)
    const parts: PngParts = {
      ihdr: maybe(source.ihdr),
      plte: source.plte && maybe(source.plte),
      trns: source.trns && maybe(source.trns),
      idats: [...source.idats].map(maybe),
    }
    const declared = parts.ihdr.length === 13 ? declaredPixels(Buffer.from(parts.ihdr)) : 0
    if (declared > MAX_PIXELS) continue
    const rounds = roundsOf(decoder, () => decodeRgba(decoder, parts, 20, 15, 2 ** 20))
    expect(rounds, `seed ${seed}, round ${round}`).toBeLessThan(MOST_ROUNDS)
    if (round % 20 > 0) continue
    expect(decodeRgba(decoder, good, 20, 15).rgba.equals(expected.rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
})

test('an image 8000 pixels wide is decoded within 4 MB', () => {
  const decoder = newDecoder()
  const wide = { width: 8000, height: 64, colourType: 6, depth: 16, interlaced: false, transparent: false } as const
  const parts = makeImage(wide, 256 * 1024, seededRandom(12))
  expect(decodeRgba(decoder, parts, 200, 2).status).toBe(Status.Ok)
  expect(decoder.memory.buffer.byteLength).toBeLessThan(4 * 2 ** 20)
})

function declaredPixels(ihdr: Buffer): number {
  return ihdr.readUInt32BE(0) * ihdr.readUInt32BE(4)
}
