// The filters of PNG (third edition, 9.2), undone a row at a time. A pixel is handled as a vector of 8 bytes whatever its
// size: what is stored too much, the next pixel overwrites.

/** Bytes beyond a row that may be read (raw, above) and overwritten (to). */
export const SLACK: i32 = 16

/**
 * Undoes the filter of `type` for the `bytes` bytes at `raw`. `above` is the finished row above (zeros for the
 * first), `step` the bytes of a whole pixel, at least 1 and at most 8. Returns false if there is no such filter.
 */
export function unfilter(type: i32, raw: usize, above: usize, to: usize, bytes: usize, step: usize): bool {
  if (type == 0) memory.copy(to, raw, bytes)
  else if (type == 1) undoSub(raw, to, bytes, step)
  else if (type == 2) undoUp(raw, above, to, bytes)
  else if (type == 3) undoAverage(raw, above, to, bytes, step)
  else if (type == 4) undoPaeth(raw, above, to, bytes, step)
  else return false
  return true
}

function undoSub(raw: usize, to: usize, bytes: usize, step: usize): void {
  let pixel = i64x2.splat(0)
  for (let x: usize = 0; x < bytes; x += step) {
    pixel = i8x16.add(pixel, v128.load_zero<u64>(raw + x))
    v128.store_lane<u64>(to + x, pixel, 0)
  }
}

function undoUp(raw: usize, above: usize, to: usize, bytes: usize): void {
  for (let x: usize = 0; x < bytes; x += 16) v128.store(to + x, i8x16.add(v128.load(raw + x), v128.load(above + x)))
}

/** The mean rounded down is the complement of the complements' mean rounded up, for which there is an instruction. */
function undoAverage(raw: usize, above: usize, to: usize, bytes: usize, step: usize): void {
  let left = i64x2.splat(-1)
  for (let x: usize = 0; x < bytes; x += step) {
    const up = v128.not(v128.load_zero<u64>(above + x))
    left = i8x16.sub(i8x16.avgr_u(left, up), v128.load_zero<u64>(raw + x))
    v128.store_lane<u64>(to + x, v128.not(left), 0)
  }
}

/**
 * The Paeth predictor (9.4), with few steps from a pixel to the next. The bound is three times the corner less left
 * and above. The lesser of those two is predicted where the bound is at least the greater, the greater where the
 * bound is at most the lesser, else the corner.
 */
function undoPaeth(raw: usize, above: usize, to: usize, bytes: usize, step: usize): void {
  let left = i64x2.splat(0)
  let corner = i64x2.splat(0)
  for (let x: usize = 0; x < bytes; x += step) {
    const up = v128.load_ext<u8>(above + x)
    const raws = v128.load_ext<u8>(raw + x)
    const bound = i16x8.sub(i16x8.sub(i16x8.add(i16x8.add(corner, corner), corner), up), left)
    const least = i16x8.min_s(left, up)
    const most = i16x8.max_s(left, up)
    const notLeast = i16x8.gt_s(most, bound)
    const notMost = i16x8.gt_s(bound, least)
    // Bytes are added, so that the upper byte of a lane stays 0.
    const fromEdges = v128.or(
      v128.andnot(i8x16.add(raws, least), notLeast),
      v128.andnot(i8x16.add(raws, most), notMost),
    )
    const fromCorner = v128.and(i8x16.add(raws, corner), v128.and(notLeast, notMost))
    left = v128.or(fromEdges, fromCorner)
    corner = up
    v128.store_lane<u64>(to + x, i8x16.narrow_i16x8_u(left, left), 0)
  }
}
