import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { file, filePart } from './support/multipart-body.ts'
import { expectUploaded } from './support/responses.ts'

const api = sharedApi()
/** Images of one colour, which are large in pixels and small in bytes. limits.test.ts tests one row more. */
const LARGE = join(import.meta.dirname, '../fixtures/large')
const large = (name: string) => gunzipSync(readFileSync(join(LARGE, `${name}.gz`)))

test.for([
  ['a JPEG', '100-megapixels.jpg'],
  ['a progressive JPEG', '100-megapixels-progressive.jpg'],
  ['a PNG', '100-megapixels.png'],
  ['a lossy WebP', '100-megapixels.webp'],
] as const)('an image of %s with 100 megapixels is accepted (D36)', async ([, name]) => {
  const bytes = large(name)
  const image = expectUploaded(await api.uploadImage({ img: file('large', bytes), content_type: '0' }))
  expect(image.thumbnail).toEqual({ width: 200, height: 200 })
})

test('an AVIF of 12 megapixels and 10 bits is accepted', async () => {
  const create = { width: 4000, height: 3000, channels: 3, background: '#369' } as const
  const bytes = await sharp({ create }).avif({ bitdepth: 10, effort: 0, chromaSubsampling: '4:2:0' }).toBuffer()
  const image = expectUploaded(await api.uploadImage({ img: file('large', bytes), content_type: '0' }))
  expect(image.thumbnail).toEqual({ width: 200, height: 150 })
})

test('of the images that a phone shares, 200 megapixels are stored and the rest is counted', async () => {
  const bytes = large('100-megapixels.webp')
  const shared = [1, 2, 3, 4].map((n) => filePart('img', `${n}.webp`, bytes))
  const response = await api.postMultipart('/share', shared)
  expect([response.status, header(response, 'location')?.split('?')[1]]).toEqual([303, 'failed=2'])
  const page = await api.follow(header(response, 'location') ?? '')
  expect(page.text).toContain('2 pictures could not be uploaded.')
})
