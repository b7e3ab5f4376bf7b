// Rows of RGBA on their way into bands: each becomes a row of luma and, with the one above it, half a row of chroma.

import { beginAlpha, isOpaque, takeAlpha } from './alpha-plane'
import { takeChroma, takeLuma } from './macroblock-rows'
import { chromaOfRows, lumaOfRow } from '../colour/conversion'
import { allocate } from '../memory'
import { meanOfVisible } from './transparent-pixels'
import { mirrorsColumns, mirrorsRows } from './orientation'

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

/** Begins a picture of `across` x `down` pixels in coded orientation, to be turned by `turn`; alphas are kept apart. */
export function beginPixels(across: i32, down: i32, turn: i32, alpha: bool): void {
  hasAlpha = alpha
  if (alpha) beginAlpha(across, down, turn)
  columns = across
  rows = down
  phaseAcross = mirrorsColumns(turn) ? across & 1 : 0
  phaseDown = mirrorsRows(turn) ? down & 1 : 0
  above = allocate((<usize>across) << 2)
  luma = allocate(across)
  u = allocate((across + 1) >> 1)
  v = allocate((across + 1) >> 1)
}

/** Takes row `y`, the next one. */
export function takePixels(pixels: usize, y: i32): void {
  lumaOfRow(pixels, columns, luma)
  takeLuma(luma)
  if (hasAlpha) takeAlpha(pixels, y)
  const isLower = ((y + phaseDown) & 1) == 1
  if (isLower || y == rows - 1) {
    const upper = isLower && y > 0 ? above : pixels
    if (hasAlpha && !isOpaque()) meanOfVisible(upper, pixels, columns, phaseAcross)
    chromaOfRows(upper, pixels, columns, phaseAcross, u, v)
    takeChroma(u, v)
  }
  memory.copy(above, pixels, (<usize>columns) << 2)
}
