// Warped motion: AV1 specification, 7.11.3.5, 7.11.3.6 and 7.11.3.8.
import { sumOfLanes32 } from '../../../../arena/simd'
import { WARPED_FILTERS } from '../../tables/inter'
import { block } from '../blocks/block'
import { WARPEDMODEL_PREC_BITS } from '../frames/global-motion'
import { planeOf, Reference, sampleShift } from '../frames/references'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'
import { colOf, rowOf } from '../modes/inter-map'
import { CANDIDATES, warpSamples } from '../modes/motion-mode'
import { part, predRow, rounding } from './block-inter'

const ONE: i32 = 1 << WARPEDMODEL_PREC_BITS
const WARP_PARAM_REDUCE_BITS: i32 = 6
const WARPEDMODEL_NONDIAGAFFINE_CLAMP: i32 = 1 << 13
const WARPEDMODEL_TRANS_CLAMP: i32 = 1 << 23
const WARPEDPIXEL_PREC_SHIFTS: i32 = 1 << 6
const WARPEDDIFF_PREC_BITS: i32 = 10
/** Positions of Warped_Filters: that in the middle, and the last that is not like another. */
const MIDDLE: i32 = 96
const LAST: i32 = 191
const DIV_LUT_BITS: i32 = 8
const DIV_LUT_PREC_BITS: i32 = 14
const LS_MV_MAX: i32 = 256

/** LocalWarpParams, i32[6]. */
export const LOCAL_WARP: usize = memory.data(4 * 6, 4)

/** The outputs of the setup shear process. */
@unmanaged
class Shear {
  // Outputs of the setup shear process.
  alpha: i32
  beta: i32
  gamma: i32
  delta: i32
}

const shear: Shear = changetype<Shear>(memory.data(offsetof<Shear>(), 4))

/** The outputs of the resolve divisor process. */
@unmanaged
class Divisor {
  shift: i32
  factor: i64
}

const divisor: Divisor = changetype<Divisor>(memory.data(offsetof<Divisor>(), 8))

/** The resolve divisor process (7.11.3.7). */
function resolveDivisor(d: i64): void {
  const size: u64 = d < 0 ? -d : d
  const n = 63 - <i32>clz<u64>(size)
  const e = <i64>size - ((<i64>1) << n)
  const f =
    n > DIV_LUT_BITS ? (e + ((<i64>1) << (n - DIV_LUT_BITS - 1))) >> (n - DIV_LUT_BITS) : e << (DIV_LUT_BITS - n)
  divisor.shift = n + DIV_LUT_PREC_BITS
  // Div_Lut
  const entry = <i32>(256 + f)
  const factor = ((1 << 22) + (entry >> 1)) / entry
  divisor.factor = d < 0 ? -factor : factor
}

function round2Signed(value: i64, bits: i32): i64 {
  if (bits == 0) return value
  const half = (<i64>1) << (bits - 1)
  return value < 0 ? -((half - value) >> bits) : (value + half) >> bits
}

function clip16(value: i64): i32 {
  return <i32>max<i64>(-32768, min<i64>(32767, value))
}

function reduced(value: i32): i32 {
  return (<i32>round2Signed(value, WARP_PARAM_REDUCE_BITS)) << WARP_PARAM_REDUCE_BITS
}

/** The setup shear process for parameters, i32[6]. Returns warpValid. */
export function setupShear(params: usize): bool {
  const param2 = load<i32>(params, 8)
  const param3 = load<i32>(params, 12)
  const param4 = load<i32>(params, 16)
  if (param2 <= 0) return false
  resolveDivisor(param2)
  const v = (<i64>param4) << WARPEDMODEL_PREC_BITS
  const w = <i64>param3 * param4
  shear.alpha = reduced(clip16(param2 - ONE))
  shear.beta = reduced(clip16(param3))
  shear.gamma = reduced(clip16(round2Signed(v * divisor.factor, divisor.shift)))
  shear.delta = reduced(clip16(load<i32>(params, 20) - round2Signed(w * divisor.factor, divisor.shift) - ONE))
  return 4 * abs(shear.alpha) + 7 * abs(shear.beta) < ONE && 4 * abs(shear.gamma) + 4 * abs(shear.delta) < ONE
}

/** The warp estimation process: fills LOCAL_WARP and returns LocalValid. */
export function estimateWarp(): bool {
  let a00: i64 = 0
  let a01: i64 = 0
  let a11: i64 = 0
  let bx0: i64 = 0
  let bx1: i64 = 0
  let by0: i64 = 0
  let by1: i64 = 0
  const mvRow = rowOf(block.vector0)
  const mvCol = colOf(block.vector0)
  const midY = (block.miRow << 2) + (block.bh4 << 1) - 1
  const midX = (block.miCol << 2) + (block.bw4 << 1) - 1
  for (let i = 0; i < warpSamples.numSamples; i++) {
    const candidate = CANDIDATES + (i << 4)
    const sy = load<i32>(candidate) - midY * 8
    const sx = load<i32>(candidate, 4) - midX * 8
    const dy = load<i32>(candidate, 8) - midY * 8 - mvRow
    const dx = load<i32>(candidate, 12) - midX * 8 - mvCol
    if (abs(sx - dx) >= LS_MV_MAX || abs(sy - dy) >= LS_MV_MAX) continue
    a00 += product(sx, sx) + 8
    a01 += product(sx, sy) + 4
    a11 += product(sy, sy) + 8
    bx0 += product(sx, dx) + 8
    bx1 += product(sy, dx) + 4
    by0 += product(sx, dy) + 4
    by1 += product(sy, dy) + 8
  }
  const det = a00 * a11 - a01 * a01
  if (det == 0) return false
  resolveDivisor(det)
  divisor.shift -= WARPEDMODEL_PREC_BITS
  if (divisor.shift < 0) {
    divisor.factor = divisor.factor << -divisor.shift
    divisor.shift = 0
  }
  const param2 = divided(a11 * bx0 - a01 * bx1, ONE)
  const param3 = divided(a00 * bx1 - a01 * bx0, 0)
  const param4 = divided(a11 * by0 - a01 * by1, 0)
  const param5 = divided(a00 * by1 - a01 * by0, ONE)
  store<i32>(LOCAL_WARP, translation(mvCol * (ONE >> 3) - (midX * (param2 - ONE) + midY * param3)))
  store<i32>(LOCAL_WARP, translation(mvRow * (ONE >> 3) - (midX * param4 + midY * (param5 - ONE))), 4)
  store<i32>(LOCAL_WARP, param2, 8)
  store<i32>(LOCAL_WARP, param3, 12)
  store<i32>(LOCAL_WARP, param4, 16)
  store<i32>(LOCAL_WARP, param5, 20)
  return true
}

