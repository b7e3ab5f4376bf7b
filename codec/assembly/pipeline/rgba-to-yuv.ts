// Rows of RGBA to rows of YUV 4:2:0: each becomes a row of luma and, with the one above it, half a row of chroma.

import { allocate } from '../arena/memory'
import { chromaOfRows, lumaOfRow } from '../colour/conversion'
import { isOpaque, startAlphaPlane, takeAlphaRow } from './alpha-plane'
import { takeChroma, takeLuma } from './macroblock-rows'
import { mirrorsColumns, mirrorsRows } from './orientation'
import { averageVisible } from './transparent-pixels'

let columns: i32 = 0
let rows: i32 = 0
/** 1 where pairs of pixels begin one before the first: an odd picture that will be mirrored. */
let phaseAcross: i32 = 0
let phaseDown: i32 = 0
let hasAlpha = false
let above: usize = 0
let luma: usize = 0
let u: usize = 0
let v: usize = 0

/**
 * Begins a picture of `across` x `down` pixels in coded orientation, of an EXIF orientation; with `alpha` an alpha plane is
 * made as well.
 */
export function startRgbaToYuv(across: i32, down: i32, orientation: i32, alpha: bool): void {
  hasAlpha = alpha
  if (alpha) startAlphaPlane(across, down, orientation)
  columns = across
  rows = down
  phaseAcross = mirrorsColumns(orientation) ? across & 1 : 0
  phaseDown = mirrorsRows(orientation) ? down & 1 : 0
  above = allocate((<usize>across) << 2)
  luma = allocate(across)
  u = allocate((across + 1) >> 1)
  v = allocate((across + 1) >> 1)
}

/** Takes row `y`, the next one. */
export function takeRgbaRow(pixels: usize, y: i32): void {
  lumaOfRow(pixels, columns, luma)
  takeLuma(luma)
  if (hasAlpha) takeAlphaRow(pixels, y)
  const isLower = ((y + phaseDown) & 1) == 1
  if (isLower || y == rows - 1) {
    const upper = isLower && y > 0 ? above : pixels
    if (hasAlpha && !isOpaque()) averageVisible(upper, pixels, columns, phaseAcross)
    chromaOfRows(upper, pixels, columns, phaseAcross, u, v)
    takeChroma(u, v)
  }
  memory.copy(above, pixels, (<usize>columns) << 2)
}
