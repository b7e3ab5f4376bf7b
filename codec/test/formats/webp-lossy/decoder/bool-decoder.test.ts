import { expect, test } from 'vitest'
import { below, randomBytes, seededRandom } from '../../../../../test/support/random.ts'
import { webpFile } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { codec } from '../../../codec.ts'
import { type Arena, newInstance, put } from '../../../instance.ts'
import { decodeYuv, newDecoder } from './decoder.ts'
import { madeFrame, partitionSizes, SETTINGS, updateProbsOf } from './made-frames.ts'

/** The booleans of a partition. */

interface Bools extends Arena {
  readVp8Bools(partition: number, bytes: number, probabilities: number, count: number): void
}

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_128)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 200)
const decoder = newInstance<Bools>()

function boolsOf(partition: Uint8Array, probabilities: Uint8Array): number[] {
  decoder.reset()
  const at = put(decoder, partition)
  const bools = put(decoder, probabilities)
  decoder.readVp8Bools(at, partition.length, bools, probabilities.length)
  return [...new Uint8Array(decoder.memory.buffer, bools, probabilities.length)]
}

/** The booleans by the arithmetic of RFC 6386, 7.3, whose value loses no bit, as long as the partition has bits. */
function exactBools(partition: Uint8Array, probabilities: Uint8Array): number[] {
  const bools: number[] = []
  const bits = 8 * partition.length
  let value = BigInt(`0x${Buffer.from(partition).toString('hex')}`)
  let range = 255
  // The value has the bits of all bytes: those of the range are the next eight of `left`.
  let left = bits
  for (const probability of probabilities) {
    if (left < 16) break
    const split = 1 + (((range - 1) * probability) >> 8)
    const isOne = value >= BigInt(split) << BigInt(left - 8)
    if (isOne) value -= BigInt(split) << BigInt(left - 8)
    range = isOne ? range - split : split
    for (; range < 128; range *= 2) left--
    bools.push(Number(isOne))
  }
  return bools
}

test.each([0, 100, 254, 255])(
  `of partitions that begin with %i are those of RFC 6386, however large their value becomes (${rounds} rounds, seed ${seed})`,
  (first) => {
    const random = seededRandom(seed)
    for (let round = 0; round < rounds; round++) {
      const partition = randomBytes(20 + below(60, random), random)
      partition[0] = first
      // Now and then further bytes that are 255, or of nothing.
      const length = below(4, random) * below(5, random)
      partition.fill(255 * below(2, random), 1, 1 + length)
      const probabilities = randomBytes(1000, random).map((byte) => byte || 1)
      const expected = exactBools(partition, probabilities)
      expect(boolsOf(partition, probabilities).slice(0, expected.length), `round ${round}`).toEqual(expected)
      if (first === 255) expect(expected).not.toContain(0)
    }
  },
)

/** dwebp shows other pixels of such a frame in 32 bits than in 64, so that no decoder can be equal to it. */
test(`a frame whose tokens begin with 255 has the pixels of tokens that are all 1 (seed ${seed})`, async () => {
  const random = seededRandom(seed)
  const frames = newDecoder()
  const updateProbs = updateProbsOf(frames)
  let shown = 0
  for (let round = 0; round < rounds; round++) {
    const setting = { ...(SETTINGS[below(SETTINGS.length, random)] ?? expect.fail('no setting')), partitions: 1 }
    const frame = madeFrame(setting, updateProbs, random)
    const [, at] = partitionSizes(frame, 1)
    const ones = Buffer.from(frame)
      .fill(254, at, at + 1)
      .fill(255, at + 1)
    frame[at] = 255
    const [actual, expected] = [decodeYuv(frames, frame), decodeYuv(frames, ones)]
    expect(actual, `round ${round}`).toEqual(expected)
    if (actual.status !== Status.Ok) continue
    shown++
    // A file that is decoded twice keeps its bytes.
    const file = new Uint8Array(webpFile(['VP8 ', frame]))
    expect(await codec.pixels(file)).toEqual(await codec.pixels(file))
  }
  expect(shown).toBeGreaterThan(0)
})
