// Coloured edges in YUV 4:2:0. A decoder of WebP weighs the four chroma samples nearest to a pixel by 9, 3, 3 and 1.
// At an edge a pixel therefore takes some of the colour beyond it, and a different brightness. Chroma is sharpened
// there, and luma corrects the rest: each pixel keeps its luminance in linear light.

import { storeNarrow } from '../arena/simd'

/** Where samples of 3 x 3 differ by more, there is an edge: colours of photographs seldom change so fast. */
const EDGE: u8 = 16

/** The weight of the least RGB error against exact luminance in luma: colours then lose 0.1 dB at most. */
const COLOUR_SHARE: f32 = 0.25

/** Newton's steps: of a third nothing more is seen. */
const STEPS: i32 = 2

// The curve of sRGB from samples to light as a polynomial, x (A + x (B + x C)), fitted; samples and light are 0 to 255.
const A: f32 = 0.030912
const B: f32 = 0.620156 / 255
const C: f32 = 0.348932 / (255 * 255)
const RED_LIGHT: f32 = 0.2126
const GREEN_LIGHT: f32 = 0.7152
const BLUE_LIGHT: f32 = 0.0722

// BT.601 in limited range.
const LUMA_GAIN: f32 = 255.0 / 219.0
const V_TO_RED: f32 = 1.596027
const U_TO_GREEN: f32 = 0.391762
const V_TO_GREEN: f32 = 0.812968
const U_TO_BLUE: f32 = 2.017232

/**
 * Marks at `edgeMask` the pairs of `count` chroma samples that lie at an edge, all bits of both of a pair; returns whether there are
 * any. Rows of samples are those above, at and below: of u, and of v `toV` bytes further. Up to 16 more are read on both sides, and
 * marks written.
 */
export function maskEdges(above: usize, row: usize, below: usize, toV: usize, count: i32, edgeMask: usize): bool {
  let any = i8x16.splat(0)
  for (let x: usize = 0; x < <usize>count; x += 16) {
    const a = above + x
    const r = row + x
    const b = below + x
    const range = i8x16.max_u(rangeOf(a, r, b), rangeOf(a + toV, r + toV, b + toV))
    const marked = i16x8.ne(i8x16.gt_u(range, i8x16.splat(EDGE)), i8x16.splat(0))
    v128.store(edgeMask + x, marked)
    any = v128.or(any, marked)
  }
  return v128.any_true(any)
}

/** By how much the samples of each 3 x 3 differ. */
function rangeOf(above: usize, row: usize, below: usize): v128 {
  let most = i8x16.splat(0)
  let least = i8x16.splat(-1)
  for (let x: usize = 0; x < 3; x++) {
    const a = v128.load(above + x - 1)
    const b = v128.load(row + x - 1)
    const c = v128.load(below + x - 1)
    most = i8x16.max_u(i8x16.max_u(most, a), i8x16.max_u(b, c))
    least = i8x16.min_u(i8x16.min_u(least, a), i8x16.min_u(b, c))
  }
  return i8x16.sub(most, least)
}

/**
 * Writes a row of `count` chroma samples at `to`, those of the mask sharpened. The amount added is what the mean of a
 * decoder's four pixels would lack. Reads and writes as many more as `maskEdges`.
 */
export function sharpenChroma(above: usize, row: usize, below: usize, count: i32, edgeMask: usize, to: usize): void {
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const a = above + x
    const r = row + x
    const b = below + x
    const centre = v128.load_ext<u8>(r)
    const sides = i16x8.add(
      i16x8.add(v128.load_ext<u8>(r - 1), v128.load_ext<u8>(r + 1)),
      i16x8.add(v128.load_ext<u8>(a), v128.load_ext<u8>(b)),
    )
    const corners = i16x8.add(
      i16x8.add(v128.load_ext<u8>(a - 1), v128.load_ext<u8>(a + 1)),
      i16x8.add(v128.load_ext<u8>(b - 1), v128.load_ext<u8>(b + 1)),
    )
    // Of 64: the mean has 36 of the sample itself, 6 of each beside it, 1 of each at a corner.
    const taken = i16x8.add(i16x8.mul(sides, i16x8.splat(6)), corners)
    const sum = i16x8.sub(i16x8.add(i16x8.mul(centre, i16x8.splat(128 - 36)), i16x8.splat(32)), taken)
    const sharp = i16x8.shr_s(sum, 6)
    const samples = v128.bitselect(
      i8x16.narrow_i16x8_u(sharp, sharp),
      v128.load64_zero(r),
      v128.load64_zero(edgeMask + x),
    )
    v128.store64_lane(to + x, samples, 0)
  }
}

