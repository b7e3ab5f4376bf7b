import { expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { type DecoderExports, decodeRgba } from './decoder.ts'
import { makeGif } from './made-gif.ts'

/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 30_000_000

/** Larger screens are refused by the host before the decoder sees them. */
const MAX_PIXELS = 100_000_000

test('whatever a file holds it is decoded or refused, and the next good one decodes to the same pixels', () => {
  const seed = 15
  const random = seededRandom(seed)
  const decoder = newCountedInstance<DecoderExports>()
  const indices = Array.from({ length: 60 * 40 }, (_, i) => (i % 7 < 4 ? 3 : below(16, random)))
  const colours = Buffer.from(Array.from({ length: 48 }, () => below(256, random)))
  const sources = [false, true].flatMap((interlaced) => [
    makeGif({ screen: [60, 40], image: [0, 0, 60, 40], indices, globalColours: colours, interlaced, transparent: 3 }),
    makeGif({ screen: [70, 30], image: [3, 2, 60, 40], indices, localColours: colours, interlaced }),
  ])
  const good = sources[0] ?? expect.fail('no source')
  const expected = decodeRgba(decoder, good, 20, 15)
  expect(expected.status).toBe(Status.Ok)
  const before = decoder.memory.buffer.byteLength
  for (let round = 0; round < 600; round++) {
    const file = mutated(sources[below(sources.length, random)] ?? good, random)
    if (file.length >= 10 && file.readUInt16LE(6) * file.readUInt16LE(8) > MAX_PIXELS) continue
    const rounds = roundsOf(decoder, () => decodeRgba(decoder, file, 20, 15))
    expect(rounds, `seed ${seed}, round ${round}`).toBeLessThan(MOST_ROUNDS)
    if (round % 20 > 0) continue
    expect(decodeRgba(decoder, good, 20, 15).rgba.equals(expected.rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
  // A screen of 65535 columns, the widest there is, needs its rows.
  expect(decoder.memory.buffer.byteLength).toBeLessThan(before + 2 ** 21)
})

test('ten thousand pixels of data do not hold up a screen of 100 MP', () => {
  const decoder = newCountedInstance<DecoderExports>()
  const indices = new Array<number>(10_000).fill(1)
  const file = makeGif({
    screen: [10_000, 10_000],
    image: [0, 0, 100, 100],
    indices,
    globalColours: Buffer.alloc(12, 9),
  })
  const rounds = roundsOf(decoder, () => expect(decodeRgba(decoder, file, 200, 200).status).toBe(Status.Ok))
  // No more than one for each of its pixels.
  expect(rounds).toBeLessThan(10_000 * 10_000)
  expect(decoder.peakBytes()).toBeLessThan(file.length + 2 ** 20)
})
