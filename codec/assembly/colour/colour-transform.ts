// Converts the colours of an image to sRGB, pixel by pixel. A table makes linear light of each channel. The system
// gain by luminance and a matrix to the primaries of BT.2020 follow. The gain of a tone curve by the largest channel
// comes next, then a matrix to the primaries of sRGB, and a table back. Light of 1 is white. Tables are indexed by
// the square root of light, which keeps dark levels apart.

const VALUES: usize = 256
const GAINS: i32 = 4096
const OUTPUTS: i32 = 1024

// The parts of the table: f32, but for the bytes at its end.
const TO_REC2020: usize = 3 * VALUES * 4
const LUMINANCES: usize = TO_REC2020 + 9 * 4
const SYSTEM_GAINS: usize = LUMINANCES + 3 * 4
const MOST_LIGHT: usize = SYSTEM_GAINS + GAINS * 4
const TONE_GAINS: usize = MOST_LIGHT + 4
const FROM_REC2020: usize = TONE_GAINS + GAINS * 4
const OUTPUT: usize = FROM_REC2020 + 9 * 4

let table: usize = 0
let red: f32 = 0
let green: f32 = 0
let blue: f32 = 0

/**
 * Prepares `transformRow`. At `address` are f32: the light of each of 256 values of red, of green and of blue; a
 * matrix; the luminance weights; 4096 gains by luminance up to 1. Then follow the light at which the gains of the
 * tone curve end, 4096 of those gains, and a matrix. The last 1024 bytes are a table of light up to 1.
 */
export function setColourTransform(address: usize): void {
  table = address
}

/** Changes `count` RGBA pixels in place. */
export function transformRow(pixels: usize, count: i32): void {
  const toneScale = <f32>1 / load<f32>(table + MOST_LIGHT)
  const end = pixels + ((<usize>count) << 2)
  for (; pixels < end; pixels += 4) {
    red = lightOf(0, load<u8>(pixels))
    green = lightOf(1, load<u8>(pixels, 1))
    blue = lightOf(2, load<u8>(pixels, 2))
    scale(load<f32>(entry(SYSTEM_GAINS, product(LUMINANCES), GAINS)))
    multiply(TO_REC2020)
    scale(load<f32>(entry(TONE_GAINS, max<f32>(red, max<f32>(green, blue)) * toneScale, GAINS)))
    multiply(FROM_REC2020)
    store<u8>(pixels, outputOf(red))
    store<u8>(pixels, outputOf(green), 1)
    store<u8>(pixels, outputOf(blue), 2)
  }
}

function lightOf(channel: usize, value: u8): f32 {
  return load<f32>(table + ((channel * VALUES + <usize>value) << 2))
}

function scale(gain: f32): void {
  red *= gain
  green *= gain
  blue *= gain
}

/** Of a row of three numbers with the colour. */
function product(row: usize): f32 {
  return load<f32>(table + row) * red + load<f32>(table + row, 4) * green + load<f32>(table + row, 8) * blue
}

function multiply(matrix: usize): void {
  const r = product(matrix)
  const g = product(matrix + 12)
  const b = product(matrix + 24)
  red = r
  green = g
  blue = b
}

/** Returns the offset of the f32 for `light`, in a part of `count` entries that ends with light of 1. */
function entry(part: usize, light: f32, count: i32): usize {
  return table + part + ((<usize>indexOf(light, count)) << 2)
}

function outputOf(light: f32): u8 {
  return load<u8>(table + OUTPUT + <usize>indexOf(light, OUTPUTS))
}

function indexOf(light: f32, count: i32): i32 {
  return <i32>(sqrt<f32>(max<f32>(0, min<f32>(1, light))) * <f32>(count - 1) + <f32>0.5)
}
