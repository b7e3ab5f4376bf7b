// Rows of YUV 4:2:0 samples on their way to an encoder: gathered into macroblock rows, padded to whole macroblocks. One
// macroblock row is buffered, or whole planes of the final size: of rotated or mirrored images, and of such as wait for the
// encoder.

import { allocate } from '../arena/memory'
import { copyUpright, isTransposed, newUprightPlane, UprightPlane } from './orientation'

/** Takes one macroblock row: 16 luma rows at `y`, 8 chroma rows at `u` and `v`, and the bytes from row to row. */
export type TakeMacroblockRow = (mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32) => void

/** The macroblock rows of one image. */
@unmanaged
export class MacroblockRows {
  orientation: i32
  // In coded orientation.
  columns: i32
  rows: i32
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
  /** Whole planes of what is held, else those of one macroblock row. */
  y: UprightPlane
  u: UprightPlane
  v: UprightPlane
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
  m.lumaTaken = m.chromaTaken = m.mbRow = 0
  m.isHeld = held || orientation != 1
  const stride = (width + 15) & ~15
  const lines = m.isHeld ? (height + 15) & ~15 : 16
  m.y = newSamples(orientation, m.columns, m.rows, stride, lines)
  m.u = newSamples(orientation, (m.columns + 1) >> 1, (m.rows + 1) >> 1, stride >> 1, lines >> 1)
  m.v = newSamples(orientation, (m.columns + 1) >> 1, (m.rows + 1) >> 1, stride >> 1, lines >> 1)
  return m
}

function newSamples(orientation: i32, columns: i32, rows: i32, stride: i32, lines: i32): UprightPlane {
  return newUprightPlane(orientation, columns, rows, 1, allocate(<usize>stride * lines), stride)
}

/** The luma rows in all that can be taken before a macroblock row is handed on. */
export function lumaCapacity(m: MacroblockRows): i32 {
  return m.isHeld ? m.rows : min(m.rows, (m.mbRow + 1) << 4)
}

/** The chroma rows in all that can be taken before a macroblock row is handed on. */
export function chromaCapacity(m: MacroblockRows): i32 {
  return m.isHeld ? m.u.rows : min(m.u.rows, (m.mbRow + 1) << 3)
}

/** Takes the next luma row. */
export function takeLuma(m: MacroblockRows, row: usize): void {
  if (m.isHeld) copyUpright(m.y, row, m.lumaTaken)
  else memory.copy(m.y.at + <usize>(m.lumaTaken & 15) * m.y.stride, row, m.columns)
  m.lumaTaken++
}

/** Takes the next row of both chroma planes. */
export function takeChroma(m: MacroblockRows, u: usize, v: usize): void {
  if (m.isHeld) {
    copyUpright(m.u, u, m.chromaTaken)
    copyUpright(m.v, v, m.chromaTaken)
  } else {
    const at = <usize>(m.chromaTaken & 7) * m.u.stride
    memory.copy(m.u.at + at, u, m.u.columns)
    memory.copy(m.v.at + at, v, m.u.columns)
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
  const y = m.y.at + line * m.y.stride
  const u = m.u.at + (line >> 1) * m.u.stride
  const v = m.v.at + (line >> 1) * m.u.stride
  pad(y, m.y.stride, m.width, min(16, m.height - (mbRow << 4)), 16)
  const chromaHeight = ((m.height + 1) >> 1) - (mbRow << 3)
  pad(u, m.u.stride, (m.width + 1) >> 1, min(8, chromaHeight), 8)
  pad(v, m.u.stride, (m.width + 1) >> 1, min(8, chromaHeight), 8)
  take(mbRow, y, u, v, m.y.stride, m.u.stride)
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
