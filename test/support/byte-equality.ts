import { expect } from 'vitest'

/**
 * Makes `toEqual` and `toStrictEqual` compare bytes as bytes. Vitest compares element by element, which takes 4 s for
 * each megabyte. Arrays of different classes are left to Vitest, which distinguishes a Buffer from a Uint8Array.
 */
expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array) || a.constructor !== b.constructor) return undefined
    return Buffer.compare(a, b) === 0
  },
])
