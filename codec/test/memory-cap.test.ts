import { expect, test } from 'vitest'
import { createCodec } from '../src/workers.ts'
import { noise, png } from './images.ts'

const MEGABYTE = 2 ** 20

test('a codec takes no more memory than it may: what needs more is refused, and what needs less is made after it', async () => {
  const large = png(noise({ width: 1500, height: 1000 })).bytes
  const small = png(noise({ width: 30, height: 20 })).bytes
  const codec = createCodec({ maxMemoryBytes: 4 * MEGABYTE })
  await expect(codec.resize(large)).rejects.toMatchObject({ name: 'ImageRefusal', reason: 'over_budget' })
  expect((await codec.resize(small)).size).toEqual({ width: 30, height: 20 })
  const { size } = await createCodec({ maxMemoryBytes: 8 * MEGABYTE }).resize(large)
  expect(size).toEqual({ width: 1500, height: 1000 })
})
