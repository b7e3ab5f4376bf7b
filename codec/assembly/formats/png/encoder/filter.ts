// The five filters of PNG (third edition, 9.2), 16 bytes at a time, for pixels of four bytes. Each writes the filtered
// row and returns the sum of the magnitudes of its bytes as signed ones (12.7): the smaller, the better it deflates.
// Up to 15 bytes beyond the row are read, written and counted.

import { averageRoundedDown, sumOfLanes32 } from '../../../arena/simd'
import { paethPredictor } from '../paeth'

const PIXEL: usize = 4

/** None: the row itself. */
export function filterNone(row: usize, bytes: usize, to: usize): i32 {
  let sums = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) sums = put(v128.load(row + x), to + x, sums)
  return sumOfLanes32(sums)
}

/** Sub: less the pixel to the left, zero at the start. */
export function filterSub(row: usize, bytes: usize, to: usize): i32 {
  let sums = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) {
    sums = put(i8x16.sub(v128.load(row + x), v128.load(row + x - PIXEL)), to + x, sums)
  }
  return sumOfLanes32(sums)
}

/** Up: less the pixel above. */
export function filterUp(row: usize, above: usize, bytes: usize, to: usize): i32 {
  let sums = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) {
    sums = put(i8x16.sub(v128.load(row + x), v128.load(above + x)), to + x, sums)
  }
  return sumOfLanes32(sums)
}

/** Average: less the mean of both, rounded down. */
export function filterAverage(row: usize, above: usize, bytes: usize, to: usize): i32 {
  let sums = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) {
    const left = v128.load(row + x - PIXEL)
    const up = v128.load(above + x)
    sums = put(i8x16.sub(v128.load(row + x), averageRoundedDown(left, up)), to + x, sums)
  }
  return sumOfLanes32(sums)
}

/** Paeth: less that of left, above and upper left which is nearest to left + above - upper left (9.4). */
export function filterPaeth(row: usize, above: usize, bytes: usize, to: usize): i32 {
  let sums = i32x4.splat(0)
  for (let x: usize = 0; x < bytes; x += 16) {
    const left = v128.load(row + x - PIXEL)
    const up = v128.load(above + x)
    const corner = v128.load(above + x - PIXEL)
    const low = paethPredictor(
      i16x8.extend_low_i8x16_u(left),
      i16x8.extend_low_i8x16_u(up),
      i16x8.extend_low_i8x16_u(corner),
    )
    const high = paethPredictor(
      i16x8.extend_high_i8x16_u(left),
      i16x8.extend_high_i8x16_u(up),
      i16x8.extend_high_i8x16_u(corner),
    )
    sums = put(i8x16.sub(v128.load(row + x), i8x16.narrow_i16x8_u(low, high)), to + x, sums)
  }
  return sumOfLanes32(sums)
}

function put(filtered: v128, to: usize, sums: v128): v128 {
  v128.store(to, filtered)
  const pairs = i16x8.extadd_pairwise_i8x16_u(i8x16.abs(filtered))
  return i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(pairs))
}
