// Block smoothing (T.81 K.8), for a progressive image whose file ends before the fine scans. Missing low AC
// coefficients of a block are estimated from the DC coefficients of the blocks around it.

import { allocate } from '../../../arena/memory'
import { naturalIndex } from '../zigzag'
import { Component } from './component'
import { estimateFromDc, NEIGHBOUR_DCS } from './dc-smoothing'
import { BLOCK } from './idct'

/** The coefficients that K.8 estimates are the first ones in zigzag order after DC. */
const ESTIMATED: i32 = 5
const UNKNOWN: i32 = -1

/** Bits still missing of each coefficient of a component: none is known yet. */
export function forgetAccuracy(c: Component): void {
  c.accuracy = allocate(64)
  memory.fill(c.accuracy, <u8>UNKNOWN, 64)
}

/** Notes that a scan has brought coefficients `from` to `to` but for their `low` last bits. */
export function noteAccuracy(c: Component, from: i32, to: i32, low: i32): void {
  memory.fill(c.accuracy + <usize>from, <u8>low, to - from + 1)
}

/** Whether any estimate is to be made for the component. */
export function needsSmoothing(c: Component): bool {
  if (accuracy(c, 0) == UNKNOWN) return false
  for (let k = 1; k <= ESTIMATED; k++) if (accuracy(c, k) != 0) return true
  return false
}

/** Adds the estimates to the loaded block in column `x` of row `y`. Returns its extent, rows | columns << 4. */
export function smoothBlock(c: Component, x: i32, y: i32, extent: i32): i32 {
  if (hasOnlyDc(c)) {
    gatherNeighbourDcs(c, x, y)
    estimateFromDc()
    return 3 | (3 << 4)
  }
  const above = max(0, y - 1)
  const below = min(c.blocksDown - 1, y + 1)
  const left = max(0, x - 1)
  const right = min(c.blocksAcross - 1, x + 1)
  const dc1 = dc(c, left, above)
  const dc2 = dc(c, x, above)
  const dc3 = dc(c, right, above)
  const dc4 = dc(c, left, y)
  const dc5 = dc(c, x, y)
  const dc6 = dc(c, right, y)
  const dc7 = dc(c, left, below)
  const dc8 = dc(c, x, below)
  const dc9 = dc(c, right, below)
  estimate(c, 1, (1.13885 / 8) * (dc4 - dc6))
  estimate(c, 2, (1.13885 / 8) * (dc2 - dc8))
  estimate(c, 3, (0.27881 / 8) * (dc2 + dc8 - 2 * dc5))
  estimate(c, 4, (0.16213 / 8) * (dc1 - dc3 - dc7 + dc9))
  estimate(c, 5, (0.27881 / 8) * (dc4 + dc6 - 2 * dc5))
  return max(extent & 15, 3) | (max(extent >> 4, 3) << 4)
}

/** Whether no scan has brought any of the coefficients to be estimated. */
function hasOnlyDc(c: Component): bool {
  for (let k = 1; k <= ESTIMATED; k++) if (accuracy(c, k) != UNKNOWN) return false
  return true
}

function gatherNeighbourDcs(c: Component, x: i32, y: i32): void {
  let to = NEIGHBOUR_DCS
  for (let row = y - 2; row <= y + 2; row++) {
    const from = max(0, min(c.blocksDown - 1, row))
    for (let column = x - 2; column <= x + 2; column++, to += 4) {
      store<f32>(to, dc(c, max(0, min(c.blocksAcross - 1, column)), from))
    }
  }
}

function accuracy(c: Component, k: i32): i32 {
  return <i32>load<i8>(c.accuracy + <usize>k)
}

/** A coefficient that is known to be small is estimated no larger. */
function estimate(c: Component, k: i32, value: f32): void {
  const at = BLOCK + ((<usize>naturalIndex(k)) << 2)
  const missing = accuracy(c, k)
  if (missing == 0 || load<f32>(at) != 0) return
  if (missing > 0) {
    const most = abs<f32>(load<f32>(c.steps + ((<usize>k) << 2)) * <f32>((1 << missing) - 1))
    value = max<f32>(-most, min<f32>(most, value))
  }
  store<f32>(at, value)
}

function dc(c: Component, x: i32, y: i32): f32 {
  const block = <usize>(y * c.paddedBlocksAcross + x) * <usize>(c.scaledWidth * c.scaledHeight)
  return <f32>load<i16>(c.coefficients + (block << 1)) * load<f32>(c.steps)
}
