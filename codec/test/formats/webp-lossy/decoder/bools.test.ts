import { expect, test } from 'vitest'
import { below, randomBytes, seededRandom } from '../../../../../test/support/random.ts'
import { type Arena, newInstance, put } from '../../../instance.ts'

/**
 * Booleans of partitions beside the decoder of RFC 6386, 7.3, which section 20 has too. Only where a partition begins with 255 is its
 * value beyond the range. No encoder writes that, since its own range begins with 255 of 256. By the RFC, all booleans are 1 then, and
 * a frame runs out of data. dwebp finds zeros among them after a few, and shows some image. No document says so: the RFC counts.
 */

interface Bools extends Arena {
  readBools(from: number, bytes: number, probabilities: number, count: number, to: number): void
}

const decoder = newInstance<Bools>()

function readBools(bytes: Uint8Array, probabilities: Uint8Array): number[] {
  decoder.reset()
  // The header of a frame is before its partitions.
  put(decoder, new Uint8Array(16))
  const from = put(decoder, bytes)
  const to = decoder.allocate(probabilities.length)
  decoder.readBools(from, bytes.length, put(decoder, probabilities), probabilities.length, to)
  return [...new Uint8Array(decoder.memory.buffer, to, probabilities.length)]
}

/** The words of section 7.3: a value of 32 bits, of which 16 are compared, and zeros after the end (20.2). */
function byTheRfc(bytes: Uint8Array, probabilities: Uint8Array): number[] {
  let next = 2
  let value = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)
  let range = 255
  let shifts = 0
  return Array.from(probabilities, (probability) => {
    const split = 1 + (((range - 1) * probability) >> 8)
    const isOne = value >= split * 256
    if (isOne) value -= split * 256
    range = isOne ? range - split : split
    for (; range < 128; range *= 2) {
      value = (value << 1) >>> 0
      if (++shifts % 8 === 0) value |= bytes[next++] ?? 0
      value >>>= 0
    }
    return isOne ? 1 : 0
  })
}

const seed = 20_261_128

test.each([
  ['anything', (first: number) => (first === 255 ? 254 : first)],
  ['255, which is above every split: 1 without end', () => 255],
])(`partitions that begin with %s are read as by RFC 6386 (seed ${seed})`, (_, beginWith) => {
  const random = seededRandom(seed)
  for (let round = 0; round < 200; round++) {
    const bytes = randomBytes(2 + below(400, random), random)
    bytes[0] = beginWith(bytes[0] ?? 0)
    // As many as the bytes have: after them the frame is refused.
    const probabilities = Uint8Array.from({ length: bytes.length }, () => 1 + below(255, random))
    expect(readBools(bytes, probabilities), `round ${round}`).toEqual(byTheRfc(bytes, probabilities))
  }
})
