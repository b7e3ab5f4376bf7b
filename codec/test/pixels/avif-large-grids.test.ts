import { describe, expect, test } from 'vitest'
import { codec } from '../codec.ts'
import { psnr } from '../psnr.ts'
import { madeAvif } from './made-avif.ts'
import { gridOf } from './made-grid.ts'
import { bySharp } from './other-decoders.ts'

const BOX = { width: 200, height: 200 }

describe('large tiles make an image as sharp puts them together', () => {
  test('whose rows are too large to be held: side by side, or one after the other where fewer pixels are wanted', async () => {
    const tile = { width: 1200, height: 1200 }
    const wish = { chroma: '4:4:4', depth: 10 } as const
    const tiles = await Promise.all([1, 2].map((seed) => madeAvif({ ...tile, ...wish, seed })))
    const bytes = gridOf({ columns: 2, rows: 2, width: 2390, height: 2350, tile, tiles, ...wish })
    for (const box of [{ width: 1500, height: 1500 }, BOX]) {
      const ours = await codec.pixels(bytes, box)
      expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(40)
    }
  })

  test.each([
    ['of 4:2:0', { chroma: '4:2:0', alpha: false }],
    ['of 4:4:4', { chroma: '4:4:4', alpha: false }],
    ['of 4:2:0, with alpha', { chroma: '4:2:0', alpha: true }],
    ['of 4:4:4, with alpha', { chroma: '4:4:4', alpha: true }],
  ] as const)('one after the other, the last ones cut: %s', async (_, wish) => {
    const tile = { width: 1024, height: 1024 }
    const tiles = await Promise.all([1, 2].map((seed) => madeAvif({ ...tile, chroma: wish.chroma, seed })))
    const bytes = gridOf({ columns: 4, rows: 2, width: 4011, height: 1161, tile, tiles, ...wish })
    const ours = await codec.pixels(bytes, BOX)
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(bytes, ours)), 'in dB').toBeGreaterThanOrEqual(40)
  })
})
