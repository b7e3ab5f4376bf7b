import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { expectUploaded } from './support/answers.ts'
import { sharedApi } from './support/api.ts'
import { file } from './support/multipart-body.ts'

const api = sharedApi()
const SIDE = 10_000

/** A picture of one colour: what counts is its size, and the file is small. limits.test.ts has those of a row more. */
function plain(width: number, height: number) {
  const create = { width, height, channels: 3, background: '#369' } as const
  return sharp({ create, limitInputPixels: false })
}

const ENCODERS = {
  'a JPEG': (image: Sharp) => image.jpeg(),
  'a progressive JPEG': (image: Sharp) => image.jpeg({ progressive: true }),
  'a PNG': (image: Sharp) => image.png({ compressionLevel: 1 }),
  'a lossy WebP': (image: Sharp) => image.webp({ effort: 0 }),
}

test.for(Object.entries(ENCODERS))('%s of 100 megapixels is taken (D36)', async ([, encode]) => {
  const bytes = await encode(plain(SIDE, SIDE)).toBuffer()
  const image = expectUploaded(await api.uploadImage({ img: file('large', bytes), content_type: '0' }))
  expect(image.thumbnail).toEqual({ width: 200, height: 200 })
})

test('an AVIF of 12 megapixels and 10 bits is taken', async () => {
  const bytes = await plain(4000, 3000).avif({ bitdepth: 10, effort: 0, chromaSubsampling: '4:2:0' }).toBuffer()
  const image = expectUploaded(await api.uploadImage({ img: file('large', bytes), content_type: '0' }))
  expect(image.thumbnail).toEqual({ width: 200, height: 150 })
})
