// Probabilities of the boolean coder (RFC 6386 §7): in 256ths, 1..255, that a decision is 0.

const bits: usize = memory.data(2 * 257, 16)
let tableReady = false

/** Fills the table of `bitsOfProbability`, once an instance. */
export function prepareProbabilities(): void {
  if (tableReady) return
  tableReady = true
  for (let p = 1; p <= 256; p++) store<u16>(bits + 2 * p, <u16>(2048 - log2In256ths(p)))
}

/** Rate of a decision of `probability` 256ths (1..255), in 256ths of a bit. Needs `prepareProbabilities()`. */
// @ts-ignore: decorator
@inline
export function bitsOfProbability(probability: i32): i32 {
  return load<u16>(bits + 2 * probability)
}

/** The probability that fits a number of zeros and ones best. */
export function probabilityOf(zeros: u64, ones: u64): i32 {
  const all = max<u64>(1, zeros + ones)
  return <i32>max<u64>(1, min<u64>(255, (zeros * 256 + (all >> 1)) / all))
}

/** 256 log2(x) by repeated squaring, x 1..256. */
function log2In256ths(x: i32): i32 {
  let mantissa = (<u64>x) << 24
  let result = 0
  while (mantissa >= (<u64>1) << 25) {
    mantissa >>= 1
    result += 256
  }
  for (let bit = 128; bit > 0; bit >>= 1) {
    mantissa = (mantissa * mantissa) >> 24
    if (mantissa >= (<u64>1) << 25) {
      mantissa >>= 1
      result += bit
    }
  }
  return result
}
