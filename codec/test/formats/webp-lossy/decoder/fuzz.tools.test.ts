import { expect, test } from 'vitest'
import { below, pick, seededRandom } from '../../../../../test/support/random.ts'
import { webpFile } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeYuv, newDecoder } from './decoder.ts'
import { dwebpYuv } from './libwebp.ts'
import { beginsImpossibly, madeFrame, partitionSizes, SETTINGS, updateProbsOf } from './made-frames.ts'

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_123)
const rounds = Number(process.env.FUZZ_ROUNDS ?? SETTINGS.length)
const decoder = newDecoder()
const updateProbs = updateProbsOf(decoder)

/** Decodes a frame with dwebp, and expects the same result from us. Returns the pixels, if there are any. */
function imageOfBoth(frame: Buffer, where: string): Buffer | undefined {
  // Samples far out of range overflow 16 bits, which only the plain C code of dwebp does as RFC 6386 says.
  const expected = dwebpYuv(webpFile(['VP8 ', frame]), '-noasm')
  if (!expected) return undefined
  const { status, samples } = decodeYuv(decoder, frame)
  expect(status, where).toBe(Status.Ok)
  expect(expected.equals(samples), `other samples: ${where}`).toBe(true)
  return expected
}

test(`frames of every partition count, segments, loop filter and token probabilities have the samples of dwebp (${rounds} rounds, seed ${seed})`, () => {
  const random = seededRandom(seed)
  let images = 0
  for (let round = 0; round < rounds; round++) {
    const setting = SETTINGS[round % SETTINGS.length] ?? expect.fail('no setting')
    const where = `round ${round}, seed ${seed}: ${JSON.stringify(setting)}`
    const frame = madeFrame(setting, updateProbs, random)
    if (imageOfBoth(frame, where)) images++
    else expect(decodeYuv(decoder, frame).status, where).toBe(Status.Malformed)
  }
  expect(images).toBeGreaterThan(0.8 * rounds)
})

test(`frames whose partitions have other sizes and other tokens have the samples of dwebp, where it decodes them (${rounds} rounds, seed ${seed})`, () => {
  const random = seededRandom(seed)
  let images = 0
  for (let round = 0; round < rounds; round++) {
    const setting = pick(SETTINGS, random)
    const frame = madeFrame(setting, updateProbs, random)
    const [from, to] = partitionSizes(frame, setting.partitions)
    for (let changes = 1 + below(4, random); changes > 0; changes--) {
      const at = random() < 0.3 && from < to ? from + below(to - from, random) : to + below(frame.length - to, random)
      frame[at] = below(256, random)
    }
    if (beginsImpossibly(frame, setting.partitions)) continue
    if (imageOfBoth(frame, `round ${round}, seed ${seed}: ${JSON.stringify(setting)}`)) images++
  }
  expect(images).toBeGreaterThan(rounds / 5)
})
