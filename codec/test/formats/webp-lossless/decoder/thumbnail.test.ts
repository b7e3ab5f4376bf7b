import { describe, expect, test } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { decodeRgba, newDecoder } from './decoder.ts'
import { photoImage } from './made-images.ts'
import { losslessWebp, pixelsOf, reduced } from './sharp.ts'

const decoder = newDecoder()

async function psnrBesideSharp(file: Buffer, columns: number, rows: number): Promise<number> {
  const data = webpChunk(file, 'VP8L') ?? expect.fail('no VP8L chunk')
  const { status, rgba } = decodeRgba(decoder, data, columns, rows)
  expect(status).toBe(Status.Ok)
  return psnr(rgba, await reduced(await pixelsOf(file), columns, rows))
}

describe('a photo is reduced like by sharp, to 40 dB at least', async () => {
  const [width, height] = [535, 357]
  for (const alpha of [false, true]) {
    const file = await losslessWebp(await photoImage(width, height, 11, alpha), 1)
    for (const scale of [1, 1.5, 2, 3.7, 8, 40]) {
      test(`${alpha ? 'RGBA' : 'RGB'}, ${scale} times smaller`, async () => {
        const decibels = await psnrBesideSharp(file, Math.round(width / scale), Math.round(height / scale))
        expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
      })
    }
  }
})

describe('a lossless WebP of the corpus has a thumbnail like that of sharp, to 30 dB at least', {
  skip: !hasCorpus,
}, () => {
  for (const { path, file, expected, chunks, width, height } of corpusImages('webp')) {
    if (expected !== '200' || !chunks.includes('VP8L')) continue
    test(path, async () => {
      const size = thumbnailSize(width, height)
      const decibels = await psnrBesideSharp(file, size.width, size.height)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(30)
    })
  }
})

test('an image whose header says so is opaque, whatever its alphas', async () => {
  const file = await losslessWebp(await photoImage(64, 48, 12, true))
  const data = webpChunk(file, 'VP8L') ?? expect.fail('no VP8L chunk')
  const seeThrough = decodeRgba(decoder, data, 64, 48).rgba
  data.writeUInt8((data[4] ?? 0) & ~0x10, 4)
  const opaque = decodeRgba(decoder, data, 64, 48).rgba
  expect(seeThrough.some((sample, i) => i % 4 === 3 && sample < 255)).toBe(true)
  expect(opaque.every((sample, i) => i % 4 !== 3 || sample === 255)).toBe(true)
})
