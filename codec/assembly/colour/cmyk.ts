// CMYK to RGB without a profile, as browsers show it: each ink takes its share of its colour, and key of all three.

import { hasInkGrid, inksToRgba } from './ink-grid'

/** The opaque RGBA pixel, red in the lowest byte, of inks from 0 (none) to 255: by the profile where there is one. */
export function cmykToRgba(cyan: i32, magenta: i32, yellow: i32, key: i32): u32 {
  if (hasInkGrid()) return inksToRgba(cyan, magenta, yellow, key)
  const light = 255 - key
  return left(cyan, light) | (left(magenta, light) << 8) | (left(yellow, light) << 16) | 0xff000000
}

/** Of 255 levels, those that an ink leaves of this much light. */
function left(ink: i32, light: i32): u32 {
  const product = <u32>((255 - ink) * light) + 128
  return (product + (product >> 8)) >> 8
}
