import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLargerStack } from '../../scripts/av1.mjs'

const PACKAGED = readFileSync(
  join(import.meta.dirname, '../../node_modules/ogv/dist/ogv-decoder-video-av1-simd-wasm.wasm'),
)

test('of the packaged AV1 decoder only the stack pointer is changed', () => {
  const made = withLargerStack(PACKAGED)
  expect(made.length).toBe(PACKAGED.length)
  const changed = [...made.keys()].filter((at) => made[at] !== PACKAGED[at])
  expect(changed.length).toBeGreaterThan(0)
  expect((changed.at(-1) ?? 0) - (changed[0] ?? 0)).toBeLessThan(3)
  expect(WebAssembly.validate(new Uint8Array(made))).toBe(true)
})

test.for([0, 100_000, PACKAGED.length - 1])('a packaged decoder that differs in byte %i is refused', (at) => {
  const other = Buffer.from(PACKAGED)
  other.writeUInt8(other.readUInt8(at) ^ 1, at)
  expect(() => withLargerStack(other)).toThrow('the AV1 decoder in the package ogv must be that of 1.9.0')
})
