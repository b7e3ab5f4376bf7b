import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk, webpFile } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus } from '../../../corpus.ts'
import { decodePixels, newDecoder } from './decoder.ts'
import { COLOUR_COUNTS, EDGE_SIZES, noiseImage, paletteImage, photoImage, type TestImage } from './made-images.ts'
import { randomStream } from './random-stream.ts'
import { losslessWebp, pixelsOf } from './sharp.ts'

const decoder = newDecoder()

async function assertComesBack(image: TestImage, effort: number): Promise<void> {
  const data = webpChunk(await losslessWebp(image, effort), 'VP8L') ?? expect.fail('no VP8L chunk')
  const { status, rgba } = decodePixels(decoder, data)
  expect(status).toBe(Status.Ok)
  expect(rgba.equals(image.rgba)).toBe(true)
}

describe('a lossless WebP of the corpus decodes to the very pixels of sharp', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks } of corpusImages('webp')) {
    if (expected !== '200' || !chunks.includes('VP8L')) continue
    test(path, async () => {
      const data = webpChunk(file, 'VP8L') ?? expect.fail('no VP8L chunk')
      const { status, rgba } = decodePixels(decoder, data)
      expect(status).toBe(Status.Ok)
      expect((await pixelsOf(file)).rgba.equals(rgba)).toBe(true)
    })
  }
})

describe('an unreadable lossless WebP of the corpus is refused', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks } of corpusImages('webp')) {
    if (expected !== '422' || !chunks.includes('VP8L')) continue
    test(path, () => {
      const data = webpChunk(file, 'VP8L')
      expect(data === undefined || decodePixels(decoder, data).status !== Status.Ok).toBe(true)
    })
  }
})

describe('a photo comes back when it is encoded', () => {
  for (let effort = 0; effort <= 6; effort++) {
    test(`with effort ${effort}`, async () => {
      await assertComesBack(await photoImage(203, 157, 1), effort)
      await assertComesBack(await photoImage(157, 203, 2, true), effort)
    })
  }
})

describe('an image comes back that has', () => {
  for (const colours of COLOUR_COUNTS) {
    test(`${colours} colours`, async () => {
      for (const effort of [0, 4, 6]) await assertComesBack(paletteImage(131, 77, colours, colours), effort)
    })
  }
  test('noise in all samples', () => assertComesBack(noiseImage(67, 61, 4), 4))
})

describe('an image comes back whose size is', () => {
  for (const [width, height] of EDGE_SIZES) {
    test(`${width} x ${height}`, async () => {
      await assertComesBack(await photoImage(width, height, 5, true), 4)
      await assertComesBack(paletteImage(width, height, 3, 6), 4)
    })
  }
})

// Copies that reach back far go round the ring of 2^20 pixels.
test('an image of more than 2^20 pixels that repeats itself far away comes back', () => {
  const { width, height, rgba } = noiseImage(1024, 300, 7)
  const repeated = Buffer.concat([rgba, rgba, rgba, rgba, rgba, rgba, rgba])
  return assertComesBack({ width, height: height * 7, rgba: repeated }, 4)
})

test('a stream that uses all of the format at random decodes to the very pixels of sharp', async () => {
  const seed = 41
  const random = seededRandom(seed)
  for (let round = 0; round < 120; round++) {
    const data = randomStream(1 + below(90, random), 1 + below(60, random), random)
    const { status, rgba } = decodePixels(decoder, data)
    expect(status, `seed ${seed}, round ${round}`).toBe(Status.Ok)
    const expected = await pixelsOf(webpFile(['VP8L', data]))
    expect(expected.rgba.equals(rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
})
