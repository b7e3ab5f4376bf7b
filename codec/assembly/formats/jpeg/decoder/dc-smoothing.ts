// Block smoothing of a progressive image of which only DC is known. A linear filter estimates a block's mean and
// lowest coefficients from the DC coefficients of the 25 blocks around it. The weights minimize the squared error for
// pixels that correlate by exp(-d^2 / 128), d in pixels, where a tenth of a DC coefficient's variance is noise. They
// are balanced so that a flat image stays flat. Both numbers were chosen so that such images look much as they do in
// other viewers.

import { BLOCK } from './idct'

// Rows of five blocks, the uppermost first.
// biome-ignore format: rows of five
const DC_WEIGHTS: usize = memory.data<f32>([
  0.0144, -0.01451, -0.02988, -0.01451, 0.0144,
  -0.01451, -0.01133, 0.15753, -0.01133, -0.01451,
  -0.02988, 0.15753, 0.59324, 0.15753, -0.02988,
  -0.01451, -0.01133, 0.15753, -0.01133, -0.01451,
  0.0144, -0.01451, -0.02988, -0.01451, 0.0144,
])
// biome-ignore format: rows of five
const AC01_WEIGHTS: usize = memory.data<f32>([
  0.00259, -0.01219, 0, 0.01219, -0.00259,
  -0.02229, 0.05028, 0, -0.05028, 0.02229,
  -0.02067, 0.15778, 0, -0.15778, 0.02067,
  -0.02229, 0.05028, 0, -0.05028, 0.02229,
  0.00259, -0.01219, 0, 0.01219, -0.00259,
])
// biome-ignore format: rows of five
const AC02_WEIGHTS: usize = memory.data<f32>([
  -0.00179, 0.00067, 0.00109, 0.00067, -0.00179,
  -0.00184, 0.0126, -0.02124, 0.0126, -0.00184,
  0.00454, 0.02133, -0.05, 0.02133, 0.00454,
  -0.00184, 0.0126, -0.02124, 0.0126, -0.00184,
  -0.00179, 0.00067, 0.00109, 0.00067, -0.00179,
])
// biome-ignore format: rows of five
const AC11_WEIGHTS: usize = memory.data<f32>([
  -0.00416, -0.0036, 0, 0.0036, 0.00416,
  -0.0036, 0.04201, 0, -0.04201, 0.0036,
  0, 0, 0, 0, 0,
  0.0036, -0.04201, 0, 0.04201, -0.0036,
  0.00416, 0.0036, 0, -0.0036, -0.00416,
])

/** Where the caller puts the 25 DC coefficients: f32, by rows. */
export const NEIGHBOUR_DCS: usize = memory.data(25 * 4, 16)

/** Writes the estimates into BLOCK. */
export function estimateFromDc(): void {
  store<f32>(BLOCK, weighted(DC_WEIGHTS, 1, 5))
  store<f32>(BLOCK, weighted(AC01_WEIGHTS, 1, 5), 4)
  store<f32>(BLOCK, weighted(AC01_WEIGHTS, 5, 1), 8 * 4)
  store<f32>(BLOCK, weighted(AC02_WEIGHTS, 1, 5), 2 * 4)
  store<f32>(BLOCK, weighted(AC02_WEIGHTS, 5, 1), 16 * 4)
  store<f32>(BLOCK, weighted(AC11_WEIGHTS, 1, 5), 9 * 4)
}

/** The weighted sum, the weights taken by rows (1, 5) or by columns (5, 1). */
function weighted(weights: usize, across: i32, down: i32): f32 {
  let sum: f32 = 0
  let at = NEIGHBOUR_DCS
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 5; x++, at += 4)
      sum += load<f32>(at) * load<f32>(weights + ((<usize>(y * down + x * across)) << 2))
  }
  return sum
}
