// Converts the colours of an image to sRGB, pixel by pixel. A table makes linear light of each channel. The system
// gain by luminance and a matrix to the primaries of BT.2020 follow. The gain of a tone curve by the largest channel
// comes next, then a matrix to the primaries of sRGB, and a table back. Light of 1 is white. Tables are indexed by
// the square root of light, which keeps dark levels apart.

const VALUES: usize = 256
const GAINS: i32 = 4096
/** Levels of sRGB by the square root of light. */
export const OUTPUTS: i32 = 1024

// The parts of the table: f32, but for the bytes at its end.
const TO_REC2020: usize = 3 * VALUES * 4
const LUMINANCES: usize = TO_REC2020 + 9 * 4
const SYSTEM_GAINS: usize = LUMINANCES + 3 * 4
const MOST_LIGHT: usize = SYSTEM_GAINS + GAINS * 4
const TONE_GAINS: usize = MOST_LIGHT + 4
const FROM_REC2020: usize = TONE_GAINS + GAINS * 4
const OUTPUT: usize = FROM_REC2020 + 9 * 4

/** The table of the image to come, set by `setColourTransform`. */
@unmanaged
class Transform {
  table: usize
  /** Makes light a part of that at which the gains of the tone curve end. */
  toneScale: f32
}

const transform: Transform = changetype<Transform>(memory.data(offsetof<Transform>(), 4))

/**
 * Prepares `transformRow`. At `address` are f32: the light of each of 256 values of red, of green and of blue; a
 * matrix; the luminance weights; 4096 gains by luminance up to 1. Then follow the light at which the gains of the
 * tone curve end, 4096 of those gains, and a matrix. The last 1024 bytes are a table of light up to 1.
 */
export function setColourTransform(address: usize): void {
  transform.table = address
  transform.toneScale = <f32>1 / load<f32>(address + MOST_LIGHT)
}

/** Whether the table has no gains, as that of every space but HDR: the light of sRGB is a sum of shares of the channels. */
export function isWithoutGains(): bool {
  for (let i = 0; i < GAINS; i++) if (gainAt(SYSTEM_GAINS, i) != 1 || gainAt(TONE_GAINS, i) != 1) return false
  return true
}

function gainAt(part: usize, i: i32): f32 {
  return load<f32>(transform.table + part + ((<usize>i) << 2))
}

/** Returns the share of a value of one channel in the light of another of sRGB, where there are no gains. */
export function shareOfChannel(channel: i32, value: i32, to: i32): f32 {
  const wide = transform.table + TO_REC2020 + ((<usize>channel) << 2)
  const light = lightOf(channel, <u8>value)
  const row = transform.table + FROM_REC2020 + <usize>to * 12
  return product(row, load<f32>(wide) * light, load<f32>(wide, 12) * light, load<f32>(wide, 24) * light)
}

/** The address of the levels by which light becomes sRGB. */
export function outputLevels(): usize {
  return transform.table + OUTPUT
}

/** Changes `count` RGBA pixels in place. */
export function transformRow(pixels: usize, count: i32): void {
  const end = pixels + ((<usize>count) << 2)
  for (; pixels < end; pixels += 4) {
    const red = lightOf(0, load<u8>(pixels))
    const green = lightOf(1, load<u8>(pixels, 1))
    const colour = lightToSrgb(red, green, lightOf(2, load<u8>(pixels, 2)))
    store<u16>(pixels, <u16>colour)
    store<u8>(pixels, <u8>(colour >> 16), 2)
  }
}

/** Returns a colour of 0 to 255 each, which need not be whole numbers, as sRGB: a byte each, red the lowest. */
export function transformLevels(red: f32, green: f32, blue: f32): u32 {
  return lightToSrgb(lightBetween(0, red), lightBetween(1, green), lightBetween(2, blue))
}

/** Returns light as sRGB: a byte each, red the lowest. */
function lightToSrgb(red: f32, green: f32, blue: f32): u32 {
  const table = transform.table
  const system = load<f32>(entry(SYSTEM_GAINS, product(table + LUMINANCES, red, green, blue), GAINS))
  const r = red * system
  const g = green * system
  const b = blue * system
  const wideRed = product(table + TO_REC2020, r, g, b)
  const wideGreen = product(table + TO_REC2020 + 12, r, g, b)
  const wideBlue = product(table + TO_REC2020 + 24, r, g, b)
  const most = max<f32>(wideRed, max<f32>(wideGreen, wideBlue))
  const tone = load<f32>(entry(TONE_GAINS, most * transform.toneScale, GAINS))
  return colourOf(table + FROM_REC2020, wideRed * tone, wideGreen * tone, wideBlue * tone)
}

/** Returns the sRGB of light by the primaries from which the matrix leads. */
function colourOf(matrix: usize, red: f32, green: f32, blue: f32): u32 {
  const r = <u32>outputOf(product(matrix, red, green, blue))
  const g = <u32>outputOf(product(matrix + 12, red, green, blue))
  return r | (g << 8) | ((<u32>outputOf(product(matrix + 24, red, green, blue))) << 16)
}

function lightOf(channel: usize, value: u8): f32 {
  return load<f32>(transform.table + ((channel * VALUES + <usize>value) << 2))
}

/** The light between two values. */
function lightBetween(channel: i32, level: f32): f32 {
  const at = max<f32>(0, min<f32>(255, level))
  const value = min(254, <i32>at)
  const light = lightOf(channel, <u8>value)
  return light + (lightOf(channel, <u8>(value + 1)) - light) * (at - <f32>value)
}

/** The product of a colour and the three numbers at `row`. */
function product(row: usize, red: f32, green: f32, blue: f32): f32 {
  return load<f32>(row) * red + load<f32>(row, 4) * green + load<f32>(row, 8) * blue
}

/** Returns the offset of the f32 for `light`, in a part of `count` entries that ends with light of 1. */
function entry(part: usize, light: f32, count: i32): usize {
  return transform.table + part + ((<usize>indexOf(light, count)) << 2)
}

function outputOf(light: f32): u8 {
  return load<u8>(transform.table + OUTPUT + <usize>indexOf(light, OUTPUTS))
}

function indexOf(light: f32, count: i32): i32 {
  return <i32>(sqrt<f32>(max<f32>(0, min<f32>(1, light))) * <f32>(count - 1) + <f32>0.5)
}
