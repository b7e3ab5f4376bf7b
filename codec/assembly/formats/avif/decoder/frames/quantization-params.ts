// quantization_params( ), and what follows from it: AV1 specification, 5.9.12 and 7.12.2.
import { AC_QLOOKUP, DC_QLOOKUP } from '../../tables/quantizer'
import { readBits, readFlag, readSigned } from './bits'
import { expandMatrices } from './quantizer-matrix'
import { featureData, isFeatureActive, MAX_SEGMENTS, SEG_LVL_ALT_Q } from './segmentation'
import { bitDepth, numPlanes, sequence } from './sequence-header'

/** The quantization parameters of the frame. */
@unmanaged
class QuantizationParams {
  baseQIdx: i32
  usingQmatrix: bool
  deltaQPresent: bool
  deltaQRes: i32
  /** Whether every segment is lossless. */
  codedLossless: bool
}

export const quantization: QuantizationParams = changetype<QuantizationParams>(
  memory.data(offsetof<QuantizationParams>(), 4),
)

/** DeltaQ*Dc and DeltaQ*Ac by plane. */
const DELTA_DC: StaticArray<i32> = [0, 0, 0]
const DELTA_AC: StaticArray<i32> = [0, 0, 0]
const QM_LEVEL: StaticArray<i32> = [0, 0, 0]
const NO_QMATRIX: i32 = 15
const LOSSLESS: StaticArray<bool> = [false, false, false, false, false, false, false, false]

/** LosslessArray */
export function isLossless(segment: i32): bool {
  return unchecked(LOSSLESS[segment])
}

/** SegQMLevel; 15 means none. */
export function qmLevel(plane: i32, segment: i32): i32 {
  return !quantization.usingQmatrix || isLossless(segment) ? NO_QMATRIX : QM_LEVEL[plane]
}

/** Reads quantization_params( ). */
export function readQuantization(): void {
  quantization.baseQIdx = <i32>readBits(8)
  DELTA_DC[0] = readDelta()
  for (let plane = 1; plane < 3; plane++) {
    DELTA_DC[plane] = 0
    DELTA_AC[plane] = 0
  }
  if (numPlanes > 1) readChromaDeltas()
  quantization.usingQmatrix = readFlag()
  if (!quantization.usingQmatrix) return
  QM_LEVEL[0] = <i32>readBits(4)
  QM_LEVEL[1] = <i32>readBits(4)
  QM_LEVEL[2] = sequence.separateUvDeltaQ ? <i32>readBits(4) : QM_LEVEL[1]
  for (let plane = 0; plane < numPlanes; plane++) {
    if (QM_LEVEL[plane] != NO_QMATRIX) expandMatrices(plane, QM_LEVEL[plane])
  }
}

function readChromaDeltas(): void {
  const differ = sequence.separateUvDeltaQ && readFlag()
  DELTA_DC[1] = readDelta()
  DELTA_AC[1] = readDelta()
  DELTA_DC[2] = differ ? readDelta() : DELTA_DC[1]
  DELTA_AC[2] = differ ? readDelta() : DELTA_AC[1]
}

/** read_delta_q( ) */
function readDelta(): i32 {
  return readFlag() ? readSigned(7) : 0
}

/** delta_q_params( ) (5.9.17). */
export function readDeltaQParams(): void {
  quantization.deltaQPresent = quantization.baseQIdx > 0 && readFlag()
  quantization.deltaQRes = quantization.deltaQPresent ? <i32>readBits(2) : 0
}

/** Finds which segments are lossless (5.9.2). */
export function findLossless(): void {
  quantization.codedLossless = true
  let deltas = DELTA_DC[0]
  for (let plane = 1; plane < 3; plane++) deltas |= DELTA_DC[plane] | DELTA_AC[plane]
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    LOSSLESS[segment] = qindexOf(segment, quantization.baseQIdx) == 0 && deltas == 0
    if (!LOSSLESS[segment]) quantization.codedLossless = false
  }
}

/** get_qindex( ) where `current` is base_q_idx or, if delta_q_present, CurrentQIndex. */
export function qindexOf(segment: i32, current: i32): i32 {
  if (!isFeatureActive(segment, SEG_LVL_ALT_Q)) return current
  return max(0, min(255, current + featureData(segment, SEG_LVL_ALT_Q)))
}

/** get_dc_quant( ) for a quantizer index. */
export function dcQuant(plane: i32, qindex: i32): i32 {
  return lookup(DC_QLOOKUP, qindex + DELTA_DC[plane])
}

/** get_ac_quant( ) for a quantizer index. */
export function acQuant(plane: i32, qindex: i32): i32 {
  return lookup(AC_QLOOKUP, qindex + DELTA_AC[plane])
}

function lookup(table: usize, index: i32): i32 {
  const row = (bitDepth - 8) >> 1
  return load<u16>(table + (((row << 8) + max(0, min(255, index))) << 1))
}
