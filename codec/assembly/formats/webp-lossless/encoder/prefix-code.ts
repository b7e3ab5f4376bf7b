// A prefix code: its bits (canonical, WebP Lossless Bitstream Specification, chapter 6) and its lengths as they are
// sent (6.2.1).
import { putBits } from './bit-writer'
import { codeLengths, MAX_SYMBOLS } from './huffman'

/** The longest code length. */
export const MAX_CODE_LENGTH: i32 = 15

/** Symbols of the code in which code lengths are coded: lengths 0 to 15 and three repetitions. */
const LENGTH_SYMBOLS: i32 = 19
const MAX_LENGTH_OF_LENGTHS: i32 = 7
export const REPEAT_PREVIOUS: i32 = 16
export const REPEAT_ZERO: i32 = 17
export const REPEAT_ZERO_LONG: i32 = 18
/** The repeated length before any non-zero length. */
export const FIRST_PREVIOUS: i32 = 8

/** u8[19]: the order in which the lengths of that code are sent. */
const ORDER: usize = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])

const LENGTH_HISTOGRAM: usize = memory.data(4 * LENGTH_SYMBOLS, 4)
const LENGTHS_OF_LENGTHS: usize = memory.data(LENGTH_SYMBOLS)
const LENGTH_CODES: usize = memory.data(4 * LENGTH_SYMBOLS, 4)
/** u16[]: the lengths in runs, symbol | value of the extra bits << 8. */
const RUNS: usize = memory.data(2 * MAX_SYMBOLS, 2)

/**
 * Writes the code of each symbol at `codes` (u32): its bits, the first lowest, << 4 | their number, from the lengths
 * (u8). A symbol alone takes no bits.
 */
export function assignCodes(lengths: usize, symbols: i32, codes: usize): void {
  let code: u32 = 0
  for (let length = 1; length <= MAX_CODE_LENGTH; length++, code <<= 1) {
    for (let symbol = 0; symbol < symbols; symbol++) {
      if (load<u8>(lengths + symbol) != length) continue
      store<u32>(codes + ((<usize>symbol) << 2), (reversed(code, length) << 4) | length)
      code++
    }
  }
  if (usedSymbols(lengths, symbols) == 1) memory.fill(codes, 0, (<usize>symbols) << 2)
}

/** Appends the symbol's bits. */
// @ts-ignore: decorator
@inline
export function putSymbol(codes: usize, symbol: i32): void {
  const code = load<u32>(codes + ((<usize>symbol) << 2))
  putBits(code >> 4, code & 15)
}

/** Sends a code's lengths. */
export function putPrefixCode(lengths: usize, symbols: i32): void {
  const used = usedSymbols(lengths, symbols)
  const last = lastSymbol(lengths, symbols)
  if (used <= 2 && last < 256) {
    let first = 0
    while (first < last && load<u8>(lengths + first) == 0) first++
    putSimple(first, last, used == 2)
  } else {
    putNormal(lengths, symbols)
  }
}

/** Returns the number of bits that `putPrefixCode` sends. */
export function prefixCodeBits(lengths: usize, symbols: i32): i32 {
  const used = usedSymbols(lengths, symbols)
  if (used <= 2 && lastSymbol(lengths, symbols) < 256) return used == 2 ? 19 : lastSymbol(lengths, symbols) > 1 ? 11 : 4
  const runs = prepareNormal(lengths, symbols)
  const read = runsRead(runs)
  let bits = 6 + 3 * lengthsSent() + (read < runs ? countBits(read) + 3 : 0)
  for (let i = 0; i < read; i++) {
    const symbol = <i32>load<u8>(RUNS + ((<usize>i) << 1))
    bits += <i32>(load<u32>(LENGTH_CODES + ((<usize>symbol) << 2)) & 15) + runBits(symbol)
  }
  return bits
}

/** The length of a symbol in the code of the lengths whose size was asked for last; 0 if it does not occur. */
export function lengthCodeBits(symbol: i32): i32 {
  return load<u8>(LENGTHS_OF_LENGTHS + symbol)
}

/** Sends the code that has only the symbol 0: those of red, blue and alpha. */
export function putZeroCode(): void {
  putSimple(0, 0, false)
}

/** (i): one or two symbols. */
function putSimple(first: i32, second: i32, two: bool): void {
  const firstHas8Bits = first > 1
  putBits(1, 1)
  putBits(two ? 1 : 0, 1)
  putBits(firstHas8Bits ? 1 : 0, 1)
  putBits(first, firstHas8Bits ? 8 : 1)
  if (two) putBits(second, 8)
}

