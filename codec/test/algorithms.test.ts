import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../test/support/random.ts'
import { type Arena, newInstance, put } from './instance.ts'

interface AlgorithmExports extends Arena {
  misreadBools(decisions: number, count: number): number
  codedBytes(): number
  codeLengths(histogram: number, symbols: number, longest: number, lengths: number): void
  makeJpegCodes(table: number, counts: number): void
  jpegCodesOfLength(table: number, length: number): number
  lanczosWeights(samples: number, outputs: number, i: number, unity: number, to: number): number
  lanczosBox(samples: number, outputs: number): number
  vp8InverseDct(coefficients: number, to: number): void
  idctBlock: { value: number }
  clearIdctBlock(): void
  jpegInverseDct(to: number): void
  costOfTrellis(index: number, half: number, levels: number): number
  costByTrellis(): number
  costOfBruteForce(): number
}

const codec = newInstance<AlgorithmExports>()
const bytesAt = (at: number, count: number) => new Uint8Array(codec.memory.buffer, at, count)

describe('the boolean coder (RFC 6386, 7)', () => {
  const random = seededRandom(31)
  /** Decisions of which so many in 256 are 0. */
  const decisionsOf = (count: number, probability: () => number) =>
    Uint8Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? probability() : 0)).map((value, i, all) =>
      i % 2 === 0 ? value : Number(below(256, random) >= (all[i - 1] ?? 0)),
    )

  test.each([1, 7, 8, 100, 20_000])('%i decisions of any probability come back', (count) => {
    codec.reset()
    const decisions = decisionsOf(count, () => 1 + below(255, random))
    expect(codec.misreadBools(put(codec, decisions), count)).toBe(0)
  })

  test('what is likely takes as many bytes as its entropy, and 1 % at most more', () => {
    codec.reset()
    const count = 40_000
    const decisions = decisionsOf(count, () => 240)
    expect(codec.misreadBools(put(codec, decisions), count)).toBe(0)
    const zeros = decisions.filter((value, i) => i % 2 === 1 && value === 0).length
    const bits = -zeros * Math.log2(240 / 256) - (count - zeros) * Math.log2(16 / 256)
    expect(codec.codedBytes()).toBeLessThan((bits / 8) * 1.01 + 4)
  })
})

describe('Huffman lengths', () => {
  const HISTOGRAMS: [string, number[]][] = [
    ['equal counts', Array.from({ length: 64 }, () => 5)],
    ['Fibonacci numbers, whose tree is deepest', fibonacci(30)],
    ['counts with gaps', Array.from({ length: 280 }, (_, i) => (i % 3 === 0 ? i + 1 : 0))],
  ]

  test.each(HISTOGRAMS)('of %s: a whole prefix code, none longer than 15, as short as a tree makes it', (_, counts) => {
    codec.reset()
    const lengths = lengthsOf(counts, 15)
    expect(kraft(lengths)).toBe(1)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15)
    const coded = (of: readonly number[]) => counts.reduce((sum, count, i) => sum + count * (of[i] ?? 0), 0)
    const unlimited = treeCost(counts)
    expect(coded(lengths)).toBeGreaterThanOrEqual(unlimited)
    // Where no code is too long for the limit there is nothing to lose; else the heuristic may cost a hundredth.
    expect(coded(lengths)).toBeLessThanOrEqual(counts.length === 30 ? unlimited * 1.01 : unlimited)
  })

  test('of JPEG: 16 bits at most, and the code of nothing but ones is left free (T.81 C)', () => {
    codec.reset()
    for (const counts of [fibonacci(40), Array.from({ length: 256 }, (_, i) => i + 1)]) {
      const all = Uint32Array.from({ length: 256 }, (_, i) => counts[i] ?? 0)
      codec.makeJpegCodes(0, put(codec, new Uint8Array(all.buffer)))
      const sizes = Array.from({ length: 16 }, (_, i) => codec.jpegCodesOfLength(0, i + 1))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(counts.length)
      const taken = sizes.reduce((sum, size, i) => sum + size * 2 ** (15 - i), 0)
      expect(taken).toBeLessThan(65_536)
    }
  })
})

describe('Lanczos weights', () => {
  const UNITY = 1 << 14

  test.each([
    [100, 50],
    [101, 33],
    [4000, 200],
    [37, 36],
    [8, 8],
    [10, 1],
  ])(
    '%i samples to %i: each output has weights of sum one, and they are those of the mirrored output',
    (samples, outputs) => {
      codec.reset()
      const reduced = Math.ceil(samples / codec.lanczosBox(samples, outputs))
      const weights = (i: number) => {
        const to = codec.allocate(4096)
        const span = codec.lanczosWeights(samples, outputs, i, UNITY, to)
        return { first: span >> 16, taps: [...new Int16Array(codec.memory.buffer, to, span & 0xffff)] }
      }
      for (let i = 0; i < outputs; i++) {
        const { first, taps } = weights(i)
        expect(taps.reduce((sum, tap) => sum + tap, 0)).toBe(UNITY)
        // A box that is not full at the right makes the axis longer than the image.
        if (samples % codec.lanczosBox(samples, outputs) > 0) continue
        const mirrored = weights(outputs - 1 - i)
        expect(first).toBe(reduced - mirrored.first - mirrored.taps.length)
        for (const [at, tap] of mirrored.taps.toReversed().entries()) {
          expect(Math.abs(tap - (taps[at] ?? 0)), `${i}, ${at}`).toBeLessThanOrEqual(outputs === samples ? 0 : 12)
        }
      }
    },
  )

  test('as large as before, each sample is itself', () => {
    codec.reset()
    const to = codec.allocate(64)
    const span = codec.lanczosWeights(8, 8, 3, UNITY, to)
    const taps = [...new Int16Array(codec.memory.buffer, to, span & 0xffff)]
    expect(taps.filter((tap) => tap !== 0)).toEqual([UNITY])
  })
})

