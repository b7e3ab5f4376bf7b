import { expect, test } from 'vitest'
import type { WebpOptions } from '../src/codec.ts'
import { createCodec } from '../src/workers.ts'
import { codec } from './codec.ts'
import { encodePng } from './encode-png.ts'
import { noise } from './images.ts'

const PNG = encodePng(noise({ width: 8, height: 8 }))

test.each<[WebpOptions, string]>([
  [{ width: 0 }, 'width must be a whole number of at least 1: received 0'],
  [{ width: 5, height: -1 }, 'height must be a whole number of at least 1: received -1'],
  [{ width: 1.5 }, 'width must be a whole number of at least 1: received 1.5'],
  [{ height: Number.NaN }, 'height must be a whole number of at least 1: received NaN'],
  [{ quality: 101 }, 'quality must be a number from 0 to 100: received 101'],
  [{ quality: Number.NaN }, 'quality must be a number from 0 to 100: received NaN'],
])('%o are the mistake of who asks', async (options, message) => {
  const refusal = expect.objectContaining({ name: 'RangeError', message })
  await expect(codec.thumbnail(PNG, options)).rejects.toEqual(refusal)
})

test.each([0, -1, Number.NaN])('and so is a codec with %d bytes of memory', (maxMemoryBytes) => {
  expect(() => createCodec({ maxMemoryBytes })).toThrow('maxMemoryBytes must be a number above 0: received ')
})

test('what has no bytes is named, and an infinite box bounds nothing', async () => {
  // The cast is the mistake.
  const buffer = PNG.slice().buffer as unknown as Uint8Array
  await expect(codec.resize(buffer)).rejects.toThrow('a picture must be a Uint8Array, or { bytes, facts }')
  const wide = { width: Number.POSITIVE_INFINITY, height: 4 }
  expect((await codec.resize(PNG, wide)).size).toEqual({ width: 4, height: 4 })
})
