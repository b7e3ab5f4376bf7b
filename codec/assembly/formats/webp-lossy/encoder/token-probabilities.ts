// Token probabilities (RFC 6386 §13.4), chosen by the tokens' occurrences.
import { COEFF_PROB_COUNT, COEFF_UPDATE_PROBS, DEFAULT_COEFF_PROBS, PROBS_PER_CONTEXT } from '../tables'
import { bitsOfProbability, probabilityOf } from './probability'
import { AFTER_ZERO, END_OF_BLOCK, ROW_LENGTH, ROWS_PER_BAND, TOKEN_COUNTS } from './tokens'

/** The probabilities that the image's tokens are coded with, set by `chooseProbabilities`. */
export const CODED_PROBS: usize = memory.data(1056, 16)
/** Estimates of them while rows are still to come, set by `estimateProbabilities`. */
export const ESTIMATED_PROBS: usize = memory.data(1056, 16)

/** The number of decisions that the default probability of a node counts as, while few have been seen. */
const DEFAULT_WEIGHT: i32 = 24

/** Zeros and ones that each node of a context's tree has decided. */
const zeros: usize = memory.data(11 * 4, 16)
const ones: usize = memory.data(11 * 4, 16)

/** Estimates the image's probabilities from the occurrences so far and the defaults. */
export function estimateProbabilities(): void {
  for (let context = 0; context < COEFF_PROB_COUNT / PROBS_PER_CONTEXT; context++) {
    countDecisions(context)
    for (let node = 0; node < PROBS_PER_CONTEXT; node++) {
      const at = context * PROBS_PER_CONTEXT + node
      const weight = <u64>DEFAULT_WEIGHT * load<u8>(DEFAULT_COEFF_PROBS + at)
      const zero = <u64>load<u32>(zeros + 4 * node)
      const all = zero + <u64>load<u32>(ones + 4 * node) + DEFAULT_WEIGHT
      store<u8>(ESTIMATED_PROBS + at, <u8>max<u64>(1, min<u64>(255, (zero * 256 + weight) / all)))
    }
  }
}

/** Chooses the probabilities to code with: a node's own where it saves more than its update (§13.4) costs, else the default. */
export function chooseProbabilities(): void {
  for (let context = 0; context < COEFF_PROB_COUNT / PROBS_PER_CONTEXT; context++) {
    countDecisions(context)
    for (let node = 0; node < PROBS_PER_CONTEXT; node++) {
      const at = context * PROBS_PER_CONTEXT + node
      const zero = <u64>load<u32>(zeros + 4 * node)
      const one = <u64>load<u32>(ones + 4 * node)
      const initial = <i32>load<u8>(DEFAULT_COEFF_PROBS + at)
      let chosen = initial
      if (zero + one > 0) {
        const own = probabilityOf(zero, one)
        const flag = <i32>load<u8>(COEFF_UPDATE_PROBS + at)
        const updateBits = 8 * 256 + bitsOfProbability(256 - flag) - bitsOfProbability(flag)
        if (decisionBits(zero, one, own) + updateBits < decisionBits(zero, one, initial)) chosen = own
      }
      store<u8>(CODED_PROBS + at, <u8>chosen)
    }
  }
}

/** Rate of that many zeros and ones, in 256ths of a bit. */
function decisionBits(zero: u64, one: u64, probability: i32): i64 {
  return <i64>zero * bitsOfProbability(probability) + <i64>one * bitsOfProbability(256 - probability)
}

/** Turns the occurrences of a context's tokens into decisions at the nodes of `coeff_tree` (§13.2). */
function countDecisions(context: i32): void {
  const band = context / 3
  const row = TOKEN_COUNTS + (band * ROWS_PER_BAND + (context % 3)) * ROW_LENGTH * 4
  const afterZero = context % 3 == 0 ? TOKEN_COUNTS + (band * ROWS_PER_BAND + AFTER_ZERO) * ROW_LENGTH * 4 : 0
  let any: u32 = 0
  for (let token = 0; token < END_OF_BLOCK; token++) any += load<u32>(row + 4 * token)
  setDecisions(0, load<u32>(row + 4 * END_OF_BLOCK), any)
  const zero = occurrences(row, afterZero, 0, 0)
  setDecisions(1, zero, occurrences(row, afterZero, 1, 10))
  setDecisions(2, occurrences(row, afterZero, 1, 1), occurrences(row, afterZero, 2, 10))
  setDecisions(3, occurrences(row, afterZero, 2, 4), occurrences(row, afterZero, 5, 10))
  setDecisions(4, occurrences(row, afterZero, 2, 2), occurrences(row, afterZero, 3, 4))
  setDecisions(5, occurrences(row, afterZero, 3, 3), occurrences(row, afterZero, 4, 4))
  setDecisions(6, occurrences(row, afterZero, 5, 6), occurrences(row, afterZero, 7, 10))
  setDecisions(7, occurrences(row, afterZero, 5, 5), occurrences(row, afterZero, 6, 6))
  setDecisions(8, occurrences(row, afterZero, 7, 8), occurrences(row, afterZero, 9, 10))
  setDecisions(9, occurrences(row, afterZero, 7, 7), occurrences(row, afterZero, 8, 8))
  setDecisions(10, occurrences(row, afterZero, 9, 9), occurrences(row, afterZero, 10, 10))
}

function setDecisions(node: i32, zero: u32, one: u32): void {
  store<u32>(zeros + 4 * node, zero)
  store<u32>(ones + 4 * node, one)
}

function occurrences(row: usize, afterZero: usize, first: i32, last: i32): u32 {
  let sum: u32 = 0
  for (let token = first; token <= last; token++) {
    sum += load<u32>(row + 4 * token)
    if (afterZero != 0) sum += load<u32>(afterZero + 4 * token)
  }
  return sum
}
