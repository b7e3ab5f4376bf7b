// Rows of samples that are 64ths of a level of 8 bits, u16: those of more bits, whose colours are changed. Bytes of PQ or of linear
// light would be too coarse before they become light.

import { Colour } from './conversion'
import { deepBlue, deepGreen, deepRed } from './matrix-coefficients'

/** The most that a sample is: 255 levels. */
const MOST: f32 = 255 * 64
const UNIT: f32 = 1.0 / 64

/** Returns red, green and blue from the lowest byte on, of sRGB, for a colour of 0 to 255 each. */
type ToSrgb = (red: f32, green: f32, blue: f32) => u32

let toSrgb: ToSrgb = withoutChange

/** Sets the change of colours of `deepRowToRgba`. */
export function setDeepChange(change: ToSrgb): void {
  toSrgb = change
}

function withoutChange(red: f32, green: f32, blue: f32): u32 {
  return <u32>red | ((<u32>green) << 8) | ((<u32>blue) << 16)
}

/** Writes `count` RGBA pixels of sRGB at `to` from one row of each plane, as `rowToRgba`. Alphas are bytes. */
export function deepRowToRgba(colour: Colour, a: usize, b: usize, c: usize, d: usize, count: i32, to: usize): void {
  const isGray = colour == Colour.Gray || colour == Colour.GrayAlpha
  const hasAlpha = colour == Colour.GrayAlpha || colour == Colour.Rgba
  const alphas = isGray ? b : d
  for (let x: usize = 0; x < <usize>count; x++) {
    const alpha = hasAlpha ? <u32>load<u8>(alphas + x) : 255
    if (alpha == 0) {
      store<u32>(to + (x << 2), 0)
      continue
    }
    const first = <i32>load<u16>(a + (x << 1))
    const second = isGray ? first : <i32>load<u16>(b + (x << 1))
    const third = isGray ? first : <i32>load<u16>(c + (x << 1))
    let red = <f32>first * UNIT
    let green = <f32>second * UNIT
    let blue = <f32>third * UNIT
    if (colour == Colour.YuvMatrix) {
      red = deepRed(first, second, third)
      green = deepGreen(first, second, third)
      blue = deepBlue(first, second, third)
    }
    const gain = <f32>255 / <f32>alpha
    store<u32>(to + (x << 2), toSrgb(red * gain, green * gain, blue * gain) | (alpha << 24))
  }
}

/** Converts `count` pixels as `toRgb`, of 64ths of a level. No more are read or written. */
export function deepToRgb(y: usize, cb: usize, cr: usize, count: i32, isHalved: bool, rgb: usize, stride: usize): void {
  for (let x: usize = 0; x < <usize>count; x++, rgb += 2) {
    const chromaAt = (isHalved ? x >> 1 : x) << 1
    const luma = <i32>load<u16>(y + (x << 1))
    const b = <i32>load<u16>(cb + chromaAt)
    const r = <i32>load<u16>(cr + chromaAt)
    storeLevel(rgb, deepRed(luma, b, r) * 64)
    storeLevel(rgb + stride, deepGreen(luma, b, r) * 64)
    storeLevel(rgb + 2 * stride, deepBlue(luma, b, r) * 64)
  }
}

/** Spreads `count` samples of 16 to 235 levels at `row` over 0 to 255, in place. */
export function expandDeepRange(row: usize, count: i32): void {
  for (const end = row + ((<usize>count) << 1); row < end; row += 2) {
    storeLevel(row, <f32>(<i32>load<u16>(row) - 16 * 64) * <f32>(255.0 / 219.0))
  }
}

/** Multiplies `count` samples at `row` by their alphas, bytes at `alpha`, in place. */
export function premultiplyDeep(row: usize, alpha: usize, count: i32): void {
  for (const end = row + ((<usize>count) << 1); row < end; row += 2, alpha++) {
    storeLevel(row, (<f32>load<u16>(row) * <f32>load<u8>(alpha)) / 255)
  }
}

/** Writes `count` samples of 16 bits, the high byte first and `step` bytes apart, as 64ths of a level. */
export function deepenSixteen(from: usize, step: usize, count: i32, to: usize): void {
  for (const end = to + ((<usize>count) << 1); to < end; to += 2, from += step) {
    storeLevel(to, <f32>bswap<u16>(load<u16>(from)) * (MOST / 65535))
  }
}

function storeLevel(to: usize, level: f32): void {
  store<u16>(to, <u16>(max<f32>(0, min<f32>(MOST, level)) + <f32>0.5))
}
