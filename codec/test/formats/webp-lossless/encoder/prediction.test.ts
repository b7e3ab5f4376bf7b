import { expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { type Arena, newInstance, put } from '../../../instance.ts'

interface PredictionExports extends Arena {
  predictVp8lRow(
    mode: number,
    from: number,
    stride: number,
    columns: number,
    isFirstColumn: number,
    isFirstRow: number,
    to: number,
  ): void
}

type Pixel = readonly number[]
type Neighbours = Record<'L' | 'T' | 'TR' | 'TL', Pixel>

const encoder = newInstance<PredictionExports>()
const [WIDTH, HEIGHT] = [13, 40]
const STRIDE = 4 * WIDTH
/** Opaque black, blue first. */
const BLACK: Pixel = [0, 0, 0, 255]

const combine = (one: Pixel, other: Pixel, by: (a: number, b: number) => number) =>
  one.map((value, i) => by(value, other[i] ?? 0))
const clamp = (value: number) => Math.max(0, Math.min(255, value))
const average2 = (one: Pixel, other: Pixel) => combine(one, other, (a, b) => Math.floor((a + b) / 2))
const sumOf = (values: Pixel) => values.reduce((sum, value) => sum + value, 0)

/** Whichever of L and T is nearer to L + T - TL, T where both are as near. */
function select({ L, T, TL }: Neighbours): Pixel {
  const expected = combine(
    combine(L, T, (l, t) => l + t),
    TL,
    (p, tl) => p - tl,
  )
  const distanceTo = (pixel: Pixel) => sumOf(combine(expected, pixel, (p, value) => Math.abs(p - value)))
  return distanceTo(L) < distanceTo(T) ? L : T
}

/** The table of RFC 9649, 4.1. */
const MODES: Record<string, (pixels: Neighbours) => Pixel> = {
  '0xff000000': () => BLACK,
  L: ({ L }) => L,
  T: ({ T }) => T,
  TR: ({ TR }) => TR,
  TL: ({ TL }) => TL,
  'Average2(Average2(L, TR), T)': ({ L, T, TR }) => average2(average2(L, TR), T),
  'Average2(L, TL)': ({ L, TL }) => average2(L, TL),
  'Average2(L, T)': ({ L, T }) => average2(L, T),
  'Average2(TL, T)': ({ T, TL }) => average2(TL, T),
  'Average2(T, TR)': ({ T, TR }) => average2(T, TR),
  'Average2(Average2(L, TL), Average2(T, TR))': ({ L, T, TL, TR }) => average2(average2(L, TL), average2(T, TR)),
  'Select(L, T, TL)': select,
  'ClampAddSubtractFull(L, T, TL)': ({ L, T, TL }) =>
    combine(
      combine(L, T, (l, t) => l + t),
      TL,
      (sum, tl) => clamp(sum - tl),
    ),
  'ClampAddSubtractHalf(Average2(L, T), TL)': ({ L, T, TL }) =>
    combine(average2(L, T), TL, (a, b) => clamp(a + Math.trunc((a - b) / 2))),
}

/** Rows of noise, of noise around a grey, and of the least and greatest values. */
function drawn(seed: number): Uint8Array {
  const random = seededRandom(seed)
  const ranges = [() => below(256, random), () => 120 + below(6, random), () => 255 * below(2, random)]
  return Uint8Array.from({ length: STRIDE * HEIGHT }, (_, i) => ranges[Math.floor(i / STRIDE / 3) % 3]?.() ?? 0)
}

test.each(Object.entries(MODES).map(([name, predict], mode) => ({ name, predict, mode })))(
  'the encoder predicts by mode $mode as RFC 9649 says: $name',
  ({ predict, mode }) => {
    encoder.reset()
    const pixels = drawn(mode + 1)
    // Bytes before the first pixel are read but not used.
    encoder.allocate(STRIDE)
    const from = put(encoder, pixels)
    const to = encoder.allocate(STRIDE + 64)
    const pixelAt = (x: number, y: number): Pixel => [...pixels.subarray(y * STRIDE + 4 * x, y * STRIDE + 4 * x + 4)]
    for (let y = 0; y < HEIGHT; y++) {
      encoder.predictVp8lRow(mode, from + y * STRIDE, STRIDE, WIDTH, 1, y === 0 ? 1 : 0, to)
      const residuals = [...new Uint8Array(encoder.memory.buffer, to, STRIDE)]
      const expected = Array.from({ length: WIDTH }, (_, x) => {
        const L = pixelAt(x - 1, y)
        // Of the rightmost pixel, TR is the leftmost one of its own row.
        const TR = x + 1 < WIDTH ? pixelAt(x + 1, y - 1) : pixelAt(0, y)
        const [T, TL] = [pixelAt(x, y - 1), pixelAt(x - 1, y - 1)]
        const inner = () => predict({ L, T, TR, TL })
        const predicted = x === 0 ? (y === 0 ? BLACK : T) : y === 0 ? L : inner()
        return combine(pixelAt(x, y), predicted, (value, guess) => (value - guess) & 255)
      }).flat()
      expect(residuals, `row ${y}`).toEqual(expected)
    }
  },
)
