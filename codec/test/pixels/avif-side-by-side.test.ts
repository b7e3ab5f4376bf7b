import { expect, test } from 'vitest'
import { codec } from '../codec.ts'
import { pixelsOf } from './join/golden.ts'
import { joined, sized } from './join/side-by-side.ts'
import { madeAvif } from './made-avif.ts'

// Those that are scaled are square: a cover rounds widths, an image alone is fitted into a box.
const FILES = await Promise.all([
  madeAvif({ width: 601, height: 601, chroma: '4:2:0', seed: 1 }),
  madeAvif({ width: 480, height: 480, chroma: '4:4:4', seed: 2 }),
  madeAvif({ width: 150, height: 101, chroma: '4:2:0', alpha: true, seed: 3 }),
])

test.each([
  [0, 1, 480],
  [0, 2, 101],
  [1, 1, 480],
  [2, 1, 101],
])('images %i and %i, decoded row by row at the same time, are what each is alone', async (left, right, height) => {
  const files = [left, right].map((i) => FILES[i] ?? new Uint8Array())
  const cover = await pixelsOf(await joined(files[0] ?? new Uint8Array(), files[1] ?? new Uint8Array(), 'png'))
  let at = 0
  for (const file of files) {
    const { image, size } = sized(file, height)
    const alone = await codec.pixels(image, size)
    for (let y = 0; y < height; y++) {
      const row = cover.rgba.subarray((y * cover.width + at) * 4, (y * cover.width + at + size.width) * 4)
      expect(Buffer.from(alone.rgba.subarray(y * size.width * 4, (y + 1) * size.width * 4)).equals(row)).toBe(true)
    }
    at += size.width
  }
  expect(at).toBe(cover.width)
})
