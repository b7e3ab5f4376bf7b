import { describe, expect, test } from 'vitest'
import { encodeWebp } from '../../../src/image/codecs.ts'
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

const LARGE = { width: 4032, height: 3024, quality: 60 } as const

test('12 megapixels with alpha take at most 64 MB in all', async () => {
  const memories = await memoriesOfThumbnails([await madeAvif({ ...LARGE, chroma: '4:2:0', alpha: true })])
  expect(memories.length, 'the core and one decoder').toBe(2)
  expect(megabytes(memories)).toBeLessThanOrEqual(64)
})

describe('a decoder serves the next picture too', () => {
  test.each([
    ['of 12 megapixels', { ...LARGE, chroma: '4:2:0' }, 2, 28],
    ['that the package abandons', { width: 64, height: 48, chroma: '4:4:4' }, 60, 20],
  ] as const)('%s', async (_, wish, times, limit) => {
    const file = await madeAvif(wish)
    const memories = await memoriesOfThumbnails(Array.from({ length: times }, () => file))
    expect(memories.length, 'the core and one decoder').toBe(2)
    expect(megabytes(memories)).toBeLessThanOrEqual(limit)
  })

  test('unless it has grown too large to be kept: 12 megapixels of full chroma take 64 MB in all', async () => {
    const large = await madeAvif({ ...LARGE, chroma: '4:4:4' })
    const memories = await memoriesOfThumbnails([large, large])
    expect(memories.length, 'the core and two decoders').toBe(3)
    expect(megabytes(memories.slice(0, 2))).toBeLessThanOrEqual(64)
  })
})

test('pictures that it abandons do not wear it out: the two hundredth is as the first', async () => {
  const picture = pictureOf(await madeAvif({ width: 64, height: 48, chroma: '4:4:4' }))
  const first = await encodeWebp(picture, BOX, 80)
  for (let i = 0; i < 200; i++) expect(await encodeWebp(picture, BOX, 80)).toEqual(first)
})
