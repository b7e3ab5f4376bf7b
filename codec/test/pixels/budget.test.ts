import { expect, test } from 'vitest'
import codec from '../../generated/codec.wasm'
import { CODEC_MAX_BYTES, heldBytes, ROTATED_MAX_BYTES, WASM_PAGE_BYTES } from '../../src/pixels/budget.ts'

test('the memory of the codecs is 72 MiB', () => {
  expect(CODEC_MAX_BYTES).toBe(72 * 1024 * 1024)
})

test('rotated images leave a cover room for two files', () => {
  expect(ROTATED_MAX_BYTES).toBeLessThan(heldBytes('cover', CODEC_MAX_BYTES))
})

test('the compiled module has that much memory, and not a page more', () => {
  const { memory } = new WebAssembly.Instance(codec).exports
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('the module exports its memory')
  memory.grow((CODEC_MAX_BYTES - memory.buffer.byteLength) / WASM_PAGE_BYTES)
  expect(memory.buffer.byteLength).toBe(CODEC_MAX_BYTES)
  expect(() => memory.grow(1)).toThrow(RangeError)
})
