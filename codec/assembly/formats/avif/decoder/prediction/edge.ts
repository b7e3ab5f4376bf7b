// AboveRow and LeftCol of intra prediction: AV1 specification, 7.11.2.1.
import { copyFew } from '../../../../arena/few-bytes'
import { current, unfilteredAbove } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { bitDepth } from '../frames/sequence-header'

/** Bytes that may be read or written before entry -2 and after the last. */
const SLACK: usize = 64
/** AboveRow[ 0 ], u16; entries from -16 on. */
export const ABOVE: usize = memory.data(2 * (64 + 288), 16) + SLACK
/** LeftCol[ 0 ] */
export const LEFT: usize = memory.data(2 * (64 + 288), 16) + SLACK

/** AboveRow[ i ] */
// @ts-ignore: decorator
@inline
export function above(i: i32): i32 {
  return load<u16>(ABOVE + ((<usize>i) << 1))
}

/** LeftCol[ i ] */
// @ts-ignore: decorator
@inline
export function left(i: i32): i32 {
  return load<u16>(LEFT + ((<usize>i) << 1))
}

/**
 * Fills AboveRow[ -1 .. count - 1 ] with `known` samples from (`x`, `y` - 1) on and copies of the last, or with the values
 * that the specification substitutes for unavailable samples.
 */
export function fillAbove(plane: i32, x: i32, y: i32, haveLeft: bool, haveAbove: bool, known: i32, count: i32): void {
  if (!haveAbove) {
    const middle = 1 << (bitDepth - 1)
    const value = haveLeft ? <i32>load<u16>(sampleAt(current, plane, x - 1, y)) : middle - 1
    repeat(ABOVE, count, value)
    store<u16>(ABOVE - 2, <u16>(haveLeft ? value : middle))
    return
  }
  const from = unfilteredAbove(plane, x, y - 1)
  store<u16>(ABOVE - 2, load<u16>(haveLeft ? from - 2 : from))
  if (count <= known) {
    copyFew(ABOVE, from, (<usize>count) << 1)
    return
  }
  copyFew(ABOVE, from, (<usize>known) << 1)
  repeat(ABOVE + ((<usize>known) << 1), count - known, load<u16>(from + ((<usize>(known - 1)) << 1)))
}

/** Fills LeftCol[ -1 .. count - 1 ] likewise; AboveRow[ -1 ] must be there. */
export function fillLeft(plane: i32, x: i32, y: i32, haveLeft: bool, haveAbove: bool, known: i32, count: i32): void {
  store<u16>(LEFT - 2, load<u16>(ABOVE - 2))
  if (!haveLeft) {
    const middle = 1 << (bitDepth - 1)
    repeat(LEFT, count, haveAbove ? <i32>load<u16>(unfilteredAbove(plane, x, y - 1)) : middle + 1)
    return
  }
  const stride = strideOf(current, plane)
  let from = sampleAt(current, plane, x - 1, y)
  const there = min(known, count)
  for (let i = 0; i < there; i++) {
    store<u16>(LEFT + ((<usize>i) << 1), load<u16>(from))
    from += stride
  }
  if (count > known) repeat(LEFT + ((<usize>known) << 1), count - known, load<u16>(LEFT + ((<usize>(known - 1)) << 1)))
}

/** Writes `value` at least `count` times. */
function repeat(to: usize, count: i32, value: i32): void {
  const values = i16x8.splat(<i16>value)
  for (let i = 0; i < count; i += 8) v128.store(to + ((<usize>i) << 1), values)
}
