// The Wiener filter process: AV1 specification, 7.17.4 and 7.17.5.
import { allocate } from '../../../../arena/memory'
import { interleaveHigh16, interleaveLow16 } from '../../../../arena/simd'
import { bitDepth } from '../frames/sequence-header'
import { unitCoefficient } from './restoration-units'

const TAPS: i32 = 7
const FILTER_BITS: i32 = 7
/** The greatest unit: 256, half of it more at the end of a row, and what a vector may write beyond. */
const MAX_WIDTH: i32 = 384 + 16
const MAX_ROWS: i32 = 64 + 7

/** intermediate, i16 */
let intermediate: usize = 0
/** The taps of each pass, i16, and one that is 0. */
const VERTICAL: usize = memory.data(2 * 8, 16)
const HORIZONTAL: usize = memory.data(2 * 8, 16)
/** The last samples of a row. */
const REST: usize = memory.data(16, 16)

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
    store<i16>(to + ((<usize>i) << 1), c)
    store<i16>(to + ((<usize>(6 - i)) << 1), c)
    centre -= 2 * c
  }
  store<i16>(to, centre, 6)
}

/** Taps `t` and `t + 1` in the lanes of each pair. */
// @ts-ignore: decorator
@inline
function taps(filter: usize, t: i32): v128 {
  return v128.load32_splat(filter + ((<usize>t) << 1))
}

/** The sums of the taps of four of eight numbers, the last four if `isHigh`: their vectors are `step` bytes apart, from `at` on. */
// @ts-ignore: decorator
@inline
function sumOf(isHigh: bool, at: usize, step: usize, filter: usize, half: v128): v128 {
  let sum = half
  for (let t = 0; t < TAPS; t += 2) {
    const from = at + <usize>t * step
    const one = v128.load(from)
    const next = v128.load(from + step)
    const pairs = isHigh ? interleaveHigh16(one, next) : interleaveLow16(one, next)
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(pairs, taps(filter, t)))
  }
  return sum
}

function filterHorizontally(row: usize, to: usize, w: i32, round: i32): void {
  const offset = 1 << (bitDepth + FILTER_BITS - round - 1)
  const limit = (1 << (bitDepth + 1 + FILTER_BITS - round)) - 1
  const least = i32x4.splat(-offset)
  const most = i32x4.splat(limit - offset)
  const half = i32x4.splat((1 << round) >> 1)
  for (let c = 0; c < w; c += 8) {
    const at = row + ((<usize>c) << 1)
    const low = i32x4.min_s(i32x4.max_s(i32x4.shr_s(sumOf(false, at, 2, HORIZONTAL, half), round), least), most)
    const high = i32x4.min_s(i32x4.max_s(i32x4.shr_s(sumOf(true, at, 2, HORIZONTAL, half), round), least), most)
    v128.store(to + ((<usize>c) << 1), i16x8.narrow_i32x4_s(low, high))
  }
}

function filterVertically(from: usize, to: usize, w: i32, round: i32): void {
  const half = i32x4.splat((1 << round) >> 1)
  const greatest = (1 << bitDepth) - 1
  const most = i16x8.splat(<i16>greatest)
  const step = <usize>(2 * MAX_WIDTH)
  for (let c = 0; c < w; c += 8) {
    const at = from + ((<usize>c) << 1)
    const low = i32x4.shr_s(sumOf(false, at, step, VERTICAL, half), round)
    const high = i32x4.shr_s(sumOf(true, at, step, VERTICAL, half), round)
    const samples = i16x8.min_u(i16x8.narrow_i32x4_u(low, high), most)
    const out = to + ((<usize>c) << 1)
    if (c + 8 <= w) v128.store(out, samples)
    else storeFew(out, samples, w - c)
  }
}

function storeFew(to: usize, samples: v128, count: i32): void {
  v128.store(REST, samples)
  for (let i = 0; i < count; i++) store<u16>(to + ((<usize>i) << 1), load<u16>(REST + ((<usize>i) << 1)))
}
