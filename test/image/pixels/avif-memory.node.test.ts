import '../../support/counted-codecs.ts'

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodeWebp } from '../../../src/image/codecs.ts'
import { roundsOf } from '../../support/counted-codecs.ts'
import { megabytes, memoriesOf } from '../codec-memories.ts'
import { madeAvif, pictureOf } from './made-avif.ts'

const BOX = { width: 200, height: 200 }

/** The memories of making these pictures' thumbnails one after the other. */
function memoriesOfThumbnails(files: readonly Uint8Array[]): Promise<WebAssembly.Memory[]> {
  return memoriesOf(async () => {
    const fresh = await import('../../../src/image/codecs.ts')
    for (const bytes of files) await fresh.encodeWebp(pictureOf(bytes), BOX, 80)
  })
}

describe('12 megapixels take at most 64 MB in all', () => {
  test.each([
    ['4:2:0', false],
    ['4:4:4', false],
    ['4:2:0', true],
  ] as const)('as %s, alpha %s', async (chroma, alpha) => {
    const file = await madeAvif({ width: 4032, height: 3024, chroma, alpha, quality: 60 })
    const memories = await memoriesOfThumbnails([file])
    expect(memories.length).toBe(2)
    expect(megabytes(memories)).toBeLessThanOrEqual(64)
  })
})

describe('a decoder serves the next picture too', () => {
  test.each([
    ['of 12 megapixels', { width: 4032, height: 3024, chroma: '4:2:0', quality: 60 }, 3, 28],
    ['that the package abandons', { width: 64, height: 48, chroma: '4:4:4' }, 60, 20],
  ] as const)('%s', async (_, wish, times, limit) => {
    const file = await madeAvif(wish)
    const memories = await memoriesOfThumbnails(Array.from({ length: times }, () => file))
    expect(memories.length, 'the core and one decoder').toBe(2)
    expect(megabytes(memories)).toBeLessThanOrEqual(limit)
  })

  test('unless it has grown too large to be kept', async () => {
    const large = await madeAvif({ width: 4032, height: 3024, chroma: '4:4:4', quality: 60 })
    const memories = await memoriesOfThumbnails([large, large])
    expect(memories.length, 'the core and two decoders').toBe(3)
  })
})

test('pictures that it abandons do not wear it out: the two hundredth is as the first', async () => {
  const picture = pictureOf(await madeAvif({ width: 64, height: 48, chroma: '4:4:4' }))
  const first = await encodeWebp(picture, BOX, 80)
  for (let i = 0; i < 200; i++) expect(await encodeWebp(picture, BOX, 80)).toEqual(first)
})

describe('what needs more memory than there is, is refused at once', () => {
  test.each([
    ['of one frame', 5800, 6000],
    ['of one frame in the limit of its boxes', 6000, 5900],
  ])('%s', async (_, width, height) => {
    const blank = sharp({ create: { width, height, channels: 3, background: 'teal' } })
    const file = await blank.avif({ quality: 20, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer()
    const picture = pictureOf(new Uint8Array(file))
    const { rounds } = await roundsOf(async () => {
      await expect(encodeWebp(picture, BOX, 80)).rejects.toMatchObject({ reason: 'over_budget' })
    })
    // To decode one of its megapixels takes more.
    expect(rounds).toBeLessThan(1_000_000)
  })
})
