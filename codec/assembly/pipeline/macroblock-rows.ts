// Rows of YUV 4:2:0 samples on their way to an encoder: gathered into macroblock rows, padded to whole macroblocks. One
// macroblock row is buffered, or whole planes of the final size: of rotated or mirrored images, and of such as wait for the
// encoder.

import { allocate } from '../arena/memory'
import { copyUpright, isTransposed } from './orientation'

/** Takes one macroblock row: 16 luma rows at `y`, 8 chroma rows at `u` and `v`, and the bytes from row to row. */
export type TakeMacroblockRow = (mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32) => void

/** The macroblock rows of one image. */
@unmanaged
export class MacroblockRows {
  orientation: i32
  // In coded orientation.
  columns: i32
  rows: i32
  chromaColumns: i32
  chromaRows: i32
  /** Rows taken so far. */
  lumaTaken: i32
  chromaTaken: i32
  // Upright.
  width: i32
  height: i32
  /** The macroblock row that is handed on next. */
  mbRow: i32
  /** Whether there are whole planes. */
  isHeld: bool
  yStride: i32
  uvStride: i32
  yPlane: usize
  uPlane: usize
  vPlane: usize
}

/**
 * Begins an image of `width` x `height` pixels upright whose rows come in coded orientation. What is `held` is handed on once
 * all of it has come, as rotated images are in any case.
 */
export function newMacroblockRows(width: i32, height: i32, orientation: i32, held: bool): MacroblockRows {
  const m = changetype<MacroblockRows>(allocate(offsetof<MacroblockRows>()))
  m.orientation = orientation
  m.width = width
  m.height = height
  m.columns = isTransposed(orientation) ? height : width
  m.rows = isTransposed(orientation) ? width : height
  m.chromaColumns = (m.columns + 1) >> 1
  m.chromaRows = (m.rows + 1) >> 1
  m.lumaTaken = m.chromaTaken = m.mbRow = 0
  m.isHeld = held || orientation != 1
  m.yStride = (width + 15) & ~15
  m.uvStride = m.yStride >> 1
  const lines = m.isHeld ? (height + 15) & ~15 : 16
  m.yPlane = allocate(<usize>m.yStride * lines)
  m.uPlane = allocate(<usize>m.uvStride * (lines >> 1))
  m.vPlane = allocate(<usize>m.uvStride * (lines >> 1))
  return m
}

/** How many luma rows in all can be taken before a macroblock row is handed on. */
export function lumaCapacity(m: MacroblockRows): i32 {
  return m.isHeld ? m.rows : min(m.rows, (m.mbRow + 1) << 4)
}

/** The same for rows of chroma. */
export function chromaCapacity(m: MacroblockRows): i32 {
  return m.isHeld ? m.chromaRows : min(m.chromaRows, (m.mbRow + 1) << 3)
}

/** Takes the next luma row. */
export function takeLuma(m: MacroblockRows, row: usize): void {
  if (m.isHeld) copyUpright(m.orientation, row, m.lumaTaken, m.columns, m.rows, 0, m.yPlane, m.yStride)
  else memory.copy(m.yPlane + <usize>(m.lumaTaken & 15) * m.yStride, row, m.columns)
  m.lumaTaken++
}

/** Takes the next row of both chroma planes. */
export function takeChroma(m: MacroblockRows, u: usize, v: usize): void {
  if (m.isHeld) {
    copyUpright(m.orientation, u, m.chromaTaken, m.chromaColumns, m.chromaRows, 0, m.uPlane, m.uvStride)
    copyUpright(m.orientation, v, m.chromaTaken, m.chromaColumns, m.chromaRows, 0, m.vPlane, m.uvStride)
  } else {
    const at = <usize>(m.chromaTaken & 7) * m.uvStride
    memory.copy(m.uPlane + at, u, m.chromaColumns)
    memory.copy(m.vPlane + at, v, m.chromaColumns)
  }
  m.chromaTaken++
}

/** Whether there is a macroblock row to be handed on: of what is held, not before all has come. */
export function hasMacroblockRow(m: MacroblockRows): bool {
  return m.lumaTaken >= lumaCapacity(m) && m.chromaTaken >= chromaCapacity(m) && m.mbRow << 4 < m.height
}

/** Hands the next macroblock row on. */
export function handOnMacroblockRow(m: MacroblockRows, take: TakeMacroblockRow): void {
  const mbRow = m.mbRow++
  const line = m.isHeld ? (<usize>mbRow) << 4 : 0
  const y = m.yPlane + line * m.yStride
  const u = m.uPlane + (line >> 1) * m.uvStride
  const v = m.vPlane + (line >> 1) * m.uvStride
  pad(y, m.yStride, m.width, min(16, m.height - (mbRow << 4)), 16)
  const chromaHeight = ((m.height + 1) >> 1) - (mbRow << 3)
  pad(u, m.uvStride, (m.width + 1) >> 1, min(8, chromaHeight), 8)
  pad(v, m.uvStride, (m.width + 1) >> 1, min(8, chromaHeight), 8)
  take(mbRow, y, u, v, m.yStride, m.uvStride)
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
