// The reconstruct process and the 2D inverse transform: AV1 specification, 7.12.3 and 7.13.3.
import { firstHalves, interleaveHigh32, interleaveLow32, secondHalves } from '../../../../arena/simd'
import { TRANSFORM_ROW_SHIFT, TX_HEIGHT_LOG2, TX_WIDTH_LOG2 } from '../../tables/transform'
import { block } from '../blocks/block'
import { current } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { bitDepth } from '../frames/sequence-header'
import { at, clamp, round12, setRange } from './butterfly'
import { transform } from './coefficients'
import { DEQUANT, isNarrow } from './dequantize'
import { inverseTransform, kindOfColumns, kindOfRows } from './inverse-transform'
import { FLIPPED_LR, FLIPPED_UD, isFlipped, RESIDUAL, reconstructNarrow } from './reconstruct-narrow'

/** Of 4096. */
const INVERSE_SQRT2: i32 = 2896

/** Adds the inverse transform of the coefficients that were read to the prediction. */
export function reconstruct(plane: i32, x: i32, y: i32, txSz: i32): void {
  const log2W = <i32>load<u8>(TX_WIDTH_LOG2 + txSz)
  const log2H = <i32>load<u8>(TX_HEIGHT_LOG2 + txSz)
  const w = 1 << log2W
  const h = 1 << log2H
  if (isNarrow()) {
    reconstructNarrow(plane, x, y, txSz)
    return
  }
  transformRows(txSz, log2W, log2H)
  const kind = kindOfColumns(transform.txType, block.lossless)
  const isFlippedUD = isFlipped(FLIPPED_UD)
  const isFlippedLR = isFlipped(FLIPPED_LR)
  const stride = strideOf(current, plane)
  for (let j = 0; j < w; j += 4) {
    for (let i = 0; i < h; i++) v128.store(at(i), v128.load(RESIDUAL + ((<usize>(i * w + j)) << 2)))
    inverseTransform(kind, log2H, columnRange(), 0)
    const to = sampleAt(current, plane, x + (isFlippedLR ? w - 4 - j : j), isFlippedUD ? y + h - 1 : y)
    addColumns(to, isFlippedUD ? 0 - stride : stride, h, isFlippedLR)
  }
}

/** colClampRange */
function columnRange(): i32 {
  return max(bitDepth + 6, 16)
}

/** The row transforms, four rows at a time, into RESIDUAL; clears what was read. */
function transformRows(txSz: i32, log2W: i32, log2H: i32): void {
  const kind = kindOfRows(transform.txType, block.lossless)
  const w = 1 << log2W
  const tw = min(w, 32)
  const rows = (transform.lastRow + 4) & ~3
  const isRect = abs(log2W - log2H) == 1
  const shift = block.lossless ? 0 : <i32>load<u8>(TRANSFORM_ROW_SHIFT + txSz)
  for (let i = 0; i < rows; i += 4) {
    loadRows(DEQUANT + ((<usize>(i * tw)) << 2), tw, w, isRect)
    inverseTransform(kind, log2W, bitDepth + 8, 2)
    storeRows(RESIDUAL + ((<usize>(i * w)) << 2), w, shift)
  }
  memory.fill(DEQUANT, 0, (<usize>(rows * tw)) << 2)
  const rest = (1 << log2H) - rows
  if (rest > 0) memory.fill(RESIDUAL + ((<usize>(rows * w)) << 2), 0, (<usize>(rest * w)) << 2)
}

/** Four rows of `tw` coefficients into T, a row a lane; beyond them T is 0 up to `w`. */
function loadRows(from: usize, tw: i32, w: i32, isRect: bool): void {
  const stride = (<usize>tw) << 2
  for (let j = 0; j < tw; j += 4) {
    const row = from + ((<usize>j) << 2)
    transposeTo(
      at(j),
      v128.load(row),
      v128.load(row + stride),
      v128.load(row + 2 * stride),
      v128.load(row + 3 * stride),
    )
  }
  for (let j = tw; j < w; j++) v128.store(at(j), i32x4.splat(0))
  if (!isRect) return
  for (let j = 0; j < tw; j++) {
    const scaled = i32x4.mul(v128.load(at(j)), i32x4.splat(INVERSE_SQRT2))
    v128.store(at(j), round12(scaled))
  }
}

/** T to four rows of `w` numbers, shifted and clamped for the column transforms. */
function storeRows(to: usize, w: i32, shift: i32): void {
  const half = i32x4.splat((1 << shift) >> 1)
  setRange(columnRange())
  const stride = (<usize>w) << 2
  for (let j = 0; j < w; j += 4) {
    for (let k = j; k < j + 4; k++) v128.store(at(k), clamp(i32x4.shr_s(i32x4.add(v128.load(at(k)), half), shift)))
    transposeTo(at(j), v128.load(at(j)), v128.load(at(j + 1)), v128.load(at(j + 2)), v128.load(at(j + 3)))
    for (let k = 0; k < 4; k++) v128.store(to + ((<usize>j) << 2) + <usize>k * stride, v128.load(at(j + k)))
  }
}

/** Writes the columns of four rows, one after the other. */
function transposeTo(to: usize, a: v128, b: v128, c: v128, d: v128): void {
  const low01 = interleaveLow32(a, b)
  const low23 = interleaveLow32(c, d)
  const high01 = interleaveHigh32(a, b)
  const high23 = interleaveHigh32(c, d)
  v128.store(to, firstHalves(low01, low23))
  v128.store(to, secondHalves(low01, low23), 16)
  v128.store(to, firstHalves(high01, high23), 32)
  v128.store(to, secondHalves(high01, high23), 48)
}

/** Adds T, four columns of `h` numbers, to the samples at `to` and those `step` bytes apart. */
function addColumns(to: usize, step: usize, h: i32, isFlippedLR: bool): void {
  const shift = block.lossless ? 0 : 4
  const half = i32x4.splat((1 << shift) >> 1)
  const most = i32x4.splat((1 << bitDepth) - 1)
  let sample = to
  for (let i = 0; i < h; i++) {
    let residual = i32x4.shr_s(i32x4.add(v128.load(at(i)), half), shift)
    if (isFlippedLR) residual = v128.shuffle<i32>(residual, residual, 3, 2, 1, 0)
    const sum = i32x4.max_s(i32x4.min_s(i32x4.add(v128.load_ext<u16>(sample), residual), most), i32x4.splat(0))
    v128.store64_lane(sample, i16x8.narrow_i32x4_s(sum, sum), 0)
    sample += step
  }
}
