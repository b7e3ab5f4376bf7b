// Luma predicted as a whole (RFC 6386 §12.3), with its DCs in a Y2 block. The four modes are compared in the frequency domain:
// the source is transformed once, and the transforms of predictions, which are nearly all zeros, are subtracted.
import { dcPrediction, predictPlane, STRIDE } from '../predict-plane'
import { DC_PRED, H_PRED, TM_PRED, V_PRED } from '../tables'
import { averageRates } from './average-rates'
import { blockLevels, FIRST_Y_BLOCK, lumaContext, setLumaBlock, setY2Block, Y2_BLOCK, y2Context } from './blocks'
import { lumaModeRate } from './mode-rates'
import { transformAbove, transformLeft } from './predicted-transforms'
import { lumaLambda, lumaQuantizer, y2Quantizer } from './quantizer'
import { addPairCosts, estimatePair, PAIR_COSTS } from './rd-estimate'
import { reconstruct, transformResidual, transformSource } from './residual'
import { PAIR_BYTES } from './transform'
import { quantizeBlock } from './trellis'
import { forwardWalsh, inverseWalsh } from './walsh'
import { hasAbove, hasLeft, LUMA } from './workspace'

/** The best mode's estimated cost, in squared coefficients. */
export let luma16Cost: f32 = 0

/** Eight pairs: pair 2 * row + half of the row. */
const pairs: usize = memory.data(8 * 64, 16)
const abovePairs: usize = memory.data(2 * 64, 16)
/** The DCs of each mode: DC_PRED and V_PRED are one pair, H_PRED and TM_PRED the other. */
const dcPairs: usize = memory.data(2 * 64, 16)
const costs: usize = memory.data(4 * 4, 16)

/** Estimates the four modes for the source's macroblock. Returns the best one, with its cost in `luma16Cost`. */
export function chooseLuma16(source: usize, stride: usize): i32 {
  const rates = averageRates(0)
  const quantizer = lumaQuantizer
  const noDc = i16x8(0, -1, -1, -1, 0, -1, -1, -1)
  const dc = <i16>(8 * dcPrediction(LUMA, 16, hasAbove, hasLeft))
  const corner = <i16>(8 * <i32>load<u8>(LUMA - STRIDE - 1))
  transformAbove(LUMA - STRIDE, abovePairs)
  transformAbove(LUMA - STRIDE + 8, abovePairs + PAIR_BYTES)
  v128.store(costs, f32x4.splat(0))

  let left = i16x8.splat(0)
  for (let row = 0; row < 4; row++) {
    left = row & 1 ? v128.shuffle<i64>(left, left, 1, 1) : transformLeft(LUMA - 1 + 4 * row * STRIDE)
    const leftBoth = v128.shuffle<i64>(left, left, 0, 0)
    for (let half = 0; half < 2; half++) {
      transformSource(source + 4 * row * stride + 8 * half, stride, pairs)
      const c0 = v128.load(pairs)
      const c1 = v128.load(pairs, 16)
      const c2 = v128.load(pairs, 32)
      const c3 = v128.load(pairs, 48)
      const above = abovePairs + half * PAIR_BYTES
      const v0 = i16x8.sub(c0, v128.load(above))
      const v1 = i16x8.sub(c1, v128.load(above, 16))
      const v2 = i16x8.sub(c2, v128.load(above, 32))
      const v3 = i16x8.sub(c3, v128.load(above, 48))
      const h0 = i16x8.sub(c0, leftBoth)
      const t0 = i16x8.sub(v0, leftBoth)
      storeDcs(DC_PRED, row, half, i16x8.sub(c0, i16x8.splat(dc)))
      storeDcs(V_PRED, row, half, v0)
      storeDcs(H_PRED, row, half, h0)
      storeDcs(TM_PRED, row, half, i16x8.add(t0, i16x8.splat(corner)))
      estimatePair(v128.and(c0, noDc), c1, c2, c3, quantizer, rates)
      addPairCosts(costs, DC_PRED)
      estimatePair(v128.and(v0, noDc), v1, v2, v3, quantizer, rates)
      addPairCosts(costs, V_PRED)
      estimatePair(v128.and(h0, noDc), c1, c2, c3, quantizer, rates)
      addPairCosts(costs, H_PRED)
      estimatePair(v128.and(t0, noDc), v1, v2, v3, quantizer, rates)
      addPairCosts(costs, TM_PRED)
    }
  }

  let best = 0
  luma16Cost = f32.MAX_VALUE
  for (let mode = 0; mode < 4; mode++) {
    const pair = dcPairs + (mode >> 1) * PAIR_BYTES
    if ((mode & 1) == 0) {
      forwardWalsh(pair)
      estimatePair(
        v128.load(pair),
        v128.load(pair, 16),
        v128.load(pair, 32),
        v128.load(pair, 48),
        y2Quantizer,
        averageRates(1),
      )
    }
    const bits = <f32>lumaModeRate(mode) / 256
    const cost = load<f32>(costs + 4 * mode) + load<f32>(PAIR_COSTS + 4 * (mode & 1)) + lumaLambda * bits
    if (cost < luma16Cost) {
      luma16Cost = cost
      best = mode
    }
  }
  return best
}

