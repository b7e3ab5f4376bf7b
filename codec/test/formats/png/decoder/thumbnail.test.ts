import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { decodeRgba, newDecoder } from './decoder.ts'
import { pngParts } from './png-parts.ts'

const decoder = newDecoder()

async function reduced(file: Buffer, width: number, height: number): Promise<Buffer> {
  const image = sharp(file).toColourspace('srgb').ensureAlpha().resize(width, height, { fit: 'fill' })
  return image.raw({ depth: 'uchar' }).toBuffer()
}

async function psnrBesideSharp(file: Buffer, width: number, height: number): Promise<number> {
  const parts = pngParts(file) ?? expect.fail('no PNG')
  const { status, rgba } = decodeRgba(decoder, parts, width, height)
  expect(status).toBe(Status.Ok)
  return psnr(rgba, await reduced(file, width, height))
}

describe('a photo is reduced like by sharp, to 40 dB at least', async () => {
  const raw = { width: 535, height: 357, channels: 3 } as const
  const source = sharp(photo(raw.width, raw.height, 13), { raw })
  const kinds = [
    ['RGB', source.clone().png()],
    ['RGB, Adam7', source.clone().png({ progressive: true })],
    ['RGBA', source.clone().ensureAlpha(0.6).png()],
    ['RGBA, Adam7', source.clone().ensureAlpha(0.6).png({ progressive: true })],
    ['gray', source.clone().greyscale().png()],
    ['16 bits', source.clone().toColourspace('rgb16').png()],
    ['palette', source.clone().png({ palette: true, colours: 64 })],
  ] as const
  for (const [kind, image] of kinds) {
    const file = await image.toBuffer()
    for (const scale of [1, 1.5, 2, 3.7, 8, 40]) {
      test(`${kind}, ${scale} times smaller`, async () => {
        const decibels = await psnrBesideSharp(file, Math.round(raw.width / scale), Math.round(raw.height / scale))
        expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
      })
    }
  }
})

describe('a PNG of the corpus has a thumbnail like that of sharp, to 30 dB at least', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, width, height } of corpusImages('png')) {
    if (expected !== '200') continue
    test(path, async () => {
      const size = thumbnailSize(width, height)
      const decibels = await psnrBesideSharp(file, size.width, size.height)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(30)
    })
  }
})

describe('an unreadable PNG of the corpus is refused', { skip: !hasCorpus }, () => {
  for (const { path, file, expected } of corpusImages('png')) {
    if (expected !== '422') continue
    test(path, () => {
      const parts = pngParts(file)
      expect(parts === undefined || decodeRgba(decoder, parts, 20, 20).status === Status.Malformed).toBe(true)
    })
  }
})
