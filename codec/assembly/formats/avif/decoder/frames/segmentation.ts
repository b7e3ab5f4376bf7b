// segmentation_params( ): AV1 specification, 5.9.14.
import { readBits, readFlag, readSigned } from './bits'
import { Reference, savedFeatures } from './references'

/** Features (chapter 3). */
export const SEG_LVL_ALT_Q: i32 = 0
export const SEG_LVL_ALT_LF_Y_V: i32 = 1
export const SEG_LVL_REF_FRAME: i32 = 5
export const SEG_LVL_SKIP: i32 = 6
export const SEG_LVL_GLOBALMV: i32 = 7
const SEG_LVL_MAX: i32 = 8
export const MAX_SEGMENTS: i32 = 8

/** Segmentation_Feature_Bits, -_Signed and -_Max. */
const FEATURE_BITS: usize = memory.data<u8>([8, 6, 6, 6, 6, 3, 0, 0])
const SIGNED_FEATURES: i32 = 5
const FEATURE_MAX: usize = memory.data<u8>([255, 63, 63, 63, 63, 7, 0, 0])

const FEATURE_ENABLED: usize = memory.data(8 * 8)
const FEATURE_DATA: usize = memory.data(2 * 8 * 8, 2)

/** The segmentation parameters of the frame. */
@unmanaged
class Segmentation {
  enabled: bool
  updateMap: bool
  temporalUpdate: bool
  segIdPreSkip: bool
  lastActiveSegId: i32
}

export const segmentation: Segmentation = changetype<Segmentation>(memory.data(offsetof<Segmentation>(), 4))

/** seg_feature_active_idx( ) (5.11.14). */
export function isFeatureActive(segment: i32, feature: i32): bool {
  return segmentation.enabled && load<u8>(FEATURE_ENABLED + (segment * SEG_LVL_MAX + feature)) != 0
}

/** FeatureData */
export function featureData(segment: i32, feature: i32): i32 {
  return load<i16>(FEATURE_DATA + ((segment * SEG_LVL_MAX + feature) << 1))
}

/** Reads segmentation_params( ); what it does not set is as in `previous`, which may be null. */
export function readSegmentation(previous: Reference): void {
  clearFeatures()
  segmentation.updateMap = true
  segmentation.temporalUpdate = false
  segmentation.segIdPreSkip = false
  segmentation.lastActiveSegId = 0
  segmentation.enabled = readFlag()
  if (!segmentation.enabled) return
  let updatesData = true
  if (changetype<usize>(previous) != 0) {
    segmentation.updateMap = readFlag()
    segmentation.temporalUpdate = segmentation.updateMap && readFlag()
    updatesData = readFlag()
    if (!updatesData) takeFeatures(savedFeatures(previous))
  }
  if (!updatesData) return
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    for (let feature = 0; feature < SEG_LVL_MAX; feature++) if (readFlag()) readFeature(segment, feature)
  }
}

function clearFeatures(): void {
  memory.fill(FEATURE_ENABLED, 0, 64)
  memory.fill(FEATURE_DATA, 0, 128)
}

/** load_segmentation_params( ) (7.21). */
function takeFeatures(from: usize): void {
  memory.copy(FEATURE_ENABLED, from, 64)
  memory.copy(FEATURE_DATA, from + 64, 128)
  for (let i = 0; i < 64; i++) if (load<u8>(FEATURE_ENABLED + i) != 0) noteFeature(i / SEG_LVL_MAX, i % SEG_LVL_MAX)
}

/** save_segmentation_params( ) (7.20). */
export function saveFeatures(to: usize): void {
  memory.copy(to, FEATURE_ENABLED, 64)
  memory.copy(to + 64, FEATURE_DATA, 128)
}

function readFeature(segment: i32, feature: i32): void {
  const bits = <i32>load<u8>(FEATURE_BITS + feature)
  const limit = <i32>load<u8>(FEATURE_MAX + feature)
  const isSigned = feature < SIGNED_FEATURES
  const value = isSigned ? readSigned(bits + 1) : <i32>readBits(bits)
  const clipped = max(isSigned ? -limit : 0, min(limit, value))
  const at = segment * SEG_LVL_MAX + feature
  store<u8>(FEATURE_ENABLED + at, 1)
  store<i16>(FEATURE_DATA + (at << 1), <i16>clipped)
  noteFeature(segment, feature)
}

function noteFeature(segment: i32, feature: i32): void {
  segmentation.lastActiveSegId = segment
  if (feature >= SEG_LVL_REF_FRAME) segmentation.segIdPreSkip = true
}
