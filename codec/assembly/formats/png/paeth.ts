/**
 * The Paeth predictor (PNG, third edition, 9.4) of eight samples, i16: of left, above and upper left the one nearest to
 * left + above - upper left; of equals the first.
 */
// @ts-ignore: decorator
@inline
export function paethPredictor(left: v128, above: v128, corner: v128): v128 {
  const fromLeft = i16x8.sub(above, corner)
  const fromAbove = i16x8.sub(left, corner)
  const toLeft = i16x8.abs(fromLeft)
  const toAbove = i16x8.abs(fromAbove)
  const nearest = i16x8.min_s(i16x8.min_s(toLeft, toAbove), i16x8.abs(i16x8.add(fromLeft, fromAbove)))
  return v128.bitselect(left, v128.bitselect(above, corner, i16x8.eq(toAbove, nearest)), i16x8.eq(toLeft, nearest))
}
