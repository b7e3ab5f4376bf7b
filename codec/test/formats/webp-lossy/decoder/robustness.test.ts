import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { type DecoderExports, decodeRgba, decodeYuv, newDecoder } from './decoder.ts'

/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 2_000_000

async function lossyFrame(width: number, height: number, quality: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  const pixels = photo(width, height, 7)
  const file = await sharp(pixels, { raw }).webp({ quality }).toBuffer()
  return webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
}

describe('a frame is refused', async () => {
  const frame = await lossyFrame(120, 90, 70)
  const decoder = newDecoder()
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(frame)
    copy[at] = value
    return copy
  }
  const rows: [string, Buffer][] = [
    ['without bytes', frame.subarray(0, 0)],
    ['of nine bytes', frame.subarray(0, 9)],
    ['that is not a key frame', changed(0, (frame[0] ?? 0) | 1)],
    ['of version 4', changed(0, ((frame[0] ?? 0) & ~0x0e) | 0x08)],
    ['that is not shown', changed(0, (frame[0] ?? 0) & ~0x10)],
    ['without the start code', changed(3, 0x9e)],
    ['of width 0', changed(6, 0).fill(0, 7, 8)],
    ['of height 0', changed(8, 0).fill(0, 9, 10)],
    ['whose first partition is longer than the file', changed(2, 0xff)],
    ['cut in its first partition', frame.subarray(0, 20)],
    ['cut in the middle', frame.subarray(0, frame.length >> 1)],
    ['that lacks its last 16 bytes', frame.subarray(0, frame.length - 16)],
  ]
  for (const [name, bytes] of rows) {
    test(name, () => expect(decodeYuv(decoder, bytes).status).toBe(Status.Malformed))
  }
})

test('whatever a frame holds it is decoded or refused, and the next good frame decodes to the same pixels', async () => {
  const seed = 8
  const random = seededRandom(seed)
  const decoder = newCountedInstance<DecoderExports>()
  const good = await lossyFrame(160, 120, 60)
  const expected = decodeRgba(decoder, good, 40, 30)
  expect(expected.status).toBe(Status.Ok)
  const sources = [good, await lossyFrame(50, 300, 5), await lossyFrame(33, 17, 95)]
  // The largest image that its 14 bits allow needs this much; nothing that a frame says may need more.
  const limit = 8 * 2 ** 20
  for (let round = 0; round < 400; round++) {
    const frame = mutated(sources[below(sources.length, random)] ?? good, random)
    const rounds = roundsOf(decoder, () => decodeRgba(decoder, frame, 40, 30))
    expect(rounds, `seed ${seed}, round ${round}`).toBeLessThan(MOST_ROUNDS)
    expect(decoder.memory.buffer.byteLength, `seed ${seed}, round ${round}`).toBeLessThan(limit)
    if (round % 20 > 0) continue
    expect(decodeRgba(decoder, good, 40, 30).samples.equals(expected.samples), `seed ${seed}, round ${round}`).toBe(
      true,
    )
  }
})

test('an image 8000 pixels wide is decoded within its file and 4 MB', async () => {
  const frame = await lossyFrame(8000, 400, 80)
  const decoder = newDecoder()
  expect(decodeRgba(decoder, frame, 200, 10).status).toBe(Status.Ok)
  expect(decoder.peakBytes()).toBeLessThan(frame.length + 4 * 2 ** 20)
})
