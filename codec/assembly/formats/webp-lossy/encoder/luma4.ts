// Luma predicted subblock by subblock (B_PRED, RFC 6386 §12.3). Every subblock takes the best of its ten modes, all
// of them estimated. It is coded at once, since the next one's prediction reads its pixels.
import { interleaveHigh32, interleaveLow32 } from '../../../arena/simd'
import { STRIDE } from '../predict-plane'
import { BMODE_COUNT } from '../tables'
import { averageRates } from './average-rates'
import { blockLevels, FIRST_Y_BLOCK, lumaContext, setLumaBlock } from './blocks'
import { subblockModeRates } from './mode-rates'
import { aboveMode, leftMode, setSubblockMode } from './modes'
import { PREDICTIONS, predictSubblock } from './predict-subblock'
import { lumaLambda, lumaQuantizer } from './quantizer'
import { estimatePair, PAIR_COSTS } from './rd-estimate'
import { forwardTransform, inverseTransform, PAIR_BYTES, RESIDUAL } from './transform'
import { quantizeBlock } from './trellis'
import { LUMA } from './workspace'

/** Five pairs: modes 2n and 2n + 1. */
const pairs: usize = memory.data(5 * 64, 16)

/**
 * Codes the source's macroblock with subblock modes: levels, modes, coded flags and pixels are set. Returns up, with false,
 * when the estimated cost, beginning with `cost`, reaches `limit`.
 */
export function codeLuma4(source: usize, stride: usize, cost: f32, limit: f32): bool {
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const at = LUMA + 4 * row * STRIDE + 4 * column
      predictSubblock(at)
      transformCandidates(source + 4 * row * stride + 4 * column, stride)
      const mode = chooseMode(subblockModeRates(aboveMode(row, column), leftMode(row, column)))
      cost += bestCost
      if (cost >= limit) return false
      setSubblockMode(row, column, mode)
      codeSubblock(mode, row, column, at)
    }
  }
  return true
}

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

let bestCost: f32 = 0

function chooseMode(modeBits: usize): i32 {
  const rates = averageRates(3)
  const bitCost = lumaLambda / 256
  let best = 0
  bestCost = f32.MAX_VALUE
  for (let mode = 0; mode < BMODE_COUNT; mode += 2) {
    const pair = pairs + (mode >> 1) * PAIR_BYTES
    const c0 = v128.load(pair)
    const c1 = v128.load(pair, 16)
    const c2 = v128.load(pair, 32)
    const c3 = v128.load(pair, 48)
    estimatePair(c0, c1, c2, c3, lumaQuantizer, rates)
    const costA = load<f32>(PAIR_COSTS) + bitCost * <f32>load<u16>(modeBits + 2 * mode)
    const costB = load<f32>(PAIR_COSTS, 4) + bitCost * <f32>load<u16>(modeBits + 2 * mode, 2)
    if (costA < bestCost) {
      bestCost = costA
      best = mode
    }
    if (costB < bestCost) {
      bestCost = costB
      best = mode + 1
    }
  }
  return best
}

function codeSubblock(mode: i32, row: i32, column: i32, at: usize): void {
  const pair = pairs + (mode >> 1) * PAIR_BYTES
  const context = lumaContext(row, column)
  const count = quantizeBlock(pair + 8 * (mode & 1), 3, context, blockLevels(FIRST_Y_BLOCK + 4 * row + column))
  setLumaBlock(row, column, context, count)
  const prediction = PREDICTIONS + 16 * mode
  if (count == 0) {
    for (let y = 0; y < 4; y++) store<u32>(at + y * STRIDE, load<u32>(prediction + 4 * y))
    return
  }
  inverseTransform(pair)
  const residual = RESIDUAL + 8 * (mode & 1)
  const predicted = v128.load(prediction)
  const first = v128.load64_lane(residual + 16, v128.load64_zero(residual), 1)
  const second = v128.load64_lane(residual + 48, v128.load64_zero(residual + 32), 1)
  const top = i16x8.add(i16x8.extend_low_i8x16_u(predicted), first)
  const bottom = i16x8.add(i16x8.extend_high_i8x16_u(predicted), second)
  const result = i8x16.narrow_i16x8_u(top, bottom)
  v128.store32_lane(at, result, 0)
  v128.store32_lane(at + STRIDE, result, 1)
  v128.store32_lane(at + 2 * STRIDE, result, 2)
  v128.store32_lane(at + 3 * STRIDE, result, 3)
}
