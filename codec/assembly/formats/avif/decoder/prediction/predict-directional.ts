// The directional intra prediction process: AV1 specification, 7.11.2.4.
import { copyFew } from '../../../../arena/few-bytes'
import { DR_INTRA_DERIVATIVE } from '../../tables/prediction'
import { sequence } from '../frames/sequence-header'
import { ABOVE, LEFT, left } from './edge'
import { edgeStrength, filterCorner, filterEdge, hasSmoothNeighbour, upsampleEdge, usesUpsample } from './edge-filter'
import { intraBlock } from './intra-block'
import { fillBlock } from './predict-dc'

/** Whether the edges of the block are upsampled: 1 or 0. */
@unmanaged
class Upsampling {
  above: i32
  left: i32
}

const upsampling: Upsampling = changetype<Upsampling>(memory.data(offsetof<Upsampling>(), 4))

/** Bytes of an edge that are written behind its last entry: what a row of 64 takes, and more of upsampled ones. */
const REPEATED: usize = 2 * 80

/** Predicts `intraBlock` along `angle`. */
export function predictDirectional(to: usize, stride: usize, angle: i32): void {
  const w = intraBlock.w
  const h = intraBlock.h
  upsampling.above = 0
  upsampling.left = 0
  if (sequence.enableIntraEdgeFilter && angle != 90 && angle != 180) prepareEdges(angle)
  if (angle == 90) copyAbove(to, stride, w, h)
  else if (angle == 180) copyLeft(to, stride, w, h)
  else if (angle < 90) predictFromAbove(to, stride, w, h, derivative(angle))
  else if (angle > 180) predictFromLeft(to, stride, w, h, derivative(270 - angle))
  else predictFromBoth(to, stride, w, h, derivative(180 - angle), derivative(angle - 90))
}

function derivative(angle: i32): i32 {
  return load<u16>(DR_INTRA_DERIVATIVE + ((<usize>angle) << 1))
}

/** Step 4: filters and upsamples the edges. */
function prepareEdges(angle: i32): void {
  const w = intraBlock.w
  const h = intraBlock.h
  const blkWh = w + h
  const isSmoothType = hasSmoothNeighbour(intraBlock.plane)
  if (angle > 90 && angle < 180 && blkWh >= 24) filterCorner()
  if (intraBlock.haveAbove) {
    const numPx = min(w, intraBlock.columns) + (angle < 90 ? h : 0) + 1
    filterEdge(ABOVE, numPx, edgeStrength(blkWh, isSmoothType, angle - 90))
  }
  if (intraBlock.haveLeft) {
    const numPx = min(h, intraBlock.rows) + (angle > 180 ? w : 0) + 1
    filterEdge(LEFT, numPx, edgeStrength(blkWh, isSmoothType, angle - 180))
  }
  if (usesUpsample(blkWh, isSmoothType, angle - 90)) {
    upsampling.above = 1
    upsampleEdge(ABOVE, w + (angle < 90 ? h : 0))
  }
  if (usesUpsample(blkWh, isSmoothType, angle - 180)) {
    upsampling.left = 1
    upsampleEdge(LEFT, h + (angle > 180 ? w : 0))
  }
}

function copyAbove(to: usize, stride: usize, w: i32, h: i32): void {
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    if (w == 4) store<u64>(row, load<u64>(ABOVE))
    else copyFew(row, ABOVE, (<usize>w) << 1)
  }
}

function copyLeft(to: usize, stride: usize, w: i32, h: i32): void {
  for (let i = 0; i < h; i++) fillBlock(to + <usize>i * stride, stride, w, 1, left(i))
}

/** Between two entries of an edge, `shift` of 32 parts from the first. */
// @ts-ignore: decorator
@inline
function between(first: i32, second: i32, shift: i32): i32 {
  return (first * (32 - shift) + second * shift + 16) >> 5
}

