// One of the sizes and forms that the sink makes of an image while it is decoded, with a resampler for each plane.

import { allocate, allocateZeroed } from '../arena/memory'
import { AlphaPlane } from './alpha-plane'
import { MacroblockRows } from './macroblock-rows'
import { isTransposed, UprightPlane } from './orientation'
import { PixelBox } from './pixel-box'
import { Resampler } from './resample'
import { RgbaToYuv } from './rgba-to-yuv'

/** The most planes that an image has. */
export const MAX_PLANES: i32 = 4

/** One output of the sink. */
@unmanaged
export class Target {
  orientation: i32
  // In coded orientation.
  columns: i32
  rows: i32
  /** RGBA rows made so far. */
  done: i32
  /** The addresses of its resamplers, one for each plane. */
  resamplers: usize
  /** The box before them, where rows come as pixels and are reduced by one. */
  pixelBox: PixelBox | null
  /** One RGBA row; and the chroma of an image that has none. */
  pixels: usize
  neutralChroma: usize
  /** The whole image, RGBA, where that is wanted: alone, or beside its macroblock rows. */
  upright: UprightPlane | null
  holdsPixels: bool
  // Where macroblock rows are wanted: the rows, and what they are made by where planes become RGBA first.
  macroblocks: MacroblockRows | null
  fromRgba: RgbaToYuv | null
  alpha: AlphaPlane | null
}

/** A target of `width` x `height` upright pixels. */
export function newTarget(width: i32, height: i32, orientation: i32): Target {
  const target = changetype<Target>(allocateZeroed(offsetof<Target>()))
  target.orientation = orientation
  target.columns = isTransposed(orientation) ? height : width
  target.rows = isTransposed(orientation) ? width : height
  target.resamplers = allocate(MAX_PLANES * 4)
  return target
}

/** The resampler of plane `i`. */
export function resampler(target: Target, i: i32): Resampler {
  return changetype<Resampler>(<usize>load<u32>(target.resamplers + ((<usize>i) << 2)))
}

/** Sets the resampler of plane `i`. */
export function setResampler(target: Target, i: i32, made: Resampler): void {
  store<u32>(target.resamplers + ((<usize>i) << 2), <u32>changetype<usize>(made))
}

/**
 * Returns which of `planes` planes is furthest from its end, or -1 if all have ended. Filling that one first keeps every plane
 * within the rows that the others hold.
 */
export function slowestPlane(target: Target, planes: i32): i32 {
  let found = -1
  let least: f64 = 1
  for (let i = 0; i < planes; i++) {
    const r = resampler(target, i)
    const made = <f64>r.made / <f64>r.down.outputs
    if (made < least) {
      least = made
      found = i
    }
  }
  return found
}

/** Whether all of `planes` planes have made row `y`. */
export function isMade(target: Target, planes: i32, y: i32): bool {
  for (let i = 0; i < planes; i++) if (resampler(target, i).made <= y) return false
  return true
}