/** (ii): lengths in a prefix code of their own, with runs. */
function putNormal(lengths: usize, symbols: i32): void {
  const runs = prepareNormal(lengths, symbols)
  const sent = lengthsSent()
  putBits(0, 1)
  putBits(sent - 4, 4)
  for (let i = 0; i < sent; i++) putBits(load<u8>(LENGTHS_OF_LENGTHS + load<u8>(ORDER + i)), 3)
  const read = runsRead(runs)
  putBits(read < runs ? 1 : 0, 1) // max_symbol: 0 where all runs are there
  if (read < runs) {
    putBits((countBits(read) - 2) >> 1, 3)
    putBits(read - 2, countBits(read))
  }
  for (let i = 0; i < read; i++) {
    const run = <i32>load<u16>(RUNS + ((<usize>i) << 1))
    const symbol = run & 255
    putSymbol(LENGTH_CODES, symbol)
    if (symbol >= REPEAT_PREVIOUS) putBits(run >> 8, runBits(symbol))
  }
}

/** Fills `RUNS`, and the code that they are sent in. Returns the number of runs. */
function prepareNormal(lengths: usize, symbols: i32): i32 {
  const runs = findRuns(lengths, symbols)
  memory.fill(LENGTH_HISTOGRAM, 0, 4 * LENGTH_SYMBOLS)
  for (let i = 0; i < runs; i++) {
    const count = LENGTH_HISTOGRAM + ((<usize>load<u8>(RUNS + ((<usize>i) << 1))) << 2)
    store<u32>(count, load<u32>(count) + 1)
  }
  codeLengths(LENGTH_HISTOGRAM, LENGTH_SYMBOLS, MAX_LENGTH_OF_LENGTHS, LENGTHS_OF_LENGTHS)
  assignCodes(LENGTHS_OF_LENGTHS, LENGTH_SYMBOLS, LENGTH_CODES)
  return runs
}

/** Returns how many of the runs are sent: without the zeros at the end, where these take more bits than the number of the others. */
function runsRead(runs: i32): i32 {
  let read = runs
  let zeros = 0
  for (; read > 2 && isZeros(read - 1); read--) {
    const symbol = <i32>load<u8>(RUNS + ((<usize>(read - 1)) << 1))
    zeros += lengthCodeBits(symbol) + runBits(symbol)
  }
  return zeros > countBits(read) + 3 ? read : runs
}

function isZeros(run: i32): bool {
  const symbol = load<u8>(RUNS + ((<usize>run) << 1))
  return symbol == 0 || symbol == REPEAT_ZERO || symbol == REPEAT_ZERO_LONG
}

/** Returns the bits of the number of runs: an even number of them. */
function countBits(read: i32): i32 {
  let bits = 2
  while (read - 2 >= 1 << bits) bits += 2
  return bits
}

/** Returns how many lengths of that code are sent. */
function lengthsSent(): i32 {
  let sent = LENGTH_SYMBOLS
  while (sent > 4 && load<u8>(LENGTHS_OF_LENGTHS + load<u8>(ORDER + sent - 1)) == 0) sent--
  return sent
}

/** Returns the number of bits after the symbol of a run. */
// @ts-ignore: decorator
@inline
function runBits(symbol: i32): i32 {
  return symbol < REPEAT_PREVIOUS ? 0 : symbol == REPEAT_PREVIOUS ? 2 : symbol == REPEAT_ZERO ? 3 : 7
}

/** Fills `RUNS`. Returns their number. */
function findRuns(lengths: usize, symbols: i32): i32 {
  let runs = 0
  let previous = FIRST_PREVIOUS
  for (let symbol = 0; symbol < symbols; ) {
    const length = <i32>load<u8>(lengths + symbol)
    let same = 1
    while (symbol + same < symbols && load<u8>(lengths + symbol + same) == length) same++
    let run = length
    let taken = 1
    if (length == 0 && same >= 11) {
      taken = min(138, same)
      run = REPEAT_ZERO_LONG | ((taken - 11) << 8)
    } else if (length == 0 && same >= 3) {
      taken = same
      run = REPEAT_ZERO | ((taken - 3) << 8)
    } else if (length == previous && same >= 3) {
      taken = min(6, same)
      run = REPEAT_PREVIOUS | ((taken - 3) << 8)
    }
    if (length != 0) previous = length
    store<u16>(RUNS + ((<usize>runs) << 1), <u16>run)
    runs++
    symbol += taken
  }
  return runs
}

function lastSymbol(lengths: usize, symbols: i32): i32 {
  let last = symbols - 1
  while (last > 0 && load<u8>(lengths + last) == 0) last--
  return last
}

function usedSymbols(lengths: usize, symbols: i32): i32 {
  let used = 0
  for (let symbol = 0; symbol < symbols; symbol++) if (load<u8>(lengths + symbol) != 0) used++
  return used
}

function reversed(code: u32, length: i32): u32 {
  let bits: u32 = 0
  for (let i = 0; i < length; i++) bits |= ((code >> i) & 1) << (length - 1 - i)
  return bits
}
