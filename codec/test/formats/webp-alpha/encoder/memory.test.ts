import { describe, expect, test } from 'vitest'
import { alph, newAlphEncoder } from './encoder.ts'
import { MASKS, mask, painted } from './masks.ts'
import { newWebpEncoder, webp } from './webp-encoder.ts'

const MIB = 1024 * 1024
const [WIDTH, HEIGHT] = [3840, 2160]

describe('beside a plane 3840 pixels wide and its chunk, the encoder takes less than 4 MiB', () => {
  // Of one kind there are 8 megapixels: what is held does not go by the height.
  for (const [kind, height] of [
    ['text', 540],
    ['hard circles', 540],
    ['feathered photo', 540],
    ['halftone', 540],
    ['noise', HEIGHT],
    ['sparse noise', 540],
  ] as const) {
    test(`${kind}, ${WIDTH} x ${height}`, async () => {
      const drawn = await mask(kind, WIDTH, height)
      const encoder = newAlphEncoder()
      const chunk = alph(encoder, drawn)
      const rest = encoder.peakBytes() - drawn.alphas.length - chunk.length
      expect(rest, mebibytes(rest)).toBeLessThan(4 * MIB)
    })
  }
})

test(`a file of ${WIDTH} x ${HEIGHT} with text for alpha takes less than 24 MiB`, async () => {
  const encoder = newWebpEncoder()
  webp(encoder, { width: WIDTH, height: HEIGHT, rgba: painted(await mask('text', WIDTH, HEIGHT)) })
  expect(encoder.peakBytes(), mebibytes(encoder.peakBytes())).toBeLessThan(24 * MIB)
})

test('forty planes take no more memory than the largest of them', async () => {
  const encoder = newAlphEncoder()
  alph(encoder, await mask('noise', 640, 480))
  const bytes = encoder.memory.buffer.byteLength
  for (let n = 1; n <= 40; n++) alph(encoder, await mask(MASKS[n % MASKS.length] ?? 'noise', 16 * n, 12 * n))
  expect(encoder.memory.buffer.byteLength).toBe(bytes)
})

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
