import { describe, expect, test } from 'vitest'
import { AVIF_MAX_TILES } from '../../src/pixels/budget.ts'
import { codec } from '../codec.ts'
import { encodeWebp } from '../encode.ts'
import { psnr } from '../psnr.ts'
import { imageOf, madeAvif } from './made-avif.ts'
import { gridOf } from './made-grid.ts'
import { bySharp } from './other-decoders.ts'
import { thumbnailOf } from './thumbnail-of.ts'

const BOX = { width: 200, height: 200 }

describe('tiles make an image as sharp puts them together', () => {
  test.each([
    ['2 x 2, all whole', '4:2:0', { columns: 2, rows: 2, width: 400, height: 256 }],
    ['2 x 2, the last ones cut', '4:2:0', { columns: 2, rows: 2, width: 333, height: 221 }],
    ['3 x 1', '4:2:0', { columns: 3, rows: 1, width: 601, height: 127 }],
    ['1 x 3', '4:4:4', { columns: 1, rows: 3, width: 199, height: 383 }],
    ['2 x 2 of full chroma', '4:4:4', { columns: 2, rows: 2, width: 333, height: 221 }],
  ] as const)('%s', async (_, chroma, wish) => {
    const tile = { width: 200 + (wish.columns === 3 ? 2 : 0), height: 128 }
    const tiles = await Promise.all([1, 2, 3, 4].map((seed) => madeAvif({ ...tile, chroma, seed })))
    const bytes = gridOf({ ...wish, tile, chroma, tiles: tiles.slice(0, wish.columns * wish.rows) })
    const ours = await thumbnailOf(imageOf(bytes))
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(40)
  })

  test('exactly where a row of them can be held: boxes of another size than the filter wants would cost sharpness', async () => {
    const tile = { width: 256, height: 192 }
    const tiles = await Promise.all([1, 2, 3, 4].map((seed) => madeAvif({ ...tile, chroma: '4:4:4', seed })))
    const bytes = gridOf({ columns: 4, rows: 3, width: 1003, height: 561, tile, tiles, chroma: '4:4:4' })
    const ours = await codec.pixels(bytes, { width: 96, height: 96 })
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(50)
  })

  test('with an alpha in tiles', async () => {
    const tile = { width: 200, height: 128 }
    const tiles = await Promise.all([1, 2, 3, 4].map((seed) => madeAvif({ ...tile, chroma: '4:2:0', seed })))
    const bytes = gridOf({ columns: 2, rows: 2, width: 333, height: 221, tile, tiles, alpha: true })
    const image = imageOf(bytes)
    expect(image.facts.alpha).toBe(true)
    const ours = await thumbnailOf(image)
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(40)
  })
})

describe('tiles that do not fit each other are refused', () => {
  test.each([
    ['of another size', { width: 128, height: 128 }, { width: 130, height: 128 }, '4:2:0'],
    ['of an odd width that share chroma', { width: 127, height: 128 }, { width: 127, height: 128 }, '4:2:0'],
    ['of an odd height that share chroma', { width: 128, height: 127 }, { width: 128, height: 127 }, '4:2:0'],
  ] as const)('%s', async (_, tile, other, chroma) => {
    const tiles = [await madeAvif({ ...tile, chroma }), await madeAvif({ ...other, chroma })]
    const bytes = gridOf({ columns: 2, rows: 2, width: 200, height: 200, tile, tiles })
    await expect(encodeWebp(imageOf(bytes), BOX, 80)).rejects.toMatchObject({ reason: 'unreadable' })
  })

  test('but not those of an odd size that share none', async () => {
    const tile = { width: 127, height: 127 }
    const tiles = [await madeAvif({ ...tile, chroma: '4:4:4' })]
    const bytes = gridOf({ columns: 2, rows: 2, width: 254, height: 254, tile, tiles, chroma: '4:4:4' })
    await expect(encodeWebp(imageOf(bytes), BOX, 80)).resolves.toMatchObject({ size: { width: 200, height: 200 } })
  })

  test('and those that do not cover the image', async () => {
    const tile = { width: 128, height: 128 }
    const tiles = [await madeAvif({ ...tile, chroma: '4:2:0' })]
    const bytes = gridOf({ columns: 2, rows: 2, width: 257, height: 256, tile, tiles })
    await expect(encodeWebp(imageOf(bytes), BOX, 80)).rejects.toMatchObject({ reason: 'unreadable' })
  })
})

describe('the limits of a grid', async () => {
  const small = { width: 64, height: 64 }
  const smallTile = await madeAvif({ ...small, chroma: '4:2:0' })

  test(`${AVIF_MAX_TILES} tiles are taken, more are not`, async () => {
    const most = gridOf({ columns: 20, rows: 20, width: 1280, height: 1280, tile: small, tiles: [smallTile] })
    await expect(encodeWebp(imageOf(most), BOX, 80)).resolves.toMatchObject({ size: BOX })
    const more = gridOf({ columns: 201, rows: 2, width: 12_864, height: 128, tile: small, tiles: [smallTile] })
    await expect(encodeWebp(imageOf(more), BOX, 80)).rejects.toMatchObject({
      reason: 'over_budget',
      message: 'an AVIF must have at most 400 tiles: received 402',
    })
  })
})
