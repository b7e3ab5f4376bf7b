import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { type Av1Exports, newAv1Instance } from './decoder.ts'

interface PredictionExports extends Av1Exports {
  aboveRow(): number
  leftColumn(): number
  predictDc(to: number, stride: number, w: number, h: number, haveLeft: boolean, haveAbove: boolean): void
  predictPaeth(to: number, stride: number, w: number, h: number): void
  predictSmooth(to: number, stride: number, w: number, h: number, mode: number): void
}

const SMOOTH_PRED = 9
const SMOOTH_V_PRED = 10
const SMOOTH_H_PRED = 11

/** Samples above (from the corner on) and to the left of a block. */
interface Edges {
  readonly corner: number
  readonly above: readonly number[]
  readonly left: readonly number[]
}

type Predict = (av1: PredictionExports, to: number, stride: number, w: number, h: number) => void
type Sample = (edges: Edges, x: number, y: number) => number

const SIZES = [
  [4, 4],
  [4, 16],
  [8, 8],
  [16, 4],
  [32, 8],
  [16, 64],
  [64, 64],
] as const

const at = (edge: readonly number[], i: number): number => edge[i] ?? Number.NaN

const mean = (...samples: readonly number[]): number =>
  Math.floor((samples.reduce((a, b) => a + b, 0) + (samples.length >> 1)) / samples.length)

/** 7.11.2.2 */
function paeth({ corner, above, left }: Edges, x: number, y: number): number {
  const base = at(above, x) + at(left, y) - corner
  const [pLeft, pTop, pCorner] = [at(left, y), at(above, x), corner].map((sample) => Math.abs(base - sample))
  if (pLeft === undefined || pTop === undefined || pCorner === undefined) return Number.NaN
  if (pLeft <= pTop && pLeft <= pCorner) return at(left, y)
  return pTop <= pCorner ? at(above, x) : corner
}

const rows: [string, Predict, Sample][] = [
  ['PAETH_PRED', (av1, ...block) => av1.predictPaeth(...block), paeth],
  [
    'DC_PRED with both edges',
    (av1, ...block) => av1.predictDc(...block, true, true),
    ({ above, left }) => mean(...above, ...left),
  ],
  ['DC_PRED with the left edge', (av1, ...block) => av1.predictDc(...block, true, false), ({ left }) => mean(...left)],
  [
    'DC_PRED with the upper edge',
    (av1, ...block) => av1.predictDc(...block, false, true),
    ({ above }) => mean(...above),
  ],
  ['DC_PRED without edges', (av1, ...block) => av1.predictDc(...block, false, false), () => 128],
]

describe('a block is predicted from its edges as the specification words it (7.11.2)', () => {
  for (const [name, predict, sample] of rows) {
    for (const [w, h] of SIZES) {
      test(`${name}, ${w} x ${h}`, () => {
        const edges = randomEdges(w, h)
        const made = predicted(predict, edges, w, h)
        for (let y = 0; y < h; y++) {
          for (let x = 0; x < w; x++) expect(made[y]?.[x], `${x}, ${y}`).toBe(sample(edges, x, y))
        }
      })
    }
  }

  for (const [name, mode] of Object.entries({ SMOOTH_PRED, SMOOTH_V_PRED, SMOOTH_H_PRED })) {
    test(`${name} goes over from the near edges to the far corners, and is flat between equal ones`, () => {
      const flat = { corner: 90, above: Array(16).fill(90), left: Array(8).fill(90) }
      const predict: Predict = (av1, ...block) => av1.predictSmooth(...block, mode)
      expect(predicted(predict, flat, 16, 8).flat()).toEqual(Array(128).fill(90))
      const ramp = { corner: 0, above: Array(16).fill(200), left: Array(8).fill(40) }
      const made = predicted(predict, ramp, 16, 8)
      const middle = made.map((row) => row[8] ?? 0)
      const line = made[4] ?? []
      expect([...middle].sort((a, b) => b - a)).toEqual(middle)
      expect([...line].sort((a, b) => a - b)).toEqual(line)
    })
  }
})

function randomEdges(w: number, h: number): Edges {
  const random = seededRandom(w * 100 + h)
  const edge = (length: number) => Array.from({ length }, () => below(256, random))
  return { corner: below(256, random), above: edge(w), left: edge(h) }
}

/** The rows of a predicted block, of eight bits a sample. */
function predicted(predict: Predict, { corner, above, left }: Edges, w: number, h: number): number[][] {
  const av1 = newAv1Instance<PredictionExports>()
  av1.reset()
  const stride = 2 * w + 32
  const to = av1.allocate(stride * h)
  new Uint16Array(av1.memory.buffer, av1.aboveRow() - 2, w + 1).set([corner, ...above])
  new Uint16Array(av1.memory.buffer, av1.leftColumn() - 2, h + 1).set([corner, ...left])
  predict(av1, to, stride, w, h)
  return Array.from({ length: h }, (_, y) => [...new Uint16Array(av1.memory.buffer, to + y * stride, w)])
}
