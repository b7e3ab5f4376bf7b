import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { noiseImage, photoImage, type TestImage } from '../../webp-lossless/decoder/made-images.ts'
import { pixelsOf, reduced } from '../../webp-lossless/decoder/sharp.ts'
import { decodeAlpha, decodeRgba, newDecoder } from './decoder.ts'
import { alphasOf, chunksOf, extendedWebp, imagesWithAlpha, lossyWebp, withVariedAlpha } from './webp-files.ts'

const decoder = newDecoder()

async function assertSameAlphas(file: Buffer): Promise<void> {
  const alpha = webpChunk(file, 'ALPH') ?? expect.fail('no ALPH chunk')
  const expected = await pixelsOf(file)
  const { status, samples } = decodeAlpha(decoder, alpha, expected.width, expected.height)
  expect(status).toBe(Status.Ok)
  expect(samples.equals(alphasOf(expected))).toBe(true)
}

async function psnrBesideSharp(file: Buffer, columns: number, rows: number): Promise<number> {
  const chunks = chunksOf(file) ?? expect.fail('no chunks of a lossy picture')
  const { status, samples } = decodeRgba(decoder, chunks, columns, rows)
  expect(status).toBe(Status.Ok)
  return psnr(samples, await reduced(await pixelsOf(file), columns, rows))
}

describe('a lossy WebP with alpha of the corpus', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks, width, height } of corpusImages('webp')) {
    if (!chunks.includes('ALPH')) continue
    if (expected === '200') {
      test(`has the very alphas of sharp: ${path}`, () => assertSameAlphas(file))
      test(`has a thumbnail like that of sharp, to 30 dB at least: ${path}`, async () => {
        const size = thumbnailSize(width, height)
        const decibels = await psnrBesideSharp(file, size.width, size.height)
        expect(decibels, 'dB').toBeGreaterThanOrEqual(30)
      })
    } else if (expected === '422') {
      test(`is refused: ${path}`, () => {
        const payloads = chunksOf(file)
        expect(payloads === undefined || decodeRgba(decoder, payloads, 20, 20).status !== Status.Ok).toBe(true)
      })
    }
  }
})

describe('alphas are those of sharp when they are encoded with', async () => {
  const images = await imagesWithAlpha()
  for (const quality of [100, 40, 0]) {
    test(`quality ${quality}`, async () => {
      for (const image of images) await assertSameAlphas(await lossyWebp(image, 60, quality))
    })
  }
})

describe('each filter is undone as by sharp, the chunk not compressed', () => {
  for (const filter of [0, 1, 2, 3]) {
    test(`filter ${filter}`, async () => {
      for (const [width, height] of [
        [1, 1],
        [1, 9],
        [9, 1],
        [57, 31],
      ] as const) {
        const image = withVariedAlpha(noiseImage(width, height, filter + 1))
        const frame = webpChunk(await lossyWebp(image, 60), 'VP8 ') ?? expect.fail('no VP8 chunk')
        const payload = Buffer.concat([Buffer.of(filter << 2), alphasOf(image)])
        await assertSameAlphas(extendedWebp(width, height, frame, payload))
      }
    })
  }
})

describe('a photo with alpha is reduced like by sharp, to 40 dB at least', async () => {
  const [width, height] = [535, 357]
  const file = await lossyWebp(await photoImage(width, height, 5, true), 80)
  for (const scale of [1.5, 2, 3.7, 6, 8.5, 40]) {
    test(`${scale} times smaller`, async () => {
      const decibels = await psnrBesideSharp(file, Math.round(width / scale), Math.round(height / scale))
      expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
    })
  }
})

// sharp smooths chroma, this decoder does not: of gray images both must make the same.
describe('every row is in its place, whatever the height: a gray image is like that of sharp, to 45 dB at least', () => {
  for (let height = 1; height <= 50; height++) {
    test(`${height} rows`, async () => {
      const decibels = await psnrBesideSharp(await lossyWebp(grayNoise(34, height), 50), 34, height)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(45)
    })
  }
})

describe('every row finds its chroma, whatever the height: a photo is like that of sharp, to 33 dB at least', () => {
  for (let height = 1; height <= 50; height++) {
    test(`${height} rows`, async () => {
      const file = await lossyWebp(await photoImage(34, height, height, true), 90)
      const decibels = await psnrBesideSharp(file, 34, height)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(33)
    })
  }
})

function grayNoise(width: number, height: number): TestImage {
  const random = seededRandom(height)
  const rgba = Buffer.alloc(width * height * 4)
  for (let i = 0; i < rgba.length; i += 4) {
    rgba.fill(below(256, random), i, i + 3)
    rgba[i + 3] = 200 + below(56, random)
  }
  return { width, height, rgba }
}
