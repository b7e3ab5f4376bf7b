// A first look at an image: its colours, if they are few, and what its pixels cost by the transforms that there are.
import { allocateZeroed } from '../../../arena/memory'
import { addColour, clearColours, colours, indexBits, startColours } from './colour-table'
import { cacheKey } from './symbols'

/**
 * u32[][256]: how often values occur of channels. Red, green, blue, alpha; red and blue less green. Then of residuals: red less
 * green, green, blue less green, alpha; red and blue as they are. Then of indices to the colour table, which may be 256.
 */
const CHANNELS: i32 = 14
let counts: usize = 0
const DIRECT: i32 = 0
const LESS_GREEN: i32 = 4
const RESIDUAL: i32 = 6
const WHOLE_RESIDUAL: i32 = 10
const INDEXED: i32 = 12
/**
 * Of pixels, and of residuals: a cache, u32[1024]; how often its colours were found, u32[1024]; and the hashes of three in a row that
 * occurred, u32[16384].
 */
const CACHE_BITS: i32 = 10
const GRAM_BITS: i32 = 14
const KNOWN_BYTES: usize = (8 << CACHE_BITS) + (4 << GRAM_BITS)
let knownPixels: usize = 0
let knownResiduals: usize = 0
/** The bits of a copy, of a residual in three that occurred before, and of a copy of residuals. */
const COPY_BITS: f32 = 11
const REPEATED_BITS: f32 = 0.9
const RESIDUAL_COPY_BITS: f32 = 4
/**
 * The share that is left of the residuals by the gradient where the best mode of each block predicts, with and without green; and of
 * indices, bundled or not. These and the bits above were fitted to the sizes of some 190 images in all codings.
 */
const LESS_GREEN_SHARE: f32 = 0.91
const PREDICTED_SHARE: f32 = 0.85
const BUNDLED_SHARE: f32 = 0.73
const INDEXED_SHARE: f32 = 0.94
const COLOUR_BITS: f32 = 16

const enum Known {
  Repeated,
  Cached,
  Neither,
}

/** The properties of an image that were found. They outlast the memory that counting took. */
@unmanaged
class Survey {
  /** Whether any pixel is not opaque. */
  hasAlpha: bool
  /** Whether red, green and blue of each pixel are the same. */
  isGrey: bool
  /** The residuals in three that occurred before. */
  residualsRepeated: u32
  /** Copies of pixels, as far as the survey sees them: from nearby, and of three that occurred before; and those of residuals. */
  copies: u32
  residualCopies: u32
  /** About how many bits the pixels take: as they are; with green subtracted; both predicted; and as indices. */
  directBits: f32
  lessGreenBits: f32
  predictedBits: f32
  predictedLessGreenBits: f32
  indexedBits: f32
}

export const survey = changetype<Survey>(memory.data(offsetof<Survey>(), 4))

/** Begins. */
export function startSurvey(): void {
  startColours()
  clearColours()
  survey.hasAlpha = false
  survey.isGrey = true
  survey.residualsRepeated = 0
  survey.copies = 0
  survey.residualCopies = 0
  counts = allocateZeroed(4 * 256 * CHANNELS)
  knownPixels = allocateZeroed(KNOWN_BYTES)
  knownResiduals = allocateZeroed(KNOWN_BYTES)
}

/** Takes a row of `columns` pixels, and the one above (0: none). */
export function surveyRow(row: usize, above: usize, columns: i32): void {
  let left: u32 = 0
  let second: u32 = 0
  let corner: u32 = 0
  let residual: u32 = 0
  let secondResidual: u32 = 0
  let isLiteral = false
  let isResidual = false
  for (let x = 0; x < columns; x++) {
    const pixel = load<u32>(row + ((<usize>x) << 2))
    const up = above == 0 ? left : load<u32>(above + ((<usize>x) << 2))
    const isLeft = pixel == left && x > 0
    let index = 0
    if (!isLeft) {
      if (pixel < 0xff000000) survey.hasAlpha = true
      if (((pixel ^ (pixel >> 8)) & 0xffff) != 0) survey.isGrey = false
      index = addColour(pixel)
    }
    let next: u32 = 0
    if (above != 0 && x > 0) {
      const wasLiteral = isLiteral
      isLiteral = !isLeft && pixel != up && countPixel(pixel, left, second, index)
      if (wasLiteral && !isLiteral) survey.copies++
      if (!isLeft || up != corner) {
        next = gradientResidual(pixel, left, up, corner)
      }
      const wasResidual = isResidual
      isResidual = next != 0 && countResidual(next, residual, secondResidual)
      if (wasResidual && !isResidual) survey.residualCopies++
    }
    secondResidual = residual
    residual = next
    second = left
    left = pixel
    corner = up
  }
}

