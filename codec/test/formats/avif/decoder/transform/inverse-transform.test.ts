import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../../test/support/random.ts'
import { type Av1Exports, newAv1Instance } from '../decoder.ts'

interface TransformExports extends Av1Exports {
  transformAt(): number
  inverseTransform(kind: number, n: number, range: number, shift: number): void
}

const DCT = 0
const ADST = 1
const IDENTITY = 2
const WHT = 3
/** Bits of intermediate results: enough that nothing is clamped. */
const RANGE = 20

/** Transforms a column in real numbers. */
type Reference = (column: readonly number[]) => number[]

const sum = (column: readonly number[], basis: (k: number) => number): number =>
  column.reduce((total, value, k) => total + value * basis(k), 0)

/** 7.13.2.3: the DCT-III with an orthonormal scale times the square root of half the length. */
const dct: Reference = (column) =>
  column.map((_, i) =>
    sum(column, (k) => (k === 0 ? Math.SQRT1_2 : Math.cos(((2 * i + 1) * k * Math.PI) / (2 * column.length)))),
  )

/** 7.13.2.7 and 7.13.2.8 */
const adst: Reference = (column) =>
  column.map((_, i) => sum(column, (k) => Math.sin(((2 * i + 1) * (2 * k + 1) * Math.PI) / (4 * column.length))))

/** 7.13.2.6 */
const adst4: Reference = (column) =>
  column.map((_, i) => ((2 * Math.SQRT2) / 3) * sum(column, (k) => Math.sin(((i + 1) * (2 * k + 1) * Math.PI) / 9)))

const scaled =
  (factor: number): Reference =>
  (column) =>
    column.map((value) => value * factor)

describe('an inverse transform is that of real numbers, but for rounding', () => {
  const av1 = newAv1Instance<TransformExports>()
  const rows: [string, number, number, Reference][] = [
    ...[2, 3, 4, 5, 6].map((n): [string, number, number, Reference] => [`DCT of ${1 << n}`, DCT, n, dct]),
    ['ADST of 4', ADST, 2, adst4],
    ['ADST of 8', ADST, 3, adst],
    ['ADST of 16', ADST, 4, adst],
    ['identity of 4', IDENTITY, 2, scaled(Math.SQRT2)],
    ['identity of 8', IDENTITY, 3, scaled(2)],
    ['identity of 16', IDENTITY, 4, scaled(2 * Math.SQRT2)],
    ['identity of 32', IDENTITY, 5, scaled(4)],
  ]
  for (const [name, kind, n, reference] of rows) {
    test(name, () => {
      const random = seededRandom(n + 1)
      const columns = Array.from({ length: 4 }, () => Array.from({ length: 1 << n }, () => below(8001, random) - 4000))
      const made = transform(av1, kind, columns, RANGE, 0)
      const wanted = columns.map(reference)
      const errors = made.flatMap((column, j) =>
        column.map((value, i) => Math.abs(value - (wanted[j]?.[i] ?? Number.NaN))),
      )
      // The constants have 12 bits: of numbers up to 20,000 a few are lost in each of up to ten steps.
      expect(Math.max(...errors)).toBeLessThan(12)
    })
  }

  test('sums beyond the range are clamped to it', () => {
    const column = Array.from({ length: 8 }, (_, i) => (i === 0 ? 32767 : i === 1 ? 32767 : 0))
    const made = transform(av1, DCT, [column, column, column, column], 16, 0)
    expect(made[0]?.[0]).toBe(32767)
  })

  test('the Walsh-Hadamard transform undoes that of an encoder', () => {
    const block = [
      [7, -3, 12, 90],
      [4, 4, 5, -6],
      [0, 1, 2, 3],
      [-50, 60, -70, 80],
    ]
    const columnsCoded = transpose(transpose(block).map(forwardWht))
    const coded = columnsCoded.map((row) => forwardWht(row).map((value) => value * 4))
    const afterRows = transform(av1, WHT, coded, RANGE, 2)
    expect(transpose(transform(av1, WHT, transpose(afterRows), RANGE, 0))).toEqual(block)
  })
})

/** Transforms four columns at once. */
function transform(av1: TransformExports, kind: number, columns: number[][], range: number, shift: number): number[][] {
  const length = columns[0]?.length ?? 0
  const lanes = new Int32Array(av1.memory.buffer, av1.transformAt(), 4 * length)
  for (let i = 0; i < lanes.length; i++) lanes[i] = columns[i & 3]?.[i >> 2] ?? 0
  av1.inverseTransform(kind, Math.log2(length), range, shift)
  return columns.map((_, j) => Array.from({ length }, (_, i) => lanes[4 * i + j] ?? Number.NaN))
}

const transpose = (rows: number[][]): number[][] => (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] ?? 0))

/** The steps of 7.13.2.10 backwards. */
function forwardWht([a = 0, b = 0, c = 0, d = 0]: number[]): number[] {
  d -= c
  a += b
  const e = (a - d) >> 1
  c = e - c
  b = e - b
  return [a - c, c, d + b, b]
}
