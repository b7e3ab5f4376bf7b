// Quantizer steps of the kinds of blocks by index (RFC 6386 §14.1, §20.4). An index is clamped to 0..127.
import { AC_STEP, DC_STEP } from './tables'

/** Step of DCs of luma, without Y2. */
export function dcStep(index: i32): i32 {
  return load<u8>(DC_STEP + max(0, min(127, index)))
}

/** Step of other coefficients of luma and chroma. */
export function acStep(index: i32): i32 {
  return load<u16>(AC_STEP + 2 * max(0, min(127, index)))
}

/** Step of the DC of Y2. */
export function y2DcStep(index: i32): i32 {
  return 2 * dcStep(index)
}

/** Step of other coefficients of Y2. */
export function y2AcStep(index: i32): i32 {
  return max(8, (acStep(index) * 155) / 100)
}

/** Step of DCs of chroma. */
export function chromaDcStep(index: i32): i32 {
  return min(132, dcStep(index))
}
