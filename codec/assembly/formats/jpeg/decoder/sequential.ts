// A block of sequential coding (T.81 F.2.2). The loops over coefficients, here and in progressive.ts, keep the bit reader's
// state in local variables: that is where decoding takes its time.

import { NATURAL } from '../zigzag'
import { extend, reader, refilled, setState, takeBits } from './bit-reader'
import { Component, retainedIndex } from './component'
import { ENTRIES, longEntry, SKIP_BITS, SKIP_ENDS, SKIPS, SYMBOL_BITS, takeSymbol } from './huffman'
import { BLOCK } from './idct'

/** Decodes a block into BLOCK, which must be zero, dequantized. Returns the last coefficient that was written. */
export function decodeBlock(c: Component): i32 {
  let bits = reader.window
  let count = reader.bitsLeft
  let next = reader.at
  if (count < 32) {
    bits = refilled(bits, count, next)
    count = reader.bitsLeft
    next = reader.at
  }
  let table = c.dcTable
  let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
  if (found == 0) found = longEntry(table, bits)
  bits <<= <u64>(found & 31)
  count -= found & 31
  let value = <i32>found >> 16
  let more = (found >> 5) & 15
  if (more > 0) {
    value = extend(<i32>(bits >> <u64>(64 - more)), more)
    bits <<= <u64>more
    count -= more
  }
  value += c.prediction
  c.prediction = value
  const steps = c.steps
  store<f32>(BLOCK, <f32>value * load<f32>(steps))
  const lastRetained = c.lastRetained
  table = c.acTable
  let last = 0
  let k = 1
  while (k <= lastRetained) {
    if (count < 32) {
      bits = refilled(bits, count, next)
      count = reader.bitsLeft
      next = reader.at
    }
    found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
    bits <<= <u64>(found & 31)
    count -= found & 31
    value = <i32>found >> 16
    more = (found >> 5) & 15
    if (more > 0) {
      value = extend(<i32>(bits >> <u64>(64 - more)), more)
      bits <<= <u64>more
      count -= more
    }
    k += (found >> 9) & 127
    if (k > 63) break
    store<f32>(BLOCK + ((<usize>load<u8>(NATURAL + <usize>k)) << 2), <f32>value * load<f32>(steps + ((<usize>k) << 2)))
    last = k++
  }
  if (k <= 63) passOver(table, k, bits, count, next)
  else setState(bits, count, next)
  return last
}

/** Decodes a block into the retained coefficients at `to`. */
export function decodeRetained(c: Component, to: usize): void {
  takeDc(c)
  store<i16>(to, <i16>c.prediction)
  let k = 1
  while (k <= c.lastRetained) {
    const symbol = takeSymbol(c.acTable)
    const more = symbol & 15
    if (more == 0 && symbol != 0xf0) return
    k += symbol >> 4
    const value = more > 0 ? extend(takeBits(more), more) : 0
    if (k > 63) return
    const index = retainedIndex(c, k++)
    if (index >= 0) store<i16>(to + ((<usize>index) << 1), <i16>value)
  }
  if (k <= 63) passOver(c.acTable, k, reader.window, reader.bitsLeft, reader.at)
}

/** Adds the next difference to the component's prediction of DC. */
function takeDc(c: Component): void {
  const size = takeSymbol(c.dcTable)
  if (size > 0) c.prediction += extend(takeBits(size), size)
}

/** Skips the rest of a block, from coefficient `k`, none of which is retained; the last three are the bit reader's state. */
function passOver(table: usize, k: i32, bits: u64, count: i32, next: usize): void {
  while (true) {
    // Enough for two look-ups.
    bits = refilled(bits, count, next)
    count = reader.bitsLeft
    next = reader.at
    let skip = <i32>load<u16>(table + SKIPS + ((<usize>(bits >> <u64>(64 - SKIP_BITS))) << 1))
    let reached = k + (skip >> 5)
    if (reached < 64) {
      bits <<= <u64>(skip & 31)
      count -= skip & 31
      k = reached
      skip = <i32>load<u16>(table + SKIPS + ((<usize>(bits >> <u64>(64 - SKIP_BITS))) << 1))
      reached = k + (skip >> 5)
      if (reached < 64) {
        bits <<= <u64>(skip & 31)
        count -= skip & 31
        k = reached
        continue
      }
    }
    // Not where the block ends within what would be skipped: the rest is the next one's.
    if ((reached & (SKIP_ENDS - 1)) <= 64) {
      setState(bits << (<u64>(skip & 31)), count - (skip & 31), next)
      return
    }
    if (count < 32) {
      bits = refilled(bits, count, next)
      count = reader.bitsLeft
      next = reader.at
    }
    let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
    const drop = (found & 31) + ((found >> 5) & 15)
    bits <<= <u64>drop
    count -= drop
    k += ((found >> 9) & 127) + 1
    if (k > 63) break
  }
  setState(bits, count, next)
}
