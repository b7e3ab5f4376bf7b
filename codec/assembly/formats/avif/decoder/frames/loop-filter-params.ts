// loop_filter_params( ), delta_lf_params( ), and the level they lead to: AV1 specification, 5.9.11, 5.9.18, 7.14.5.
import { readBits, readFlag, readSigned } from './bits'
import { Reference, savedLoopFilterDeltas } from './references'
import { featureData, isFeatureActive, SEG_LVL_ALT_LF_Y_V } from './segmentation'
import { numPlanes } from './sequence-header'

export const MAX_LOOP_FILTER: i32 = 63
const REFERENCES: i32 = 8

/** The loop filter parameters of the frame. */
@unmanaged
class LoopFilterParams {
  sharpness: i32
  deltaEnabled: bool
  deltaLfPresent: bool
  deltaLfRes: i32
  deltaLfMulti: bool
}

export const loopFilter: LoopFilterParams = changetype<LoopFilterParams>(memory.data(offsetof<LoopFilterParams>(), 4))

const LEVEL: StaticArray<i32> = [0, 0, 0, 0]
/** loop_filter_ref_deltas, i8[8], and loop_filter_mode_deltas, i8[2]; and what they are at first. */
const DELTAS: usize = memory.data(16)
const DEFAULT_DELTAS: usize = memory.data<i8>([1, 0, 0, 0, -1, 0, -1, -1, 0, 0])
const DELTAS_BYTES: usize = 10

/** Whether the loop filter changes anything of a plane (7.14.1). */
export function filtersPlane(plane: i32): bool {
  if (LEVEL[0] == 0 && LEVEL[1] == 0) return false
  return plane == 0 || LEVEL[1 + plane] != 0
}

/** Reads loop_filter_params( ); nothing of it is there if the frame is lossless or may copy from itself. */
export function readLoopFilterParams(isAbsent: bool, previous: Reference): void {
  for (let i = 0; i < 4; i++) LEVEL[i] = 0
  const isFirst = isAbsent || changetype<usize>(previous) == 0
  memory.copy(DELTAS, isFirst ? DEFAULT_DELTAS : savedLoopFilterDeltas(previous), DELTAS_BYTES)
  loopFilter.deltaEnabled = true
  loopFilter.sharpness = 0
  if (isAbsent) return
  LEVEL[0] = <i32>readBits(6)
  LEVEL[1] = <i32>readBits(6)
  if (numPlanes > 1 && (LEVEL[0] | LEVEL[1]) != 0) {
    LEVEL[2] = <i32>readBits(6)
    LEVEL[3] = <i32>readBits(6)
  }
  loopFilter.sharpness = <i32>readBits(3)
  loopFilter.deltaEnabled = readFlag()
  if (loopFilter.deltaEnabled && readFlag()) readDeltas()
}

function readDeltas(): void {
  for (let i = 0; i < REFERENCES + 2; i++) if (readFlag()) store<i8>(DELTAS + i, <i8>readSigned(7))
}

/** save_loop_filter_params( ) (7.20). */
export function saveLoopFilterDeltas(to: usize): void {
  memory.copy(to, DELTAS, DELTAS_BYTES)
}

/** delta_lf_params( ) */
export function readDeltaLfParams(mayBePresent: bool): void {
  loopFilter.deltaLfPresent = mayBePresent && readFlag()
  loopFilter.deltaLfRes = loopFilter.deltaLfPresent ? <i32>readBits(2) : 0
  loopFilter.deltaLfMulti = loopFilter.deltaLfPresent && readFlag()
}

/**
 * The filter level of a block (7.14.5); `i` is 0 for vertical and 1 for horizontal luma edges, 2 for U and 3 for V.
 */
export function levelOf(segment: i32, i: i32, deltaLf: i32, ref: i32, modeType: i32): i32 {
  let level = clampLevel(deltaLf + LEVEL[i])
  const feature = SEG_LVL_ALT_LF_Y_V + i
  if (isFeatureActive(segment, feature)) level = clampLevel(level + featureData(segment, feature))
  if (!loopFilter.deltaEnabled) return level
  let delta = <i32>load<i8>(DELTAS + ref)
  if (ref > 0) delta += load<i8>(DELTAS + REFERENCES + modeType)
  return clampLevel(level + (delta << (level >> 5)))
}

function clampLevel(level: i32): i32 {
  return max(0, min(MAX_LOOP_FILTER, level))
}
