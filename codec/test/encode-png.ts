import { deflateSync } from 'node:zlib'
import { ihdrChunk, pngChunk, pngOfChunks } from '../../test/support/png.ts'
import type { Raster } from '../src/pixels/raster.ts'

const COLOUR_TYPE_RGB = 2
const COLOUR_TYPE_RGBA = 6
const FILTER_PAETH = 4

/** Encodes a PNG of 8 bits a sample: RGB, or RGBA where a pixel is see-through (PNG 3rd edition). Every row is Paeth filtered. */
export function encodePng(raster: Raster): Uint8Array {
  const opaque = isOpaque(raster)
  const { width, height } = raster
  const header = ihdrChunk({ width, height, colourType: opaque ? COLOUR_TYPE_RGB : COLOUR_TYPE_RGBA })
  const data = deflateSync(filterRows(raster, opaque ? 3 : 4))
  return pngOfChunks([header, pngChunk('IDAT', data), pngChunk('IEND')])
}

function filterRows({ rgba, width, height }: Raster, samples: 3 | 4): Uint8Array {
  const rowBytes = 1 + width * samples
  const data = new Uint8Array(rowBytes * height)
  const stride = width * 4
  for (let y = 0; y < height; y++) {
    let at = y * rowBytes
    data[at++] = FILTER_PAETH
    for (let x = 0; x < width; x++) {
      for (let sample = 0; sample < samples; sample++) {
        const from = y * stride + x * 4 + sample
        const left = x > 0 ? (rgba[from - 4] ?? 0) : 0
        const above = y > 0 ? (rgba[from - stride] ?? 0) : 0
        const aboveLeft = x > 0 && y > 0 ? (rgba[from - stride - 4] ?? 0) : 0
        data[at++] = (rgba[from] ?? 0) - paeth(left, above, aboveLeft)
      }
    }
  }
  return data
}

/** The Paeth predictor (9.4): of left, above and upper left the one closest to left + above - upper left. */
function paeth(a: number, b: number, c: number): number {
  const p = a + b - c
  const [toA, toB, toC] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c
}

/** Whether no pixel is see-through, not even in part. */
function isOpaque({ rgba }: Raster): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false
  return true
}
