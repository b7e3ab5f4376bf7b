// Literals and copies that share their prefix codes (a prefix code group, 6.2.2, whose red, blue and alpha are always
// 0): gathered first, then coded.
import { allocate } from '../../../arena/memory'
import { extraBits } from '../distances'
import { putBits } from './bit-writer'
import { prefixSymbol } from './distance-codes'
import { GREEN_SYMBOLS, HISTOGRAM_BYTES } from './histogram'
import { codeLengths } from './huffman'
import { assignCodes, MAX_CODE_LENGTH, putPrefixCode, putSymbol, putZeroCode } from './prefix-code'
import { DISTANCE_SYMBOLS } from './symbols'

/** Bytes of a group's code lengths: green and lengths, then distances. */
export const LENGTHS_BYTES: i32 = GREEN_SYMBOLS + DISTANCE_SYMBOLS

const CODES: usize = memory.data(HISTOGRAM_BYTES, 4)
const DISTANCE_CODES: usize = CODES + 4 * GREEN_SYMBOLS

/** The literals' bytes; and for each copy u32 literals before it, u32 length - 1 << 20 | distance code; none if 0. */
let literals: usize = 0
let runs: usize = 0
let runsEnd: usize = 0
let runsLimit: usize = 0
let pending: i32 = 0

/** Starts an image whose bytes are at `data`; `most` runs can wait to be coded. */
export function startRuns(data: usize, most: i32): void {
  literals = data
  runs = allocate((<usize>most) << 3)
  runsEnd = runs
  runsLimit = runs + ((<usize>most) << 3)
  pending = 0
}

/** Returns the number of runs that can still be taken. */
export function roomForRuns(): i32 {
  return <i32>((runsLimit - runsEnd) >> 3)
}

/** The end of the runs taken so far. */
export function endOfRuns(): usize {
  return runsEnd
}

/** Takes the next `count` bytes as literals. */
export function takeLiterals(count: i32): void {
  pending += count
}

/** Takes a copy of the next `length` bytes. */
export function takeCopy(length: i32, code: i32): void {
  putRun(((length - 1) << 20) | code)
}

/** Ends the run of literals, so that a group may end here. */
export function breakRun(): void {
  if (pending > 0) putRun(0)
}

/** Decides code lengths by the histogram. */
export function chooseLengths(histogram: usize, lengths: usize): void {
  codeLengths(histogram, GREEN_SYMBOLS, MAX_CODE_LENGTH, lengths)
  codeLengths(histogram + 4 * GREEN_SYMBOLS, DISTANCE_SYMBOLS, MAX_CODE_LENGTH, lengths + GREEN_SYMBOLS)
}

/** Codes the runs up to `end`. */
export function codeRuns(lengths: usize, end: usize): void {
  assignCodes(lengths, GREEN_SYMBOLS, CODES)
  assignCodes(lengths + GREEN_SYMBOLS, DISTANCE_SYMBOLS, DISTANCE_CODES)
  for (let run = runs; run < end; run += 8) {
    const count = load<u32>(run)
    for (let i: u32 = 0; i < count; i++) putSymbol(CODES, load<u8>(literals + i))
    literals += count
    const copy = load<u32>(run, 4)
    if (copy == 0) continue
    const length = (copy >> 20) + 1
    literals += length
    putValue(CODES + 4 * 256, length)
    putValue(DISTANCE_CODES, copy & 0xfffff)
  }
  memory.copy(runs, end, runsEnd - end)
  runsEnd -= end - runs
}

/** Sends the five prefix codes of a group: green and lengths, red, blue, alpha, distances. */
export function putGroup(lengths: usize): void {
  putPrefixCode(lengths, GREEN_SYMBOLS)
  for (let i = 0; i < 3; i++) putZeroCode()
  putPrefixCode(lengths + GREEN_SYMBOLS, DISTANCE_SYMBOLS)
}

function putRun(copy: u32): void {
  store<u32>(runsEnd, pending)
  store<u32>(runsEnd, copy, 4)
  runsEnd += 8
  pending = 0
}

/** A length or distance code: prefix symbol and extra bits (5.2.2). */
function putValue(codes: usize, value: i32): void {
  const symbol = prefixSymbol(value)
  putSymbol(codes, symbol)
  const extra = extraBits(symbol)
  putBits((value - 1) & ((1 << extra) - 1), extra)
}
