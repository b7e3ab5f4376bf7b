// YUV 4:2:0 rows on their way to an encoder: gathered into bands of one macroblock row, padded to whole macroblocks.
// Upright pictures need one band; turned ones are stored, already turned, in whole planes of the final size.

import { allocate } from '../memory'
import { isTransposed, placeRow } from './orientation'

/** Takes one band: 16 luma rows at `y`, 8 chroma rows at `u` and `v`, and the bytes from row to row. */
export type TakeBand = (band: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32) => void

let turn: i32 = 1
// In coded orientation.
let columns: i32 = 0
let rows: i32 = 0
let chromaColumns: i32 = 0
let chromaRows: i32 = 0
let lumaCame: i32 = 0
let chromaCame: i32 = 0
// Upright.
let width: i32 = 0
let height: i32 = 0
let band: i32 = 0
let yStride: i32 = 0
let uvStride: i32 = 0
let yPlane: usize = 0
let uPlane: usize = 0
let vPlane: usize = 0

/** Begins a picture of `upWidth` x `upHeight` pixels upright whose rows come in coded orientation. */
export function beginBands(upWidth: i32, upHeight: i32, orientation: i32): void {
  turn = orientation
  width = upWidth
  height = upHeight
  columns = isTransposed(turn) ? height : width
  rows = isTransposed(turn) ? width : height
  chromaColumns = (columns + 1) >> 1
  chromaRows = (rows + 1) >> 1
  lumaCame = chromaCame = band = 0
  yStride = (width + 15) & ~15
  uvStride = yStride >> 1
  const lines = turn == 1 ? 16 : (height + 15) & ~15
  yPlane = allocate(<usize>yStride * lines)
  uPlane = allocate(<usize>uvStride * (lines >> 1))
  vPlane = allocate(<usize>uvStride * (lines >> 1))
}

/** How many luma rows in all can be taken before the band is handed on: coded rows below this number are welcome. */
export function lumaWelcome(): i32 {
  return turn == 1 ? min(rows, (band + 1) << 4) : rows
}

/** The same for rows of chroma. */
export function chromaWelcome(): i32 {
  return turn == 1 ? min(chromaRows, (band + 1) << 3) : chromaRows
}

/** Luma rows taken so far. */
export function lumaTaken(): i32 {
  return lumaCame
}

/** Chroma rows taken so far. */
export function chromaTaken(): i32 {
  return chromaCame
}

/** Takes the next luma row. */
export function takeLuma(row: usize): void {
  if (turn == 1) memory.copy(yPlane + <usize>(lumaCame & 15) * yStride, row, columns)
  else placeRow(turn, row, lumaCame, columns, rows, 0, yPlane, yStride)
  lumaCame++
}

/** Takes the next row of both chroma planes. */
export function takeChroma(u: usize, v: usize): void {
  if (turn == 1) {
    const at = <usize>(chromaCame & 7) * uvStride
    memory.copy(uPlane + at, u, chromaColumns)
    memory.copy(vPlane + at, v, chromaColumns)
  } else {
    placeRow(turn, u, chromaCame, chromaColumns, chromaRows, 0, uPlane, uvStride)
    placeRow(turn, v, chromaCame, chromaColumns, chromaRows, 0, vPlane, uvStride)
  }
  chromaCame++
}

/** Hands on what is complete: one band, or all of a turned picture; answers whether there was any. */
export function flushBands(take: TakeBand): bool {
  if (lumaCame < lumaWelcome() || chromaCame < chromaWelcome() || band << 4 >= height) return false
  for (; band << 4 < (turn == 1 ? lumaCame : height); band++) {
    const line = <usize>(turn == 1 ? 0 : band << 4)
    const y = yPlane + line * yStride
    const u = uPlane + (line >> 1) * uvStride
    const v = vPlane + (line >> 1) * uvStride
    pad(y, yStride, width, min(16, height - (band << 4)), 16)
    const chromaHeight = ((height + 1) >> 1) - (band << 3)
    pad(u, uvStride, (width + 1) >> 1, min(8, chromaHeight), 8)
    pad(v, uvStride, (width + 1) >> 1, min(8, chromaHeight), 8)
    take(band, y, u, v, yStride, uvStride)
  }
  return true
}

/** Repeats the last column to the right and the last of the `present` lines down to `lines`. */
function pad(plane: usize, stride: i32, columnsPresent: i32, present: i32, lines: i32): void {
  if (columnsPresent < stride) {
    for (let line = 0; line < present; line++) {
      const end = plane + <usize>line * stride + columnsPresent
      memory.fill(end, load<u8>(end - 1), stride - columnsPresent)
    }
  }
  const last = plane + <usize>(present - 1) * stride
  for (let line = present; line < lines; line++) memory.copy(plane + <usize>line * stride, last, stride)
}
