// CMYK to RGB without a profile: a cubic polynomial in cyan, magenta, yellow and key. It is fitted by least squares
// to the conversion of libvips' built-in CMYK profile on a grid of 11^4 inks (39 to 40 dB over the grid). No ink is
// exactly white.

import { hasInkGrid, inksToRgba } from './ink-grid'

const MONOMIALS: usize = 34

// Every monomial is an earlier one (0: the constant one) times an ink: the pair (earlier, ink), degrees 1 to 3.
const FACTORS: usize = memory.data<u8>([
  0, 0, 0, 1, 0, 2, 0, 3, 1, 0, 1, 1, 1, 2, 1, 3, 2, 1, 2, 2, 2, 3, 3, 2, 3, 3, 4, 3, 5, 0, 5, 1, 5, 2, 5, 3, 6, 1, 6,
  2, 6, 3, 7, 2, 7, 3, 8, 3, 9, 1, 9, 2, 9, 3, 10, 2, 10, 3, 11, 3, 12, 2, 12, 3, 13, 3, 14, 3,
])

// The weight of each monomial in red, green and blue.
// biome-ignore format: one monomial a row
const WEIGHTS: usize = memory.data<f32>([
  -305.0, -129.4, -38.3, 0,
  -14.0, -249.6, -150.1, 0,
  -0.5, -33.5, -230.7, 0,
  -268.3, -253.5, -250.0, 0,
  63.7, 30.9, 15.8, 0,
  137.2, 160.1, 23.6, 0,
  36.7, 17.0, 59.3, 0,
  353.3, 136.1, 33.7, 0,
  -14.0, 105.7, 23.0, 0,
  -19.1, 28.9, 170.1, 0,
  16.8, 253.7, 159.2, 0,
  11.6, 17.4, 40.5, 0,
  -5.7, 34.8, 238.0, 0,
  152.3, 120.9, 109.8, 0,
  -167.0, -1.9, -5.8, 0,
  131.2, -46.8, -3.2, 0,
  25.9, -3.8, -16.7, 0,
  -5.7, -28.5, -3.4, 0,
  -70.0, -13.1, -3.7, 0,
  -42.2, -6.4, -40.8, 0,
  -144.3, -121.8, -5.9, 0,
  -13.1, -5.1, 36.2, 0,
  -21.2, -10.5, -58.6, 0,
  -73.1, -12.7, -3.1, 0,
  5.6, -100.3, 0.3, 0,
  10.0, 8.5, -31.0, 0,
  16.0, -31.6, -26.3, 0,
  3.0, -13.5, 4.1, 0,
  16.7, -24.1, -144.1, 0,
  -2.9, -33.1, -21.0, 0,
  -5.9, -4.4, -75.3, 0,
  -0.1, -8.5, -12.2, 0,
  -0.9, -5.2, -19.4, 0,
  -123.3, -114.0, -108.5, 0,
], 16)

const VALUES: usize = memory.data((1 + 34) * 4, 16)
const INKS: usize = memory.data(4 * 4, 16)

/** The opaque RGBA pixel, red in the lowest byte, of inks from 0 (none) to 255: by the profile where there is one. */
export function cmykToRgba(cyan: i32, magenta: i32, yellow: i32, key: i32): u32 {
  if (hasInkGrid()) return inksToRgba(cyan, magenta, yellow, key)
  store<f32>(INKS, <f32>cyan / 255)
  store<f32>(INKS, <f32>magenta / 255, 4)
  store<f32>(INKS, <f32>yellow / 255, 8)
  store<f32>(INKS, <f32>key / 255, 12)
  store<f32>(VALUES, 1)
  let rgb = f32x4.splat(255.5)
  for (let i: usize = 0; i < MONOMIALS; i++) {
    const earlier = <usize>load<u8>(FACTORS + 2 * i)
    const ink = <usize>load<u8>(FACTORS + 2 * i, 1)
    const value = load<f32>(VALUES + (earlier << 2)) * load<f32>(INKS + (ink << 2))
    store<f32>(VALUES + (i << 2), value, 4)
    rgb = f32x4.add(rgb, f32x4.mul(f32x4.splat(value), v128.load(WEIGHTS + (i << 4))))
  }
  const words = i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(rgb), i32x4.splat(0))
  return <u32>i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0) | 0xff000000
}
