// segmentation_params( ): AV1 specification, 5.9.14. A frame that is coded alone sets all of it anew.
import { readBits, readFlag, readSigned } from './bits'

/** Features (chapter 3). */
export const SEG_LVL_ALT_Q: i32 = 0
export const SEG_LVL_ALT_LF_Y_V: i32 = 1
const SEG_LVL_REF_FRAME: i32 = 5
export const SEG_LVL_SKIP: i32 = 6
const SEG_LVL_MAX: i32 = 8
export const MAX_SEGMENTS: i32 = 8

/** Segmentation_Feature_Bits, -_Signed and -_Max. */
const FEATURE_BITS: usize = memory.data<u8>([8, 6, 6, 6, 6, 3, 0, 0])
const SIGNED_FEATURES: i32 = 5
const FEATURE_MAX: usize = memory.data<u8>([255, 63, 63, 63, 63, 7, 0, 0])

const FEATURE_ENABLED: usize = memory.data(8 * 8)
const FEATURE_DATA: usize = memory.data(2 * 8 * 8, 2)

export let segmentationEnabled = false
export let segIdPreSkip = false
export let lastActiveSegId: i32 = 0

/** seg_feature_active_idx( ) (5.11.14). */
export function isFeatureActive(segment: i32, feature: i32): bool {
  return segmentationEnabled && load<u8>(FEATURE_ENABLED + (segment * SEG_LVL_MAX + feature)) != 0
}

/** FeatureData */
export function featureData(segment: i32, feature: i32): i32 {
  return load<i16>(FEATURE_DATA + ((segment * SEG_LVL_MAX + feature) << 1))
}

/** Reads segmentation_params( ). */
export function readSegmentation(): void {
  memory.fill(FEATURE_ENABLED, 0, 64)
  memory.fill(FEATURE_DATA, 0, 128)
  segIdPreSkip = false
  lastActiveSegId = 0
  segmentationEnabled = readFlag()
  if (!segmentationEnabled) return
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    for (let feature = 0; feature < SEG_LVL_MAX; feature++) if (readFlag()) readFeature(segment, feature)
  }
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
  lastActiveSegId = segment
  if (feature >= SEG_LVL_REF_FRAME) segIdPreSkip = true
}
