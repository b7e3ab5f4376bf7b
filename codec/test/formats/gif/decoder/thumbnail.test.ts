import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus, thumbnailSize } from '../../../corpus.ts'
import { psnr } from '../../../psnr.ts'
import { decodeRgba, newDecoder } from './decoder.ts'

const decoder = newDecoder()

/** The host refuses what has no pixels or more than this before the decoder sees it. */
const MAX_PIXELS = 100_000_000

async function psnrBesideSharp(file: Buffer, width: number, height: number): Promise<number> {
  const { status, rgba } = decodeRgba(decoder, file, width, height)
  expect(status).toBe(Status.Ok)
  const expected = await sharp(file).ensureAlpha().resize(width, height, { fit: 'fill' }).raw().toBuffer()
  return psnr(isOpaque(expected) ? onBlack(rgba) : rgba, expected)
}

describe('a photo is reduced like by sharp, to 40 dB at least', async () => {
  const raw = { width: 535, height: 357, channels: 3 } as const
  const source = sharp(photo(raw.width, raw.height, 16), { raw })
  for (const interlaced of [false, true]) {
    const file = await source.gif({ progressive: interlaced }).toBuffer()
    for (const scale of [1, 1.5, 2, 3.7, 8, 40]) {
      test(`${interlaced ? 'interlaced, ' : ''}${scale} times smaller`, async () => {
        const decibels = await psnrBesideSharp(file, Math.round(raw.width / scale), Math.round(raw.height / scale))
        expect(decibels, 'dB').toBeGreaterThanOrEqual(40)
      })
    }
  }
})

function isOpaque(rgba: Buffer): boolean {
  return rgba.every((sample, i) => i % 4 !== 3 || sample === 255)
}

/** Where a screen has no image it is transparent here and, unless a colour is transparent, black in libvips. */
function onBlack(rgba: Buffer): Buffer {
  return Buffer.from(rgba.map((sample, i) => (i % 4 === 3 ? 255 : Math.round((sample * (rgba[i | 3] ?? 0)) / 255))))
}

/** Where libvips goes its own way: it loses a last code that no end follows, and enlarges a screen its image misses. */
const OTHERWISE_IN_LIBVIPS = ['test-suite/no-eoi.gif', 'test-suite/image-outside-bg.gif']

describe('a GIF of the corpus has a thumbnail like that of sharp, to 30 dB at least', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, width, height } of corpusImages('gif')) {
    if (expected !== '200' || OTHERWISE_IN_LIBVIPS.some((name) => path.endsWith(name))) continue
    test(path, async () => {
      const size = thumbnailSize(width, height)
      const decibels = await psnrBesideSharp(file, size.width, size.height)
      expect(decibels, 'dB').toBeGreaterThanOrEqual(30)
    })
  }
})

describe('a GIF of the corpus is accepted or refused as it must be', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, width, height } of corpusImages('gif')) {
    if (expected === '200|422' || width * height > MAX_PIXELS) continue
    test(path, () => expect(decodeRgba(decoder, file, 20, 20).status === Status.Ok).toBe(expected === '200'))
  }
})
