// A first look at an image: its colours, if they are few, and what its pixels cost by the transforms that there are.
import { allocateZeroed } from '../../../arena/memory'
import { addColour, clearColours, startColours } from './colour-table'
import { cacheKey } from './symbols'

/**
 * u32[][256]: how often values occur of channels. Red, green, blue, alpha; red and blue less green. Then of residuals: red less
 * green, green, blue less green, alpha; red and blue as they are.
 */
const CHANNELS: i32 = 12
let counts: usize = 0
const DIRECT: i32 = 0
const LESS_GREEN: i32 = 4
const RESIDUAL: i32 = 6
const WHOLE_RESIDUAL: i32 = 10
/** Caches of pixels and of residuals; what finding one in it costs. */
const CACHE_BITS: i32 = 10
let pixelCache: usize = 0
let residualCache: usize = 0
const CACHED_BITS: f32 = 7

let pixelsCached: u32 = 0
let residualsCached: u32 = 0
/** Whether any pixel is not opaque. */
export let hasAlpha: bool = false

/** About how many bits the pixels that are no copies take: as they are; with green subtracted; and both predicted. */
export let directBits: f32 = 0
export let lessGreenBits: f32 = 0
export let predictedBits: f32 = 0
export let predictedLessGreenBits: f32 = 0

/** Begins. */
export function startSurvey(): void {
  startColours()
  clearColours()
  hasAlpha = false
  pixelsCached = 0
  residualsCached = 0
  counts = allocateZeroed(4 * 256 * CHANNELS)
  pixelCache = allocateZeroed(4 << CACHE_BITS)
  residualCache = allocateZeroed(4 << CACHE_BITS)
}

/** Takes a row of `columns` pixels, and the one above (0: none). */
export function surveyRow(row: usize, above: usize, columns: i32): void {
  let left: u32 = 0
  for (let x = 0; x < columns; x++) {
    const pixel = load<u32>(row + ((<usize>x) << 2))
    if (pixel == left && x > 0) continue
    if (pixel < 0xff000000) hasAlpha = true
    addColour(pixel)
    if (above != 0 && x > 0) {
      const up = load<u32>(above + ((<usize>x) << 2))
      if (pixel != up) count(pixel, left, up, load<u32>(above + ((<usize>(x - 1)) << 2)))
    }
    left = pixel
  }
}

/** Ends it with the estimates: they outlast the memory that counting took. */
export function finishSurvey(): void {
  const green = bitsOf(DIRECT + 1)
  const alpha = bitsOf(DIRECT + 3)
  const cached = CACHED_BITS * <f32>pixelsCached
  directBits = bitsOf(DIRECT) + green + bitsOf(DIRECT + 2) + alpha + cached
  lessGreenBits = bitsOf(LESS_GREEN) + green + bitsOf(LESS_GREEN + 1) + alpha + cached
  const both = bitsOf(RESIDUAL + 1) + bitsOf(RESIDUAL + 3) + CACHED_BITS * <f32>residualsCached
  predictedBits = both + bitsOf(WHOLE_RESIDUAL) + bitsOf(WHOLE_RESIDUAL + 1)
  predictedLessGreenBits = both + bitsOf(RESIDUAL) + bitsOf(RESIDUAL + 2)
}

function count(pixel: u32, left: u32, up: u32, corner: u32): void {
  const red = (pixel >> 16) & 255
  const green = (pixel >> 8) & 255
  const blue = pixel & 255
  const key = pixelCache + ((<usize>cacheKey(pixel, CACHE_BITS)) << 2)
  if (load<u32>(key) == pixel) pixelsCached++
  else {
    store<u32>(key, pixel)
    increment(DIRECT, red)
    increment(DIRECT + 1, green)
    increment(DIRECT + 2, blue)
    increment(DIRECT + 3, pixel >> 24)
    increment(LESS_GREEN, (red - green) & 255)
    increment(LESS_GREEN + 1, (blue - green) & 255)
  }
  // By the gradient, cut off at 0 and 255.
  const sum = i16x8.sub(i16x8.add(wide(left), wide(up)), wide(corner))
  const residual = i32x4.extract_lane(i8x16.sub(i32x4.splat(pixel), i8x16.narrow_i16x8_u(sum, sum)), 0)
  const residualKey = residualCache + ((<usize>cacheKey(residual, CACHE_BITS)) << 2)
  if (load<u32>(residualKey) == residual) residualsCached++
  else {
    store<u32>(residualKey, residual)
    const residualGreen = (residual >> 8) & 255
    increment(RESIDUAL, (((residual >> 16) & 255) - residualGreen) & 255)
    increment(RESIDUAL + 1, residualGreen)
    increment(RESIDUAL + 2, ((residual & 255) - residualGreen) & 255)
    increment(RESIDUAL + 3, residual >>> 24)
    increment(WHOLE_RESIDUAL, (residual >> 16) & 255)
    increment(WHOLE_RESIDUAL + 1, residual & 255)
  }
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

function bitsOf(channel: i32): f32 {
  let total: f32 = 0
  let bits: f32 = 0
  for (let value = 0; value < 256; value++) {
    const n = <f32>load<u32>(counts + ((<usize>((channel << 8) + value)) << 2))
    if (n == 0) continue
    total += n
    bits -= n * Mathf.log2(n)
  }
  return total == 0 ? 0 : bits + total * Mathf.log2(total)
}