/**
 * Corrects the luma of four pixels. The first two share the chroma sample at `u` and `v`, the others the next one.
 * `uFar` and `vFar` are those of the next nearest row of chroma.
 */
export function correctLuma(pixels: usize, luma: usize, u: usize, uFar: usize, v: usize, vFar: usize): void {
  const four = v128.load(pixels)
  const red = channel(four)
  const green = channel(i32x4.shr_u(four, 8))
  const blue = channel(i32x4.shr_u(four, 16))
  const us = upsampled(u, uFar)
  const vs = upsampled(v, vFar)
  const toRed = scaled(vs, V_TO_RED)
  const toGreen = f32x4.add(scaled(us, -U_TO_GREEN), scaled(vs, -V_TO_GREEN))
  const toBlue = scaled(us, U_TO_BLUE)
  const wanted = lightOf(red, green, blue)
  let y = f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(luma))))
  let nearest = y
  for (let step = 0; step < STEPS; step++) {
    const grey = scaled(f32x4.sub(y, f32x4.splat(16)), LUMA_GAIN)
    const r = within(f32x4.add(grey, toRed))
    const g = within(f32x4.add(grey, toGreen))
    const b = within(f32x4.add(grey, toBlue))
    if (step == 0) {
      const error = f32x4.add(f32x4.add(f32x4.sub(red, r), f32x4.sub(green, g)), f32x4.sub(blue, b))
      nearest = f32x4.add(y, scaled(error, 1 / (3 * LUMA_GAIN)))
    }
    const missing = f32x4.sub(wanted, lightOf(r, g, b))
    y = within(f32x4.add(y, f32x4.div(missing, scaled(slopeOf(r, g, b), LUMA_GAIN))))
  }
  y = f32x4.add(y, scaled(f32x4.sub(nearest, y), COLOUR_SHARE))
  storeNarrow(luma, i32x4.trunc_sat_f32x4_u(within(f32x4.add(y, f32x4.splat(0.5)))))
}

function channel(samples: v128): v128 {
  return f32x4.convert_i32x4_u(v128.and(samples, i32x4.splat(255)))
}

/** The upsampled chroma of four pixels in a decoder, centred on 0. */
function upsampled(closer: usize, far: usize): v128 {
  const three = i16x8.mul(v128.load_ext<u8>(closer - 1), i16x8.splat(3))
  // 4 for each sample, from the one before the first to the one after the second.
  const mixed = i16x8.add(three, v128.load_ext<u8>(far - 1))
  const nearest = v128.shuffle<i16>(mixed, mixed, 1, 1, 2, 2, 1, 1, 2, 2)
  const next = v128.shuffle<i16>(mixed, mixed, 0, 2, 1, 3, 0, 2, 1, 3)
  const sum = i16x8.add(i16x8.add(i16x8.mul(nearest, i16x8.splat(3)), next), i16x8.splat(8))
  const samples = i16x8.sub(i16x8.shr_u(sum, 4), i16x8.splat(128))
  return f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(samples))
}

function within(samples: v128): v128 {
  return f32x4.max(f32x4.min(samples, f32x4.splat(255)), f32x4.splat(0))
}

function scaled(samples: v128, factor: f32): v128 {
  return f32x4.mul(samples, f32x4.splat(factor))
}

function lightOf(red: v128, green: v128, blue: v128): v128 {
  return luminance(
    f32x4.mul(red, curve(red, A, B, C)),
    f32x4.mul(green, curve(green, A, B, C)),
    f32x4.mul(blue, curve(blue, A, B, C)),
  )
}

/** Returns the derivative of light by grey. */
function slopeOf(red: v128, green: v128, blue: v128): v128 {
  return luminance(curve(red, A, 2 * B, 3 * C), curve(green, A, 2 * B, 3 * C), curve(blue, A, 2 * B, 3 * C))
}

function luminance(red: v128, green: v128, blue: v128): v128 {
  return f32x4.add(f32x4.add(scaled(red, RED_LIGHT), scaled(green, GREEN_LIGHT)), scaled(blue, BLUE_LIGHT))
}

function curve(x: v128, a: f32, b: f32, c: f32): v128 {
  return f32x4.add(f32x4.splat(a), f32x4.mul(x, f32x4.add(f32x4.splat(b), scaled(x, c))))
}
