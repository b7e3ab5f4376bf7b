// read_cdef( ), read_delta_qindex( ) and read_delta_lf( ): AV1 specification, 5.11.56, 5.11.12 and 5.11.13.
import { allocate } from '../../../../arena/memory'
import { DELTA_LF_CDF, DELTA_Q_CDF } from '../../tables/cdf'
import { BLOCK_64X64, BLOCK_128X128, block } from '../blocks/block'
import { readLiteral, readLiteralBit, readSymbol } from '../blocks/symbol-decoder'
import { deltaLf, setDeltaLf, tile } from '../blocks/tile'
import { cdef } from '../frames/cdef-params'
import { frame } from '../frames/frame-header'
import { loopFilter, MAX_LOOP_FILTER } from '../frames/loop-filter-params'
import { quantization } from '../frames/quantization-params'
import { numPlanes, sequence } from '../frames/sequence-header'

const DELTA_SMALL: i32 = 3
const FRAME_LF_COUNT: i32 = 4
/** Bytes of a CDF of four symbols. */
const DELTA_CDF_BYTES: usize = 10

/** The CDEF indices of the frame, -1 until they are read. */
@unmanaged
class CdefMap {
  /** cdef_idx, i8, for each 64x64 luma samples. */
  indices: usize
  stride: i32
}

const cdefMap: CdefMap = changetype<CdefMap>(memory.data(offsetof<CdefMap>(), 4))

/** Takes the memory for cdef_idx of the frame: -1 everywhere. */
export function startCdefIndices(): void {
  cdefMap.stride = (frame.miCols + 31) >> 4
  const bytes = cdefMap.stride * ((frame.miRows + 31) >> 4)
  cdefMap.indices = allocate(bytes)
  memory.fill(cdefMap.indices, 0xff, bytes)
}

/** cdef_idx of the 64x64 samples that the 4x4 samples at (`row`, `col`) are in. */
export function cdefIndex(row: i32, col: i32): i32 {
  return load<i8>(cdefMap.indices + ((row >> 4) * cdefMap.stride + (col >> 4)))
}

/** read_cdef( ) */
export function readCdef(): void {
  if (block.skip || quantization.codedLossless || !sequence.enableCdef || frame.allowIntrabc) return
  if (cdefIndex(block.miRow, block.miCol) != -1) return
  const index = readLiteral(cdef.bits)
  const row = block.miRow >> 4
  const col = block.miCol >> 4
  const right = min((frame.miCols + 15) >> 4, col + max(1, block.bw4 >> 4))
  const bottom = min((frame.miRows + 15) >> 4, row + max(1, block.bh4 >> 4))
  for (let y = row; y < bottom; y++) {
    for (let x = col; x < right; x++) store<i8>(cdefMap.indices + (y * cdefMap.stride + x), <i8>index)
  }
}

function isWholeSkipped(): bool {
  return block.skip && block.miSize == (sequence.use128x128 ? BLOCK_128X128 : BLOCK_64X64)
}

/** read_delta_qindex( ) */
export function readDeltaQIndex(): void {
  if (!tile.readDeltas || isWholeSkipped()) return
  const delta = readDelta(DELTA_Q_CDF)
  if (delta != 0) tile.currentQIndex = max(1, min(255, tile.currentQIndex + (delta << quantization.deltaQRes)))
}

/** read_delta_lf( ) */
export function readDeltaLf(): void {
  if (!tile.readDeltas || !loopFilter.deltaLfPresent || isWholeSkipped()) return
  const count = !loopFilter.deltaLfMulti ? 1 : numPlanes > 1 ? FRAME_LF_COUNT : FRAME_LF_COUNT - 2
  for (let i = 0; i < count; i++) {
    // The first CDF is for a delta of all edges, those after it for one of each kind.
    const delta = readDelta(DELTA_LF_CDF + (loopFilter.deltaLfMulti ? <usize>(i + 1) * DELTA_CDF_BYTES : 0))
    if (delta == 0) continue
    setDeltaLf(i, max(-MAX_LOOP_FILTER, min(MAX_LOOP_FILTER, deltaLf(i) + (delta << loopFilter.deltaLfRes))))
  }
}

/** A signed delta: its absolute value with an escape, and its sign. */
function readDelta(cdf: usize): i32 {
  let value = readSymbol(tile.cdfs + cdf, DELTA_SMALL + 1)
  if (value == DELTA_SMALL) {
    const n = readLiteral(3) + 1
    value = readLiteral(n) + (1 << n) + 1
  }
  if (value == 0) return 0
  return readLiteralBit() != 0 ? -value : value
}
