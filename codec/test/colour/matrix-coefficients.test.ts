import { describe, expect, test } from 'vitest'
import { Status } from '../../assembly/status.ts'
import { type Arena, newInstance } from '../instance.ts'

interface PlanesExports extends Arena {
  toImage(width: number, height: number, orientation: number): void
  image(): number
  openYuv(
    width: number,
    height: number,
    chroma: number,
    matrix: number,
    isFull: boolean,
    alpha: number,
    box: number,
  ): void
  feedYuv(y: number, cb: number, cr: number, yStride: number, chromaStride: number, rows: number): void
  finish(): number
}

const core = newInstance<PlanesExports>()
const SIDE = 16
/** The one colour of an image whose planes have one value each. */
function convert(planes: readonly number[], chroma: number, matrix: number, isFullRange: boolean): number[] {
  core.reset()
  core.toImage(SIDE, SIDE, 1)
  core.openYuv(SIDE, SIDE, chroma, matrix, isFullRange, 0, 1)
  const [y = 0, cb = 0, cr = 0] = planes.map((value) => {
    const at = core.allocate(SIDE * SIDE + 64)
    new Uint8Array(core.memory.buffer, at, SIDE * SIDE + 64).fill(value)
    return at
  })
  core.feedYuv(y, cb, cr, SIDE, SIDE, SIDE)
  expect(core.finish()).toBe(Status.Ok)
  return [...new Uint8Array(core.memory.buffer, core.image(), 3)]
}

/** ITU-T H.273, equations of K_R and K_B. */
function expected(
  [y = 0, cb = 0, cr = 0]: readonly number[],
  red: number,
  blue: number,
  isFullRange: boolean,
): number[] {
  const light = isFullRange ? y : ((y - 16) * 255) / 219
  const [b, r] = [cb - 128, cr - 128].map((sample) => (isFullRange ? sample : (sample * 255) / 224))
  const [toRed, toBlue] = [2 * (1 - red) * (r ?? 0), 2 * (1 - blue) * (b ?? 0)]
  return [light + toRed, light - (red * toRed + blue * toBlue) / (1 - red - blue), light + toBlue].map(clamped)
}

function clamped(sample: number): number {
  return Math.max(0, Math.min(255, Math.round(sample)))
}

const SAMPLES = [
  [128, 128, 128],
  [16, 128, 128],
  [235, 128, 128],
  [81, 90, 240],
  [145, 54, 34],
  [41, 240, 110],
  [200, 100, 150],
  [20, 16, 16],
  [235, 240, 240],
]
const MATRICES: [string, number, number, number][] = [
  ['BT.709', 1, 0.2126, 0.0722],
  ['unspecified', 2, 0.299, 0.114],
  ['FCC', 4, 0.3, 0.11],
  ['BT.601', 6, 0.299, 0.114],
  ['SMPTE 240M', 7, 0.212, 0.087],
  ['BT.2020', 9, 0.2627, 0.0593],
]

function assertClose(actual: number[], wanted: number[]): void {
  for (const [i, value] of actual.entries())
    expect(Math.abs(value - (wanted[i] ?? 0)), `${actual}, not ${wanted}`).toBeLessThanOrEqual(2)
}

describe('colours are those of the matrix coefficients', () => {
  for (const [name, matrix, red, blue] of MATRICES) {
    for (const isFullRange of [true, false]) {
      for (const [chroma, sampling] of [
        [1, '4:2:0'],
        [2, '4:2:2'],
        [3, '4:4:4'],
      ] as const) {
        test(`${name}, ${isFullRange ? 'full' : 'video'} range, ${sampling}`, () => {
          for (const sample of SAMPLES) {
            assertClose(convert(sample, chroma, matrix, isFullRange), expected(sample, red, blue, isFullRange))
          }
        })
      }
    }
  }

  test('identity: green, blue, red', () => {
    expect(convert([10, 20, 30], 3, 0, true)).toEqual([30, 10, 20])
  })

  test('YCgCo', () => {
    assertClose(convert([100, 138, 148], 3, 8, true), [100 - 10 + 20, 100 + 10, 100 - 10 - 20])
  })

  test('gray of 16 to 235 is spread', () => {
    assertClose(convert([16, 0, 0], 0, 1, false), [0, 0, 0])
    assertClose(convert([235, 0, 0], 0, 1, false), [255, 255, 255])
    assertClose(convert([100, 0, 0], 0, 1, true), [100, 100, 100])
  })
})
