// The directional intra prediction process: AV1 specification, 7.11.2.4.
import { copyFew } from '../../../arena/few-bytes'
import { DR_INTRA_DERIVATIVE } from '../tables/prediction'
import { ABOVE, above, LEFT, left } from './edge'
import { edgeStrength, filterCorner, filterEdge, hasSmoothNeighbour, upsampleEdge, usesUpsample } from './edge-filter'
import { intraBlock } from './intra-block'
import { fillBlock } from './predict-dc'
import { sequence } from './sequence-header'

/** Whether the edges of the block are upsampled: 1 or 0. */
@unmanaged
class Upsampling {
  above: i32
  left: i32
}

const upsampling: Upsampling = changetype<Upsampling>(memory.data(offsetof<Upsampling>(), 4))

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

/** Step 7 */
function predictFromAbove(to: usize, stride: usize, w: i32, h: i32, dx: i32): void {
  const maxBaseX = (w + h - 1) << upsampling.above
  for (let i = 0; i < h; i++) {
    const idx = (i + 1) * dx
    const shift = ((idx << upsampling.above) >> 1) & 0x1f
    let base = idx >> (6 - upsampling.above)
    const row = to + <usize>i * stride
    for (let j = 0; j < w; j++) {
      const value = base < maxBaseX ? between(above(base), above(base + 1), shift) : above(maxBaseX)
      store<u16>(row + ((<usize>j) << 1), <u16>value)
      base += 1 << upsampling.above
    }
  }
}

/** Step 8 */
function predictFromBoth(to: usize, stride: usize, w: i32, h: i32, dx: i32, dy: i32): void {
  const least = -(1 << upsampling.above)
  for (let i = 0; i < h; i++) {
    const row = to + <usize>i * stride
    for (let j = 0; j < w; j++) {
      let idx = (j << 6) - (i + 1) * dx
      let base = idx >> (6 - upsampling.above)
      let value = 0
      if (base >= least) value = between(above(base), above(base + 1), ((idx << upsampling.above) >> 1) & 0x1f)
      else {
        idx = (i << 6) - (j + 1) * dy
        base = idx >> (6 - upsampling.left)
        value = between(left(base), left(base + 1), ((idx << upsampling.left) >> 1) & 0x1f)
      }
      store<u16>(row + ((<usize>j) << 1), <u16>value)
    }
  }
}

/** Step 9 */
function predictFromLeft(to: usize, stride: usize, w: i32, h: i32, dy: i32): void {
  for (let j = 0; j < w; j++) {
    const idx = (j + 1) * dy
    const shift = ((idx << upsampling.left) >> 1) & 0x1f
    let base = idx >> (6 - upsampling.left)
    for (let i = 0; i < h; i++) {
      store<u16>(to + <usize>i * stride + ((<usize>j) << 1), <u16>between(left(base), left(base + 1), shift))
      base += 1 << upsampling.left
    }
  }
}
