import { describe, expect, test } from 'vitest'
import { megabytes, memoriesOf } from '../codec-memories.ts'
import { encodeWebp } from '../encode.ts'
import { imageOf, madeAvif } from './made-avif.ts'
import { gridOf } from './made-grid.ts'

const BOX = { width: 200, height: 200 }
const PREVIEW = { width: 1280, height: 1280 }
/** Beyond the file, of one image. */
const MOST_MB = 12
/** Beyond the file, of a grid: 6 MiB for a row of its tiles, or the means of it. */
const GRID_MOST_MB = 9

/** The memories of making these images' thumbnails one after the other. */
function memoriesOfThumbnails(files: readonly Uint8Array[]): Promise<WebAssembly.Memory[]> {
  return memoriesOf(async () => {
    const fresh = await import('../encode.ts')
    for (const bytes of files) await fresh.encodeWebp(imageOf(bytes), BOX, 80)
  })
}

describe('images 4032 pixels wide take a file and 12 MB, and the next image takes the same', () => {
  // Memory depends on the width. The worst case has 6 megapixels, so it does not depend on the height.
  test.each([
    ['of 8 bits', { chroma: '4:2:0', height: 756 }, 1],
    ['of 10 bits', { chroma: '4:2:0', depth: 10, height: 756 }, 1],
    ['of 10 bits and full chroma, 6 megapixels', { chroma: '4:4:4', depth: 10, height: 1512 }, 1],
    ['with alpha, which has a core of its own', { chroma: '4:2:0', alpha: true, height: 756 }, 2],
  ] as const)('%s', async (_, wish, cores) => {
    const file = await madeAvif({ width: 4032, quality: 30, ...wish })
    const memories = await memoriesOfThumbnails(wish.height > 1000 ? [file] : [file, file])
    expect(memories.length, 'cores').toBe(cores)
    expect(megabytes(memories) - file.length / 1e6, 'MB').toBeLessThan(MOST_MB)
  })
})

describe('a grid takes less', () => {
  const tiles = { width: 1000, height: 1000 }

  // A core decodes the tiles, one after the other; another those of alpha.
  test.each([
    ['of photographs', { columns: 5, rows: 4 }, 2],
    ['whose row of tiles is held as it is', { columns: 4, rows: 1 }, 2],
    ['10,000 pixels wide', { columns: 10, rows: 3 }, 2],
    ['10,000 pixels wide with alpha', { columns: 10, rows: 3, alpha: true }, 3],
  ])('%s', async (_, wish, cores) => {
    const tile = await madeAvif({ ...tiles, chroma: '4:2:0', quality: 5, depth: 10 })
    const size = { width: wish.columns * tiles.width, height: wish.rows * tiles.height }
    const file = gridOf({ ...wish, ...size, tile: tiles, tiles: [tile], depth: 10 })
    const memories = await memoriesOfThumbnails([file])
    expect(memories.length, 'cores').toBe(cores)
    expect(megabytes(memories) - file.length / 1e6, 'MB').toBeLessThan(GRID_MOST_MB)
  })
})

describe('a preview and a thumbnail of a grid with alpha take 12 MB: the memory of its means is used again', () => {
  const tiles = { width: 1024, height: 1024 }

  test.each(['4:2:0', '4:4:4'] as const)('%s', async (chroma) => {
    const tile = await madeAvif({ ...tiles, chroma, quality: 5 })
    const alpha = await madeAvif({ ...tiles, chroma: '4:2:0', isGrey: true, quality: 5 })
    const file = gridOf({ columns: 4, rows: 3, width: 4096, height: 3072, tile: tiles, tiles: [tile], alpha, chroma })
    const memories = await memoriesOf(async () => {
      const { codec } = await import('../codec.ts')
      await codec.outputs(imageOf(file), [PREVIEW, BOX])
    })
    expect(megabytes(memories) - file.length / 1e6, 'MB').toBeLessThan(MOST_MB)
  })
})

test('a core that decodes one image after the other does not wear out: the two hundredth is as the first', async () => {
  const image = imageOf(await madeAvif({ width: 64, height: 48, chroma: '4:4:4', alpha: true }))
  const first = await encodeWebp(image, BOX, 80)
  for (let i = 0; i < 200; i++) expect(await encodeWebp(image, BOX, 80)).toEqual(first)
})
