import { expect, test } from 'vitest'
import { randomBytes, seededRandom } from '../../../../../test/support/random.ts'
import { crc32 } from '../../../../src/checksum.ts'
import { type Arena, newInstance } from '../../../instance.ts'

interface Crc extends Arena {
  updateCrc(crc: number, at: number, bytes: number): number
}

const codec = newInstance<Crc>()

// Blocks of 8 KiB are folded, and what is not much longer than the 1,056 bytes that are left of one is not.
for (const length of [1, 7, 3167, 3168, 3169, 3183, 8191, 8192, 8193, 11_359, 11_360, 65_537]) {
  test(`the CRC of ${length} bytes, and of them in two pieces`, () => {
    const bytes = randomBytes(length, seededRandom(length))
    codec.reset()
    const at = codec.allocate(length + 16)
    new Uint8Array(codec.memory.buffer).set(bytes, at)
    expect(codec.updateCrc(0, at, length) >>> 0).toBe(crc32(bytes))
    const first = Math.floor(length / 3)
    expect(codec.updateCrc(codec.updateCrc(0, at, first), at + first, length - first) >>> 0).toBe(crc32(bytes))
  })
}
