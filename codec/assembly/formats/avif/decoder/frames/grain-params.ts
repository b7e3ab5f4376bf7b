// film_grain_params( ): AV1 specification, 5.9.30.
import { bitPosition, readBits, readFlag, seekBits } from './bits'
import { slot } from './references'
import { numPlanes, subsamplingX, subsamplingY } from './sequence-header'

const MAX_LUMA_POINTS: i32 = 14
const MAX_CHROMA_POINTS: i32 = 10
const MAX_COEFFICIENTS: i32 = 25

/** The film grain parameters of the frame. */
@unmanaged
class GrainParams {
  /** Where the parameters are from num_y_points on; 0 where there are none. */
  position: u32
  applyGrain: bool
  seed: u32
  chromaScalingFromLuma: bool
  scalingShift: i32
  arCoeffLag: i32
  arCoeffShift: i32
  grainScaleShift: i32
  overlaps: bool
  clipsToRestrictedRange: bool
}

export const grainParams: GrainParams = changetype<GrainParams>(memory.data(offsetof<GrainParams>(), 4))

const POINTS: StaticArray<i32> = [0, 0, 0]
/** [plane][point][value, scaling] */
const POINT_DATA: usize = memory.data(3 * 16 * 2)
/** [plane][position], 128 subtracted. */
const AR_COEFFS: usize = memory.data(3 * 32)
/** [plane][mult, luma_mult, offset], i32, what is added to them subtracted. */
const MIX: usize = memory.data(3 * 4 * 4, 4)

/** num_y_points, num_cb_points or num_cr_points. */
export function grainPoints(plane: i32): i32 {
  return POINTS[plane]
}

/** point_y_value[ i ], or that of another plane. */
export function pointValue(plane: i32, i: i32): i32 {
  return load<u8>(POINT_DATA + (((plane << 4) + i) << 1))
}

/** point_y_scaling[ i ], or that of another plane. */
export function pointScaling(plane: i32, i: i32): i32 {
  return load<u8>(POINT_DATA + (((plane << 4) + i) << 1), 1)
}

/** ar_coeffs_*_plus_128 less 128, i8. */
export function arCoefficients(plane: i32): usize {
  return AR_COEFFS + (plane << 5)
}

/** cb_mult, cb_luma_mult and cb_offset (or those of cr) by `i`, less 128, 128 and 256. */
export function mixOf(plane: i32, i: i32): i32 {
  return load<i32>(MIX + (((plane << 2) + i) << 2))
}

/** reset_grain_params( ) */
export function resetGrain(): void {
  grainParams.applyGrain = false
  grainParams.position = 0
}

/** Reads film_grain_params( ) from apply_grain on; false if they contradict themselves. */
export function readGrainParams(isInter: bool): bool {
  grainParams.applyGrain = readFlag()
  if (!grainParams.applyGrain) return true
  grainParams.seed = readBits(16)
  if (!isInter || readFlag()) return readParams()
  const reference = slot(<i32>readBits(3))
  const position = changetype<usize>(reference) == 0 ? 0 : reference.grainAt
  grainParams.applyGrain = position != 0
  if (!grainParams.applyGrain) return true
  const back = bitPosition()
  seekBits(position)
  const isRight = readParams()
  seekBits(back)
  return isRight
}

function readParams(): bool {
  grainParams.position = bitPosition()
  if (!readPoints(0, MAX_LUMA_POINTS)) return false
  grainParams.chromaScalingFromLuma = numPlanes > 1 && readFlag()
  POINTS[1] = 0
  POINTS[2] = 0
  const isQuartered = subsamplingX == 1 && subsamplingY == 1
  if (numPlanes > 1 && !grainParams.chromaScalingFromLuma && !(isQuartered && POINTS[0] == 0)) {
    if (!readPoints(1, MAX_CHROMA_POINTS) || !readPoints(2, MAX_CHROMA_POINTS)) return false
  }
  grainParams.scalingShift = <i32>readBits(2) + 8
  readCoefficients()
  grainParams.arCoeffShift = <i32>readBits(2) + 6
  grainParams.grainScaleShift = <i32>readBits(2)
  readMix(1)
  readMix(2)
  grainParams.overlaps = readFlag()
  grainParams.clipsToRestrictedRange = readFlag()
  return true
}

function readPoints(plane: i32, most: i32): bool {
  const count = <i32>readBits(4)
  if (count > most) return false
  POINTS[plane] = count
  for (let i = 0; i < count; i++) {
    const at = POINT_DATA + (((plane << 4) + i) << 1)
    store<u8>(at, <u8>readBits(8))
    store<u8>(at, <u8>readBits(8), 1)
    if (i > 0 && pointValue(plane, i) <= pointValue(plane, i - 1)) return false
  }
  return true
}

function readCoefficients(): void {
  grainParams.arCoeffLag = <i32>readBits(2)
  const lumaPositions = 2 * grainParams.arCoeffLag * (grainParams.arCoeffLag + 1)
  const hasLuma = POINTS[0] > 0
  memory.fill(AR_COEFFS, 0, 3 * 32)
  if (hasLuma) readPlaneCoefficients(0, lumaPositions)
  const chromaPositions = lumaPositions + (hasLuma ? 1 : 0)
  for (let plane = 1; plane < 3; plane++) {
    if (grainParams.chromaScalingFromLuma || POINTS[plane] > 0)
      readPlaneCoefficients(plane, min(chromaPositions, MAX_COEFFICIENTS))
  }
}

function readPlaneCoefficients(plane: i32, count: i32): void {
  for (let i = 0; i < count; i++) store<i8>(AR_COEFFS + (plane << 5) + i, <i8>(<i32>readBits(8) - 128))
}

function readMix(plane: i32): void {
  if (POINTS[plane] == 0) return
  const at = MIX + (plane << 4)
  store<i32>(at, <i32>readBits(8) - 128)
  store<i32>(at, <i32>readBits(8) - 128, 4)
  store<i32>(at, <i32>readBits(9) - 256, 8)
}
