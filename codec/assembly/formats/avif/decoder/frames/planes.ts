// The samples of the superblock row that is being decoded, with rows above it that the filters still need: the retained part of CurrFrame of the AV1 specification. Samples are u16 whatever the bit depth.
import { allocate } from '../../../../arena/memory'
import { numPlanes, subsamplingX, subsamplingY } from './sequence-header'

/** Takes a row of a plane: its samples, u16. */
export type TakeRow = (plane: i32, y: i32, row: usize) => void

/** Samples to the left of the first one of a row. */
export const MARGIN: i32 = 16
/** Samples that a row has beyond the last superblock. */
const BEYOND: i32 = 160

/** Rows of samples of each plane: a window onto a frame, which moves down. */
@unmanaged
export class Window {
  /** Bytes of a row. */
  stride0: usize
  stride1: usize
  /** Where the sample (0, 0) of each plane would be. */
  origin0: usize
  origin1: usize
  origin2: usize
  /** The first retained row of luma. */
  top: i32
  /** The number of retained rows of luma. */
  rows: i32
}

/** Bytes of a row of a plane. */
export function strideOf(w: Window, plane: i32): usize {
  return plane == 0 ? w.stride0 : w.stride1
}

/** Address of a sample that the window holds. */
export function sampleAt(w: Window, plane: i32, x: i32, y: i32): usize {
  if (plane == 0) return w.origin0 + <usize>y * w.stride0 + ((<usize>x) << 1)
  return (plane == 1 ? w.origin1 : w.origin2) + <usize>y * w.stride1 + ((<usize>x) << 1)
}

/** A window of `rows` rows of luma, `width` wide, the first of them `top`. */
export function newWindow(width: i32, rows: i32, top: i32): Window {
  const w = changetype<Window>(allocate(offsetof<Window>()))
  const chromaWidth = (width + subsamplingX) >> subsamplingX
  w.stride0 = (<usize>((width + MARGIN + BEYOND + 7) & ~7)) << 1
  w.stride1 = (<usize>((chromaWidth + MARGIN + BEYOND + 7) & ~7)) << 1
  w.top = top
  w.rows = rows
  w.origin0 = newPlane(w.stride0, rows, top)
  if (numPlanes == 1) return w
  const chromaRows = (rows >> subsamplingY) + 1
  w.origin1 = newPlane(w.stride1, chromaRows, top >> subsamplingY)
  w.origin2 = newPlane(w.stride1, chromaRows, top >> subsamplingY)
  return w
}

function newPlane(stride: usize, rows: i32, top: i32): usize {
  return allocate(stride * rows + 64) + ((<usize>MARGIN) << 1) - <usize>top * stride
}

/** Moves the window down so that `top` is its first row. Rows in both windows keep their samples. */
export function moveWindow(w: Window, top: i32): void {
  const by = top - w.top
  if (by <= 0) return
  const retained = w.rows - by
  for (let plane = 0; plane < numPlanes; plane++) {
    const sub = plane > 0 ? subsamplingY : 0
    const stride = strideOf(w, plane)
    const from = sampleAt(w, plane, -MARGIN, top >> sub)
    const bytes = stride * (<usize>(max(retained, 0) + sub) >> sub)
    memory.copy(sampleAt(w, plane, -MARGIN, w.top >> sub), from, bytes)
  }
  rebaseWindow(w, top)
}

/** Says that the first row of a window is `top` from now on, whatever it held. */
export function rebaseWindow(w: Window, top: i32): void {
  const by = top - w.top
  w.top = top
  w.origin0 -= <usize>by * w.stride0
  w.origin1 -= <usize>(by >> subsamplingY) * w.stride1
  w.origin2 -= <usize>(by >> subsamplingY) * w.stride1
}
