// Samples of 8, 10 or 12 bits, u16 each, to bytes; or to 64ths of a level of 8 bits, u16 each, whose colours are changed. What spreads over all values keeps its ends: 1023 becomes 255, not 255.75. The
// fixed-point products are exact: none of them comes as near to a half as their error is.

const BITS: i32 = 16

/** The samples that come, and the constants of their conversion. Set by `setNarrowing`. */
@unmanaged
class Narrowing {
  depth: i32
  isFullRange: bool
  factor: i16
  lumaBias: i32
  chromaBias: i32
  isDeep: bool
  deepFactor: f32
  deepChromaBias: f32
}

const narrowing: Narrowing = changetype<Narrowing>(memory.data(offsetof<Narrowing>(), 4))

/**
 * Prepares `narrowRow` for samples of so many bits, of all values or of the range of BT.601, times a power of two. `deep`: they
 * become 64ths of a level.
 */
export function setNarrowing(bits: i32, fullRange: bool, deep: bool): void {
  narrowing.depth = bits
  narrowing.isFullRange = fullRange
  narrowing.isDeep = deep
  narrowing.deepFactor = fullRange ? <f32>(255 * 64) / <f32>((1 << bits) - 1) : <f32>(1 << (14 - bits))
  narrowing.deepChromaBias = <f32>(128 * 64) - narrowing.deepFactor * <f32>(1 << (bits - 1))
  const most = (1 << bits) - 1
  const unit = <f64>(1 << BITS)
  narrowing.factor = <i16>Math.round((255 * unit) / <f64>most)
  narrowing.lumaBias = 1 << (BITS - 1)
  // Chroma spreads from its middle: 512 of 1024 becomes 128.
  narrowing.chromaBias =
    narrowing.lumaBias + <i32>Math.round(unit * (128 - (255.0 * <f64>(1 << (bits - 1))) / <f64>most))
}

/**
 * Writes `count` samples at `from` as bytes at `to`; `isChroma`: they have their zero in the middle. Up to 15 more are read and
 * written.
 */
export function narrowRow(from: usize, count: i32, isChroma: bool, to: usize): void {
  const depth = narrowing.depth
  const end = to + <usize>count
  if (narrowing.isDeep) deepenRow(from, count, isChroma, to)
  else if (depth == 8) {
    for (; to < end; to += 16, from += 32) v128.store(to, i8x16.narrow_i16x8_u(v128.load(from), v128.load(from, 16)))
  } else if (narrowing.isFullRange) {
    const bias = i32x4.splat(isChroma ? narrowing.chromaBias : narrowing.lumaBias)
    for (; to < end; to += 16, from += 32) {
      v128.store(to, i8x16.narrow_i16x8_u(scaled(v128.load(from), bias), scaled(v128.load(from, 16), bias)))
    }
  } else {
    const half = i16x8.splat(<i16>((<i32>1) << (depth - 9)))
    for (; to < end; to += 16, from += 32) {
      const low = i16x8.shr_u(i16x8.add(v128.load(from), half), depth - 8)
      const high = i16x8.shr_u(i16x8.add(v128.load(from, 16), half), depth - 8)
      v128.store(to, i8x16.narrow_i16x8_u(low, high))
    }
  }
}

function deepenRow(from: usize, count: i32, isChroma: bool, to: usize): void {
  const factor = f32x4.splat(narrowing.deepFactor)
  const bias = f32x4.splat((isChroma ? narrowing.deepChromaBias : 0) + <f32>0.5)
  for (const end = to + ((<usize>count) << 1); to < end; to += 16, from += 16) {
    const samples = v128.load(from)
    const low = f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(samples)), factor)
    const high = f32x4.mul(f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(samples)), factor)
    const lowest = i32x4.trunc_sat_f32x4_s(f32x4.add(low, bias))
    v128.store(to, i16x8.narrow_i32x4_u(lowest, i32x4.trunc_sat_f32x4_s(f32x4.add(high, bias))))
  }
}

/** Eight samples times the factor. */
// @ts-ignore: decorator
@inline
function scaled(samples: v128, bias: v128): v128 {
  const low = i32x4.add(i32x4.extmul_low_i16x8_u(samples, i16x8.splat(narrowing.factor)), bias)
  const high = i32x4.add(i32x4.extmul_high_i16x8_u(samples, i16x8.splat(narrowing.factor)), bias)
  return i16x8.narrow_i32x4_s(i32x4.shr_u(low, BITS), i32x4.shr_u(high, BITS))
}
