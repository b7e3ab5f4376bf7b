// A row of MCUs: rows of RGBA as JFIF's YCbCr (BT.601 from 0 to 255). Luma has 16 rows; chroma has 8, each sample the
// mean of 2 x 2 pixels.

import { allocate } from '../../../arena/memory'

/** The samples of a row of MCUs. */
@unmanaged
class McuRow {
  /** Bytes from row to row; the samples. */
  lumaStride: usize
  chromaStride: usize
  luma: usize
  blue: usize
  red: usize
}

export const mcuRow: McuRow = changetype<McuRow>(memory.data(offsetof<McuRow>(), 4))

/** JFIF's weights of red, green, blue and nothing in 15-bit fractions, twice. */
const LUMA: v128 = i16x8(9798, 19235, 3735, 0, 9798, 19235, 3735, 0)
const BLUE: v128 = i16x8(-5529, -10855, 16384, 0, -5529, -10855, 16384, 0)
const RED: v128 = i16x8(16384, -13720, -2664, 0, 16384, -13720, -2664, 0)

const WEIGHT_BITS: i32 = 15
const CHROMA_SHIFT: i32 = WEIGHT_BITS + 2
const CHROMA_BIAS: i32 = (128 << CHROMA_SHIFT) + (1 << (CHROMA_SHIFT - 1))

/** Prepares rows of `mcus` MCUs. */
export function startMcuRow(mcus: i32): void {
  mcuRow.chromaStride = (<usize>mcus) << 3
  mcuRow.lumaStride = mcuRow.chromaStride << 1
  mcuRow.luma = allocate(mcuRow.lumaStride * 16)
  mcuRow.blue = allocate(mcuRow.chromaStride * 8)
  mcuRow.red = allocate(mcuRow.chromaStride * 8)
}

/** Makes luma row `y` of the RGBA `row`, whole MCUs wide; an odd one makes chroma too, with the row above it. */
export function fillMcuRow(y: i32, row: usize, above: usize): void {
  fillLuma(row, mcuRow.luma + <usize>y * mcuRow.lumaStride)
  if ((y & 1) == 0) return
  const at = <usize>(y >> 1) * mcuRow.chromaStride
  fillChroma(above, row, mcuRow.blue + at, mcuRow.red + at)
}

/** Four pixels at a time: red and green make one sum, blue another. */
function fillLuma(row: usize, to: usize): void {
  const half = i32x4.splat(1 << (WEIGHT_BITS - 1))
  for (const stop = to + mcuRow.lumaStride; to < stop; to += 4, row += 16) {
    const pixels = v128.load(row)
    const a = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pixels), LUMA)
    const b = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pixels), LUMA)
    const sums = i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7))
    const words = i32x4.shr_s(i32x4.add(sums, half), WEIGHT_BITS)
    const narrow = i16x8.narrow_i32x4_s(words, words)
    v128.store32_lane(to, i8x16.narrow_i16x8_u(narrow, narrow), 0)
  }
}

/** Two samples at a time: four pixels of both rows. */
function fillChroma(upper: usize, lower: usize, toBlue: usize, toRed: usize): void {
  const bias = i32x4.splat(CHROMA_BIAS)
  for (const stop = toBlue + mcuRow.chromaStride; toBlue < stop; toBlue += 2, toRed += 2, upper += 16, lower += 16) {
    const a = v128.load(upper)
    const b = v128.load(lower)
    const left = i16x8.add(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b))
    const right = i16x8.add(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b))
    const blues = pairSums(i32x4.dot_i16x8_s(left, BLUE), i32x4.dot_i16x8_s(right, BLUE))
    const reds = pairSums(i32x4.dot_i16x8_s(left, RED), i32x4.dot_i16x8_s(right, RED))
    const sums = i32x4.add(pairSums(blues, reds), bias)
    const words = i16x8.narrow_i32x4_s(i32x4.shr_s(sums, CHROMA_SHIFT), sums)
    const bytes = i8x16.narrow_i16x8_u(words, words)
    v128.store16_lane(toBlue, bytes, 0)
    v128.store16_lane(toRed, bytes, 1)
  }
}

/** The sums of neighbours: two of `a`, two of `b`. */
function pairSums(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7))
}
