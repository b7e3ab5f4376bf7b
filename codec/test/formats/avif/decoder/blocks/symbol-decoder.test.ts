import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../../test/support/random.ts'
import { type Av1Exports, newAv1Instance } from '../decoder.ts'

interface SymbolExports extends Av1Exports {
  startSymbols(from: number, length: number): void
  readSymbol(cdf: number, n: number): number
  readBool(cdf: number): number
  readLiteral(n: number): number
  readUniform(n: number): number
}

/** The symbol decoding process as the specification words it (8.2), a bit at a time. `cdf` has N values and the counter. */
class SpecifiedDecoder {
  readonly #bytes: Uint8Array
  #position = 0
  #value: number
  #range = 1 << 15
  #maxBits: number

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    const numBits = Math.min(bytes.length * 8, 15)
    this.#value = ((1 << 15) - 1) ^ (this.#readBits(numBits) << (15 - numBits))
    this.#maxBits = 8 * bytes.length - 15
  }

  #readBits(n: number): number {
    let x = 0
    for (let i = 0; i < n; i++, this.#position++) {
      x = 2 * x + (((this.#bytes[this.#position >> 3] ?? 0) >> (7 - (this.#position & 7))) & 1)
    }
    return x
  }

  readSymbol(cdf: number[]): number {
    const n = cdf.length - 1
    let current = this.#range
    let previous = current
    let symbol = -1
    do {
      symbol++
      previous = current
      const f = (1 << 15) - (cdf[symbol] ?? 0)
      current = (((this.#range >> 8) * (f >> 6)) >> 1) + 4 * (n - symbol - 1)
    } while (this.#value < current)
    this.#range = previous - current
    this.#value -= current
    const bits = 15 - Math.floor(Math.log2(this.#range))
    this.#range <<= bits
    const numBits = Math.min(bits, Math.max(0, this.#maxBits))
    const newData = this.#readBits(numBits)
    this.#value = (newData << (bits - numBits)) ^ (((this.#value + 1) << bits) - 1)
    this.#maxBits -= bits
    adapt(cdf, symbol)
    return symbol
  }

  readLiteral(n: number): number {
    let x = 0
    for (let i = 0; i < n; i++) x = 2 * x + this.readSymbol([1 << 14, 1 << 15, 0])
    return x
  }
}

function adapt(cdf: number[], symbol: number): void {
  const n = cdf.length - 1
  const count = cdf[n] ?? 0
  const rate = 3 + (count > 15 ? 1 : 0) + (count > 31 ? 1 : 0) + Math.min(Math.floor(Math.log2(n)), 2)
  for (let i = 0; i < n - 1; i++) {
    const value = cdf[i] ?? 0
    cdf[i] = i >= symbol ? value + ((32768 - value) >> rate) : value - (value >> rate)
  }
  cdf[n] = count + (count < 32 ? 1 : 0)
}

describe('the symbol decoder reads and adapts as the specification words it (8.2)', () => {
  const av1 = newAv1Instance<SymbolExports>()

  for (const length of [1, 2, 3, 5, 40, 400]) {
    test(`${length} bytes, and what follows when they have ended`, () => {
      const random = seededRandom(length)
      const bytes = Uint8Array.from({ length }, () => below(256, random))
      const cdfs = Array.from({ length: 15 }, (_, i) => evenCdf(i + 2))
      av1.reset()
      const from = av1.allocate(length)
      const at = cdfs.map((cdf) => storeCdf(av1, cdf))
      new Uint8Array(av1.memory.buffer).set(bytes, from)
      av1.startSymbols(from, length)
      const specified = new SpecifiedDecoder(bytes)
      for (let i = 0; i < length * 4 + 20; i++) {
        const which = below(cdfs.length + 1, random)
        const cdf = cdfs[which]
        if (!cdf) expect(av1.readLiteral(5)).toBe(specified.readLiteral(5))
        else if (cdf.length === 3) expect(av1.readBool(at[which] ?? 0)).toBe(specified.readSymbol(cdf))
        else expect(av1.readSymbol(at[which] ?? 0, cdf.length - 1)).toBe(specified.readSymbol(cdf))
      }
      expect(cdfs.map((cdf, i) => readCdf(av1, at[i] ?? 0, cdf.length))).toEqual(cdfs)
    })
  }

  test('NS(n) reads each of n values', () => {
    const random = seededRandom(3)
    av1.reset()
    const from = av1.allocate(4096)
    new Uint8Array(av1.memory.buffer).set(
      Uint8Array.from({ length: 4096 }, () => below(256, random)),
      from,
    )
    av1.startSymbols(from, 4096)
    const seen = new Set(Array.from({ length: 400 }, () => av1.readUniform(5)))
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4])
  })
})

/** N symbols of the same chance, and the counter. */
function evenCdf(n: number): number[] {
  return [...Array.from({ length: n }, (_, i) => Math.round((32768 * (i + 1)) / n)), 0]
}

/** In the module a CDF holds what is left to 32768. */
function storeCdf(av1: SymbolExports, cdf: number[]): number {
  const at = av1.allocate(64)
  new Uint16Array(av1.memory.buffer, at, cdf.length).set(
    cdf.map((value, i) => (i < cdf.length - 1 ? 32768 - value : 0)),
  )
  return at
}

function readCdf(av1: SymbolExports, at: number, length: number): number[] {
  const stored = [...new Uint16Array(av1.memory.buffer, at, length)]
  return stored.map((value, i) => (i < length - 1 ? 32768 - value : value))
}