/** Eight samples of an edge from entry `base` on, each between two entries; 2 entries apart if they are upsampled. */
// @ts-ignore: decorator
@inline
function eightBetween(edge: usize, base: i32, shift: i32, upsampled: i32): v128 {
  const at = edge + ((<usize>base) << 1)
  let first = v128.load(at)
  let second = v128.load(at, 2)
  if (upsampled != 0) {
    const more = v128.load(at, 16)
    second = v128.shuffle<i16>(first, more, 1, 3, 5, 7, 9, 11, 13, 15)
    first = v128.shuffle<i16>(first, more, 0, 2, 4, 6, 8, 10, 12, 14)
  }
  const parts = i16x8.splat(<i16>shift)
  const half = i32x4.splat(16)
  const change = i16x8.sub(second, first)
  const low = i32x4.shr_s(i32x4.add(i32x4.extmul_low_i16x8_s(change, parts), half), 5)
  const high = i32x4.shr_s(i32x4.add(i32x4.extmul_high_i16x8_s(change, parts), half), 5)
  return i16x8.add(first, i16x8.narrow_i32x4_s(low, high))
}

/** Stores eight samples, or four of a block that is not wider. */
// @ts-ignore: decorator
@inline
function storeSamples(to: usize, samples: v128, w: i32): void {
  if (w == 4) v128.store64_lane(to, samples, 0)
  else v128.store(to, samples)
}

/** Repeats entry `last` of an edge, so that whatever is taken from beyond it is equal to it. */
function repeatLast(edge: usize, last: i32): void {
  const at = edge + ((<usize>last) << 1)
  const samples = i16x8.splat(load<i16>(at))
  for (let i: usize = 0; i < REPEATED; i += 16) v128.store(at + i, samples)
}

/** Step 7 */
function predictFromAbove(to: usize, stride: usize, w: i32, h: i32, dx: i32): void {
  const maxBaseX = (w + h - 1) << upsampling.above
  repeatLast(ABOVE, maxBaseX)
  for (let i = 0; i < h; i++) {
    const idx = (i + 1) * dx
    const shift = ((idx << upsampling.above) >> 1) & 0x1f
    const base = min(idx >> (6 - upsampling.above), maxBaseX)
    const row = to + <usize>i * stride
    for (let j = 0; j < w; j += 8) {
      const samples = eightBetween(ABOVE, base + (j << upsampling.above), shift, upsampling.above)
      storeSamples(row + ((<usize>j) << 1), samples, w)
    }
  }
}

/** Step 8: what comes from above, then over it what comes from the left. */
function predictFromBoth(to: usize, stride: usize, w: i32, h: i32, dx: i32, dy: i32): void {
  const least = -(1 << upsampling.above)
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    const start = -(i + 1) * dx
    const first = start >> (6 - upsampling.above)
    const shift = ((start << upsampling.above) >> 1) & 0x1f
    for (let j = 0; j < w; j += 8) {
      const base = first + (j << upsampling.above)
      // Where all eight are from the left, there is no entry.
      if (base + (7 << upsampling.above) < least) continue
      storeSamples(row + ((<usize>j) << 1), eightBetween(ABOVE, base, shift, upsampling.above), w)
    }
    for (let j = 0, base = first; j < w && base < least; j++) {
      const idx = (i << 6) - (j + 1) * dy
      const besides = idx >> (6 - upsampling.left)
      const value = between(left(besides), left(besides + 1), ((idx << upsampling.left) >> 1) & 0x1f)
      store<u16>(row + ((<usize>j) << 1), <u16>value)
      base += 1 << upsampling.above
    }
  }
}

/** Step 9 */
function predictFromLeft(to: usize, stride: usize, w: i32, h: i32, dy: i32): void {
  for (let j = 0; j < w; j++) {
    const idx = (j + 1) * dy
    const shift = ((idx << upsampling.left) >> 1) & 0x1f
    const base = idx >> (6 - upsampling.left)
    let column = to + ((<usize>j) << 1)
    for (let i = 0; i < h; i += 8) {
      storeColumn(column, stride, eightBetween(LEFT, base + (i << upsampling.left), shift, upsampling.left), h)
      column += 8 * stride
    }
  }
}

/** Stores eight samples below each other, or four of a block that is not higher. */
// @ts-ignore: decorator
@inline
function storeColumn(to: usize, stride: usize, samples: v128, h: i32): void {
  v128.store16_lane(to, samples, 0)
  v128.store16_lane(to + stride, samples, 1)
  v128.store16_lane(to + 2 * stride, samples, 2)
  v128.store16_lane(to + 3 * stride, samples, 3)
  if (h == 4) return
  const half = to + 4 * stride
  v128.store16_lane(half, samples, 4)
  v128.store16_lane(half + stride, samples, 5)
  v128.store16_lane(half + 2 * stride, samples, 6)
  v128.store16_lane(half + 3 * stride, samples, 7)
}
