// Converts rows of a decoder's planes to RGBA, and from there to YUV 4:2:0 (BT.601).

import { firstHalves, secondHalves, storeNarrow } from '../arena/simd'
import { cmykToRgba } from './cmyk'
import { yuvToRgba } from './matrix-coefficients'

/** The meaning of a decoder's planes, in their order. Alpha kinds carry colour already multiplied by alpha, but for the last. */
export const enum Colour {
  Gray = 0,
  GrayAlpha = 1,
  /** JFIF: BT.601 from 0 to 255. */
  YuvFull = 2,
  /** VP8: BT.601, luma 16 to 235, chroma 16 to 240. */
  YuvLimited = 3,
  Rgb = 4,
  Rgba = 5,
  /** 0 is no ink. */
  Cmyk = 6,
  /** Adobe's YCCK: JFIF of 255 - ink for cyan, magenta and yellow; key as in Cmyk. */
  Ycck = 7,
  /** By the matrix that was set (matrix-coefficients.ts). */
  YuvMatrix = 8,
  /** Colours that are not multiplied by alpha. */
  StraightGrayAlpha = 9,
  StraightRgba = 10,
}

/** Returns the number of planes of a colour. */
export function planesOf(colour: Colour): i32 {
  if (colour == Colour.Gray) return 1
  if (colour == Colour.GrayAlpha || colour == Colour.StraightGrayAlpha) return 2
  if (colour == Colour.Rgba || colour == Colour.StraightRgba) return 4
  return colour == Colour.Cmyk || colour == Colour.Ycck ? 4 : 3
}

/** Writes `count` RGBA pixels at `to` from one row of each plane. */
export function rowToRgba(colour: Colour, a: usize, b: usize, c: usize, d: usize, count: i32, to: usize): void {
  const n = <usize>count
  if (colour == Colour.Gray) {
    for (let x: usize = 0; x < n; x++) store<u32>(to + (x << 2), (<u32>load<u8>(a + x) * 0x010101) | 0xff000000)
  } else if (colour == Colour.GrayAlpha) {
    for (let x: usize = 0; x < n; x++) {
      const gray = load<u8>(a + x)
      store<u32>(to + (x << 2), unpremultiplied(gray, gray, gray, load<u8>(b + x)))
    }
  } else if (colour == Colour.Rgba) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), unpremultiplied(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x), load<u8>(d + x)))
    }
  } else if (colour == Colour.StraightGrayAlpha) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), (<u32>load<u8>(a + x) * 0x010101) | ((<u32>load<u8>(b + x)) << 24))
    }
  } else if (colour == Colour.StraightRgba) {
    for (let x: usize = 0; x < n; x++) {
      const pixel = rgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x))
      store<u32>(to + (x << 2), (pixel & 0x00ffffff) | ((<u32>load<u8>(d + x)) << 24))
    }
  } else if (colour == Colour.Rgb) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), rgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x)))
    }
  } else if (colour == Colour.Cmyk) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), cmykToRgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x), load<u8>(d + x)))
    }
  } else if (colour == Colour.YuvMatrix) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), yuvToRgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x)))
    }
  } else if (colour == Colour.YuvLimited) {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), limitedYuvToRgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x)))
    }
  } else {
    for (let x: usize = 0; x < n; x++) {
      store<u32>(to + (x << 2), fullYuvToRgba(load<u8>(a + x), load<u8>(b + x), load<u8>(c + x)))
    }
    if (colour == Colour.Ycck) {
      for (let x: usize = 0; x < n; x++) {
        const inks = ~load<u32>(to + (x << 2))
        const pixel = cmykToRgba(inks & 255, (inks >> 8) & 255, (inks >> 16) & 255, load<u8>(d + x))
        store<u32>(to + (x << 2), pixel)
      }
    }
  }
}

