// Dequantization of coefficients: AV1 specification, 7.12.3, step 1.
import { TX_HEIGHT, TX_WIDTH } from '../../tables/transform'
import { block } from '../blocks/block'
import { acQuant, dcQuant, qmLevel } from '../frames/quantization-params'
import { matrixOf } from '../frames/quantizer-matrix'
import { bitDepth } from '../frames/sequence-header'

const IDTX: i32 = 9
const NO_QMATRIX: i32 = 15

/**
 * Dequant, of at most 32x32, all 0 between transform blocks: i32 in rows as wide as the transform. Where transforms are done with
 * 16 bits: i16 in columns as high as it, at least 8.
 */
export const DEQUANT: usize = memory.data(4 * 32 * 32, 16)

/** The quantizers of the transform block, set by `startDequantization`. */
@unmanaged
class Dequantizer {
  dcQ: u32
  acQ: u32
  shift: i32
  /** The quantizer matrix, or 0. */
  matrix: usize
  limit: i32
}

export const dequantizer: Dequantizer = changetype<Dequantizer>(memory.data(offsetof<Dequantizer>(), 4))

/** Whether the transforms of the current block are done with 16 bits. */
// @ts-ignore: decorator
@inline
export function isNarrow(): bool {
  return bitDepth == 8 && !block.lossless
}

/** Prepares for a transform block of the current block. */
export function startDequantization(plane: i32, txSz: i32, txType: i32): void {
  dequantizer.dcQ = dcQuant(plane, block.qindex)
  dequantizer.acQ = acQuant(plane, block.qindex)
  dequantizer.shift = denominatorShift(txSz)
  dequantizer.limit = 1 << (7 + bitDepth)
  const level = txType < IDTX ? qmLevel(plane, block.segmentId) : NO_QMATRIX
  dequantizer.matrix = level == NO_QMATRIX ? 0 : matrixOf(plane, txSz)
}

/** Binary logarithm of dqDenom: transforms of more than 256 and of more than 1024 samples. */
function denominatorShift(txSz: i32): i32 {
  const samples = <i32>load<u8>(TX_WIDTH + txSz) * <i32>load<u8>(TX_HEIGHT + txSz)
  return samples > 1024 ? 2 : samples > 256 ? 1 : 0
}

/** Returns a level, dequantized by `q`; `negative` is 1 below 0, and 0 otherwise. */
// @ts-ignore: decorator
@inline
export function dequantized(level: u32, q: u32, negative: i32): i32 {
  const magnitude = <i32>((level * q) & 0xffffff) >> dequantizer.shift
  return (min(magnitude, dequantizer.limit - 1 + negative) ^ -negative) + negative
}

/** The quantizer `q` of a position, changed by the matrix. */
// @ts-ignore: decorator
@inline
export function weighted(q: u32, pos: u32): u32 {
  const matrix = dequantizer.matrix
  return matrix == 0 ? q : (q * <u32>load<u8>(matrix + pos) + 16) >> 5
}

/** Clears what an image that could not be decoded may have left. */
export function startDequant(): void {
  memory.fill(DEQUANT, 0, 4 * 32 * 32)
}
