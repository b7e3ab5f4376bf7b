/** Random numbers that a printed seed repeats. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  integer: (below: number) => number
  bytes: (length: number) => Buffer
  pick: <T>(list: readonly T[]) => T
}

/** A seed for this run: TINTYPE_SEED repeats an earlier one. */
export function chooseSeed(): number {
  return process.env.TINTYPE_SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env.TINTYPE_SEED)
}

/** The sequence of a seed (a 32-bit xorshift, Marsaglia 2003). */
export function randomFrom(seed: number): Random {
  let state = seed | 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const integer = (below: number) => next() % below
  return {
    integer,
    bytes: (length) => Buffer.from(Array.from({ length }, () => integer(256))),
    pick: (list) => {
      const item = list[integer(list.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
  }
}
