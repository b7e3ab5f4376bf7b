import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { fitted, quarterLetters, TURNED_QUARTERS } from './support/appearance.ts'
import { header } from './support/client.ts'
import { animated, encoder, FORMATS, jpeg, photo, plain, png, quarters } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { likeness, metadataIn } from './support/optimization-report.ts'
import { animatedPng, withPngChunks } from './support/png-file.ts'
import { privatePngChunks, privateWebpOrAvif, SECRET, withPrivateJpegSegments } from './support/private-metadata.ts'
import type { Uploaded } from './support/responses.ts'
import { uploadImage } from './support/steps.ts'

const api = sharedApi()

/** Uploads an image and returns its thumbnail, which must have the size in the response (D30). */
async function thumbnailOf(bytes: Buffer, box = ''): Promise<{ image: Uploaded; thumbnail: Buffer }> {
  const image = await uploadImage(api, { img: file('picture', bytes), max_th_size: box })
  const response = await api.follow(image.thumbnailUrl)
  expect(header(response, 'content-type')).toBe('image/webp')
  const { width, height, format } = await sharp(response.bytes).metadata()
  expect({ width, height, format }).toEqual({ ...image.thumbnail, format: 'webp' })
  return { image, thumbnail: response.bytes }
}

describe('fitted into the box, never enlarged, sides rounded down but at least 1', () => {
  test.for([
    [1, 1, 200],
    [1, 400, 200],
    [400, 1, 200],
    [3000, 1, 200],
    [199, 200, 200],
    [200, 200, 200],
    [201, 200, 200],
    [201, 201, 200],
    [401, 300, 200],
    [399, 200, 200],
    [1000, 333, 150],
    [333, 1000, 499],
    [640, 480, 500],
    [17, 31, 150],
  ] as const)('%i x %i in %i', async ([width, height, box]) => {
    for (const encode of [png, jpeg]) {
      const { image } = await thumbnailOf(await encode(plain(width, height, [200, 100, 50])), String(box))
      expect(image.thumbnail).toEqual(fitted(width, height, box))
    }
  })
})

describe('upright', () => {
  test.for([1, 2, 3, 4, 5, 6, 7, 8] as const)('orientation %i of JPEG, PNG, WebP and AVIF', async (orientation) => {
    const files: [string, Buffer][] = [
      ['JPEG', withPrivateJpegSegments(await jpeg(quarters(300, 150)), orientation)],
      ['PNG', withPngChunks(await png(quarters(300, 150)), privatePngChunks(orientation))],
      ['WebP', await privateWebpOrAvif('webp', quarters(300, 150), orientation)],
      ['AVIF', await privateWebpOrAvif('avif', quarters(300, 150), orientation)],
    ]
    for (const [format, bytes] of files) {
      const { image, thumbnail } = await thumbnailOf(bytes)
      const size = orientation >= 5 ? { width: 100, height: 200 } : { width: 200, height: 100 }
      expect([format, image.thumbnail]).toEqual([format, size])
      expect([format, await quarterLetters(thumbnail)]).toEqual([format, TURNED_QUARTERS[orientation]])
    }
  })

  test.for([0, 9, 255, 65_535])('an invalid orientation of %i is ignored', async (orientation) => {
    const { thumbnail } = await thumbnailOf(withPrivateJpegSegments(await jpeg(quarters(300, 150)), orientation))
    expect(await quarterLetters(thumbnail)).toBe('RGBW')
  })
})

