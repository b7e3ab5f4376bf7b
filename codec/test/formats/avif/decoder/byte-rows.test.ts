import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Status } from '../../../../assembly/status.ts'
import module from '../../../../generated/codec.wasm'
import type { Core } from '../../../../src/pixels/core.ts'
import { put } from '../../../instance.ts'
import { decodeAv1, newAv1Instance } from './decoder.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'fixtures', 'av1')
const fixture = (name: string) => readFileSync(join(FIXTURES, `${name}.obu`))
const NO_LIMIT = 2 ** 31 - 1

// The cast is of our own module's exports, not of input.
const core = new WebAssembly.Instance(module).exports as unknown as Core

interface Coding {
  depth: number
  isFullRange: boolean
  isRgb: boolean
}

/** The rows of all planes as the host gets them, one after the other. */
function byteRows(
  units: Uint8Array,
  sizes: readonly { columns: number; rows: number }[],
  coding: Coding,
  withFilters = true,
): Uint8Array {
  core.reset()
  expect(core.openAv1(put(core, units), units.length, NO_LIMIT, 0, 255, withFilters)).toBe(Status.Ok)
  core.narrowAv1(coding.isFullRange, coding.isRgb, false)
  const planes = sizes.map(({ columns, rows }) => new Uint8Array(columns * rows))
  const subY = sizes.length > 1 && (sizes[1]?.rows ?? 0) < (sizes[0]?.rows ?? 0) ? 1 : 0
  let status = Status.More
  while (status === Status.More) {
    status = core.stepAv1()
    for (const [plane, samples] of planes.entries()) {
      const { columns = 0, rows = 0 } = sizes[plane] ?? {}
      const sub = plane > 0 ? subY : 0
      const first = core.av1First() >> sub
      const end = Math.min((core.av1End() + sub) >> sub, rows)
      const stride = plane > 0 ? core.av1ChromaStride() : core.av1Stride()
      for (let y = first; y < end; y++) {
        const at = core.av1Plane(plane) + (y - first) * stride
        samples.set(new Uint8Array(core.memory.buffer, at, columns), y * columns)
      }
    }
  }
  expect(status).toBe(Status.Ok)
  return Buffer.concat(planes)
}

/** A sample of `depth` bits as one of 8, rounded to the nearest. */
function narrowed(sample: number, isChroma: boolean, { depth, isFullRange }: Coding): number {
  if (!isFullRange) return Math.min(255, Math.floor(sample / 2 ** (depth - 8) + 0.5))
  const unit = 255 / (2 ** depth - 1)
  const value = isChroma ? (sample - 2 ** (depth - 1)) * unit + 128 : sample * unit
  return Math.min(255, Math.floor(value + 0.5))
}

describe('the host gets the samples of an image as bytes, of all values or of those of BT.601', () => {
  const av1 = newAv1Instance()
  const names = readdirSync(FIXTURES).flatMap((name) => (name.endsWith('.obu') ? [name.slice(0, -4)] : []))
  test.each(names)('%s', (name) => {
    const units = fixture(name)
    const { samples, sizes, depth } = decodeAv1(av1, units, true)
    const luma = (sizes[0]?.columns ?? 0) * (sizes[0]?.rows ?? 0)
    for (const [isFullRange, isRgb] of [
      [true, false],
      [true, true],
      [false, false],
    ] as const) {
      const coding = { depth, isFullRange, isRgb }
      const expected = Uint8Array.from(samples, (sample, i) => narrowed(sample, i >= luma && !isRgb, coding))
      const got = byteRows(units, sizes, coding)
      expect(got.length).toBe(expected.length)
      expect(
        got.findIndex((byte, i) => byte !== expected[i]),
        `first wrong sample, ${JSON.stringify(coding)}`,
      ).toBe(-1)
    }
  })
})

test.each(['photo-0-420-8', 'superres-5-422-12', 'layers-0-420-8'])('%s without filters is nearly the same', (name) => {
  const units = fixture(name)
  const { sizes, depth } = decodeAv1(newAv1Instance(), units, true)
  const coding = { depth, isFullRange: false, isRgb: false }
  const [filtered, unfiltered] = [byteRows(units, sizes, coding), byteRows(units, sizes, coding, false)]
  const squares = filtered.reduce((sum, byte, i) => sum + (byte - (unfiltered[i] ?? 0)) ** 2, 0)
  expect(squares, 'some samples differ').toBeGreaterThan(0)
  expect(squares / filtered.length, 'by less than 5 levels').toBeLessThan(25)
})

test('an image whose blocks are copied from anywhere is held within the limit, or refused before it is', () => {
  const units = fixture('copied-0-420-8')
  const open = (limit: number) => {
    core.reset()
    return core.openAv1(put(core, units), units.length, limit, 0, 255, true)
  }
  expect(open(NO_LIMIT)).toBe(Status.Ok)
  const bytes = 3 * ((core.av1Width() + 7) & ~7) * ((core.av1Height() + 7) & ~7)
  expect(open(bytes)).toBe(Status.Ok)
  expect(open(bytes - 1)).toBe(Status.OverBudget)
  expect(core.peakBytes()).toBeLessThan(bytes + 1_000_000)
})

test('the frames that an image is predicted from are held within the limit, or it is refused before they are', () => {
  const units = fixture('layers-0-420-8')
  const open = (limit: number, layer = 255) => {
    core.reset()
    return core.openAv1(put(core, units), units.length, limit, 0, layer, true)
  }
  core.reset()
  const tables = core.peakBytes()
  // Four frames of 104 x 88, the CDFs of each, and what is known of its motion.
  expect(open(350_000)).toBe(Status.Ok)
  expect(open(200_000)).toBe(Status.OverBudget)
  expect(core.peakBytes() - tables).toBeLessThan(10_000)
  // The first layer is coded alone.
  expect(open(0, 0)).toBe(Status.Ok)
})
