// The colour transform (WebP Lossless Bitstream Specification, 4.2): of each block's residuals, how much of green is in red and
// blue, and of red in blue.
import { costsOf, sumOf } from './residual-cost'

/** Minimum gain of an element other than none, in quarters of a bit. */
const LEAST_GAIN: i32 = 48
/** Factors are in 32nds, from -128 to 127. */
const UNIT: f32 = 32

let block: usize = 0
let stride: usize = 0
let columns: i32 = 0
let rows: i32 = 0

/**
 * The element of a block of residuals, which is transformed by it: green to red | green to blue << 8 | red to blue << 16; 0
 * where that does not pay. Rows lie `rowBytes` apart.
 */
export function transformBlock(at: usize, rowBytes: usize, across: i32, down: i32): u32 {
  block = at
  stride = rowBytes
  columns = across
  rows = down
  const greenToRed = factorOf(8, 16, 0, 0)
  const greenToBlue = factorOf(8, 0, 0, 0)
  const redToBlue = factorOf(16, 0, 8, greenToBlue)
  const element = (<u32>greenToRed & 255) | ((<u32>greenToBlue & 255) << 8) | ((<u32>redToBlue & 255) << 16)
  if (element == 0 || costWith(0) - costWith(element) < LEAST_GAIN) return 0
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = block + <usize>y * stride + ((<usize>x) << 2)
      store<u32>(pixel, transformed(load<u32>(pixel), element))
    }
  }
  return element
}

/** By least squares, how much of the channel at bit `from` is in that at `to`, less `taken` of the one at `other`. */
function factorOf(from: u32, to: u32, other: u32, taken: i32): i32 {
  let squares: f32 = 0
  let products: f32 = 0
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = load<u32>(block + <usize>y * stride + ((<usize>x) << 2))
      const a = <i32>(<i8>(pixel >> from))
      let b = <i32>(<i8>(pixel >> to))
      if (taken != 0) b = <i32>(<i8>(b - ((taken * <i32>(<i8>(pixel >> other))) >> 5)))
      squares += <f32>(a * a)
      products += <f32>(a * b)
    }
  }
  if (squares == 0) return 0
  return <i32>max<f32>(-127, min<f32>(127, nearest((products * UNIT) / squares)))
}

function costWith(element: u32): i32 {
  let cost = 0
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = load<u32>(block + <usize>y * stride + ((<usize>x) << 2))
      cost += sumOf(costsOf(i32x4.replace_lane(i32x4.splat(0), 0, transformed(pixel, element))))
    }
  }
  return cost
}

/** Products of signed bytes, shifted by 5 bits (ColorTransformDelta). */
// @ts-ignore: decorator
@inline
function transformed(pixel: u32, element: u32): u32 {
  const green = <i32>(<i8>(pixel >> 8))
  const red = <i32>(<i8>(pixel >> 16))
  const newRed = red - ((<i32>(<i8>element) * green) >> 5)
  const newBlue =
    <i32>(pixel & 255) - ((<i32>(<i8>(element >> 8)) * green) >> 5) - ((<i32>(<i8>(element >> 16)) * red) >> 5)
  return (pixel & 0xff00ff00) | ((<u32>newRed & 255) << 16) | (<u32>newBlue & 255)
}
