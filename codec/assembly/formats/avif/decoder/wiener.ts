// The Wiener filter process: AV1 specification, 7.17.4 and 7.17.5.
import { allocate } from '../../../arena/memory'
import { unitCoefficient } from './restoration-units'
import { bitDepth } from './sequence-header'

const TAPS: i32 = 7
const FILTER_BITS: i32 = 7
/** The greatest unit: 256, half of it more at the end of a row, and what a vector may write beyond. */
const MAX_WIDTH: i32 = 384 + 16
const MAX_ROWS: i32 = 64 + 6

/** intermediate, i16 */
let intermediate: usize = 0
const VERTICAL: usize = memory.data(4 * 8, 16)
const HORIZONTAL: usize = memory.data(4 * 8, 16)

/** Takes the memory for the rows between both passes. */
export function startWiener(): void {
  intermediate = allocate(2 * MAX_WIDTH * MAX_ROWS)
}

/** Filters `w` x `h` samples from column `x` of the rows at `rows` (as in restoration.ts) to `to`. */
export function wienerFilter(unit: usize, rows: usize, x: i32, w: i32, h: i32, to: usize, stride: usize): void {
  fillFilter(VERTICAL, unit, 0)
  fillFilter(HORIZONTAL, unit, 1)
  const round0 = bitDepth == 12 ? 5 : 3
  for (let r = 0; r < h + 6; r++) {
    const row = <usize>load<u32>(rows + ((<usize>r) << 2)) + ((<usize>x) << 1)
    filterHorizontally(row - 6, intermediate + <usize>(r * MAX_WIDTH) * 2, w, round0)
  }
  const round1 = bitDepth == 12 ? 9 : 11
  for (let r = 0; r < h; r++) {
    filterVertically(intermediate + <usize>(r * MAX_WIDTH) * 2, to + <usize>r * stride, w, round1)
  }
}

/** The Wiener coefficient process. */
function fillFilter(to: usize, unit: usize, pass: i32): void {
  let centre = 128
  for (let i = 0; i < 3; i++) {
    const c = unitCoefficient(unit, pass, i)
    store<i32>(to + ((<usize>i) << 2), c)
    store<i32>(to + ((<usize>(6 - i)) << 2), c)
    centre -= 2 * c
  }
  store<i32>(to, centre, 12)
}

// @ts-ignore: decorator
@inline
function tap(filter: usize, t: i32): v128 {
  return v128.load32_splat(filter + ((<usize>t) << 2))
}

function filterHorizontally(row: usize, to: usize, w: i32, round: i32): void {
  const offset = 1 << (bitDepth + FILTER_BITS - round - 1)
  const limit = (1 << (bitDepth + 1 + FILTER_BITS - round)) - 1
  const least = i32x4.splat(-offset)
  const most = i32x4.splat(limit - offset)
  const half = i32x4.splat((1 << round) >> 1)
  for (let c = 0; c < w; c += 4) {
    const at = row + ((<usize>c) << 1)
    let sum = half
    for (let t = 0; t < TAPS; t++)
      sum = i32x4.add(sum, i32x4.mul(v128.load_ext<u16>(at + ((<usize>t) << 1)), tap(HORIZONTAL, t)))
    const v = i32x4.min_s(i32x4.max_s(i32x4.shr_s(sum, round), least), most)
    v128.store64_lane(to + ((<usize>c) << 1), i16x8.narrow_i32x4_s(v, v), 0)
  }
}

function filterVertically(from: usize, to: usize, w: i32, round: i32): void {
  const half = i32x4.splat((1 << round) >> 1)
  const most = i32x4.splat((1 << bitDepth) - 1)
  for (let c = 0; c < w; c += 4) {
    const at = from + ((<usize>c) << 1)
    let sum = half
    for (let t = 0; t < TAPS; t++) {
      sum = i32x4.add(sum, i32x4.mul(v128.load_ext<i16>(at + <usize>(t * MAX_WIDTH) * 2), tap(VERTICAL, t)))
    }
    const v = i32x4.min_s(i32x4.max_s(i32x4.shr_s(sum, round), i32x4.splat(0)), most)
    const out = to + ((<usize>c) << 1)
    const samples = i16x8.narrow_i32x4_u(v, v)
    if (c + 4 <= w) v128.store64_lane(out, samples, 0)
    else storeFew(out, samples, w - c)
  }
}

function storeFew(to: usize, samples: v128, count: i32): void {
  v128.store16_lane(to, samples, 0)
  if (count > 1) v128.store16_lane(to, samples, 1, 2)
  if (count > 2) v128.store16_lane(to, samples, 2, 4)
}
