// Blocks of arithmetic coding, sequential (T.81 F.1.4, F.2.4) and progressive (G.1.3, G.2): values as binary decisions.

import { NATURAL } from '../zigzag'
import { beginDecisions, decide, decideEvenly } from './arithmetic-decoder'
import { endBits } from './bit-reader'
import { Component, coefficientsOf, retainedIndex } from './component'
import { component, frame } from './frame-header'
import { BLOCK } from './idct'

/** Statistics areas: four of 64 contexts for DC and four of 256 for AC (tables F.4 and F.5). */
const AREAS: usize = memory.data(4 * 64 + 4 * 256)
const AREAS_BYTES: usize = 4 * 64 + 4 * 256
const AC_AREAS: usize = AREAS + 4 * 64
/** Conditioning values (B.2.4.3): L | U << 4 of the four DC tables, Kx of the four AC tables. */
const CONDITIONING: usize = memory.data(8)

/** Contexts of DC: those after a difference of zero begin at 0. Then come small and large ones, each positive and negative. */
const SMALL_DC: i32 = 4
const LARGE_DC: i32 = 12
const DC_X1: usize = 20
/** Contexts of AC magnitudes, up to Kx and above. */
const AC_X2_LOW: usize = 189
const AC_X2_HIGH: usize = 217
/** The contexts of low bits follow those of a magnitude's size. */
const TO_LOW_BITS: usize = 14
const MAGNITUDE_END: i32 = 0x8000

/** The context at which `sizeOf` stopped. */
let lastContext: usize = 0

/** Sets the conditioning that files without DAC have (B.2.4.3). */
export function resetConditioning(): void {
  for (let id: usize = 0; id < 4; id++) {
    store<u8>(CONDITIONING + id, 0x10)
    store<u8>(CONDITIONING + 4 + id, 5)
  }
}

/** Reads a DAC segment's payload; false if it is not well formed. */
export function readConditioning(from: usize, to: usize): bool {
  if (((to - from) & 1) != 0) return false
  for (; from < to; from += 2) {
    const id = load<u8>(from)
    const value = load<u8>(from, 1)
    if ((id & 0xef) > 3) return false
    const isDc = id < 16
    if (isDc ? (value & 15) > value >> 4 : value < 1 || value > 63) return false
    store<u8>(CONDITIONING + <usize>(isDc ? id : 4 + (id & 3)), value)
  }
  return true
}

/** Sets the statistics areas of a scan's component; false if there is none of this number. */
export function useAreas(c: Component, dc: i32, ac: i32): bool {
  if (dc > 3 || ac > 3) return false
  c.dcTable = AREAS + ((<usize>dc) << 6)
  c.acTable = AC_AREAS + ((<usize>ac) << 8)
  const bounds = load<u8>(CONDITIONING + <usize>dc)
  c.dcLower = (1 << (bounds & 15)) >> 1
  c.dcUpper = (1 << (bounds >> 4)) >> 1
  c.acLow = load<u8>(CONDITIONING + 4 + <usize>ac)
  return true
}

/** Begins a scan or a restart interval: all statistics are reset (F.2.4.3). */
export function beginArithmetic(from: usize, to: usize): void {
  memory.fill(AREAS, 0, AREAS_BYTES)
  for (let i = 0; i < frame.components; i++) component(i).dcContext = 0
  beginDecisions(from, to)
}

/** Decodes a block into BLOCK, which must be zero, dequantized. Returns the last coefficient that was written. */
export function decodeArithmeticBlock(c: Component): i32 {
  takeDifference(c)
  const steps = c.steps
  store<f32>(BLOCK, <f32>c.prediction * load<f32>(steps))
  let last = 0
  for (let k = 1; k <= 63; k++) {
    k = nextNonzero(c, k, 63)
    if (k > 63) break
    const value = takeValue(c, k)
    if (k > c.lastRetained) continue
    store<f32>(BLOCK + ((<usize>load<u8>(NATURAL + <usize>k)) << 2), <f32>value * load<f32>(steps + ((<usize>k) << 2)))
    last = k
  }
  return last
}

/** Decodes a block into the retained coefficients at `to`. */
export function decodeArithmeticRetained(c: Component, to: usize): void {
  takeDifference(c)
  store<i16>(to, <i16>c.prediction)
  for (let k = 1; k <= 63; k++) {
    k = nextNonzero(c, k, 63)
    if (k > 63) break
    put(c, to, k, takeValue(c, k))
  }
}

/** First scan of DC (G.1.3.1): a difference, shifted by the point transform `low`. */
export function decodeArithmeticDc(c: Component, block: usize, low: i32): void {
  takeDifference(c)
  store<i16>(coefficientsOf(c, block), <i16>(c.prediction << low))
}

/** Later scans of DC: one more bit. */
export function refineArithmeticDc(c: Component, block: usize, low: i32): void {
  const at = coefficientsOf(c, block)
  if (decideEvenly() == 1) store<i16>(at, <i16>(<i32>load<i16>(at) | (1 << low)))
}

