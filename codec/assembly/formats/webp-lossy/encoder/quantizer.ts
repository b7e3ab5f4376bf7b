// Quantizer steps of the three kinds of blocks (RFC 6386 §9.6, §14.1), ready for vectors of a pair (transform.ts).
// Lambda is the cost of a bit: decisions minimise squared error + lambda * bits, the error in squared coefficients.
import { acStep, chromaDcStep, dcStep, y2AcStep, y2DcStep } from '../steps'

/** Steps of one kind of block: Y (with or without its DC), Y2 or chroma. */
@unmanaged
export class Quantizer {
  /** Steps of the pair's first vector, whose lanes 0 and 4 are DCs, and of the other three. */
  firstSteps: v128
  steps: v128
  /** 32768 / step, rounded. */
  firstReciprocals: v128
  reciprocals: v128
  /** Estimates subtract it from a magnitude before rounding, in place of the trellis' decisions. */
  firstDeadZone: v128
  deadZone: v128
  /** Steps and reciprocals of a single block's first eight coefficients in zigzag order: lane 0 alone is a DC. */
  zigzagSteps: v128
  zigzagReciprocals: v128
  /** 0, 1, 2 and 3 steps, i32. */
  dcMultiples: v128
  acMultiples: v128
  dcStep: i32
  acStep: i32
  /** Cost of a bit in squared coefficients of this kind. */
  lambda: f32
  /** The weight of a squared coefficient relative to Y: those of Y2 are twice as large. */
  weight: f32
}

/** Segments that a frame may have (§9.3). */
export const SEGMENTS: i32 = 4

const KINDS: i32 = 3
const quantizers: usize = memory.data(SEGMENTS * KINDS * offsetof<Quantizer>(), 16)

/** The quantizers of the segment in use. */
export let lumaQuantizer: Quantizer = changetype<Quantizer>(quantizers)
export let y2Quantizer: Quantizer = changetype<Quantizer>(quantizers)
export let chromaQuantizer: Quantizer = changetype<Quantizer>(quantizers)

// These were tuned on photos, for the fewest bytes at equal SSIMULACRA 2 and Butteraugli. Errors of DCs are seen at every
// distance, so their steps are finer.
/** Deltas of the index (§9.6). */
export const LUMA_DC_DELTA: i32 = -5
export const Y2_DC_DELTA: i32 = -8
export const Y2_AC_DELTA: i32 = -2
export const CHROMA_DC_DELTA: i32 = -5
export const CHROMA_AC_DELTA: i32 = 0
/** Lambda, relative to the square of the AC step. */
const LAMBDA: f32 = 0.098
const CHROMA_LAMBDA: f32 = 0.046
/** Lambda of Y2, relative to that of luma. */
const Y2_LAMBDA: f32 = 0.6
/** Dead zone of estimates, in steps. */
const DEAD_ZONE: f32 = 0.15

/** Lambda of luma modes in the segment in use, in squared luma coefficients. */
export let lumaLambda: f32 = 0

/** Uses a segment's quantizers. */
export function useQuantizers(segment: i32): void {
  lumaQuantizer = quantizerAt(segment, 0)
  y2Quantizer = quantizerAt(segment, 1)
  chromaQuantizer = quantizerAt(segment, 2)
  lumaLambda = lumaQuantizer.lambda
}

function quantizerAt(segment: i32, kind: i32): Quantizer {
  return changetype<Quantizer>(quantizers + <usize>(segment * KINDS + kind) * offsetof<Quantizer>())
}

/** Sets a segment's quantizers for a quantizer index 0..127, and uses them. */
export function setQuantizers(segment: i32, index: i32): void {
  useQuantizers(segment)
  const ac = acStep(index)
  lumaLambda = LAMBDA * <f32>(ac * ac)
  setQuantizer(lumaQuantizer, dcStep(index + LUMA_DC_DELTA), ac, lumaLambda, 1)
  const y2Lambda = lumaLambda * Y2_LAMBDA
  setQuantizer(y2Quantizer, y2DcStep(index + Y2_DC_DELTA), y2AcStep(index + Y2_AC_DELTA), y2Lambda, 0.25)
  const chromaAc = acStep(index + CHROMA_AC_DELTA)
  const chromaLambda = CHROMA_LAMBDA * <f32>(chromaAc * chromaAc)
  setQuantizer(chromaQuantizer, chromaDcStep(index + CHROMA_DC_DELTA), chromaAc, chromaLambda, 1)
}

function setQuantizer(quantizer: Quantizer, dc: i32, ac: i32, lambda: f32, weight: f32): void {
  quantizer.dcStep = dc
  quantizer.acStep = ac
  quantizer.steps = i16x8.splat(<i16>ac)
  quantizer.firstSteps = withDc(<i16>ac, <i16>dc)
  const acReciprocal = <i16>nearest<f32>(32768 / <f32>ac)
  const dcReciprocal = <i16>nearest<f32>(32768 / <f32>dc)
  quantizer.reciprocals = i16x8.splat(acReciprocal)
  quantizer.firstReciprocals = withDc(acReciprocal, dcReciprocal)
  quantizer.zigzagSteps = i16x8.replace_lane(quantizer.steps, 0, <i16>dc)
  quantizer.zigzagReciprocals = i16x8.replace_lane(quantizer.reciprocals, 0, dcReciprocal)
  const acZone = <i16>nearest<f32>(DEAD_ZONE * <f32>ac)
  quantizer.deadZone = i16x8.splat(acZone)
  quantizer.firstDeadZone = withDc(acZone, <i16>nearest<f32>(DEAD_ZONE * <f32>dc))
  quantizer.dcMultiples = i32x4.mul(i32x4.splat(dc), i32x4(0, 1, 2, 3))
  quantizer.acMultiples = i32x4.mul(i32x4.splat(ac), i32x4(0, 1, 2, 3))
  quantizer.weight = weight
  quantizer.lambda = lambda / weight
}

function withDc(ac: i16, dc: i16): v128 {
  return i16x8.replace_lane(i16x8.replace_lane(i16x8.splat(ac), 0, dc), 4, dc)
}
