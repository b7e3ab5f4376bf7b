// The loop filters of RFC 6386 §15 across one horizontal edge of 16 pixels: p3 p2 p1 p0 | q0 q1 q2 q3 from top to
// bottom. `at` is the first q0 and `stride` the bytes to the pixel below. Vertical edges are transposed first.

function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a))
}

/** Pixel to signed and back: §15.2 calls them u2s and s2u. */
function flipSign(pixels: v128): v128 {
  return v128.xor(pixels, i8x16.splat(-128))
}

/** Whether the step over the edge is small enough to be an artefact. */
function withinEdgeLimit(p1: v128, p0: v128, q0: v128, q1: v128, limit: i32): v128 {
  const step = difference(p0, q0)
  const halfOuter = i8x16.shr_u(difference(p1, q1), 1)
  return i8x16.le_u(i8x16.add_sat_u(i8x16.add_sat_u(step, step), halfOuter), i8x16.splat(<i8>limit))
}

/** c(outer + 3 (q0 - p0)), of signed pixels. */
function correction(outer: v128, p0: v128, q0: v128): v128 {
  const step = i8x16.sub_sat_s(q0, p0)
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(outer, step), step), step)
}

/** Returns the correction to subtract from q0. */
function offQ0(a: v128): v128 {
  return i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(4)), 3)
}

/** Returns the correction to add to p0. */
function ontoP0(a: v128): v128 {
  return i8x16.shr_s(i8x16.add_sat_s(a, i8x16.splat(3)), 3)
}

/** The simple filter (§15.2). */
export function filterSimpleEdge(at: usize, stride: usize, edgeLimit: i32): void {
  const p1 = v128.load(at - 2 * stride)
  const p0 = v128.load(at - stride)
  const q0 = v128.load(at)
  const q1 = v128.load(at + stride)
  const mask = withinEdgeLimit(p1, p0, q0, q1, edgeLimit)
  const outer = i8x16.sub_sat_s(flipSign(p1), flipSign(q1))
  const a = v128.and(correction(outer, flipSign(p0), flipSign(q0)), mask)
  v128.store(at, flipSign(i8x16.sub_sat_s(flipSign(q0), offQ0(a))))
  v128.store(at - stride, flipSign(i8x16.add_sat_s(flipSign(p0), ontoP0(a))))
}

/** Whether the normal filter acts: the edge test and six differences between neighbours (§15.3). */
function filtered(at: usize, stride: usize, edgeLimit: i32, interiorLimit: i32): v128 {
  const p3 = v128.load(at - 4 * stride)
  const p2 = v128.load(at - 3 * stride)
  const p1 = v128.load(at - 2 * stride)
  const p0 = v128.load(at - stride)
  const q0 = v128.load(at)
  const q1 = v128.load(at + stride)
  const q2 = v128.load(at + 2 * stride)
  const q3 = v128.load(at + 3 * stride)
  const ofP = i8x16.max_u(i8x16.max_u(difference(p3, p2), difference(p2, p1)), difference(p1, p0))
  const ofQ = i8x16.max_u(i8x16.max_u(difference(q3, q2), difference(q2, q1)), difference(q1, q0))
  const smooth = i8x16.le_u(i8x16.max_u(ofP, ofQ), i8x16.splat(<i8>interiorLimit))
  return v128.and(smooth, withinEdgeLimit(p1, p0, q0, q1, edgeLimit))
}

/** High edge variance (§15.3). */
function highVariance(p1: v128, p0: v128, q0: v128, q1: v128, threshold: i32): v128 {
  return i8x16.gt_u(i8x16.max_u(difference(p1, p0), difference(q1, q0)), i8x16.splat(<i8>threshold))
}

/**
 * The normal filter across an edge inside a macroblock (§15.3). It begins like `filterMacroblockEdge`: a function cannot give
 * four vectors back.
 */
export function filterSubblockEdge(
  at: usize,
  stride: usize,
  edgeLimit: i32,
  interiorLimit: i32,
  highVarianceThreshold: i32,
): void {
  const mask = filtered(at, stride, edgeLimit, interiorLimit)
  if (!v128.any_true(mask)) return
  let p1 = v128.load(at - 2 * stride)
  let p0 = v128.load(at - stride)
  let q0 = v128.load(at)
  let q1 = v128.load(at + stride)
  const high = highVariance(p1, p0, q0, q1, highVarianceThreshold)
  p1 = flipSign(p1)
  p0 = flipSign(p0)
  q0 = flipSign(q0)
  q1 = flipSign(q1)
  const a = v128.and(correction(v128.and(i8x16.sub_sat_s(p1, q1), high), p0, q0), mask)
  const f1 = offQ0(a)
  v128.store(at, flipSign(i8x16.sub_sat_s(q0, f1)))
  v128.store(at - stride, flipSign(i8x16.add_sat_s(p0, ontoP0(a))))
  const half = v128.andnot(i8x16.shr_s(i8x16.add(f1, i8x16.splat(1)), 1), high)
  v128.store(at + stride, flipSign(i8x16.sub_sat_s(q1, half)))
  v128.store(at - 2 * stride, flipSign(i8x16.add_sat_s(p1, half)))
}

/** (times * w + 63) >> 7 of signed bytes; `times` 9, 18 or 27 keeps it a byte. */
function weighted(w: v128, times: i16): v128 {
  const low = i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_s(w), i16x8.splat(times)), i16x8.splat(63))
  const high = i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_s(w), i16x8.splat(times)), i16x8.splat(63))
  return i8x16.narrow_i16x8_s(i16x8.shr_s(low, 7), i16x8.shr_s(high, 7))
}

/** The normal filter across the left or top edge of a macroblock (§15.3). */
export function filterMacroblockEdge(
  at: usize,
  stride: usize,
  edgeLimit: i32,
  interiorLimit: i32,
  highVarianceThreshold: i32,
): void {
  const mask = filtered(at, stride, edgeLimit, interiorLimit)
  if (!v128.any_true(mask)) return
  let p1 = v128.load(at - 2 * stride)
  let p0 = v128.load(at - stride)
  let q0 = v128.load(at)
  let q1 = v128.load(at + stride)
  const high = highVariance(p1, p0, q0, q1, highVarianceThreshold)
  p1 = flipSign(p1)
  p0 = flipSign(p0)
  q0 = flipSign(q0)
  q1 = flipSign(q1)
  const w = v128.and(correction(i8x16.sub_sat_s(p1, q1), p0, q0), mask)

  const sharp = v128.and(w, high)
  q0 = i8x16.sub_sat_s(q0, offQ0(sharp))
  p0 = i8x16.add_sat_s(p0, ontoP0(sharp))

  const soft = v128.andnot(w, high)
  const a0 = weighted(soft, 27)
  const a1 = weighted(soft, 18)
  const a2 = weighted(soft, 9)
  const p2 = flipSign(v128.load(at - 3 * stride))
  const q2 = flipSign(v128.load(at + 2 * stride))
  v128.store(at, flipSign(i8x16.sub_sat_s(q0, a0)))
  v128.store(at - stride, flipSign(i8x16.add_sat_s(p0, a0)))
  v128.store(at + stride, flipSign(i8x16.sub_sat_s(q1, a1)))
  v128.store(at - 2 * stride, flipSign(i8x16.add_sat_s(p1, a1)))
  v128.store(at + 2 * stride, flipSign(i8x16.sub_sat_s(q2, a2)))
  v128.store(at - 3 * stride, flipSign(i8x16.add_sat_s(p2, a2)))
}
