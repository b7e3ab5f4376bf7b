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