/** Ends it with the estimates. */
export function finishSurvey(): void {
  const green = bitsOf(DIRECT + 1, knownPixels)
  const alpha = bitsOf(DIRECT + 3, 0)
  const copied = COPY_BITS * <f32>survey.copies
  survey.directBits = bitsOf(DIRECT, 0) + green + bitsOf(DIRECT + 2, 0) + alpha + copied
  survey.lessGreenBits = bitsOf(LESS_GREEN, 0) + green + bitsOf(LESS_GREEN + 1, 0) + alpha + copied
  const share = indexBits() < 8 ? BUNDLED_SHARE : INDEXED_SHARE
  survey.indexedBits = share * (bitsOf(INDEXED, 0) + copied) + COLOUR_BITS * <f32>colours
  const both = bitsOf(RESIDUAL + 1, knownResiduals) + bitsOf(RESIDUAL + 3, 0)
  const rest = REPEATED_BITS * <f32>survey.residualsRepeated + RESIDUAL_COPY_BITS * <f32>survey.residualCopies
  survey.predictedBits = PREDICTED_SHARE * (both + bitsOf(WHOLE_RESIDUAL, 0) + bitsOf(WHOLE_RESIDUAL + 1, 0)) + rest
  const lessGreenShare = survey.isGrey ? PREDICTED_SHARE : LESS_GREEN_SHARE
  survey.predictedLessGreenBits = lessGreenShare * (both + bitsOf(RESIDUAL, 0) + bitsOf(RESIDUAL + 2, 0)) + rest
}

function countPixel(pixel: u32, left: u32, second: u32, index: i32): bool {
  const known = know(knownPixels, pixel, left, second)
  if (known != Known.Repeated) increment(INDEXED + (index >> 8), index & 255)
  if (known != Known.Neither) return known == Known.Cached
  const red = (pixel >> 16) & 255
  const green = (pixel >> 8) & 255
  const blue = pixel & 255
  increment(DIRECT, red)
  increment(DIRECT + 1, green)
  increment(DIRECT + 2, blue)
  increment(DIRECT + 3, pixel >> 24)
  increment(LESS_GREEN, (red - green) & 255)
  increment(LESS_GREEN + 1, (blue - green) & 255)
  return true
}

function countResidual(residual: u32, left: u32, second: u32): bool {
  const known = know(knownResiduals, residual, left, second)
  if (known == Known.Repeated) survey.residualsRepeated++
  if (known != Known.Neither) return known == Known.Cached
  const green = (residual >> 8) & 255
  increment(RESIDUAL, (((residual >> 16) & 255) - green) & 255)
  increment(RESIDUAL + 1, green)
  increment(RESIDUAL + 2, ((residual & 255) - green) & 255)
  increment(RESIDUAL + 3, residual >>> 24)
  increment(WHOLE_RESIDUAL, (residual >> 16) & 255)
  increment(WHOLE_RESIDUAL + 1, residual & 255)
  return true
}

/** Takes a pixel after two others. Returns whether these three occurred, or the cache has it. */
// @ts-ignore: decorator
@inline
function know(memory: usize, pixel: u32, left: u32, second: u32): Known {
  let hash = pixel * 0x9e3779b1 + left * 0x85ebca77 + second * 0xc2b2ae3d
  hash = (hash ^ (hash >> 15)) * 0x9e3779b1
  const gram = memory + (8 << CACHE_BITS) + ((<usize>(hash >> (32 - GRAM_BITS))) << 2)
  const isRepeated = load<u32>(gram) == hash
  store<u32>(gram, hash)
  const cached = memory + ((<usize>cacheKey(pixel, CACHE_BITS)) << 2)
  const isCached = load<u32>(cached) == pixel
  store<u32>(cached, pixel)
  if (isRepeated) return Known.Repeated
  if (!isCached) return Known.Neither
  store<u32>(cached, load<u32>(cached, 4 << CACHE_BITS) + 1, 4 << CACHE_BITS)
  return Known.Cached
}

/** By the gradient, cut off at 0 and 255. */
// @ts-ignore: decorator
@inline
function gradientResidual(pixel: u32, left: u32, up: u32, corner: u32): u32 {
  const sum = i16x8.sub(i16x8.add(wide(left), wide(up)), wide(corner))
  return i32x4.extract_lane(i8x16.sub(i32x4.splat(pixel), i8x16.narrow_i16x8_u(sum, sum)), 0)
}

// @ts-ignore: decorator
@inline
function wide(pixel: u32): v128 {
  return i16x8.extend_low_i8x16_u(i32x4.splat(pixel))
}

// @ts-ignore: decorator
@inline
function increment(channel: i32, value: u32): void {
  const at = counts + ((<usize>((channel << 8) + value)) << 2)
  store<u32>(at, load<u32>(at) + 1)
}

/** Returns the bits of a channel; with the colours that were found in the cache of `known`, if that is not 0. */
function bitsOf(channel: i32, known: usize): f32 {
  let total: f32 = 0
  let bits: f32 = 0
  for (let value = 0; value < 256; value++) {
    const n = <f32>load<u32>(counts + ((<usize>((channel << 8) + value)) << 2))
    if (n == 0) continue
    total += n
    bits -= n * Mathf.log2(n)
  }
  if (known != 0) {
    for (let key: usize = 0; key < 1 << CACHE_BITS; key++) {
      const n = <f32>load<u32>(known + (4 << CACHE_BITS) + (key << 2))
      if (n == 0) continue
      total += n
      bits -= n * Mathf.log2(n)
    }
  }
  return total == 0 ? 0 : bits + total * Mathf.log2(total)
}
