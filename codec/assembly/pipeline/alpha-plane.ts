// The alpha plane of an image that is encoded as YUV: held, upright, until its last macroblock row.
import { allocate } from '../arena/memory'
import { copyUpright, isTransposed, newUprightPlane, UprightPlane } from './orientation'

/** Bytes that a vector may read beyond the plane. */
const SLACK: usize = 16

/** The alphas of one image. */
@unmanaged
export class AlphaPlane {
  /** Coded pixels of a row. */
  columns: i32
  // Upright.
  width: i32
  height: i32
  /** The upright alphas, rows without gaps, readable for 16 bytes more. */
  alphas: usize
  upright: UprightPlane
  row: usize
  /** Whether all pixels taken so far are opaque. */
  isOpaque: bool
}

/** Begins an image of `across` x `down` pixels in coded orientation, of an EXIF orientation. */
export function newAlphaPlane(across: i32, down: i32, orientation: i32): AlphaPlane {
  const plane = changetype<AlphaPlane>(allocate(offsetof<AlphaPlane>()))
  plane.columns = across
  plane.width = isTransposed(orientation) ? down : across
  plane.height = isTransposed(orientation) ? across : down
  plane.alphas = allocate(<usize>(across * down) + SLACK)
  plane.upright = newUprightPlane(orientation, across, down, 1, plane.alphas, plane.width)
  plane.row = allocate(across)
  plane.isOpaque = true
  return plane
}

/** Takes row `y` of RGBA pixels. */
export function takeAlphaRow(plane: AlphaPlane, pixels: usize, y: i32): void {
  const row = plane.row
  let least: u32 = 255
  for (let x: usize = 0; x < <usize>plane.columns; x++) {
    const alpha = <u32>load<u8>(pixels + (x << 2), 3)
    store<u8>(row + x, <u8>alpha)
    least = min(least, alpha)
  }
  if (least < 255) plane.isOpaque = false
  copyUpright(plane.upright, row, y)
}
