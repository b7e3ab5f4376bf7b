// Rows of RGBA to rows of YUV 4:2:0: each becomes a row of luma and, with the one above it, half a row of chroma.

import { allocate } from '../arena/memory'
import { chromaOfRows, lumaOfRow } from '../colour/conversion'
import { AlphaPlane, takeAlphaRow } from './alpha-plane'
import { MacroblockRows, takeChroma, takeLuma } from './macroblock-rows'
import { mirrorsColumns, mirrorsRows } from './orientation'
import { averageVisible } from './transparent-pixels'

/** One picture on its way from RGBA to macroblock rows. */
@unmanaged
export class RgbaToYuv {
  into: MacroblockRows
  /** Where its alphas go; null of a picture without. */
  alpha: AlphaPlane | null
  // In coded orientation.
  columns: i32
  rows: i32
  /** 1 where pairs of pixels begin one before the first: an odd picture that will be mirrored. */
  phaseAcross: i32
  phaseDown: i32
  above: usize
  luma: usize
  u: usize
  v: usize
}

/** Begins a picture whose rows come in coded orientation. */
export function newRgbaToYuv(into: MacroblockRows, alpha: AlphaPlane | null): RgbaToYuv {
  const c = changetype<RgbaToYuv>(allocate(offsetof<RgbaToYuv>()))
  c.into = into
  c.alpha = alpha
  c.columns = into.columns
  c.rows = into.rows
  c.phaseAcross = mirrorsColumns(into.orientation) ? c.columns & 1 : 0
  c.phaseDown = mirrorsRows(into.orientation) ? c.rows & 1 : 0
  c.above = allocate((<usize>c.columns) << 2)
  c.luma = allocate(c.columns)
  c.u = allocate((c.columns + 1) >> 1)
  c.v = allocate((c.columns + 1) >> 1)
  return c
}

/** Takes row `y`, the next one. */
export function takeRgbaRow(c: RgbaToYuv, pixels: usize, y: i32): void {
  const alpha = c.alpha
  lumaOfRow(pixels, c.columns, c.luma)
  takeLuma(c.into, c.luma)
  if (alpha != null) takeAlphaRow(alpha, pixels, y)
  const isLower = ((y + c.phaseDown) & 1) == 1
  if (isLower || y == c.rows - 1) {
    const upper = isLower && y > 0 ? c.above : pixels
    if (alpha != null && !alpha.isOpaque) averageVisible(upper, pixels, c.columns, c.phaseAcross)
    chromaOfRows(upper, pixels, c.columns, c.phaseAcross, c.u, c.v)
    takeChroma(c.into, c.u, c.v)
  }
  memory.copy(c.above, pixels, (<usize>c.columns) << 2)
}
