import sharp from 'sharp'
import { probe } from 'tintype-codec/interface'
import { expect, test } from 'vitest'
import { codec } from '../../src/image/codec.ts'
import { photo } from '../support/photo.ts'
import { optimized } from './optimized.ts'

test('candidate and thumbnail of an upload are made in one turn', async () => {
  const bytes = new Uint8Array(
    await sharp(photo(403, 301, 7), { raw: { width: 403, height: 301, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer(),
  )
  const facts = probe(bytes)
  if (!facts) throw new Error('it is a JPEG')
  const before = codec.queue().ended
  const { optimization } = await optimized({ bytes, facts })
  expect(optimization.reason).toBe('converted_to_webp')
  expect(codec.queue().ended - before).toBe(1)
})