describe('inverse transforms against floating point', () => {
  const random = seededRandom(33)
  const cosine = (size: number, x: number, u: number) =>
    Math.cos(((2 * x + 1) * u * Math.PI) / (2 * size)) * (u === 0 ? Math.SQRT1_2 : 1)
  const inverse = (size: number, coefficients: ArrayLike<number>, scale: number) =>
    Array.from({ length: size * size }, (_, at) => {
      let sum = 0
      for (let v = 0; v < size; v++) {
        for (let u = 0; u < size; u++) {
          sum += (coefficients[v * size + u] ?? 0) * cosine(size, at % size, u) * cosine(size, Math.floor(at / size), v)
        }
      }
      return Math.max(0, Math.min(255, 128 + sum * scale))
    })

  test('VP8, 4 x 4: within two levels (RFC 6386, 14.4)', () => {
    codec.reset()
    for (let round = 0; round < 200; round++) {
      const coefficients = Int16Array.from({ length: 16 }, () => below(400, random) - 200)
      const expected = inverse(4, coefficients, 1 / 4)
      const to = codec.allocate(16)
      codec.vp8InverseDct(put(codec, new Uint8Array(coefficients.buffer)), to)
      for (const [i, sample] of bytesAt(to, 16).entries())
        expect(Math.abs(sample - (expected[i] ?? 0))).toBeLessThanOrEqual(2)
    }
  })

  test('JPEG, 8 x 8: within half a level and rounding (T.81 A.3.3)', () => {
    codec.reset()
    const to = codec.allocate(256)
    for (let round = 0; round < 50; round++) {
      const coefficients = Float32Array.from({ length: 64 }, () => below(120, random) - 60)
      codec.clearIdctBlock()
      new Float32Array(codec.memory.buffer).set(coefficients, codec.idctBlock.value / 4)
      codec.jpegInverseDct(to)
      const expected = inverse(8, coefficients, 1 / 4)
      for (const [i, sample] of bytesAt(to, 64).entries())
        expect(Math.abs(sample - (expected[i] ?? 0))).toBeLessThanOrEqual(0.51)
    }
  })
})

test('the trellis finds what brute force finds of four coefficients', () => {
  const random = seededRandom(34)
  let better = 0
  for (let round = 0; round < 400; round++) {
    codec.reset()
    const block = new Int16Array(32)
    // Zigzag 0 to 3 are the natural places 0, 1, 4 and 8; a column of a half begins every 16 bytes.
    for (const position of [0, 8, 1, 2]) block[position] = below(700, random) - 350
    const index = 20 + below(100, random)
    const cost = codec.costOfTrellis(index, put(codec, new Uint8Array(block.buffer)), codec.allocate(32))
    const least = codec.costOfBruteForce()
    expect(cost).toBeGreaterThanOrEqual(least)
    // The costs of 16 tokens and of the end are each rounded.
    expect(Math.abs(codec.costByTrellis() - cost)).toBeLessThanOrEqual(17)
    if (cost > least) better++
  }
  // The trellis tries the nearest level and the one below it: once in a while another one would be better.
  expect(better).toBeLessThan(20)
})

function lengthsOf(counts: readonly number[], longest: number): number[] {
  const histogram = put(codec, new Uint8Array(Uint32Array.from(counts).buffer))
  const lengths = codec.allocate(counts.length)
  codec.codeLengths(histogram, counts.length, longest, lengths)
  return [...bytesAt(lengths, counts.length)]
}

function kraft(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0)
}

/** Returns the cost of the counts by Huffman's own construction, without a limit: the sum of all inner nodes. */
function treeCost(counts: readonly number[]): number {
  const left = counts.filter((count) => count > 0)
  let cost = 0
  while (left.length > 1) {
    left.sort((a, b) => b - a)
    const joined = (left.pop() ?? 0) + (left.pop() ?? 0)
    cost += joined
    left.push(joined)
  }
  return cost
}

function fibonacci(length: number): number[] {
  const numbers = [1, 1]
  while (numbers.length < length) numbers.push((numbers.at(-1) ?? 0) + (numbers.at(-2) ?? 0))
  return numbers
}
