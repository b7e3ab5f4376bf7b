// A block of sequential coding (T.81 F.2.2). The loops over coefficients, here and in progressive.ts, keep the bit reader's
// state in local variables: that is where decoding takes its time.

import { NATURAL } from '../zigzag'
import { bitsLeft, extend, fill, setWindow, takeBits, window } from './bit-reader'
import { Component, retainedPlace } from './component'
import { ENTRIES, longEntry, SKIP_BITS, SKIPS, SYMBOL_BITS, takeSymbol } from './huffman'
import { BLOCK } from './idct'

/** Decodes a block into BLOCK, which must be zero, dequantized; answers the last coefficient that was written. */
export function decodeBlock(c: Component): i32 {
  const size = takeSymbol(c.dcTable)
  if (size > 0) c.prediction += extend(takeBits(size), size)
  const steps = c.steps
  store<f32>(BLOCK, <f32>c.prediction * load<f32>(steps))
  const lastRetained = c.lastRetained
  if (lastRetained == 0) {
    passOver(c.acTable, 1)
    return 0
  }
  const table = c.acTable
  let bits = window
  let count = bitsLeft
  let last = 0
  let k = 1
  while (k <= lastRetained) {
    if (count < 32) {
      setWindow(bits, count)
      fill()
      bits = window
      count = bitsLeft
    }
    let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
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
    k += (found >> 9) & 127
    if (k > 63) break
    store<f32>(BLOCK + ((<usize>load<u8>(NATURAL + <usize>k)) << 2), <f32>value * load<f32>(steps + ((<usize>k) << 2)))
    last = k++
  }
  setWindow(bits, count)
  if (k <= 63) passOver(table, k)
  return last
}

/** Decodes a block into the retained coefficients at `to`. */
export function decodeRetained(c: Component, to: usize): void {
  const size = takeSymbol(c.dcTable)
  if (size > 0) c.prediction += extend(takeBits(size), size)
  store<i16>(to, <i16>c.prediction)
  let k = 1
  while (k <= c.lastRetained) {
    const symbol = takeSymbol(c.acTable)
    const more = symbol & 15
    if (more == 0 && symbol != 0xf0) return
    k += symbol >> 4
    const value = more > 0 ? extend(takeBits(more), more) : 0
    if (k > 63) return
    const place = retainedPlace(c, k++)
    if (place >= 0) store<i16>(to + ((<usize>place) << 1), <i16>value)
  }
  if (k <= 63) passOver(c.acTable, k)
}

/** Skips the rest of a block, from coefficient `k`, none of which is retained. */
function passOver(table: usize, k: i32): void {
  let bits = window
  let count = bitsLeft
  while (k <= 63) {
    if (count < 32) {
      setWindow(bits, count)
      fill()
      bits = window
      count = bitsLeft
    }
    const skip = <i32>load<u16>(table + SKIPS + ((<usize>(bits >> <u64>(64 - SKIP_BITS))) << 1))
    const reached = k + ((skip >> 5) & 127)
    // Not where the block ends within what would be skipped: the rest is the next one's.
    if (skip > 0 && reached <= 64) {
      bits <<= <u64>(skip & 31)
      count -= skip & 31
      k = skip >= 1 << 15 ? 64 : reached
      continue
    }
    let found = load<u32>(table + ENTRIES + ((<usize>(bits >> <u64>(64 - SYMBOL_BITS))) << 2))
    if (found == 0) found = longEntry(table, bits)
    const drop = (found & 31) + ((found >> 5) & 15)
    bits <<= <u64>drop
    count -= drop
    k += ((found >> 9) & 127) + 1
  }
  setWindow(bits, count)
}
