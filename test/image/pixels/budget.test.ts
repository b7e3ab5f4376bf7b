import { expect, test } from 'vitest'
import codec from '#generated/codec.wasm'
import {
  CODECS_MAX_BYTES,
  MEMORY_SHARES,
  ROTATED_MAX_BYTES,
  WASM_PAGE_BYTES,
} from '../../../codec/src/pixels/budget.ts'

test('the memory of the codecs is 72 MiB', () => {
  expect(CODECS_MAX_BYTES).toBe(72 * 1024 * 1024)
})

test.each(Object.entries(MEMORY_SHARES))('the shares of a job sum to it: %s', (_, { held, working }) => {
  expect(held + working).toBe(CODECS_MAX_BYTES)
})

test('rotated pictures leave a cover room for two files', () => {
  expect(ROTATED_MAX_BYTES).toBeLessThan(MEMORY_SHARES.cover.held)
})

test('the compiled module has that much memory, and not a page more', () => {
  const { memory } = new WebAssembly.Instance(codec).exports
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('the module exports its memory')
  memory.grow((CODECS_MAX_BYTES - memory.buffer.byteLength) / WASM_PAGE_BYTES)
  expect(memory.buffer.byteLength).toBe(CODECS_MAX_BYTES)
  expect(() => memory.grow(1)).toThrow(RangeError)
})
