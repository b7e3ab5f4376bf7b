import { expect, test } from 'vitest'
import { below, type Random, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { accepted, decode, decodePlanes, newCodec } from './decoder.ts'
import { photo } from './images.ts'
import { toJpeg } from './sharp.ts'

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_121)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 500)
const good = await toJpeg(photo(200, 133, 2))

/** Tests that mutations of files of a kind are decoded or refused, and that neither shows in what comes after. */
export function testMutations(kind: string, originals: readonly Uint8Array[]): void {
  test(`mutated ${kind} files (seed ${seed}, ${rounds} rounds) return an image or a status, and leave the codec as it was`, () => {
    const random = seededRandom(seed)
    const codec = newCodec()
    const before = accepted(decode(codec, good)).bytes
    let images = 0
    let largest = codec.peakBytes()
    for (let round = 0; round < rounds; round++) {
      const file = mutated(originals[round % originals.length] ?? good, random)
      const orientation = 1 + (round % 8)
      try {
        const decoded =
          round % 3 === 0 ? decodePlanes(codec, file, { orientation }) : decode(codec, file, { orientation })
        if (typeof decoded === 'number')
          expect(decoded > 0 && decoded <= Status.OverBudget, `status ${decoded}`).toBe(true)
        else images++
      } catch (error) {
        throw new Error(`round ${round} of seed ${seed}: ${error}`)
      }
      largest = Math.max(largest, codec.peakBytes())
      if (round % 50 === 0)
        expect(accepted(decode(codec, good)).bytes, `after round ${round} of seed ${seed}`).toStrictEqual(before)
    }
    expect(images, `pictures of ${rounds}`).toBeGreaterThan(rounds / 20)
    // A mutated header may claim 65535 x 65535, whose rows alone are large: the memory is that of the largest job.
    expect(codec.memory.buffer.byteLength).toBeLessThanOrEqual(largest + 65_536)
  })
}

/** A file with up to eight changes: bytes and runs overwritten, pieces cut out, doubled or swapped. */
function mutated(file: Uint8Array, random: Random): Uint8Array {
  let copy = file.slice()
  for (let change = 1 + below(8, random); change > 0; change--) {
    const at = below(copy.length, random)
    const kind = below(6, random)
    if (kind <= 2)
      copy[at] = kind === 0 ? below(256, random) : kind === 1 ? 0xff : (copy[at] ?? 0) ^ (1 << below(8, random))
    else if (kind === 3)
      copy = new Uint8Array([...copy.subarray(0, at), ...copy.subarray(Math.min(copy.length, at + below(40, random)))])
    else if (kind === 4) copy = new Uint8Array([...copy.subarray(0, at + below(200, random)), ...copy.subarray(at)])
    // Headers are short: they get a change of their own.
    else copy[below(Math.min(copy.length, 700), random)] = below(256, random)
  }
  return copy
}
