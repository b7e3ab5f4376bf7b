// Chroma: one mode for both planes (RFC 6386 §12.2), compared as luma16.ts does it.
import { dcPrediction, predictPlane, STRIDE } from '../predict-plane'
import { DC_PRED, H_PRED, TM_PRED, V_PRED } from '../tables'
import { averageRates } from './average-rates'
import { blockLevels, chromaContext, FIRST_U_BLOCK, setChromaBlock } from './blocks'
import { chromaModeRate } from './mode-rates'
import { transformAbove, transformLeft } from './predicted-transforms'
import { chromaQuantizer } from './quantizer'
import { addPairCosts, estimatePair } from './rd-estimate'
import { reconstruct, transformResidual, transformSource } from './residual'
import { quantizeBlock } from './trellis'
import { hasAbove, hasLeft, U, V } from './workspace'

const pair: usize = memory.data(64, 16)
const abovePair: usize = memory.data(64, 16)
const costs: usize = memory.data(4 * 4, 16)

/** Estimates the four modes for the source's 8x8 pixels of U and V and returns the best one. */
export function chooseChroma(sourceU: usize, sourceV: usize, stride: usize): i32 {
  for (let mode = 0; mode < 4; mode++) {
    store<f32>(costs + 4 * mode, chromaQuantizer.lambda * (<f32>chromaModeRate(mode) / 256))
  }
  addPlaneCosts(U, sourceU, stride)
  addPlaneCosts(V, sourceV, stride)
  let best = 0
  for (let mode = 1; mode < 4; mode++) if (load<f32>(costs + 4 * mode) < load<f32>(costs + 4 * best)) best = mode
  return best
}

function addPlaneCosts(plane: usize, source: usize, stride: usize): void {
  const quantizer = chromaQuantizer
  const rates = averageRates(2)
  const onlyDc = i16x8(-1, 0, 0, 0, -1, 0, 0, 0)
  const dc = v128.and(i16x8.splat(<i16>(8 * dcPrediction(plane, 8, hasAbove, hasLeft))), onlyDc)
  const corner = v128.and(i16x8.splat(<i16>(8 * <i32>load<u8>(plane - STRIDE - 1))), onlyDc)
  transformAbove(plane - STRIDE, abovePair)
  const left = transformLeft(plane - 1)
  for (let row = 0; row < 2; row++) {
    transformSource(source + 4 * row * stride, stride, pair)
    const leftBoth = row == 0 ? v128.shuffle<i64>(left, left, 0, 0) : v128.shuffle<i64>(left, left, 1, 1)
    const c0 = v128.load(pair)
    const c1 = v128.load(pair, 16)
    const c2 = v128.load(pair, 32)
    const c3 = v128.load(pair, 48)
    const v0 = i16x8.sub(c0, v128.load(abovePair))
    const v1 = i16x8.sub(c1, v128.load(abovePair, 16))
    const v2 = i16x8.sub(c2, v128.load(abovePair, 32))
    const v3 = i16x8.sub(c3, v128.load(abovePair, 48))
    estimatePair(i16x8.sub(c0, dc), c1, c2, c3, quantizer, rates)
    addPairCosts(costs, DC_PRED)
    estimatePair(v0, v1, v2, v3, quantizer, rates)
    addPairCosts(costs, V_PRED)
    estimatePair(i16x8.sub(c0, leftBoth), c1, c2, c3, quantizer, rates)
    addPairCosts(costs, H_PRED)
    estimatePair(i16x8.add(i16x8.sub(v0, leftBoth), corner), v1, v2, v3, quantizer, rates)
    addPairCosts(costs, TM_PRED)
  }
}

/** Codes the source's pixels by `mode`: their levels go to the blocks, the pixels to the workspace. */
export function codeChroma(mode: i32, sourceU: usize, sourceV: usize, stride: usize): void {
  codePlane(0, U, mode, sourceU, stride)
  codePlane(1, V, mode, sourceV, stride)
}

function codePlane(index: i32, plane: usize, mode: i32, source: usize, stride: usize): void {
  predictPlane(plane, 8, mode, hasAbove, hasLeft)
  for (let row = 0; row < 2; row++) {
    const predicted = plane + 4 * row * STRIDE
    transformResidual(source + 4 * row * stride, stride, predicted, pair)
    for (let column = 0; column < 2; column++) {
      const context = chromaContext(index, row, column)
      const block = FIRST_U_BLOCK + 4 * index + 2 * row + column
      const count = quantizeBlock(pair + 8 * column, 2, context, blockLevels(block))
      setChromaBlock(index, row, column, context, count)
    }
    reconstruct(pair, predicted)
  }
}
