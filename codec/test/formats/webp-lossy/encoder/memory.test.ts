import { expect, test } from 'vitest'
import { encode, newEncoder } from './encoder.ts'
import { madeYuv } from './images.ts'

const MIB = 1024 * 1024

test('3840 x 2880 of a busy image at quality 90 takes less than 16 MiB, file included', () => {
  const encoder = newEncoder()
  const [width, height] = [3840, 2880]
  const { samples: noise } = madeYuv('noise', 1001, 1001, 5)
  const samples = new Uint8Array((width * height * 3) / 2)
  for (let i = 0; i < samples.length; i++) samples[i] = 64 + (i >> 15) / 4 + ((noise[i % noise.length] ?? 0) & 31)
  const gentle = { width, height, samples }
  encode(encoder, gentle, 90)
  expect(encoder.peakBytes(), mebibytes(encoder.peakBytes())).toBeLessThan(16 * MIB)
  expect(encoder.memory.buffer.byteLength, mebibytes(encoder.memory.buffer.byteLength)).toBeLessThan(16 * MIB)
})

test('beyond the file the encoder holds less than 6 MiB, however busy the image', () => {
  const encoder = newEncoder()
  const file = encode(encoder, madeYuv('noise', 3840, 960, 5), 100)
  const beyond = encoder.peakBytes() - file.length
  expect(beyond, mebibytes(beyond)).toBeLessThan(6 * MIB)
})

test('a thumbnail takes less than 1 MiB', () => {
  const encoder = newEncoder()
  encode(encoder, madeYuv('noise', 200, 200, 5), 80)
  expect(encoder.peakBytes(), mebibytes(encoder.peakBytes())).toBeLessThan(MIB)
})

test('fifty images take no more memory than the largest of them', () => {
  const encoder = newEncoder()
  encode(encoder, madeYuv('noise', 640, 480, 5), 90)
  const bytes = encoder.memory.buffer.byteLength
  for (let n = 1; n <= 50; n++) encode(encoder, madeYuv('noise', 12 * n, 9 * n, n), 90)
  expect(encoder.memory.buffer.byteLength).toBe(bytes)
})

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
