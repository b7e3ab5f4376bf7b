// Rows of YUV 4:2:0 samples on their way to an encoder: gathered into macroblock rows, padded to whole macroblocks. Of
// upright pictures one macroblock row is buffered; rotated or mirrored ones need whole planes of the final size.

import { allocate } from '../arena/memory'
import { isTransposed, placeRow } from './orientation'

/** Takes one macroblock row: 16 luma rows at `y`, 8 chroma rows at `u` and `v`, and the bytes from row to row. */
export type TakeMacroblockRow = (mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32) => void

let orientation: i32 = 1
// In coded orientation.
let columns: i32 = 0
let rows: i32 = 0
let chromaColumns: i32 = 0
let chromaRows: i32 = 0
let lumaCount: i32 = 0
let chromaCount: i32 = 0
// Upright.
let width: i32 = 0
let height: i32 = 0
let mbRow: i32 = 0
let yStride: i32 = 0
let uvStride: i32 = 0
let yPlane: usize = 0
let uPlane: usize = 0
let vPlane: usize = 0

/** Begins a picture of `upWidth` x `upHeight` pixels upright whose rows come in coded orientation. */
export function startMacroblockRows(upWidth: i32, upHeight: i32, exifOrientation: i32): void {
  orientation = exifOrientation
  width = upWidth
  height = upHeight
  columns = isTransposed(orientation) ? height : width
  rows = isTransposed(orientation) ? width : height
  chromaColumns = (columns + 1) >> 1
  chromaRows = (rows + 1) >> 1
  lumaCount = chromaCount = mbRow = 0
  yStride = (width + 15) & ~15
  uvStride = yStride >> 1
  const lines = orientation == 1 ? 16 : (height + 15) & ~15
  yPlane = allocate(<usize>yStride * lines)
  uPlane = allocate(<usize>uvStride * (lines >> 1))
  vPlane = allocate(<usize>uvStride * (lines >> 1))
}

/** How many luma rows in all can be taken before the macroblock row is handed on. */
export function lumaCapacity(): i32 {
  return orientation == 1 ? min(rows, (mbRow + 1) << 4) : rows
}

/** The same for rows of chroma. */
export function chromaCapacity(): i32 {
  return orientation == 1 ? min(chromaRows, (mbRow + 1) << 3) : chromaRows
}

/** Luma rows taken so far. */
export function lumaTaken(): i32 {
  return lumaCount
}

/** Chroma rows taken so far. */
export function chromaTaken(): i32 {
  return chromaCount
}

/** Takes the next luma row. */
export function takeLuma(row: usize): void {
  if (orientation == 1) memory.copy(yPlane + <usize>(lumaCount & 15) * yStride, row, columns)
  else placeRow(orientation, row, lumaCount, columns, rows, 0, yPlane, yStride)
  lumaCount++
}

/** Takes the next row of both chroma planes. */
export function takeChroma(u: usize, v: usize): void {
  if (orientation == 1) {
    const at = <usize>(chromaCount & 7) * uvStride
    memory.copy(uPlane + at, u, chromaColumns)
    memory.copy(vPlane + at, v, chromaColumns)
  } else {
    placeRow(orientation, u, chromaCount, chromaColumns, chromaRows, 0, uPlane, uvStride)
    placeRow(orientation, v, chromaCount, chromaColumns, chromaRows, 0, vPlane, uvStride)
  }
  chromaCount++
}

/** Hands on what is complete: one macroblock row, or all of a rotated picture; answers whether there was any. */
export function flushMacroblockRows(take: TakeMacroblockRow): bool {
  if (lumaCount < lumaCapacity() || chromaCount < chromaCapacity() || mbRow << 4 >= height) return false
  for (; mbRow << 4 < (orientation == 1 ? lumaCount : height); mbRow++) {
    const line = <usize>(orientation == 1 ? 0 : mbRow << 4)
    const y = yPlane + line * yStride
    const u = uPlane + (line >> 1) * uvStride
    const v = vPlane + (line >> 1) * uvStride
    pad(y, yStride, width, min(16, height - (mbRow << 4)), 16)
    const chromaHeight = ((height + 1) >> 1) - (mbRow << 3)
    pad(u, uvStride, (width + 1) >> 1, min(8, chromaHeight), 8)
    pad(v, uvStride, (width + 1) >> 1, min(8, chromaHeight), 8)
    take(mbRow, y, u, v, yStride, uvStride)
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
