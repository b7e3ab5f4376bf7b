// A block of progressive coding (T.81 G.1.2). The retained coefficients are stored; of every other one it is noted
// whether it is zero, which refinement needs to know.

import { bitsLeft, extend, fill, setWindow, takeBits, window } from './bit-reader'
import { Component, retainedPlace } from './component'
import { ENTRIES, longEntry, SYMBOL_BITS, takeSymbol } from './huffman'

/** Blocks still to come of the present end-of-band run (G.1.2.2). */
let endOfBandRun: i32 = 0

/** Begins a scan or a restart interval. */
export function resetEndOfBandRun(): void {
  endOfBandRun = 0
}

/** First scan of DC (G.1.2.1): a difference, shifted by the point transform `low`. */
export function decodeDc(c: Component, block: usize, low: i32): void {
  const size = takeSymbol(c.dcTable)
  if (size > 0) c.prediction += extend(takeBits(size), size)
  store<i16>(coefficientsOf(c, block), <i16>(c.prediction << low))
}

/** Later scans of DC: one more bit. */
export function refineDc(c: Component, block: usize, low: i32): void {
  const at = coefficientsOf(c, block)
  if (takeBits(1) == 1) store<i16>(at, <i16>(<i32>load<i16>(at) | (1 << low)))
}

/** First scan of a band of AC coefficients (G.1.2.2). */
export function decodeAc(c: Component, block: usize, from: i32, to: i32, low: i32): void {
  if (endOfBandRun > 0) {
    endOfBandRun--
    return
  }
  const at = coefficientsOf(c, block)
  const table = c.acTable
  let present: u64 = 0
  let bits = window
  let count = bitsLeft
  let k = from
  while (k <= to) {
    if (count < 32) {
      setWindow(bits, count)
      fill()
      bits = window
      count = bitsLeft
    }
    let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
    const zeros = (found >> 9) & 127
    // An end of band: its symbol tells the run.
    if (zeros == 64) break
    const drop = found & 31
    bits <<= <u64>drop
    count -= drop
    let value = <i32>found >> 16
    const more = (found >> 5) & 15
    if (more > 0) {
      value = extend(<i32>(bits >> <u64>(64 - more)), more)
      bits <<= <u64>more
      count -= more
    }
    k += zeros
    if (k > 63) break
    if (value != 0) {
      put(c, at, k, value << low)
      present |= (<u64>1) << (<u64>k)
    }
    k++
  }
  setWindow(bits, count)
  if (k <= to) takeEndOfBand(takeSymbol(table) >> 4)
  if (endOfBandRun > 0) endOfBandRun--
  const nonzero = c.nonzero + (block << 3)
  if (present != 0) store<u64>(nonzero, load<u64>(nonzero) | present)
}

/** Later scans of a band (G.1.2.3): a bit for each coefficient that is not zero, and new ones among those that are. */
export function refineAc(c: Component, block: usize, from: i32, to: i32, low: i32): void {
  const at = coefficientsOf(c, block)
  const nonzero = c.nonzero + (block << 3)
  const present = load<u64>(nonzero)
  let added: u64 = 0
  // The coefficients of the band that are still to come.
  let ahead = (~(<u64>0) >> <u64>(63 - to)) & (~(<u64>0) << (<u64>from))
  while (endOfBandRun == 0 && ahead != 0) {
    const symbol = takeSymbol(c.acTable)
    let zeros = symbol >> 4
    let value = 0
    if ((symbol & 15) > 0) {
      value = takeBits(1) == 1 ? 1 << low : -1 << low
    } else if (zeros < 15) {
      takeEndOfBand(zeros)
      break
    }
    // Zeros are counted, the others refined on the way.
    let free = ahead & ~present
    for (; zeros > 0; zeros--) free &= free - 1
    const place = free & (0 - free)
    refine(c, at, ahead & present & (place - 1), low)
    ahead &= ~(place | (place - 1))
    if (value != 0 && place != 0) {
      put(c, at, <i32>ctz(place), value)
      added |= place
    }
  }
  if (endOfBandRun > 0) {
    refine(c, at, ahead & present, low)
    endOfBandRun--
  }
  if (added != 0) store<u64>(nonzero, present | added)
}

/** EOBn: this block and 2^n - 1 others, and as many more as n bits tell, have nothing more in the band. */
function takeEndOfBand(n: i32): void {
  endOfBandRun = (1 << n) + takeBits(n)
}

function coefficientsOf(c: Component, block: usize): usize {
  return c.coefficients + ((block * <usize>(c.scaledWidth * c.scaledHeight)) << 1)
}

function put(c: Component, coefficients: usize, k: i32, value: i32): void {
  const place = retainedPlace(c, k)
  if (place >= 0) store<i16>(coefficients + ((<usize>place) << 1), <i16>value)
}

/** For each of the coefficients in the set, from the lowest, a bit tells whether it becomes larger. */
function refine(c: Component, coefficients: usize, set: u64, low: i32): void {
  while (set != 0) {
    let count = min(16, <i32>popcnt(set))
    const bits = takeBits(count)
    for (; count > 0; set &= set - 1) {
      if (((bits >> --count) & 1) == 1) enlarge(c, coefficients, <i32>ctz(set), 1 << low)
    }
  }
}

function enlarge(c: Component, coefficients: usize, k: i32, by: i32): void {
  const place = retainedPlace(c, k)
  if (place < 0) return
  const at = coefficients + ((<usize>place) << 1)
  const value = <i32>load<i16>(at)
  store<i16>(at, <i16>(value < 0 ? value - by : value + by))
}
