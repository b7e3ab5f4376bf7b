// Converts the colours of an image to sRGB, pixel by pixel, for profiles without a formula. A grid holds converted
// colours; between its points, the four corners of the tetrahedron around a colour are interpolated. Greys lie on the
// edge that all six tetrahedra of a cube share, and depend on greys alone.

import { GRID_POINTS } from './grid-points'

/** The bytes of a point: red, green, blue and nothing, i16. */
const POINT_BYTES: usize = 8
const RED_BYTES: usize = <usize>(GRID_POINTS * GRID_POINTS) * POINT_BYTES
const GREEN_BYTES: usize = <usize>GRID_POINTS * POINT_BYTES
const LAST_CELL: i32 = GRID_POINTS - 2
/** The points of a grid are 64ths of a level. */
const UNIT: f32 = 1.0 / 64.0

let grid: usize = 0

/**
 * Prepares `gridRow`. At `address` are GRID_POINTS^3 points, the last channel the fastest. Each is four i16: red,
 * green and blue times 64, and 0. Values beyond 0 and 255 are kept and clamped after the interpolation.
 */
export function setColourGrid(address: usize): void {
  grid = address
}

/** Changes `count` RGBA pixels in place. */
export function gridRow(pixels: usize, count: i32): void {
  const end = pixels + ((<usize>count) << 2)
  for (; pixels < end; pixels += 4) {
    const levels = gridLevels(<f32>load<u8>(pixels), <f32>load<u8>(pixels, 1), <f32>load<u8>(pixels, 2))
    store<u32>(pixels, levels | (load<u32>(pixels) & 0xff000000))
  }
}

/** Returns a colour of 0 to 255 each, which need not be whole numbers, as sRGB: a byte each, red the lowest. */
export function gridLevels(r: f32, g: f32, b: f32): u32 {
  const red = position(r)
  const green = position(g)
  const blue = position(b)
  const cellOfRed = min(<i32>red, LAST_CELL)
  const cellOfGreen = min(<i32>green, LAST_CELL)
  const cellOfBlue = min(<i32>blue, LAST_CELL)
  const corner =
    grid + <usize>cellOfRed * RED_BYTES + <usize>cellOfGreen * GREEN_BYTES + <usize>cellOfBlue * POINT_BYTES
  return levelsOf(between(corner, red - <f32>cellOfRed, green - <f32>cellOfGreen, blue - <f32>cellOfBlue)) & 0x00ffffff
}

/** The levels of a colour between points of a grid, f32 each, as bytes: red the lowest. */
// @ts-ignore: decorator
@inline
export function levelsOf(colour: v128): u32 {
  const levels = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(colour, f32x4.splat(UNIT))))
  const words = i16x8.narrow_i32x4_s(levels, levels)
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0)
}

/** Where a value lies between the points of its channel. */
function position(level: f32): f32 {
  return max<f32>(0, min<f32>(255, level)) * (<f32>(GRID_POINTS - 1) / 255)
}

/** The colour at these parts, 0 to 1, of the edges of a cell: from its corner to the one opposite along the longest part first. */
function between(corner: usize, red: f32, green: f32, blue: f32): v128 {
  let most = red
  let middle = green
  let least = blue
  let first: usize = RED_BYTES
  let second: usize = GREEN_BYTES
  let third: usize = POINT_BYTES
  if (most < middle) {
    most = green
    middle = red
    first = GREEN_BYTES
    second = RED_BYTES
  }
  if (middle < least) {
    const part = middle
    const bytes = second
    middle = least
    second = third
    least = part
    third = bytes
    if (most < middle) {
      const larger = middle
      const step = second
      middle = most
      second = first
      most = larger
      first = step
    }
  }
  let sum = weighted(corner, 1 - most)
  sum = f32x4.add(sum, weighted(corner + first, most - middle))
  sum = f32x4.add(sum, weighted(corner + first + second, middle - least))
  return f32x4.add(sum, weighted(corner + first + second + third, least))
}

function weighted(point: usize, weight: f32): v128 {
  return f32x4.mul(f32x4.convert_i32x4_s(v128.load16x4_s(point)), f32x4.splat(weight))
}
