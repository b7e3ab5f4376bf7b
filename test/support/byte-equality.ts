import { expect } from 'vitest'

/**
 * Lets `toEqual` and `toStrictEqual` compare bytes as bytes: by itself vitest goes from element to element, 4 s for each
 * megabyte. Arrays of different classes are left to vitest, which tells a Buffer from a Uint8Array where it should.
 */
expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array) || a.constructor !== b.constructor) return undefined
    return Buffer.compare(a, b) === 0
  },
])
