// Luma predicted subblock by subblock (B_PRED, RFC 6386 §12.3). The costs of the ten modes of a subblock are estimated, and
// the best two are quantized if they are close. A subblock is coded at once, since the next one is predicted from its pixels.
import { interleaveHigh32, interleaveLow32, sumOfLanes32 } from '../../../arena/simd'
import { STRIDE } from '../predict-plane'
import { BMODE_COUNT } from '../tables'
import { averageRates } from './average-rates'
import { blockLevels, FIRST_Y_BLOCK, lumaContext, setLumaBlock } from './blocks'
import { levelsLambda } from './level-costs'
import { subblockModeRates } from './mode-rates'
import { aboveMode, leftMode, setSubblockMode } from './modes'
import { PREDICTIONS, predictSubblock } from './predict-subblock'
import { lumaLambda, lumaQuantizer } from './quantizer'
import { estimatePair, PAIR_COSTS } from './rd-estimate'
import { firstVectors, forwardTransform, inverseTransform, lastVectors, PAIR_BYTES, RESIDUAL } from './transform'
import { blockCost, quantizeBlock } from './trellis'
import { LUMA } from './workspace'

/** Five pairs: modes 2n and 2n + 1. */
const pairs: usize = memory.data(5 * 64, 16)

/** The two modes of a subblock with the least estimated costs, in squared coefficients. */
@unmanaged
class Candidates {
  best: i32
  second: i32
  bestCost: f32
  secondCost: f32
}

const candidates: Candidates = changetype<Candidates>(memory.data(4 * 4, 4))

/** The second is quantized too, if its estimate is at most this many bits above the best, tuned on photos. */
const CLOSE_BITS: f32 = 6

/** Levels of the second, 16 x i16 in zigzag order. */
const secondLevels: usize = memory.data(32, 16)

/**
 * Codes the source's macroblock with subblock modes: levels, modes, coded flags and pixels are set. Returns false as soon as
 * the estimated cost, beginning with `cost`, reaches `limit`.
 */
export function codeLuma4(source: usize, stride: usize, cost: f32, limit: f32): bool {
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const at = LUMA + 4 * row * STRIDE + 4 * column
      predictSubblock(at)
      transformCandidates(source + 4 * row * stride + 4 * column, stride)
      const modeRates = subblockModeRates(aboveMode(row, column), leftMode(row, column))
      chooseModes(modeRates)
      cost += candidates.bestCost
      if (cost >= limit) return false
      setSubblockMode(row, column, codeSubblock(row, column, at, modeRates))
    }
  }
  return true
}

/** Transforms the residuals of all modes of a subblock to `pairs`. */
function transformCandidates(source: usize, stride: usize): void {
  const s0 = i16x8.extend_low_i8x16_u(v128.load32_splat(source))
  const s1 = i16x8.extend_low_i8x16_u(v128.load32_splat(source + stride))
  const s2 = i16x8.extend_low_i8x16_u(v128.load32_splat(source + 2 * stride))
  const s3 = i16x8.extend_low_i8x16_u(v128.load32_splat(source + 3 * stride))
  for (let n: usize = 0; n < 5; n++) {
    const a = v128.load(PREDICTIONS + 32 * n)
    const b = v128.load(PREDICTIONS + 32 * n, 16)
    const top = interleaveLow32(a, b)
    const bottom = interleaveHigh32(a, b)
    forwardTransform(
      i16x8.sub(s0, i16x8.extend_low_i8x16_u(top)),
      i16x8.sub(s1, i16x8.extend_high_i8x16_u(top)),
      i16x8.sub(s2, i16x8.extend_low_i8x16_u(bottom)),
      i16x8.sub(s3, i16x8.extend_high_i8x16_u(bottom)),
      pairs + n * PAIR_BYTES,
    )
  }
}

