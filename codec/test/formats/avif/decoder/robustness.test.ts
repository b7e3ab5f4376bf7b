import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { roundsOf } from '../../../counted-instance.ts'
import { newCountedAv1Instance } from './counted-decoder.ts'
import { type Av1Exports, checksum, decodeAv1, newAv1Instance, openAv1 } from './decoder.ts'

/** Of the decoder's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 4_000_000

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'fixtures', 'av1')
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, `${name}.obu`))

describe('a file is refused', () => {
  const av1 = newAv1Instance()
  const whole = fixture('photo-0-420-8')
  // A temporal delimiter of 2 bytes, then the sequence header.
  const sequence = whole.subarray(2, 4 + (whole[3] ?? 0))
  const rows: [string, Buffer, Status][] = [
    ['without bytes', whole.subarray(0, 0), Status.Malformed],
    ['of a temporal delimiter alone', whole.subarray(0, 2), Status.Malformed],
    ['without a frame', whole.subarray(0, 2 + sequence.length), Status.Malformed],
    ['without a sequence header', whole.subarray(2 + sequence.length), Status.Malformed],
    ['cut in its frame', whole.subarray(0, whole.length - 1), Status.Malformed],
    [
      'of profile 3',
      Buffer.concat([sequence.subarray(0, 2), Buffer.from([0x78]), sequence.subarray(3)]),
      Status.Unsupported,
    ],
  ]
  for (const [name, bytes, status] of rows) {
    test(name, () => expect(openAv1(av1, bytes, false)).toBe(status))
  }
})

test('whatever a file holds it is decoded or refused, and the next good one decodes to the same samples', () => {
  const seed = 12
  const random = seededRandom(seed)
  const av1 = newCountedAv1Instance()
  const sources = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.obu'))
    .map((name) => readFileSync(join(FIXTURES, name)))
    .filter(({ length }) => length < 6000)
  const good = fixture('tools-24-420-8')
  const expected = checksum(decodeAv1(av1, good, true))
  for (let round = 0; round < 600; round++) {
    const bytes = mutated(sources[below(sources.length, random)] ?? good, random)
    expect(
      roundsOf(av1, () => decodeSmall(av1, bytes)),
      `seed ${seed}, round ${round}`,
    ).toBeLessThan(MOST_ROUNDS)
    if (round % 20 === 0) expect(checksum(decodeAv1(av1, good, true)), `seed ${seed}, round ${round}`).toBe(expected)
  }
})

/** Decodes what is no larger than a megapixel. */
function decodeSmall(av1: Av1Exports, bytes: Buffer): void {
  if (openAv1(av1, bytes, true) !== Status.Ok) return
  const pixels = av1.columns(0) * av1.rows(0)
  if (pixels > 2 ** 20) return
  let status = Status.More
  while (status === Status.More) status = av1.stepAv1()
  expect([Status.Ok, Status.Malformed]).toContain(status)
}
