import { describe, expect, test } from 'vitest'
import module from '../../generated/codec.wasm'
import { type Cicp, colourTransform } from '../../src/colours/cicp.ts'
import { put, requireOk, take } from '../../src/pixels/core.ts'
import { createCores } from '../../src/pixels/cores.ts'

type Colour = readonly [number, number, number]

const { runOnCore } = createCores(() => module)

/** Returns the codec's result for a colour with these code points. */
function shown([red, green, blue]: Colour, cicp: Cicp, peakNits?: number): Promise<number[]> {
  return runOnCore((core) => {
    core.toImage(1, 1, 1)
    const table = colourTransform(cicp, peakNits)
    if (table) core.transformColours(put(core, table))
    core.openRgba(1, 1)
    core.feedRgba(put(core, Uint8Array.of(red, green, blue, 255)), 1)
    requireOk(core.finish())
    return [...take(core, core.image(), 3)]
  })
}

const grey = (value: number): Colour => [value, value, value]
const SRGB = 13
const PQ = 16
const HLG = 18

// Colours that Chromium 156 shows on an sRGB screen.

describe('gray of a transfer function is as light as in Chromium', () => {
  const VALUES = [16, 32, 64, 96, 128, 160, 192, 224, 255]
  test.each([
    ['BT.709', 1, [16, 32, 64, 96, 128, 160, 192, 224, 255]],
    ['gamma 2.2', 4, [7, 26, 62, 96, 129, 161, 193, 225, 255]],
    ['gamma 2.8', 5, [1, 10, 40, 72, 106, 142, 179, 217, 255]],
    ['SMPTE 240M', 7, [34, 50, 81, 112, 141, 170, 199, 228, 255]],
    ['linear', 8, [71, 99, 137, 165, 188, 208, 225, 241, 255]],
    ['sRGB', SRGB, [16, 32, 64, 96, 128, 160, 192, 224, 255]],
    ['PQ', PQ, [1, 5, 30, 70, 133, 213, 255, 255, 255]],
    ['SMPTE 428-1', 17, [3, 15, 48, 83, 118, 154, 191, 228, 255]],
    ['HLG', HLG, [3, 14, 43, 71, 100, 135, 189, 228, 255]],
  ])('%s', async (_, transfer, expected) => {
    for (const [i, value] of VALUES.entries()) {
      const [red = 0, green, blue] = await shown(grey(value), { primaries: 1, transfer })
      expect([green, blue], `gray of ${value}`).toEqual([red, red])
      expect(Math.abs(red - (expected[i] ?? 0)), `gray of ${value}`).toBeLessThanOrEqual(1)
    }
  })
})

describe('colours of primaries are as in Chromium', () => {
  const MIXED: Colour = [128, 64, 32]
  test.each([
    ['BT.470 M', 4, SRGB, [149, 60, 21]],
    ['BT.470 BG', 5, SRGB, [130, 64, 33]],
    ['BT.601', 6, SRGB, [125, 65, 31]],
    ['film', 8, SRGB, [143, 59, 22]],
    ['BT.2020', 9, SRGB, [155, 49, 20]],
    ['XYZ', 10, SRGB, [201, 0, 38]],
    ['DCI-P3', 11, SRGB, [135, 60, 22]],
    ['Display P3', 12, SRGB, [138, 59, 21]],
    ['EBU 3213', 22, SRGB, [129, 65, 31]],
    ['BT.709 in PQ', 1, PQ, [133, 30, 5]],
    ['BT.2020 in PQ', 9, PQ, [166, 0, 0]],
    ['Display P3 in PQ', 12, PQ, [145, 12, 0]],
    ['BT.709 in HLG', 1, HLG, [91, 45, 19]],
    ['BT.2020 in HLG', 9, HLG, [112, 35, 9]],
  ] as const)('%s', async (_, primaries, transfer, expected) => {
    const colour = await shown(MIXED, { primaries, transfer })
    const off = colour.map((value, i) => Math.abs(value - (expected[i] ?? 0)))
    expect(Math.max(...off), `${colour} for ${expected}`).toBeLessThanOrEqual(2)
  })
})

describe('the most light that a PQ image says it has bends its tones as in Chromium', () => {
  const VALUES = [96, 128, 144, 160, 176, 192, 208, 224]
  test.each([
    [203, [0.122, 0.462, 0.855, 1, 1, 1, 1, 1]],
    [400, [0.098, 0.366, 0.68, 0.947, 1, 1, 1, 1]],
    [600, [0.08, 0.309, 0.565, 0.839, 0.991, 1, 1, 1]],
    [2000, [0.061, 0.235, 0.429, 0.624, 0.738, 0.855, 0.973, 1]],
    [4000, [0.061, 0.235, 0.429, 0.591, 0.672, 0.761, 0.855, 0.956]],
  ])('%i cd/m²', async (peakNits, lights) => {
    for (const [i, value] of VALUES.entries()) {
      const [red = 0] = await shown(grey(value), { primaries: 1, transfer: PQ }, peakNits)
      const light = lights[i] ?? 0
      const expected = 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055)
      expect(Math.abs(red - expected), `gray of ${value}`).toBeLessThanOrEqual(2)
    }
  })
})

test.each([
  ['sRGB', 1, SRGB],
  ['BT.709', 1, 1],
  ['BT.601 as televisions show it', 1, 6],
  ['nothing', 2, 2],
  ['reserved', 3, 0],
])('colours of %s stay as they are', (_, primaries, transfer) => {
  expect(colourTransform({ primaries, transfer }, undefined)).toBeUndefined()
})
