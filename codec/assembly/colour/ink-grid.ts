// CMYK to sRGB by the profile of a press: by what a grid of inks becomes, and straight lines between its points.

import { levelsOf } from './colour-grid'
import { INK_GRID_POINTS } from './grid-points'

/** The bytes of a point: red, green, blue and nothing, i16. */
const KEY_BYTES: usize = 8
const YELLOW_BYTES: usize = <usize>INK_GRID_POINTS * KEY_BYTES
const MAGENTA_BYTES: usize = <usize>INK_GRID_POINTS * YELLOW_BYTES
const CYAN_BYTES: usize = <usize>INK_GRID_POINTS * MAGENTA_BYTES
const LAST_CELL: i32 = INK_GRID_POINTS - 2

let grid: usize = 0

/**
 * Has CMYK become sRGB by a grid until the next call; without a profile at 0. At `address`: INK_GRID_POINTS^4 points, key the
 * fastest and cyan the slowest; of each what its red, green and blue become, times 64, and 0, all of them i16.
 */
export function setInkGrid(address: usize): void {
  grid = address
}

/** Whether there is a grid. */
export function hasInkGrid(): bool {
  return grid != 0
}

/** The opaque RGBA pixel, red in the lowest byte, of inks from 0 (none) to 255. */
export function inksToRgba(cyan: i32, magenta: i32, yellow: i32, key: i32): u32 {
  const c = cellOf(cyan)
  const m = cellOf(magenta)
  const y = cellOf(yellow)
  const k = cellOf(key)
  // Where the colour lies in its cell, 0 to 1 along each ink.
  const alongM = position(magenta) - <f32>m
  const alongY = position(yellow) - <f32>y
  const alongK = position(key) - <f32>k
  const cell = grid + <usize>c * CYAN_BYTES + <usize>m * MAGENTA_BYTES + <usize>y * YELLOW_BYTES + <usize>k * KEY_BYTES
  const first = alongMagenta(cell, alongM, alongY, alongK)
  const second = alongMagenta(cell + CYAN_BYTES, alongM, alongY, alongK)
  const sum = between(first, second, position(cyan) - <f32>c)
  return levelsOf(sum) | 0xff000000
}

function position(value: i32): f32 {
  return <f32>value * (<f32>(INK_GRID_POINTS - 1) / 255)
}

function cellOf(value: i32): i32 {
  return min(<i32>position(value), LAST_CELL)
}

function alongMagenta(at: usize, magenta: f32, yellow: f32, key: f32): v128 {
  return between(alongYellow(at, yellow, key), alongYellow(at + MAGENTA_BYTES, yellow, key), magenta)
}

function alongYellow(at: usize, yellow: f32, key: f32): v128 {
  return between(alongKey(at, key), alongKey(at + YELLOW_BYTES, key), yellow)
}

function alongKey(at: usize, key: f32): v128 {
  return between(point(at), point(at + KEY_BYTES), key)
}

function point(at: usize): v128 {
  return f32x4.convert_i32x4_s(v128.load_ext<i16>(at))
}

function between(one: v128, other: v128, part: f32): v128 {
  return f32x4.add(one, f32x4.mul(f32x4.sub(other, one), f32x4.splat(part)))
}
