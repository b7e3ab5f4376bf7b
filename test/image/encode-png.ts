import { crc32, deflateSync } from 'node:zlib'
import { bytesBE, concat, textBytes } from '../../src/image/bytes.ts'
import type { Raster } from '../../src/image/pixels/raster.ts'

const SIGNATURE = textBytes('\x89PNG\r\n\x1a\n')
const COLOUR_TYPE_RGB = 2
const COLOUR_TYPE_RGBA = 6
const FILTER_PAETH = 4

/** Encodes a PNG of 8 bits a sample: RGB, or RGBA where a pixel is see-through (PNG 3rd edition). Every row is Paeth filtered. */
export function encodePng(raster: Raster): Uint8Array {
  const opaque = isOpaque(raster)
  const header = concat([
    bytesBE(raster.width, 4),
    bytesBE(raster.height, 4),
    Uint8Array.of(8, opaque ? COLOUR_TYPE_RGB : COLOUR_TYPE_RGBA, 0, 0, 0),
  ])
  const data = deflateSync(filterRows(raster, opaque ? 3 : 4))
  return concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', new Uint8Array())])
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

function chunk(type: string, body: Uint8Array): Uint8Array {
  const content = concat([textBytes(type), body])
  return concat([bytesBE(body.length, 4), content, bytesBE(crc32(content), 4)])
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
