/** Returns numbers from 0 up to, not including, 1. */
export type Random = () => number

/** Returns the reproducible numbers of a seed (a 32-bit xorshift, Marsaglia 2003). */
export function seededRandom(seed: number): Random {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** Returns an integer from 0 to `limit` - 1. */
export function below(limit: number, random: Random): number {
  return Math.floor(random() * limit)
}

/** Returns a random item of a list that is not empty. */
export function pick<T>(list: readonly T[], random: Random): T {
  const item = list[below(list.length, random)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** Returns random bytes. */
export function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => below(256, random)))
}

/** Returns a copy of `bytes` that is truncated, or changed in up to a dozen positions, mostly near the start. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  if (random() < 0.25) return copy.subarray(0, below(copy.length, random))
  const reach = random() < 0.6 ? Math.min(copy.length, 64) : copy.length
  for (let count = 1 + below(12, random); count > 0; count--) copy[below(reach, random)] = below(256, random)
  return copy
}
