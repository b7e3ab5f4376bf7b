import { below } from '../../../../../test/support/random.ts'
import type { BitWriter } from './bit-writer.ts'

const LONGEST = 15
/** The code lengths in the order in which the lengths of their own code are sent; only 0 to 15 are used here. */
const ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** A prefix code in the stream. */
export interface PrefixCode {
  /** The symbols that have a code. */
  readonly symbols: readonly number[]
  put(symbol: number): void
}

/** Writes a random code of `count` symbols out of `alphabet`, symbol 0 among them. */
export function putRandomCode(out: BitWriter, alphabet: number, count: number, random: () => number): PrefixCode {
  const lengths = new Array<number>(alphabet).fill(0)
  const symbols = [0, ...sample(alphabet - 1, count - 1, random).map((symbol) => symbol + 1)]
  const tree = randomTree(count, random)
  symbols.forEach((symbol, i) => {
    lengths[symbol] = tree[i] ?? 0
  })
  putLengths(out, lengths)
  const codes = canonicalCodes(lengths)
  return {
    symbols,
    put(symbol) {
      const length = count === 1 ? 0 : (lengths[symbol] ?? 0)
      const code = codes.get(symbol) ?? 0
      for (let bit = length - 1; bit >= 0; bit--) out.put(code >> bit, 1)
    },
  }
}

/** Each length on its own, in a code of four bits each. */
function putLengths(out: BitWriter, lengths: readonly number[]): void {
  out.put(0, 1)
  out.put(ORDER.length - 4, 4)
  for (const length of ORDER) out.put(length <= LONGEST ? 4 : 0, 3)
  out.put(0, 1)
  for (const length of lengths) {
    for (let bit = 3; bit >= 0; bit--) out.put(length >> bit, 1)
  }
}

/** The depths of a tree of `leaves` leaves that was split at random; 1 if it has only one. */
function randomTree(leaves: number, random: () => number): number[] {
  const depths = [leaves === 1 ? 1 : 0]
  // Splitting the newest leaf makes long codes.
  const isSteep = leaves < 600 && random() < 0.4
  while (depths.length < leaves) {
    const chosen = isSteep && random() < 0.7 ? depths.length - 1 : below(depths.length, random)
    const depth = depths[chosen] ?? 0
    if (depth === LONGEST) continue
    depths[chosen] = depth + 1
    depths.push(depth + 1)
  }
  return depths
}

function canonicalCodes(lengths: readonly number[]): Map<number, number> {
  const codes = new Map<number, number>()
  let code = 0
  for (let length = 1; length <= LONGEST; length++, code <<= 1) {
    lengths.forEach((own, symbol) => {
      if (own === length) codes.set(symbol, code++)
    })
  }
  return codes
}

/** `count` different numbers below `limit`. */
function sample(limit: number, count: number, random: () => number): number[] {
  const all = Array.from({ length: limit }, (_, i) => i)
  for (let i = 0; i < count; i++) {
    const other = i + below(limit - i, random)
    const taken = all[other] ?? 0
    all[other] = all[i] ?? 0
    all[i] = taken
  }
  return all.slice(0, count)
}
