/** Multiplies `count` samples at `row` by their alphas at `alpha`, in place: (sample * alpha + 127) / 255. */
export function premultiply(row: usize, alpha: usize, count: i32): void {
  const bias = i16x8.splat(128)
  for (let x: usize = 0; x < <usize>count; x += 8) {
    const product = i16x8.add(i16x8.mul(v128.load8x8_u(row + x), v128.load8x8_u(alpha + x)), bias)
    // Division by 255, exact for all products of two bytes.
    const quotient = i16x8.shr_u(i16x8.add(product, i16x8.shr_u(product, 8)), 8)
    v128.store64_lane(row + x, i8x16.narrow_i16x8_u(quotient, quotient), 0)
  }
}

/**
 * Multiplies the colours of `count` pixels of four samples at `pixels` by their alphas, the last of each; the pixels go to
 * `to`.
 */
export function premultiplyPixels(pixels: usize, to: usize, count: i32): void {
  const bias = i16x8.splat(128)
  const opaque = i8x16.splat(-1)
  const end = pixels + ((<usize>count) << 2)
  for (; pixels < end; pixels += 16, to += 16) {
    const four = v128.load(pixels)
    // Alpha is multiplied by 255, which leaves it as it is.
    const alphas = v128.shuffle<i8>(four, opaque, 3, 3, 3, 16, 7, 7, 7, 16, 11, 11, 11, 16, 15, 15, 15, 16)
    const low = i16x8.add(i16x8.extmul_low_i8x16_u(four, alphas), bias)
    const high = i16x8.add(i16x8.extmul_high_i8x16_u(four, alphas), bias)
    v128.store(
      to,
      i8x16.narrow_i16x8_u(
        i16x8.shr_u(i16x8.add(low, i16x8.shr_u(low, 8)), 8),
        i16x8.shr_u(i16x8.add(high, i16x8.shr_u(high, 8)), 8),
      ),
    )
  }
}
