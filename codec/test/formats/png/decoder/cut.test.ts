import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { concat, textBytes } from '../../../../src/bytes.ts'
import { PNG_SIGNATURE, pngChunk } from '../../../../src/container/png-chunks.ts'
import { codec } from '../../../codec.ts'
import { bytesBE } from '../../../probe/made.ts'
import { psnr } from '../../../psnr.ts'
import { PASSES } from './made-image.ts'

const SIDE = 61
const colours = photo(SIDE, SIDE, 4)

interface Row {
  pass: number
  y: number
  bytes: Uint8Array
}

/** The rows of all passes in their order, each with its filter type. */
const ROWS: Row[] = PASSES.flatMap(([left, top, across, down], pass) => {
  const rows: Row[] = []
  for (let y = top; y < SIDE; y += down) {
    const samples = [0]
    for (let x = left; x < SIDE; x += across)
      samples.push(...colours.subarray((y * SIDE + x) * 3, (y * SIDE + x) * 3 + 3))
    rows.push({ pass, y, bytes: Uint8Array.from(samples) })
  }
  return rows
})

/** The image, interlaced, that ends after so many rows. */
function cutAfter(count: number): Uint8Array {
  const header = concat([bytesBE(SIDE, 4), bytesBE(SIDE, 4), Uint8Array.of(8, 2, 0, 0, 1)])
  // Without compression, two bytes of zlib and five of deflate come before the rows.
  const pixels = pngChunk('IDAT', deflateSync(concat(ROWS.map(({ bytes }) => bytes)), { level: 0 }))
  const rowBytes = ROWS.slice(0, count).reduce((sum, { bytes }) => sum + bytes.length, 0)
  const file = [textBytes(PNG_SIGNATURE), pngChunk('IHDR', header), pixels.subarray(0, 8 + 7 + rowBytes + 1)]
  return concat(file)
}

/** The colour at (x, y) after so many rows: its own, or the one of the pixel whose block it is in; nothing without one. */
function shown(x: number, y: number, count: number): number[] {
  const came = new Set(ROWS.slice(0, count).map(({ pass, y: row }) => `${pass} ${row}`))
  let [column, row] = [x, y]
  for (let pass = PASSES.length - 1; pass >= 0; pass--) {
    const [left, top, across, down] = PASSES[pass] ?? [0, 0, 1, 1]
    if ((column - left) % across !== 0 || (row - top) % down !== 0 || column < left || row < top) continue
    if (came.has(`${pass} ${row}`))
      return [...colours.subarray((row * SIDE + column) * 3, (row * SIDE + column) * 3 + 3), 255]
    if (top > 0) row -= top
    else column -= left
  }
  return [0, 0, 0, 0]
}

const COUNTS = [3, 8, 12, 20, 30, 45, 60, 90, ROWS.length - 1]

describe('an interlaced PNG that is cut', () => {
  test.each(COUNTS)('after %i rows shows pixels of earlier passes for those that are missing', async (count) => {
    const { rgba } = await codec.pixels(cutAfter(count))
    const pixels = Array.from({ length: SIDE * SIDE }, (_, i) => shown(i % SIDE, Math.floor(i / SIDE), count))
    const expected = pixels.flat()
    const wrong = expected.findIndex((value, i) => value !== rgba[i])
    expect(wrong, `at ${(wrong >> 2) % SIDE}, ${Math.floor((wrong >> 2) / SIDE)}`).toBe(-1)
  })

  test.each(COUNTS.slice(1))('after %i rows covers all of a thumbnail', async (count) => {
    for (const side of [20, 9, 5]) {
      const { rgba } = await codec.pixels(cutAfter(count), { width: side, height: side })
      const whole = await codec.pixels(cutAfter(ROWS.length), { width: side, height: side })
      expect(rgba.every((value, i) => i % 4 < 3 || value === 255)).toBe(true)
      expect(psnr(new Uint8Array(rgba), new Uint8Array(whole.rgba)), `${side} pixels`).toBeGreaterThan(18)
    }
  })
})
