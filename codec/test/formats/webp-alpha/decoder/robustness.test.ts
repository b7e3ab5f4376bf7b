import { describe, expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { photoImage } from '../../webp-lossless/decoder/made-images.ts'
import { type Chunks, type DecoderExports, decodeAlpha, decodeRgba, newDecoder } from './decoder.ts'
import { chunksOf, lossyWebp, plainAlphas } from './webp-files.ts'

/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 1_000_000

const MEGABYTE = 2 ** 20

async function lossyChunks(width: number, height: number, quality: number): Promise<Chunks> {
  const chunks =
    chunksOf(await lossyWebp(await photoImage(width, height, 31, true), quality)) ??
    expect.fail('no chunks of a lossy picture')
  return chunks
}

/** Returns the chunks of a lossy image whose alphas are not compressed. */
async function plainChunks(width: number, height: number, quality: number): Promise<Chunks> {
  const { frame } = await lossyChunks(width, height, quality)
  return { frame, alpha: plainAlphas(await photoImage(width, height, 31, true)) }
}

describe('an image is refused', async () => {
  const good = await lossyChunks(120, 90, 70)
  const plain = await plainChunks(120, 90, 70)
  const decoder = newDecoder()
  const rows: [string, Chunks][] = [
    ['without a frame', { ...good, frame: Buffer.alloc(0) }],
    ['whose frame is cut', { ...good, frame: good.frame.subarray(0, good.frame.length >> 1) }],
    ['without alphas', { ...good, alpha: Buffer.alloc(0) }],
    ['whose alphas are cut', { ...good, alpha: good.alpha.subarray(0, good.alpha.length >> 1) }],
    ['whose alphas are not compressed and one byte short', { ...plain, alpha: plain.alpha.subarray(0, 120 * 90) }],
    [
      'whose alphas are compressed by method 2',
      { ...good, alpha: Buffer.concat([Buffer.of(2), good.alpha.subarray(1)]) },
    ],
  ]
  for (const [name, chunks] of rows) {
    test(name, () => expect(decodeRgba(decoder, chunks, 40, 30).status).toBe(Status.Malformed))
  }
})

test('alphas that are not compressed may be followed by other bytes', () => {
  const alphas = Buffer.from([0, 10, 20, 30, 40, 99])
  const { status, samples } = decodeAlpha(newDecoder(), alphas, 2, 2)
  expect(status).toBe(Status.Ok)
  expect([...samples]).toEqual([10, 20, 30, 40])
})

test('reserved bits and preprocessing change no alpha', async () => {
  const { alpha } = await lossyChunks(33, 21, 70)
  const decoder = newDecoder()
  const marked = Buffer.from(alpha)
  marked[0] = (marked[0] ?? 0) | 0xf0
  expect(decodeAlpha(decoder, marked, 33, 21)).toStrictEqual(decodeAlpha(decoder, alpha, 33, 21))
})

test('whatever the chunks hold the image is decoded or refused, and the next good one decodes to the same pixels', async () => {
  const seed = 32
  const random = seededRandom(seed)
  const decoder = newCountedInstance<DecoderExports>()
  const good = await lossyChunks(160, 120, 60)
  const expected = decodeRgba(decoder, good, 40, 30)
  expect(expected.status).toBe(Status.Ok)
  const sources = [good, await lossyChunks(50, 200, 5), await plainChunks(33, 17, 75)]
  for (let round = 0; round < 800; round++) {
    const source = sources[below(sources.length, random)] ?? good
    const maybe = (bytes: Uint8Array): Buffer =>
      random() < 0.6 ? mutated(Buffer.from(bytes), random) : Buffer.from(bytes)
    const rounds = roundsOf(decoder, () =>
      decodeRgba(decoder, { frame: maybe(source.frame), alpha: maybe(source.alpha) }, 40, 30),
    )
    expect(rounds, `seed ${seed}, round ${round}`).toBeLessThan(MOST_ROUNDS)
    expect(decoder.memory.buffer.byteLength, `seed ${seed}, round ${round}`).toBeLessThan(40 * MEGABYTE)
    if (round % 20 > 0) continue
    expect(decodeRgba(decoder, good, 40, 30).samples.equals(expected.samples), `seed ${seed}, round ${round}`).toBe(
      true,
    )
  }
})

test('an image 8000 pixels wide is decoded within its file and 6 MB', async () => {
  const chunks = await lossyChunks(8000, 300, 50)
  const decoder = newDecoder()
  expect(decodeRgba(decoder, chunks, 200, 8).status).toBe(Status.Ok)
  expect(decoder.peakBytes()).toBeLessThan(chunks.frame.length + chunks.alpha.length + 6 * MEGABYTE)
})
