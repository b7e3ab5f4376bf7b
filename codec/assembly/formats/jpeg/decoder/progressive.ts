// A block of progressive coding (T.81 G.1.2). The retained coefficients are stored; of every other one it is noted
// whether it is zero, which refinement needs to know.

import { extend, fill, reader, refilled, setState, setWindow, takeBits } from './bit-reader'
import { Component, coefficientsOf, retainedIndex } from './component'
import { ENTRIES, longEntry, longSymbol, SYMBOL_BITS, SYMBOLS, takeSymbol } from './huffman'

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
  const coefficients = coefficientsOf(c, block)
  const table = c.acTable
  let present: u64 = 0
  let bits = reader.window
  let count = reader.bitsLeft
  let next = reader.at
  let run = -1
  let k = from
  while (k <= to) {
    if (count < 32) {
      bits = refilled(bits, count, next)
      count = reader.bitsLeft
      next = reader.at
    }
    let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
    bits <<= <u64>(found & 31)
    count -= found & 31
    const zeros = (found >> 9) & 127
    let value = <i32>found >> 16
    if (zeros == 64) {
      run = value
      break
    }
    const more = (found >> 5) & 15
    if (more > 0) {
      value = extend(<i32>(bits >> <u64>(64 - more)), more)
      bits <<= <u64>more
      count -= more
    }
    k += zeros
    if (k > 63) break
    if (value != 0) {
      put(c, coefficients, k, value << low)
      present |= (<u64>1) << (<u64>k)
    }
    k++
  }
  setState(bits, count, next)
  if (run >= 0) endOfBandRun = endOfBand(run) - 1
  const nonzero = c.nonzero + (block << 3)
  if (present != 0) store<u64>(nonzero, load<u64>(nonzero) | present)
}

/** Later scans of a band (G.1.2.3): a bit for each coefficient that is not zero, and new ones among those that are. */
export function refineAc(c: Component, block: usize, from: i32, to: i32, low: i32): void {
  const coefficients = coefficientsOf(c, block)
  const nonzero = c.nonzero + (block << 3)
  const present = load<u64>(nonzero)
  // The coefficients of the band that are still to come.
  let ahead = (~(<u64>0) >> <u64>(63 - to)) & (~(<u64>0) << (<u64>from))
  if (endOfBandRun == 0) {
    const table = c.acTable
    const retained = c.retained
    let added: u64 = 0
    let bits = reader.window
    let count = reader.bitsLeft
    let next = reader.at
    let run = -1
    while (ahead != 0) {
      if (count < 17) {
        bits = refilled(bits, count, next)
        count = reader.bitsLeft
        next = reader.at
      }
      let symbol = <i32>load<u16>(table + SYMBOLS + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 1))
      if (symbol == 0) symbol = longSymbol(table, bits)
      bits <<= <u64>(symbol >> 8)
      count -= symbol >> 8
      let zeros = (symbol >> 4) & 15
      let value = 0
      if ((symbol & 15) > 0) {
        // Without a branch: 1 << low or its negative.
        value = (((<i32>(bits >> 63)) << 1) - 1) << low
        bits <<= 1
        count--
      } else if (zeros < 15) {
        run = zeros
        break
      }
      // Zeros are counted, the others refined on the way. Most often they are three at most, how many cannot be foreseen.
      let free = ahead & ~present
      free = withoutLowest(free, zeros)
      free = withoutLowest(free, zeros - 1)
      free = withoutLowest(free, zeros - 2)
      for (zeros -= 3; zeros > 0; zeros--) free &= free - 1
      const target = free & (0 - free)
      const passed = ahead & present & (target - 1)
      ahead &= ~(target | (target - 1))
      const passing = <i32>popcnt(passed)
      if (passing > count) {
        setState(bits, count, next)
        refine(c, coefficients, passed, low)
        bits = reader.window
        count = reader.bitsLeft
        next = reader.at
      } else {
        if ((passed & retained) != 0) enlarge(c, coefficients, passed, bits, low)
        bits <<= <u64>passing
        count -= passing
      }
      added |= value != 0 ? target : 0
      if (value != 0 && (target & retained) != 0) put(c, coefficients, <i32>ctz(target), value)
    }
    setState(bits, count, next)
    if (run >= 0) endOfBandRun = endOfBand(run)
    if (added != 0) store<u64>(nonzero, present | added)
  }
  if (endOfBandRun > 0) {
    refine(c, coefficients, ahead & present, low)
    endOfBandRun--
  }
}

/** EOBn: this block and 2^n - 1 others, and as many more as n bits tell, have nothing more in the band. */
function endOfBand(n: i32): i32 {
  return (1 << n) + takeBits(n)
}

function put(c: Component, coefficients: usize, k: i32, value: i32): void {
  const index = retainedIndex(c, k)
  if (index >= 0) store<i16>(coefficients + ((<usize>index) << 1), <i16>value)
}

/** Reads a correction bit for each coefficient in the set, from the lowest. */
function refine(c: Component, coefficients: usize, set: u64, low: i32): void {
  while (set != 0) {
    if (reader.bitsLeft < 32) fill()
    // At most 32 of them.
    const part = (set & 0xffffffff) != 0 ? set & 0xffffffff : set
    if ((part & c.retained) != 0) enlarge(c, coefficients, part, reader.window, low)
    const passing = <i32>popcnt(part)
    setWindow(reader.window << (<u64>passing), reader.bitsLeft - passing)
    set ^= part
  }
}

/** Enlarges those of the set that are retained and whose bit, of those at the top of `bits`, is 1. */
function enlarge(c: Component, coefficients: usize, set: u64, bits: u64, low: i32): void {
  for (let rest = set & c.retained; rest != 0; rest &= rest - 1) {
    const before = set & (rest - 1) & ~rest
    const at = coefficients + ((<usize>retainedIndex(c, <i32>ctz(rest))) << 1)
    const value = <i32>load<i16>(at)
    const sign = value >> 31
    const more = (<i32>((bits << popcnt(before)) >> 63)) << low
    store<i16>(at, <i16>(value + ((more ^ sign) - sign)))
  }
}

/** The set without its lowest member, if there are some to be passed over. */
// @ts-ignore: decorator
@inline
function withoutLowest(set: u64, some: i32): u64 {
  return select<u64>(set & (set - 1), set, some > 0)
}
