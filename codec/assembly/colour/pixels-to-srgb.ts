// Converts rows of pixels to sRGB before they are reduced, as browsers do: colours beyond sRGB are clipped first, and only then
// averaged. A colour is the sum of a vector for each channel, from a table of all its values. The table is that of
// colour-transform.ts without gains.

import { allocate, allocateZeroed } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { OUTPUTS, outputLevels, shareOfChannel } from './colour-transform'

const VALUES: i32 = 256
/** A vector of f32: the shares of a value of one channel in the light of all three. */
const VECTOR_BYTES: usize = 16
const CHANNEL_BYTES: usize = <usize>VALUES * VECTOR_BYTES
/** Added to a small number, it leaves it in the lowest bits, rounded. */
const ROUNDING: f32 = 8388608
const UNIT: f32 = 1.0 / 64

/** The rows that are converted, set by `startSrgbRows`. */
@unmanaged
class SrgbRows {
  /** Samples of a pixel: 3 or 4. */
  samples: i32
  /** Whether the fourth is an alpha, by which colours are multiplied. */
  hasAlpha: bool
  /** The vectors of the first sample of a pixel; those of the others follow. */
  vectors: usize
  /** The row that was converted last. */
  row: usize
}

const rows: SrgbRows = changetype<SrgbRows>(memory.data(offsetof<SrgbRows>(), 4))

/** Prepares rows of at most `columns` pixels of 3 or 4 `samples`, of which blue comes first where they are `reversed`. */
export function startSrgbRows(columns: i32, samples: i32, reversed: bool, hasAlpha: bool): void {
  rows.samples = samples
  rows.hasAlpha = hasAlpha
  rows.row = allocate(<usize>columns * samples + ROW_SLACK)
  // The vector after the last value of a channel is read, and does not count.
  rows.vectors = allocateZeroed(3 * CHANNEL_BYTES + VECTOR_BYTES)
  for (let sample = 0; sample < 3; sample++) {
    const channel = reversed ? 2 - sample : sample
    for (let value = 0; value < VALUES; value++) {
      const vector = rows.vectors + <usize>sample * CHANNEL_BYTES + <usize>value * VECTOR_BYTES
      for (let to = 0; to < 3; to++) {
        store<f32>(vector + ((<usize>to) << 2), shareOfChannel(channel, value, reversed ? 2 - to : to))
      }
      store<f32>(vector, 0, 12)
    }
  }
}

/** Converts the first `count` pixels at `pixels`. Returns a row that is valid until the next one, readable for 64 bytes more. */
export function toSrgbRow(pixels: usize, count: i32): usize {
  if (rows.samples == 4) fourSamples(pixels, count)
  else threeSamples(pixels, count)
  return rows.row
}

/** Writes `count` opaque RGBA pixels of sRGB at `to`, of one row of each plane of 64ths of a level, u16. */
export function deepToSrgb(red: usize, green: usize, blue: usize, count: i32, to: usize): void {
  const levels = outputLevels()
  for (const end = red + ((<usize>count) << 1); red < end; red += 2, green += 2, blue += 2, to += 4) {
    const first = lightBetween(0, red)
    const second = lightBetween(CHANNEL_BYTES, green)
    const third = lightBetween(2 * CHANNEL_BYTES, blue)
    store<u32>(to, levelsOf(f32x4.add(f32x4.add(first, second), third), levels) | 0xff000000)
  }
}

/** The light of a sample of 64ths of a level of the channel whose vectors begin at this offset. */
// @ts-ignore: decorator
@inline
function lightBetween(channel: usize, at: usize): v128 {
  const sample = <u32>load<u16>(at)
  const vector = rows.vectors + channel + <usize>(sample >> 6) * VECTOR_BYTES
  const below = v128.load(vector)
  const step = f32x4.sub(v128.load(vector, VECTOR_BYTES), below)
  return f32x4.add(below, f32x4.mul(step, f32x4.splat(<f32>(sample & 63) * UNIT)))
}

function threeSamples(pixels: usize, count: i32): void {
  const levels = outputLevels()
  let to = rows.row
  // The fourth byte of each is written over by the next.
  for (const end = pixels + <usize>count * 3; pixels < end; pixels += 3, to += 3) {
    store<u32>(to, converted(load<u32>(pixels), levels))
  }
}

function fourSamples(pixels: usize, count: i32): void {
  const levels = outputLevels()
  const hasAlpha = rows.hasAlpha
  let to = rows.row
  for (const end = pixels + ((<usize>count) << 2); pixels < end; pixels += 4, to += 4) {
    const pixel = load<u32>(pixels)
    const alpha = pixel >> 24
    if (!hasAlpha || alpha == 255) store<u32>(to, converted(pixel, levels) | (alpha << 24))
    else store<u32>(to, alpha == 0 ? 0 : seeThrough(pixel, alpha, levels))
  }
}

/** A pixel that is multiplied by its alpha, 1 to 254, converted. */
function seeThrough(pixel: u32, alpha: u32, levels: usize): u32 {
  const plain = divided(pixel, alpha) | (divided(pixel >> 8, alpha) << 8) | (divided(pixel >> 16, alpha) << 16)
  const colour = converted(plain, levels)
  const low = multiplied(colour, alpha) | (multiplied(colour >> 8, alpha) << 8)
  return low | (multiplied(colour >> 16, alpha) << 16) | (alpha << 24)
}

function divided(sample: u32, alpha: u32): u32 {
  return min<u32>(255, ((sample & 255) * 255 + (alpha >> 1)) / alpha)
}

function multiplied(sample: u32, alpha: u32): u32 {
  return ((sample & 255) * alpha + 127) / 255
}

/** The three samples of a pixel from the lowest byte on, converted. */
// @ts-ignore: decorator
@inline
function converted(pixel: u32, levels: usize): u32 {
  const vectors = rows.vectors
  const first = v128.load(vectors + <usize>(pixel & 255) * VECTOR_BYTES)
  const second = v128.load(vectors + <usize>((pixel >> 8) & 255) * VECTOR_BYTES, CHANNEL_BYTES)
  const third = v128.load(vectors + <usize>((pixel >> 16) & 255) * VECTOR_BYTES, 2 * CHANNEL_BYTES)
  return levelsOf(f32x4.add(f32x4.add(first, second), third), levels)
}

/** Three lights as levels of sRGB, from the lowest byte on. Light below 0 and above 1 is clipped. */
// @ts-ignore: decorator
@inline
function levelsOf(light: v128, levels: usize): u32 {
  const clipped = f32x4.pmin(f32x4.pmax(light, f32x4.splat(0)), f32x4.splat(1))
  const index = f32x4.add(f32x4.mul(f32x4.sqrt(clipped), f32x4.splat(<f32>(OUTPUTS - 1))), f32x4.splat(ROUNDING))
  const low = <u32>load<u8>(levels + <usize>i16x8.extract_lane_u(index, 0))
  const middle = <u32>load<u8>(levels + <usize>i16x8.extract_lane_u(index, 2))
  return low | (middle << 8) | ((<u32>load<u8>(levels + <usize>i16x8.extract_lane_u(index, 4))) << 16)
}
