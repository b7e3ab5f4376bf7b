// Segments (RFC 6386 §9.3): macroblocks of similar activity, with quantizer steps of their own. The more the pixels around a
// squared error vary, the less it lowers structural similarity: flat parts get finer steps, busy ones coarser.
import { sumOfLanes32 } from '../../../arena/simd'
import { acStep } from '../steps'
import { probabilityOf } from './probability'
import { SEGMENTS, setQuantizers } from './quantizer'

// These two were tuned on photos: a larger difference takes fewer bytes at equal similarity, and more at equal PSNR.
/** The activities from which a macroblock belongs to segments 1, 2 and 3. */
const ACTIVITY_THRESHOLDS: usize = memory.data<f32>([100, 350, 1200])
/** The AC step of each segment, relative to that of the image's quality. */
const STEP_FACTORS: usize = memory.data<f32>([0.67, 0.91, 1.16, 1.41])

/** The constant that keeps structural similarity defined in flat parts, (0.03 * 255)^2. */
const C2: f32 = 58.5225

/** The number of macroblocks of each segment, u32, and its quantizer index, u8. */
const counts: usize = memory.data(SEGMENTS * 4, 16)
const indexes: usize = memory.data(SEGMENTS, 4)

/** Starts an image of a quantizer index 0..127: sets the quantizers of all segments. */
export function startSegments(index: i32): void {
  memory.fill(counts, 0, SEGMENTS * 4)
  const step = <f32>acStep(index)
  for (let segment = 0; segment < SEGMENTS; segment++) {
    const own = indexOfStep(step * load<f32>(STEP_FACTORS + 4 * segment))
    store<u8>(indexes + segment, <u8>own)
    setQuantizers(segment, own)
  }
}

/** The quantizer index of the AC step that is nearest to this. */
function indexOfStep(step: f32): i32 {
  let index = 0
  while (index < 127 && <f32>(acStep(index) + acStep(index + 1)) < 2 * step) index++
  return index
}

/** The quantizer index of a segment. */
export function segmentIndex(segment: i32): i32 {
  return load<u8>(indexes + segment)
}

/** Returns the segment of the source's macroblock, and counts it. Its activity is the harmonic mean of those of its quarters. */
export function chooseSegment(source: usize, stride: usize): i32 {
  const activity = <f32>4 / (weightOfHalf(source, stride) + weightOfHalf(source + 8 * stride, stride))
  let segment = 0
  for (let n = 0; n < SEGMENTS - 1; n++) if (activity >= load<f32>(ACTIVITY_THRESHOLDS + 4 * n)) segment++
  const count = counts + 4 * segment
  store<u32>(count, load<u32>(count) + 1)
  return segment
}

/** Returns the sum of the weights of two adjacent squares of 8 x 8 pixels. Every second line is read. */
function weightOfHalf(source: usize, stride: usize): f32 {
  let leftSums = i16x8.splat(0)
  let rightSums = i16x8.splat(0)
  let leftSquares = i32x4.splat(0)
  let rightSquares = i32x4.splat(0)
  for (let y = 0; y < 8; y += 2, source += 2 * stride) {
    const left = v128.load_ext<u8>(source)
    const right = v128.load_ext<u8>(source, 8)
    leftSums = i16x8.add(leftSums, left)
    rightSums = i16x8.add(rightSums, right)
    leftSquares = i32x4.add(leftSquares, i32x4.dot_i16x8_s(left, left))
    rightSquares = i32x4.add(rightSquares, i32x4.dot_i16x8_s(right, right))
  }
  return weight(leftSums, leftSquares) + weight(rightSums, rightSquares)
}

/** One over the activity of 32 pixels, which is twice their variance plus `C2`. */
// @ts-ignore: decorator
@inline
function weight(sums: v128, squares: v128): f32 {
  const mean = <f32>sumOfLanes32(i32x4.extadd_pairwise_i16x8_s(sums)) / 32
  return 1 / (2 * (<f32>sumOfLanes32(squares) / 32 - mean * mean) + C2)
}

/** Whether macroblocks are of several segments: then each has its segment coded. */
export function hasSegments(): bool {
  let used = 0
  for (let segment = 0; segment < SEGMENTS; segment++) if (count(segment) > 0) used++
  return used > 1
}

/** The quantizer index of the whole frame where it has no segments. */
export function frameIndex(): i32 {
  let segment = 0
  while (segment < SEGMENTS - 1 && count(segment) == 0) segment++
  return segmentIndex(segment)
}

/** u8[3]: the probabilities of the segments' tree (§9.3), set by `chooseSegmentProbabilities`. */
export const SEGMENT_PROBS: usize = memory.data(3)

/** Sets `SEGMENT_PROBS` by the number of macroblocks of each segment. */
export function chooseSegmentProbabilities(): void {
  store<u8>(SEGMENT_PROBS, <u8>probabilityOf(count(0) + count(1), count(2) + count(3)))
  store<u8>(SEGMENT_PROBS, <u8>probabilityOf(count(0), count(1)), 1)
  store<u8>(SEGMENT_PROBS, <u8>probabilityOf(count(2), count(3)), 2)
}

function count(segment: i32): u64 {
  return load<u32>(counts + 4 * segment)
}
