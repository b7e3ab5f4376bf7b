// lr_params( ): AV1 specification, 5.9.20.
import { readBits } from './bits'
import { numPlanes, sequence, subsamplingX, subsamplingY } from './sequence-header'

/** FrameRestorationType and restoration_type (6.10.15). */
export const RESTORE_NONE: i32 = 0
export const RESTORE_WIENER: i32 = 1
export const RESTORE_SGRPROJ: i32 = 2
const RESTORE_SWITCHABLE: i32 = 3

const RESTORATION_TILESIZE_MAX: i32 = 256

export let usesLr = false
const TYPE: StaticArray<i32> = [0, 0, 0]
const SIZE: StaticArray<i32> = [0, 0, 0]

/** FrameRestorationType */
export function frameRestorationType(plane: i32): i32 {
  return TYPE[plane]
}

/** LoopRestorationSize: side of a unit in samples of the plane. */
export function restorationSize(plane: i32): i32 {
  return SIZE[plane]
}

/** Reads lr_params( ), if they are there. */
export function readRestorationParams(isAbsent: bool): void {
  usesLr = false
  let usesChromaLr = false
  for (let plane = 0; plane < 3; plane++) TYPE[plane] = RESTORE_NONE
  if (isAbsent) return
  for (let plane = 0; plane < numPlanes; plane++) {
    TYPE[plane] = remap(readBits(2))
    if (TYPE[plane] == RESTORE_NONE) continue
    usesLr = true
    if (plane > 0) usesChromaLr = true
  }
  if (usesLr) readSizes(usesChromaLr)
}

/** Remap_Lr_Type */
function remap(type: u32): i32 {
  if (type == 0) return RESTORE_NONE
  if (type == 1) return RESTORE_SWITCHABLE
  return type == 2 ? RESTORE_WIENER : RESTORE_SGRPROJ
}

function readSizes(usesChromaLr: bool): void {
  let shift = <i32>readBits(1)
  if (sequence.use128x128) shift++
  else if (shift == 1) shift += <i32>readBits(1)
  SIZE[0] = RESTORATION_TILESIZE_MAX >> (2 - shift)
  const chromaShift = subsamplingX == 1 && subsamplingY == 1 && usesChromaLr ? <i32>readBits(1) : 0
  SIZE[1] = SIZE[0] >> chromaShift
  SIZE[2] = SIZE[1]
}

/** count_units_in_frame( ) (5.11.57). */
export function countUnits(unitSize: i32, frameSize: i32): i32 {
  return max((frameSize + (unitSize >> 1)) / unitSize, 1)
}