/** First scan of a band of AC coefficients (G.1.3.2). */
export function decodeArithmeticAc(c: Component, block: usize, from: i32, to: i32, low: i32): void {
  const coefficients = coefficientsOf(c, block)
  const nonzero = c.nonzero + (block << 3)
  let present: u64 = 0
  for (let k = from; k <= to; k++) {
    k = nextNonzero(c, k, to)
    if (k > to) break
    put(c, coefficients, k, takeValue(c, k) << low)
    present |= (<u64>1) << (<u64>k)
  }
  store<u64>(nonzero, load<u64>(nonzero) | present)
}

/** Later scans of a band (G.1.3.3): a bit for each coefficient that is not zero, and new ones among those that are. */
export function refineArithmeticAc(c: Component, block: usize, from: i32, to: i32, low: i32): void {
  const coefficients = coefficientsOf(c, block)
  const nonzero = c.nonzero + (block << 3)
  const present = load<u64>(nonzero)
  // EOBx: the end of the block in earlier scans, before which no end of block is coded.
  const earlier = present & (~(<u64>0) >> <u64>(63 - to))
  const earlierEnd = earlier == 0 ? 0 : 63 - <i32>clz(earlier)
  let added: u64 = 0
  let k = from
  while (k <= to) {
    if (k > earlierEnd && decide(contextOf(c, k)) == 1) break
    while (true) {
      const context = contextOf(c, k)
      if (((present >> <u64>k) & 1) == 1) {
        if (decide(context + 2) == 1) enlarge(c, coefficients, k, 1 << low)
        break
      }
      if (decide(context + 1) == 1) {
        put(c, coefficients, k, decideEvenly() == 1 ? -(1 << low) : 1 << low)
        added |= (<u64>1) << (<u64>k)
        break
      }
      if (++k > to) {
        endBits()
        break
      }
    }
    k++
  }
  store<u64>(nonzero, present | added)
}

/** Adds the next difference to the component's prediction of DC, and conditions the one after it (F.1.4.4.1). */
function takeDifference(c: Component): void {
  const context = c.dcTable + <usize>c.dcContext
  if (decide(context) == 0) {
    c.dcContext = 0
    return
  }
  const sign = decide(context + 1)
  const first = context + 2 + <usize>sign
  const magnitude = decide(first) == 0 ? 0 : sizeOf(1, c.dcTable + DC_X1)
  c.dcContext = magnitude < c.dcLower ? 0 : (magnitude > c.dcUpper ? LARGE_DC : SMALL_DC) + (sign << 2)
  const value = withLowBits(magnitude) + 1
  c.prediction += sign == 1 ? -value : value
}

/** Returns the index of the next coefficient that is not zero, from `k` on; more than `to` if the block ends before. */
function nextNonzero(c: Component, k: i32, to: i32): i32 {
  if (decide(contextOf(c, k)) == 1) return 64
  while (decide(contextOf(c, k) + 1) == 0) {
    if (++k <= to) continue
    // No encoder leaves out the end of the block before zeros.
    endBits()
    return 64
  }
  return k
}

/** Returns the value of coefficient `k`, which is not zero (F.1.4.4.2). */
function takeValue(c: Component, k: i32): i32 {
  const sign = decideEvenly()
  const context = contextOf(c, k) + 2
  let magnitude = decide(context)
  if (magnitude == 1 && decide(context) == 1) {
    magnitude = sizeOf(2, c.acTable + (k <= c.acLow ? AC_X2_LOW : AC_X2_HIGH))
  }
  const value = withLowBits(magnitude) + 1
  return sign == 1 ? -value : value
}

/** Doubles a magnitude by each decision, from `context` on (figure F.23). */
function sizeOf(magnitude: i32, context: usize): i32 {
  while (decide(context) == 1) {
    magnitude <<= 1
    if (magnitude == MAGNITUDE_END) {
      endBits()
      magnitude = 0
      break
    }
    context++
  }
  lastContext = context
  return magnitude
}

/** Adds the bits below a magnitude's highest one (figure F.24). */
function withLowBits(magnitude: i32): i32 {
  let value = magnitude
  for (let bit = magnitude >> 1; bit > 0; bit >>= 1) {
    if (decide(lastContext + TO_LOW_BITS) == 1) value |= bit
  }
  return value
}

/** The first of the three contexts of AC coefficient `k`: end of block, zero, and the first of its size. */
function contextOf(c: Component, k: i32): usize {
  return c.acTable + <usize>(3 * (k - 1))
}

function put(c: Component, coefficients: usize, k: i32, value: i32): void {
  const index = retainedIndex(c, k)
  if (index >= 0) store<i16>(coefficients + ((<usize>index) << 1), <i16>value)
}

function enlarge(c: Component, coefficients: usize, k: i32, by: i32): void {
  const index = retainedIndex(c, k)
  if (index < 0) return
  const at = coefficients + ((<usize>index) << 1)
  const value = <i32>load<i16>(at)
  store<i16>(at, <i16>(value < 0 ? value - by : value + by))
}
