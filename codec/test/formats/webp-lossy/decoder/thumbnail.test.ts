import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { decodeRgba, decodeYuv, newDecoder } from './decoder.ts'

const decoder = newDecoder()

/** Decoded at full size, then reduced by Lanczos: what sharp does with an uncompressed image. */
async function reduced(file: Buffer, width: number, height: number): Promise<Buffer> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: 3 } as const
  return sharp(data, { raw }).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
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
