import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Status } from '../../../../assembly/status.ts'
import { itemBytes, readItems } from '../../../../src/container/avif-items.ts'
import { corpusImages, hasCorpus } from '../../../corpus.ts'
import { checksum, decodeAv1, newAv1Instance, openAv1 } from './decoder.ts'
import { MATRIX } from './matrix.ts'
import { aomdec, aomenc, dav1d } from './tools.ts'

/** With RECORD_AV1 in the environment only the rows that are fixtures run, and what aomenc makes of them is written there. */
const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'fixtures', 'av1')
const isRecording = Boolean(process.env.RECORD_AV1)
const sums: Record<string, { plain: string; grain: string }> = {}

/** A file of units begins with a temporal delimiter; the data of an AVIF item do without. */
const TEMPORAL_DELIMITER = [0x12, 0x00]

/** Whole planes of u16 are gathered in the module's own memory. */
const MOST_PIXELS = 10_000_000

const av1 = newAv1Instance()

function assertEquals(units: Uint8Array, expected: Buffer | undefined, wantsGrain: boolean): void {
  const { status, depth, samples } = decodeAv1(av1, units, wantsGrain)
  expect(status).toBe(Status.Ok)
  const bytes = depth > 8 ? new Uint8Array(samples.buffer) : Uint8Array.from(samples)
  expect(expected?.equals(bytes)).toBe(true)
}

describe('an AVIF of the corpus decodes to the very samples of dav1d', { skip: !hasCorpus }, () => {
  for (const { path, file } of corpusImages('avif')) {
    for (const { id, data } of codedItems(file).filter(({ data }) => isGatherable(data))) {
      const units = Buffer.concat([Buffer.from(TEMPORAL_DELIMITER), data])
      test(`${path}, item ${id}`, () => {
        assertEquals(units, dav1d(units, false), false)
        assertEquals(units, dav1d(units, true), true)
      })
    }
  }
})

function isGatherable(units: Uint8Array): boolean {
  return openAv1(av1, units, false) !== Status.Ok || av1.columns(0) * av1.rows(0) <= MOST_PIXELS
}

function codedItems(file: Uint8Array): { id: number; data: Uint8Array }[] {
  try {
    const items = [...(readItems(file)?.items.values() ?? [])]
    return items.filter(({ type }) => type === 'av01').map((item) => ({ id: item.id, data: itemBytes(file, item) }))
  } catch {
    return []
  }
}

describe('a made image decodes to the very samples of the reference', () => {
  for (const row of MATRIX.filter(({ isFixture }) => isFixture || !isRecording)) {
    test(`${row.name}: ${row.options}`, () => {
      const units = aomenc(row)
      assertEquals(units, aomdec(units), false)
      // Where frames are upscaled, dav1d 1.0 rounds the first position otherwise than the specification (7.16) and aomdec.
      if (!row.options.includes('superres')) assertEquals(units, dav1d(units, true), true)
      if (isRecording && row.isFixture) record(row.name, units)
    })
  }
})

function record(name: string, units: Buffer): void {
  mkdirSync(FIXTURES, { recursive: true })
  writeFileSync(join(FIXTURES, `${name}.obu`), units)
  sums[name] = { plain: checksum(decodeAv1(av1, units, false)), grain: checksum(decodeAv1(av1, units, true)) }
}

afterAll(() => {
  if (isRecording) writeFileSync(join(FIXTURES, 'planes.json'), `${JSON.stringify(sums, null, 2)}\n`)
})
