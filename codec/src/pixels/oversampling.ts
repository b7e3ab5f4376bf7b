import type { Size } from '../format.ts'

/** Decoded at this many times the size of a thumbnail, nobody sees that it was not decoded whole. */
const THUMBNAIL_OVERSAMPLING = 2
/** Large images cost more to decode: this factor still results in 49 dB relative to the whole. */
const LARGE_OVERSAMPLING = 1.5
const LARGE_FROM_PX = 1000

/** Returns the minimum factor by which an image is decoded larger than wanted, before it is resampled. */
export function oversamplingFor({ width, height }: Size): number {
  return Math.max(width, height) < LARGE_FROM_PX ? THUMBNAIL_OVERSAMPLING : LARGE_OVERSAMPLING
}