/** ls_product( ) */
function product(a: i32, b: i32): i64 {
  return ((a * b) >> 2) + (a + b)
}

/** diag( ) where `middle` is 1 << WARPEDMODEL_PREC_BITS, and nondiag( ) where it is 0. */
function divided(v: i64, middle: i32): i32 {
  const most = WARPEDMODEL_NONDIAGAFFINE_CLAMP - 1
  return <i32>max<i64>(middle - most, min<i64>(middle + most, round2Signed(v * divisor.factor, divisor.shift)))
}

function translation(value: i32): i32 {
  return max(-WARPEDMODEL_TRANS_CLAMP, min(WARPEDMODEL_TRANS_CLAMP - 1, value))
}

/** Samples filtered along rows, i16[15][8]. */
const INTERMEDIATE: usize = memory.data(2 * 8 * 16, 16)
/** Eight samples of a row, u16. */
const SAMPLES: usize = memory.data(2 * 16, 16)

/** The block warp process for the part in preds[ refList ], after setupShear( ). */
export function warpBlock(refList: i32, r: Reference, params: usize): void {
  for (let i = 0; i < part.h; i += 8) {
    for (let j = 0; j < part.w; j += 8) warpSection(refList, r, params, i, j)
  }
}

/** Warps the 8x8 samples in row `i` and column `j` of the part. */
function warpSection(refList: i32, r: Reference, params: usize, i: i32, j: i32): void {
  const plane = part.plane
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const srcX = <i64>((part.x + j + 4) << subX)
  const srcY = <i64>((part.y + i + 4) << subY)
  const dstX = load<i32>(params, 8) * srcX + load<i32>(params, 12) * srcY + load<i32>(params)
  const dstY = load<i32>(params, 16) * srcX + load<i32>(params, 20) * srcY + load<i32>(params, 4)
  const x4 = dstX >> subX
  const y4 = dstY >> subY
  const ix4 = <i32>(x4 >> WARPEDMODEL_PREC_BITS)
  const iy4 = <i32>(y4 >> WARPEDMODEL_PREC_BITS)
  const sx4 = <i32>x4 & (ONE - 1)
  const sy4 = <i32>y4 & (ONE - 1)
  const lastX = ((r.upscaledWidth + subX) >> subX) - 1
  const lastY = ((r.frameHeight + subY) >> subY) - 1
  const stride = plane == 0 ? r.stride0 : r.stride1
  const shift = sampleShift()
  for (let i1 = -7; i1 < 8; i1++) {
    const row = planeOf(r, plane) + stride * <usize>max(0, min(lastY, iy4 + i1))
    for (let k = 0; k < 15; k++) {
      const at = row + ((<usize>max(0, min(lastX, ix4 + k - 7))) << shift)
      store<u16>(SAMPLES + (k << 1), shift == 0 ? <u16>load<u8>(at) : load<u16>(at))
    }
    for (let i2 = -4; i2 < 4; i2++) {
      const taps = filterAt(sx4 + shear.alpha * i2 + shear.beta * i1)
      const sum = sumOfLanes32(i32x4.dot_i16x8_s(v128.load(SAMPLES + ((<usize>(i2 + 4)) << 1)), taps))
      const value = (sum + ((1 << rounding.round0) >> 1)) >> rounding.round0
      // Columns are contiguous, so that they are filtered like rows.
      store<i16>(INTERMEDIATE + ((<usize>((i2 + 4) * 16 + i1 + 7)) << 1), <i16>value)
    }
  }
  for (let i1 = -4; i1 < 4; i1++) {
    const to = predRow(refList, i + i1 + 4) + (j << 2)
    for (let i2 = -4; i2 < 4; i2++) {
      const taps = filterAt(sy4 + shear.gamma * i2 + shear.delta * i1)
      const from = INTERMEDIATE + ((<usize>((i2 + 4) * 16 + i1 + 4)) << 1)
      const sum = sumOfLanes32(i32x4.dot_i16x8_s(v128.load(from), taps))
      store<i32>(to + ((<usize>(i2 + 4)) << 2), (sum + ((1 << rounding.round1) >> 1)) >> rounding.round1)
    }
  }
}

/** Warped_Filters for a position. */
function filterAt(position: i32): v128 {
  const offset = ((position + (1 << (WARPEDDIFF_PREC_BITS - 1))) >> WARPEDDIFF_PREC_BITS) + WARPEDPIXEL_PREC_SHIFTS
  if (offset <= MIDDLE) return v128.load_ext<i8>(WARPED_FILTERS + (offset << 3))
  const turned = v128.load_ext<i8>(WARPED_FILTERS + ((2 * MIDDLE - min(offset, LAST)) << 3))
  return v128.shuffle<i16>(turned, turned, 7, 6, 5, 4, 3, 2, 1, 0)
}
