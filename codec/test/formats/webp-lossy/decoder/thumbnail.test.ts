import sharp, { type CreateRaw } from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { codec } from '../../../codec.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { decodeRgba, decodeYuv, newDecoder } from './decoder.ts'

const decoder = newDecoder()

/** RGB pixels reduced by Lanczos. */
function reducedPixels(pixels: Uint8Array, raw: CreateRaw, width: number, height: number): Promise<Buffer> {
  return sharp(pixels, { raw }).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
}

/** Decoded at full size, then reduced by Lanczos: what sharp does with an uncompressed image. */
async function reduced(file: Buffer, width: number, height: number): Promise<Buffer> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return reducedPixels(data, { width: info.width, height: info.height, channels: 3 }, width, height)
}

describe('a photo is reduced like by sharp, to 40 dB at least', async () => {
  const width = 1203
  const height = 805
  const raw = { width, height, channels: 3 } as const
  const pixels = photo(width, height, 9)
  for (const quality of [20, 80]) {
    const file = await sharp(pixels, { raw }).webp({ quality }).toBuffer()
    const frame = webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
    for (const scale of [1.5, 2, 3.7, 6, 8.5, 12, 40]) {
      test(`quality ${quality}, ${scale} times smaller`, async () => {
        const size = [Math.round(width / scale), Math.round(height / scale)] as const
        const { status, samples } = decodeRgba(decoder, frame, ...size)
        expect(status).toBe(Status.Ok)
        const decibels = psnr(samples, await reduced(file, ...size))
        expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
      })
    }
  }
})

test('made five times smaller, a photo is nearer to its original than slightly larger, where the loop filter softens it', async () => {
  const raw = { width: 1200, height: 800, channels: 3 } as const
  const pixels = photo(raw.width, raw.height, 9)
  const file = await sharp(pixels, { raw }).webp({ quality: 60 }).toBuffer()
  const decibels = async (width: number) => {
    const [thumbnail] = await codec.outputs(file, [{ width, height: width, quality: 100 }])
    if (thumbnail === undefined) expect.fail('no thumbnail')
    const samples = await sharp(thumbnail.bytes).ensureAlpha().raw().toBuffer()
    return psnr(samples, await reducedPixels(pixels, raw, thumbnail.size.width, thumbnail.size.height))
  }
  expect(await decibels(240)).toBeGreaterThan((await decibels(243)) + 0.3)
})

describe('a lossy WebP of the corpus has a thumbnail like that of sharp, to 30 dB at least', {
  skip: !hasCorpus,
}, () => {
  for (const { path, file, expected, chunks, width, height } of corpusImages('webp')) {
    if (expected !== '200' || !chunks.includes('VP8') || chunks.includes('ALPH')) continue
    test(path, async () => {
      const frame = webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
      const size = thumbnailSize(width, height)
      const { status, samples } = decodeRgba(decoder, frame, size.width, size.height)
      expect(status).toBe(Status.Ok)
      const decibels = psnr(samples, await reduced(file, size.width, size.height))
      expect(decibels, 'dB').toBeGreaterThanOrEqual(30)
    })
  }
})

describe('an unreadable lossy WebP of the corpus is refused', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks } of corpusImages('webp')) {
    if (expected !== '422' || !chunks.includes('VP8')) continue
    test(path, () => {
      const frame = webpChunk(file, 'VP8 ')
      expect(frame === undefined || decodeYuv(decoder, frame).status !== Status.Ok).toBe(true)
    })
  }
})
