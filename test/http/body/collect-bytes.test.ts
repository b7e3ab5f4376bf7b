import { expect, test } from 'vitest'
import { collectBytes } from '../../../src/http/body/collect-bytes.ts'
import { BODY_ADMISSION } from '../../../src/limits.ts'

const CHUNK_BYTES = 1000
const CHUNKS = 50

/** Collects chunks of rising numbers. Returns whether all fitted, the result and the allocated buffers. */
function collect(options: { maxBytes?: number; expectedBytes?: number }) {
  const owned: Uint8Array<ArrayBuffer>[] = []
  const collected = collectBytes({ maxBytes: 100_000, ...options, own: (buffer) => owned.push(buffer) })
  const fitted = Array.from({ length: CHUNKS }, (_, i) => collected.add(new Uint8Array(CHUNK_BYTES).fill(i)))
  const bytes = collected.take()
  return { fitted: fitted.every(Boolean), bytes, liveBytes: liveBytesOf(owned), owned }
}

const liveBytesOf = (buffers: Uint8Array<ArrayBuffer>[]) =>
  buffers.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)

const ALL = Uint8Array.from({ length: CHUNKS * CHUNK_BYTES }, (_, i) => i / CHUNK_BYTES)

test.each([
  ['an unknown number', {}, ALL.length],
  ['as many as expected', { expectedBytes: ALL.length + 200 }, ALL.length + 200],
  ['far fewer than expected', { expectedBytes: 2 * ALL.length }, ALL.length],
  ['more than expected', { expectedBytes: ALL.length / 2 + 1 }, ALL.length],
  ['more than expected by a little', { expectedBytes: ALL.length - 1 }, ALL.length],
])('%s of bytes are equal, and only their own buffers stay in memory', (_, options, liveBytes) => {
  const collected = collect(options)
  expect(collected.fitted).toBe(true)
  expect(collected.bytes).toEqual(ALL)
  expect(collected.liveBytes).toBe(liveBytes)
})

test('expected bytes are collected in one buffer: none is copied again', () => {
  const { bytes, owned } = collect({ expectedBytes: ALL.length + 200 })
  const [beginning] = owned
  expect(owned.filter(({ buffer }) => buffer.byteLength > 0)).toEqual([owned.at(-1)])
  expect(beginning?.buffer.detached).toBe(true)
  expect(bytes.buffer).toBe(owned.at(-1)?.buffer)
})

test('no buffer is allocated before the first bytes of a body, which is not admitted yet', () => {
  const owned: Uint8Array<ArrayBuffer>[] = []
  const collected = collectBytes({ maxBytes: 1e6, expectedBytes: 1e6, own: (buffer) => owned.push(buffer) })
  collected.add(new Uint8Array(BODY_ADMISSION.beginningBytes))
  expect(liveBytesOf(owned)).toBe(BODY_ADMISSION.beginningBytes)
})

test.each([{}, { expectedBytes: ALL.length }])('no more is collected than fits: %o', (options) => {
  const { fitted, bytes } = collect({ ...options, maxBytes: 20_500 })
  expect(fitted).toBe(false)
  expect(bytes).toEqual(ALL.subarray(0, 20_500))
})