/** Sets `candidates`, with the rates of modes (u16) at `modeRates`. */
function chooseModes(modeRates: usize): void {
  const rates = averageRates(3)
  const bitCost = lumaLambda / 256
  candidates.bestCost = f32.MAX_VALUE
  candidates.secondCost = f32.MAX_VALUE
  for (let mode = 0; mode < BMODE_COUNT; mode += 2) {
    const pair = pairs + (mode >> 1) * PAIR_BYTES
    const c0 = v128.load(pair)
    const c1 = v128.load(pair, 16)
    const c2 = v128.load(pair, 32)
    const c3 = v128.load(pair, 48)
    estimatePair(c0, c1, c2, c3, lumaQuantizer, rates)
    addCandidate(mode, load<f32>(PAIR_COSTS) + bitCost * <f32>load<u16>(modeRates + 2 * mode))
    addCandidate(mode + 1, load<f32>(PAIR_COSTS, 4) + bitCost * <f32>load<u16>(modeRates + 2 * mode, 2))
  }
}

// @ts-ignore: decorator
@inline
function addCandidate(mode: i32, cost: f32): void {
  if (cost < candidates.bestCost) {
    candidates.secondCost = candidates.bestCost
    candidates.second = candidates.best
    candidates.bestCost = cost
    candidates.best = mode
  } else if (cost < candidates.secondCost) {
    candidates.secondCost = cost
    candidates.second = mode
  }
}

/** Codes the subblock, with its pixels at `at`, by one of the candidates. Returns its mode. */
function codeSubblock(row: i32, column: i32, at: usize, modeRates: usize): i32 {
  const context = lumaContext(row, column)
  const levels = blockLevels(FIRST_Y_BLOCK + 4 * row + column)
  const isClose = candidates.secondCost < candidates.bestCost + CLOSE_BITS * lumaLambda
  let mode = candidates.best
  let cost = isClose ? costOfZeros(mode, modeRates) : 0
  let count = quantizeBlock(coefficientsOf(mode), 3, context, levels)
  if (isClose) {
    cost += <f32>blockCost
    const second = candidates.second
    const zeros = costOfZeros(second, modeRates)
    const secondCount = quantizeBlock(coefficientsOf(second), 3, context, secondLevels)
    if (zeros + <f32>blockCost < cost) {
      mode = second
      count = secondCount
      v128.store(levels, v128.load(secondLevels))
      v128.store(levels, v128.load(secondLevels, 16), 16)
    }
  }
  setLumaBlock(row, column, context, count)
  reconstructSubblock(mode, count, at)
  return mode
}

/** Address of a mode's half of its pair. */
// @ts-ignore: decorator
@inline
function coefficientsOf(mode: i32): usize {
  return pairs + (mode >> 1) * PAIR_BYTES + 8 * (mode & 1)
}

/** The part of a mode's cost to which `blockCost` is added: squared coefficients, and the bits of the mode, weighed as those of levels. */
function costOfZeros(mode: i32, modeRates: usize): f32 {
  const left = firstVectors(coefficientsOf(mode))
  const right = lastVectors(coefficientsOf(mode))
  const squares = i32x4.add(i32x4.dot_i16x8_s(left, left), i32x4.dot_i16x8_s(right, right))
  return <f32>sumOfLanes32(squares) + (levelsLambda(lumaQuantizer) / 256) * <f32>load<u16>(modeRates + 2 * mode)
}

/** Reconstructs the subblock at `at` by its mode and its dequantized coefficients, which are all 0 if `count` is 0. */
function reconstructSubblock(mode: i32, count: i32, at: usize): void {
  const prediction = PREDICTIONS + 16 * mode
  if (count == 0) {
    for (let y = 0; y < 4; y++) store<u32>(at + y * STRIDE, load<u32>(prediction + 4 * y))
    return
  }
  inverseTransform(pairs + (mode >> 1) * PAIR_BYTES)
  const residual = RESIDUAL + 8 * (mode & 1)
  const predicted = v128.load(prediction)
  const top = i16x8.add(i16x8.extend_low_i8x16_u(predicted), firstVectors(residual))
  const bottom = i16x8.add(i16x8.extend_high_i8x16_u(predicted), lastVectors(residual))
  const result = i8x16.narrow_i16x8_u(top, bottom)
  v128.store32_lane(at, result, 0)
  v128.store32_lane(at + STRIDE, result, 1)
  v128.store32_lane(at + 2 * STRIDE, result, 2)
  v128.store32_lane(at + 3 * STRIDE, result, 3)
}
