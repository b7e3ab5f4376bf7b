// Dequantization of coefficients: AV1 specification, 7.12.3, step 1.
import { TX_HEIGHT, TX_WIDTH } from '../tables/transform'
import { block } from './block'
import { acQuant, dcQuant, qmLevel } from './quantization-params'
import { matrixOf } from './quantizer-matrix'
import { bitDepth } from './sequence-header'

const IDTX: i32 = 9
const NO_QMATRIX: i32 = 15

/** Dequant: i32, rows as wide as the transform, at most 32. All 0 between transform blocks. */
export const DEQUANT: usize = memory.data(4 * 32 * 32, 16)

/** The quantizers of the transform block, set by `startDequantization`. */
@unmanaged
class Dequantizer {
  dcQ: u32
  acQ: u32
  shift: i32
  matrix: usize
  limit: i32
}

const dequantizer: Dequantizer = changetype<Dequantizer>(memory.data(offsetof<Dequantizer>(), 4))

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

/** Stores a level, dequantized. */
export function storeLevel(pos: i32, level: i32, isNegative: bool): void {
  let q = pos == 0 ? dequantizer.dcQ : dequantizer.acQ
  if (dequantizer.matrix != 0) q = (q * <u32>load<u8>(dequantizer.matrix + pos) + 16) >> 5
  const magnitude = <i32>((<u32>level * q) & 0xffffff) >> dequantizer.shift
  store<i32>(
    DEQUANT + ((<usize>pos) << 2),
    isNegative ? -min(magnitude, dequantizer.limit) : min(magnitude, dequantizer.limit - 1),
  )
}

/** Clears what an image that could not be decoded may have left. */
export function startDequant(): void {
  memory.fill(DEQUANT, 0, 4 * 32 * 32)
}
