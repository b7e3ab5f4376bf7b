// The alpha plane of a picture that is encoded as YUV: held, upright, until its last macroblock row.
import { allocate } from '../arena/memory'
import { isTransposed, placeRow } from './orientation'

/** What a vector may read beyond the plane. */
const SLACK: usize = 16

let orientation: i32 = 1
// In coded orientation.
let columns: i32 = 0
let rows: i32 = 0
let plane: usize = 0
let row: usize = 0
let opaque = true

/** Begins a picture of `across` x `down` pixels in coded orientation, of an EXIF orientation. */
export function startAlphaPlane(across: i32, down: i32, exifOrientation: i32): void {
  columns = across
  rows = down
  orientation = exifOrientation
  opaque = true
  plane = allocate(<usize>(across * down) + SLACK)
  row = allocate(across)
}

/** Says that the picture has no alpha. */
export function clearAlphaPlane(): void {
  opaque = true
}

/** Takes row `y` of RGBA pixels. */
export function takeAlphaRow(pixels: usize, y: i32): void {
  let least: u32 = 255
  for (let x: usize = 0; x < <usize>columns; x++) {
    const alpha = <u32>load<u8>(pixels + (x << 2), 3)
    store<u8>(row + x, <u8>alpha)
    least = min(least, alpha)
  }
  if (least < 255) opaque = false
  placeRow(orientation, row, y, columns, rows, 0, plane, uprightWidth())
}

/** Whether all pixels taken so far are opaque. */
export function isOpaque(): bool {
  return opaque
}

/** The upright alphas, rows without gaps, readable for 16 bytes more; 0 if all pixels are opaque. */
export function alphaPlane(): usize {
  return opaque ? 0 : plane
}

/** Upright. */
export function uprightWidth(): i32 {
  return isTransposed(orientation) ? rows : columns
}

/** Upright. */
export function uprightHeight(): i32 {
  return isTransposed(orientation) ? columns : rows
}