// @ts-ignore: decorator
@inline
function storeDcs(mode: i32, row: i32, half: i32, first: v128): void {
  // TM_PRED is not clamped here, and its DCs might overflow the sums of the Walsh-Hadamard transform.
  const limit = i16x8.splat(2040)
  const dcs = i16x8.max_s(i16x8.min_s(first, limit), i16x8.neg(limit))
  const at = dcPairs + (mode >> 1) * PAIR_BYTES + 8 * (mode & 1) + 2 * row + 32 * half
  store<i16>(at, i16x8.extract_lane_s(dcs, 0))
  store<i16>(at, i16x8.extract_lane_s(dcs, 4), 16)
}

/** Codes the source's macroblock by `mode`: its levels go to the blocks, its pixels to the workspace. */
export function codeLuma16(mode: i32, source: usize, stride: usize): void {
  predictPlane(LUMA, 16, mode, hasAbove, hasLeft)
  for (let row = 0; row < 4; row++) {
    for (let half = 0; half < 2; half++) {
      const pair = pairs + (2 * row + half) * PAIR_BYTES
      const at = 4 * row * STRIDE + 8 * half
      transformResidual(source + 4 * row * stride + 8 * half, stride, LUMA + at, pair)
      const dcs = dcPairs + 2 * row + 32 * half
      store<i16>(dcs, load<i16>(pair))
      store<i16>(dcs, load<i16>(pair, 8), 16)
    }
  }
  forwardWalsh(dcPairs)
  const context = y2Context()
  setY2Block(context, quantizeBlock(dcPairs, 1, context, blockLevels(Y2_BLOCK)))
  inverseWalsh(dcPairs)

  for (let row = 0; row < 4; row++) {
    for (let half = 0; half < 2; half++) {
      const pair = pairs + (2 * row + half) * PAIR_BYTES
      codeBlock(pair, row, 2 * half)
      codeBlock(pair + 8, row, 2 * half + 1)
      const dcs = dcPairs + 2 * row + 32 * half
      store<i16>(pair, load<i16>(dcs))
      store<i16>(pair, load<i16>(dcs, 16), 8)
      reconstruct(pair, LUMA + 4 * row * STRIDE + 8 * half)
    }
  }
}

// @ts-ignore: decorator
@inline
function codeBlock(half: usize, row: i32, column: i32): void {
  const context = lumaContext(row, column)
  const count = quantizeBlock(half, 0, context, blockLevels(FIRST_Y_BLOCK + 4 * row + column))
  setLumaBlock(row, column, context, count)
}