/** Writes the BT.601 luma, 16 to 235, of `count` RGBA pixels; of up to 3 more too. */
export function lumaOfRow(pixels: usize, count: i32, to: usize): void {
  // Green counts 33059, more than 16 bits with a sign hold: it is there twice, instead of alpha too.
  const parts = i16x8(16839, 16530, 6420, 16529, 16839, 16530, 6420, 16529)
  const bias = i32x4.splat((16 << 16) + 0x8000)
  for (let x: usize = 0; x < <usize>count; x += 4) {
    const four = v128.load(pixels + (x << 2))
    const twice = v128.shuffle<i8>(four, four, 0, 1, 2, 1, 4, 5, 6, 5, 8, 9, 10, 9, 12, 13, 14, 13)
    const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(twice), parts)
    const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(twice), parts)
    storeNarrow(to + x, i32x4.shr_u(i32x4.add(sumsOfPairs(low, high), bias), 16))
  }
}

/**
 * Writes the BT.601 chroma, 16 to 240, of two rows of RGBA pixels: `count` samples, each the mean of 2 x 2 pixels, and up to 3 more. As many
 * pixels are read.
 */
export function chromaOfRows(upper: usize, lower: usize, count: i32, u: usize, v: usize): void {
  const toU = i16x8(-9719, -19081, 28800, 0, -9719, -19081, 28800, 0)
  const toV = i16x8(28800, -24116, -4684, 0, 28800, -24116, -4684, 0)
  const bias = i32x4.splat((128 << 18) + 0x20000)
  for (let x: usize = 0; x < <usize>count; x += 4) {
    const two = sumsOfFours(upper + (x << 3), lower + (x << 3))
    const next = sumsOfFours(upper + (x << 3) + 16, lower + (x << 3) + 16)
    const us = sumsOfPairs(i32x4.dot_i16x8_s(two, toU), i32x4.dot_i16x8_s(next, toU))
    const vs = sumsOfPairs(i32x4.dot_i16x8_s(two, toV), i32x4.dot_i16x8_s(next, toV))
    storeNarrow(u + x, i32x4.shr_s(i32x4.add(us, bias), 18))
    storeNarrow(v + x, i32x4.shr_s(i32x4.add(vs, bias), 18))
  }
}

/** The samples of 2 x 2 pixels summed, of four pixels of each row. */
function sumsOfFours(upper: usize, lower: usize): v128 {
  const a = v128.load(upper)
  const b = v128.load(lower)
  const low = i16x8.add(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b))
  const high = i16x8.add(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b))
  return i16x8.add(firstHalves(low, high), secondHalves(low, high))
}

/** The lanes of two vectors, added by twos. */
function sumsOfPairs(a: v128, b: v128): v128 {
  return i32x4.add(v128.shuffle<i32>(a, b, 0, 2, 4, 6), v128.shuffle<i32>(a, b, 1, 3, 5, 7))
}

/** BT.601's equations from 16 to 235 and 16 to 240, in 16-bit fractions: an opaque RGBA pixel. */
export function limitedYuvToRgba(y: i32, u: i32, v: i32): u32 {
  const scaled = (y - 16) * 76309 + 0x8000
  const b = u - 128
  const r = v - 128
  return rgba((scaled + 104597 * r) >> 16, (scaled - 25675 * b - 53279 * r) >> 16, (scaled + 132201 * b) >> 16)
}

/** JFIF's equations, in 16-bit fractions. */
function fullYuvToRgba(y: i32, u: i32, v: i32): u32 {
  const scaled = (y << 16) + 0x8000
  const b = u - 128
  const r = v - 128
  return rgba((scaled + 91881 * r) >> 16, (scaled - 22554 * b - 46802 * r) >> 16, (scaled + 116130 * b) >> 16)
}

function unpremultiplied(r: i32, g: i32, b: i32, alpha: i32): u32 {
  if (alpha == 255) return rgba(r, g, b)
  if (alpha == 0) return 0
  const half = alpha >> 1
  const pixel = rgba((r * 255 + half) / alpha, (g * 255 + half) / alpha, (b * 255 + half) / alpha)
  return (pixel & 0x00ffffff) | ((<u32>alpha) << 24)
}

function rgba(r: i32, g: i32, b: i32): u32 {
  return <u32>(clamp(r) | (clamp(g) << 8) | (clamp(b) << 16)) | 0xff000000
}

function clamp(sample: i32): i32 {
  return max(0, min(255, sample))
}
