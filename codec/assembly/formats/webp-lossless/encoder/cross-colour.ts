// The colour transform (WebP Lossless Bitstream Specification, 4.2): of each block's residuals, how much of green is in red and
// blue, and of red in blue.
import { channelCost, countResidual, TRANSFORMED } from './residual-cost'

/** The cost of a factor that is not that of a block before, in 8ths of a bit. */
const CHANGE: i32 = 40
/** Factors are looked for around those of least squares, in steps that become shorter. */
const FIRST_STEP: i32 = 8
const LAST_STEP: i32 = 2
/** Factors are in 32nds, from -128 to 127. */
const UNIT: f32 = 32

let block: usize = 0
let stride: usize = 0
let columns: i32 = 0
let rows: i32 = 0
/** The best factors so far, 16 bits, and above them their cost. */
let best: u64 = 0

/**
 * Transforms a block of residuals, whose rows lie `rowBytes` apart. Returns the element: green to red | green to blue << 8 |
 * red to blue << 16. Where another does not pay, it is that of the block to the `left` or `above`.
 */
export function transformBlock(at: usize, rowBytes: usize, across: i32, down: i32, left: u32, above: u32): u32 {
  block = at
  stride = rowBytes
  columns = across
  rows = down
  const red = chooseRed(<i8>left, <i8>above)
  const blue = chooseBlue(left >> 8, above >> 8)
  const element = (<u32>red & 255) | (blue << 8)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = block + <usize>y * stride + ((<usize>x) << 2)
      const value = transformed(load<u32>(pixel), element)
      store<u32>(pixel, value)
      countResidual(TRANSFORMED, value)
    }
  }
  return element
}

/** Returns the share of green to take from red. */
function chooseRed(left: i32, above: i32): i32 {
  best = u64.MAX_VALUE
  tryRed(0, 0)
  if (left != 0) tryRed(left, 0)
  if (above != 0 && above != left) tryRed(above, 0)
  let centre = factorOf(8, 16, 0, 0)
  for (let step = FIRST_STEP; step >= LAST_STEP; step >>= 1) {
    const from = centre
    for (let side = -1; side <= 1; side++) if (tryRed(inRange(from + side * step), CHANGE)) centre = <i32>(<i16>best)
  }
  return <i32>(<i16>best)
}

/** Returns the shares to take from blue: that of green, and that of red << 8. */
function chooseBlue(left: u32, above: u32): u32 {
  best = u64.MAX_VALUE
  tryBlue(0, 0, 0)
  if (left != 0) tryBlue(<i8>left, <i8>(left >> 8), 0)
  if (above != 0 && above != left) tryBlue(<i8>above, <i8>(above >> 8), 0)
  let green = factorOf(8, 0, 0, 0)
  let red = factorOf(16, 0, 8, green)
  for (let step = FIRST_STEP; step >= LAST_STEP; step >>= 1) {
    const ofGreen = green
    const ofRed = red
    for (let i = 0; i < 5; i++) {
      const newGreen = inRange(ofGreen + (i == 1 ? -step : i == 2 ? step : 0))
      const newRed = inRange(ofRed + (i == 3 ? -step : i == 4 ? step : 0))
      if (!tryBlue(newGreen, newRed, newRed == 0 ? CHANGE : 2 * CHANGE)) continue
      green = newGreen
      red = newRed
    }
  }
  return <u32>(best & 0xffff)
}

/** Takes a factor of red, sent at a cost of `rate`, if it is the best so far. Returns whether it is. */
function tryRed(factor: i32, rate: i32): bool {
  return take(redCost(factor) + rate, factor)
}

/** Takes factors of blue likewise. */
function tryBlue(green: i32, red: i32, rate: i32): bool {
  return take(blueCost(green, red) + rate, (green & 255) | ((red & 255) << 8))
}

// @ts-ignore: decorator
@inline
function take(cost: i32, factors: i32): bool {
  if (<u64>cost >= best >> 16) return false
  best = ((<u64>cost) << 16) | (<u64>factors & 0xffff)
  return true
}

// @ts-ignore: decorator
@inline
function inRange(factor: i32): i32 {
  return max(-128, min(127, factor))
}

function redCost(factor: i32): i32 {
  let cost = 0
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = load<u32>(block + <usize>y * stride + ((<usize>x) << 2))
      cost += channelCost(TRANSFORMED, 2, (pixel >> 16) - <u32>((factor * <i32>(<i8>(pixel >> 8))) >> 5))
    }
  }
  return cost
}

function blueCost(green: i32, red: i32): i32 {
  let cost = 0
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const pixel = load<u32>(block + <usize>y * stride + ((<usize>x) << 2))
      const taken = ((green * <i32>(<i8>(pixel >> 8))) >> 5) + ((red * <i32>(<i8>(pixel >> 16))) >> 5)
      cost += channelCost(TRANSFORMED, 0, pixel - <u32>taken)
    }
  }
  return cost
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
