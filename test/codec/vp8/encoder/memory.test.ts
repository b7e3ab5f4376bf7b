import assert from 'node:assert/strict'
import { test } from 'vitest'
import { encode, newEncoder } from './encode.ts'
import { madeYuv } from './pictures.ts'

const MIB = 1024 * 1024

test('3840 x 2880 of a busy picture at quality 90 takes less than 16 MiB, file included', () => {
  const encoder = newEncoder()
  const noise = madeYuv('noise', 3840, 2880, 5)
  const gentle = { ...noise, samples: noise.samples.map((sample, i) => 64 + (i >> 15) / 4 + (sample & 31)) }
  encode(encoder, gentle, 90)
  assert.ok(encoder.peakBytes() < 16 * MIB, mebibytes(encoder.peakBytes()))
  assert.ok(encoder.memory.buffer.byteLength < 16 * MIB, mebibytes(encoder.memory.buffer.byteLength))
})

test('beyond the file the encoder holds less than 6 MiB, however busy the picture', () => {
  const encoder = newEncoder()
  const file = encode(encoder, madeYuv('noise', 3840, 1440, 5), 100)
  const beyond = encoder.peakBytes() - file.length
  assert.ok(beyond < 6 * MIB, mebibytes(beyond))
})

test('a thumbnail takes less than 1 MiB', () => {
  const encoder = newEncoder()
  encode(encoder, madeYuv('noise', 200, 200, 5), 80)
  assert.ok(encoder.peakBytes() < MIB, mebibytes(encoder.peakBytes()))
})

test('fifty pictures take no more memory than the largest of them', () => {
  const encoder = newEncoder()
  encode(encoder, madeYuv('noise', 640, 480, 5), 90)
  const bytes = encoder.memory.buffer.byteLength
  for (let n = 1; n <= 50; n++) encode(encoder, madeYuv('noise', 12 * n, 9 * n, n), 90)
  assert.equal(encoder.memory.buffer.byteLength, bytes)
})

function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`
}