describe('the content', () => {
  test.for(FORMATS)('$format: similar to another good reduction of it', async ({ encode }) => {
    const bytes = await encode(photo(600, 400, 8))
    const { thumbnail } = await thumbnailOf(bytes)
    expect(await likeness(thumbnail, bytes)).toBeGreaterThan(28)
  })

  test.for([
    ['CMYK JPEG', () => encoder(quarters(300, 200)).toColourspace('cmyk').jpeg().toBuffer()],
    [
      'gray JPEG',
      () =>
        encoder(plain(300, 200, [255, 255, 255]))
          .toColourspace('b-w')
          .jpeg()
          .toBuffer(),
    ],
    ['progressive JPEG', () => encoder(quarters(300, 200)).jpeg({ progressive: true }).toBuffer()],
    ['JPEG 4:4:4', () => encoder(quarters(300, 200)).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
    ['palette PNG', () => encoder(quarters(300, 200)).png({ palette: true }).toBuffer()],
    ['interlaced PNG', () => encoder(quarters(300, 200)).png({ progressive: true }).toBuffer()],
    ['PNG of 16 bits', () => encoder(quarters(300, 200)).toColourspace('rgb16').png().toBuffer()],
    ['lossless WebP', () => encoder(quarters(300, 200)).webp({ lossless: true }).toBuffer()],
    ['AVIF 4:4:4', () => encoder(quarters(300, 200)).avif({ chromaSubsampling: '4:4:4', effort: 0 }).toBuffer()],
    ['AVIF of 10 bits', () => encoder(quarters(300, 200)).avif({ bitdepth: 10, effort: 0 }).toBuffer()],
  ] as const)('%s', async ([kind, make]) => {
    const { thumbnail } = await thumbnailOf(await make())
    expect(await quarterLetters(thumbnail)).toBe(kind === 'gray JPEG' ? 'WWWW' : 'RGBW')
  })

  test.for([
    ['GIF', () => animated('gif', [quarters(300, 200), plain(300, 200, [0, 0, 0])])],
    ['WebP', () => animated('webp', [quarters(300, 200), plain(300, 200, [0, 0, 0])])],
    ['PNG', async () => animatedPng([quarters(300, 200), plain(300, 200, [0, 0, 0])])],
    ['PNG of one frame', async () => animatedPng([quarters(300, 200)])],
  ] as const)('first frame of an animated %s', async ([, make]) => {
    const { image, thumbnail } = await thumbnailOf(await make())
    expect(image.thumbnail).toEqual({ width: 200, height: 133 })
    expect(await quarterLetters(thumbnail)).toBe('RGBW')
    expect((await sharp(thumbnail).metadata()).pages ?? 1).toBe(1)
  })

  test.for(['png', 'webp', 'gif', 'avif'] as const)('alpha is kept: %s', async (format) => {
    const clear = encoder(plain(300, 200, [255, 0, 0, 0]))
    const solid = await png(plain(150, 200, [255, 0, 0, 255]))
    const bytes = await clear
      .composite([{ input: solid, left: 150, top: 0 }])
      .toFormat(format)
      .toBuffer()
    const { thumbnail } = await thumbnailOf(bytes)
    const { data, info } = await sharp(thumbnail).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const alphaAt = (x: number) => data[(60 * info.width + x) * 4 + 3] ?? -1
    expect(alphaAt(20)).toBeLessThan(20)
    expect(alphaAt(180)).toBeGreaterThan(235)
  })

  test('no metadata', async () => {
    const files = [
      withPrivateJpegSegments(await jpeg(photo(64, 48)), 6),
      withPngChunks(await png(photo(64, 48)), privatePngChunks(6)),
      await privateWebpOrAvif('webp', photo(64, 48), 6),
      await privateWebpOrAvif('avif', photo(64, 48), 6),
    ]
    for (const bytes of files) {
      const { thumbnail } = await thumbnailOf(bytes)
      expect(await metadataIn(thumbnail)).toEqual([])
      expect(thumbnail.includes(SECRET)).toBe(false)
    }
  })

  test.for([
    ['JPEG', () => encoder(photo(300, 200)).withIccProfile('p3').jpeg().toBuffer()],
    ['PNG', () => encoder(photo(300, 200)).withIccProfile('p3').png().toBuffer()],
    ['WebP', () => encoder(photo(300, 200)).withIccProfile('p3').webp().toBuffer()],
    ['AVIF', () => encoder(photo(300, 200)).withIccProfile('p3').avif({ effort: 0 }).toBuffer()],
  ] as const)('a colour profile if colours need one: %s', async ([, make]) => {
    const bytes = await make()
    const { thumbnail } = await thumbnailOf(bytes)
    const [written, sent] = [(await sharp(thumbnail).metadata()).icc, (await sharp(bytes).metadata()).icc]
    // The tag of the red colorant (ICC.1:2022, 7.3).
    const entry = sent?.indexOf('rXYZ') ?? expect.fail('no profile')
    const red = sent?.readUInt32BE(entry + 4) ?? 0
    expect(written?.includes(sent?.subarray(red, red + 20) ?? '')).toBe(true)
    expect(written?.length).toBeLessThan(400)
  })

  test('no colour profile if they need none', async () => {
    const { thumbnail } = await thumbnailOf(await jpeg(photo(300, 200)))
    expect((await sharp(thumbnail).metadata()).icc).toBeUndefined()
  })
})

describe('D34: an upload without a possible thumbnail is rejected: every response has a thumbnail', () => {
  test.for(FORMATS)('$format cut off after its header', async ({ encode }) => {
    const bytes = await encode(photo(300, 200))
    for (const part of [40, 100, Math.floor(bytes.length / 2)]) {
      const sent = file('a', bytes.subarray(0, part))
      const response = await api.uploadImage({ img: sent, content_type: '0' })
      // A truncated image may be shown partly. If the service accepts it, it has a thumbnail.
      expect([200, 422]).toContain(response.status)
      if (part === 40) expect(response.status).toBe(422)
      if (response.status === 200) expect((await api.follow(JSON.parse(response.text).th_url)).status).toBe(200)
    }
  })
})
