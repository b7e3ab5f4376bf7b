import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { fitted, letterAt } from './support/appearance.ts'
import { header } from './support/client.ts'
import {
  animated,
  encoder,
  FORMATS,
  gif,
  jpeg,
  opaqueGif,
  type Pixels,
  photo,
  plain,
  png,
  quarters,
} from './support/images.ts'
import { type Fields, file } from './support/multipart-body.ts'
import { expectTrueReport, storedFile } from './support/optimization-report.ts'
import { withPrivateJpegSegments } from './support/private-metadata.ts'
import type { Uploaded } from './support/responses.ts'
import { uploadCover } from './support/steps.ts'

const api = sharedApi()
const RED = [255, 0, 0]
const BLUE = [0, 0, 255]

/** D35: uploads a cover of two images, and returns the stored file. */
async function joined(left: Buffer, right: Buffer, more: Fields = {}) {
  const cover = await uploadCover(api, {
    img_left: file('left.bin', left),
    img_right: file('right.bin', right),
    ...more,
  })
  const stored = await storedFile(api, cover)
  const { width = 0, height = 0 } = await sharp(stored.bytes).metadata()
  return { cover, stored: stored.bytes, mediaType: stored.mediaType, size: { width, height } }
}

/**
 * Returns the size of a cover: both images scaled down to the lesser height, with widths rounded to the nearest, at
 * least 1.
 */
function joinedSize(left: Pixels, right: Pixels) {
  const height = Math.min(left.height, right.height)
  const width = (of: Pixels) => Math.max(1, Math.round((of.width * height) / of.height))
  return { width: width(left) + width(right), height }
}

describe('a left image alone is stored like an image', () => {
  test.for(FORMATS)('$format, byte for byte', async ({ mediaType, extension, encode }) => {
    const bytes = await encode(photo(300, 200))
    const cover = await uploadCover(api, { img_left: file('the cover.bin', bytes) })
    const stored = await storedFile(api, cover)
    expect(cover.name).toBe(`the-cover.${extension}`)
    expect([stored.mediaType, stored.bytes.equals(bytes)]).toEqual([mediaType, true])
    expect(cover.thumbnail).toEqual({ width: 200, height: 133 })
  })

  test.for(FORMATS)('$format with optimize_for_web=1: same rules as for images', async ({ mediaType, encode }) => {
    const bytes = await encode(photo(300, 200))
    const cover = await uploadCover(api, { img_left: file('a', bytes), optimize_for_web: '1' })
    await expectTrueReport(api, { bytes, mediaType }, cover)
  })
})

describe('two images are joined side by side, both scaled down to the lesser height', () => {
  test.for([
    [100, 100, 100, 100],
    [200, 100, 100, 200],
    [100, 200, 200, 100],
    [101, 50, 33, 75],
    [33, 75, 101, 50],
    [5, 300, 300, 5],
    [1, 1, 300, 300],
    [301, 201, 299, 199],
    [1, 1000, 10, 10],
  ] as const)('%i x %i and %i x %i', async ([leftWidth, leftHeight, rightWidth, rightHeight]) => {
    const [left, right] = [plain(leftWidth, leftHeight, RED), plain(rightWidth, rightHeight, BLUE)]
    const { size, cover, mediaType } = await joined(await png(left), await jpeg(right))
    expect(size).toEqual(joinedSize(left, right))
    expect(cover.thumbnail).toEqual(fitted(size.width, size.height, 200))
    expect([cover.name, mediaType]).toEqual(['left.jpg', 'image/jpeg'])
  })

  test('left is left, right is right, without a gap', async () => {
    const { stored } = await joined(await png(plain(100, 100, RED)), await png(plain(60, 60, BLUE)))
    const letters = await Promise.all([0.02, 0.25, 0.46, 0.54, 0.75, 0.98].map((x) => letterAt(stored, x, 0.5)))
    expect(letters.join('')).toBe('RRRBBB')
    const top = await Promise.all([0.25, 0.75].map((x) => letterAt(stored, x, 0.99)))
    expect(top.join('')).toBe('RB')
  })

  test('upright heights decide, and both are shown upright', async () => {
    const turned = withPrivateJpegSegments(await jpeg(quarters(200, 100)), 6)
    const { size, stored } = await joined(turned, await png(plain(100, 200, BLUE)))
    expect(size).toEqual({ width: 200, height: 200 })
    const letters = await Promise.all(
      [
        [0.12, 0.25],
        [0.37, 0.25],
        [0.12, 0.75],
        [0.37, 0.75],
      ].map(([x = 0, y = 0]) => letterAt(stored, x, y)),
    )
    expect(letters.join('')).toBe('BRWG')
    expect((await sharp(stored).metadata()).orientation ?? 1).toBe(1)
  })

  test.for([
    ['GIF', 'gif'],
    ['WebP', 'webp'],
  ] as const)('first frames of an animated %s', async ([, format]) => {
    const moving = await animated(format, [plain(80, 80, RED), plain(80, 80, [0, 0, 0])])
    const { stored } = await joined(moving, moving)
    expect(await letterAt(stored, 0.25, 0.5)).toBe('R')
    expect(await letterAt(stored, 0.75, 0.5)).toBe('R')
    expect((await sharp(stored).metadata()).pages ?? 1).toBe(1)
  })

  test.for(FORMATS)('$format on either side', async ({ encode }) => {
    const one = await encode(photo(80, 60))
    const other = await jpeg(photo(60, 60))
    expect((await joined(one, other)).size).toEqual({ width: 140, height: 60 })
    expect((await joined(other, one)).size).toEqual({ width: 140, height: 60 })
  })
})

describe('JPEG quality 90, or PNG if either has an alpha channel or a transparent colour', () => {
  const solid = () => jpeg(plain(60, 60, BLUE))
  const clear = plain(60, 60, [255, 0, 0, 0])
  const palette = () => encoder(clear).png({ palette: true }).toBuffer()
  test.for([
    ['two JPEGs', solid, solid, 'image/jpeg'],
    ['two PNGs without alpha', () => png(plain(60, 60, RED)), () => png(plain(60, 60, BLUE)), 'image/jpeg'],
    ['a GIF without transparency', () => opaqueGif(plain(60, 60, RED)), solid, 'image/jpeg'],
    ['a PNG with alpha on the left', () => png(clear), solid, 'image/png'],
    ['a PNG with alpha on the right', solid, () => png(clear), 'image/png'],
    ['a PNG with a transparent palette entry', palette, solid, 'image/png'],
    ['a GIF with a transparent colour', () => gif(clear), solid, 'image/png'],
    ['a WebP with alpha', () => encoder(clear).webp().toBuffer(), solid, 'image/png'],
    ['an AVIF with alpha', () => encoder(clear).avif({ effort: 0 }).toBuffer(), solid, 'image/png'],
  ] as const)('%s', async ([, left, right, wanted]) => {
    const { cover, mediaType, stored } = await joined(await left(), await right())
    expect(mediaType).toBe(wanted)
    expect(cover.name).toBe(wanted === 'image/png' ? 'left.png' : 'left.jpg')
    expect((await sharp(stored).metadata()).format).toBe(wanted.slice(6))
  })

  test('transparency survives', async () => {
    const { stored } = await joined(await png(clear), await solid())
    const { data, info } = await sharp(stored).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const alphaAt = (x: number) => data[(30 * info.width + x) * 4 + 3]
    expect([alphaAt(10), alphaAt(100)]).toEqual([0, 255])
  })
})

describe('then the rules of optimization apply: source_mime is the left one, source_bytes the sum, the size that of the joined image', () => {
  const expectReport = async (left: Buffer, right: Buffer, sourceMime: string): Promise<Uploaded> => {
    const before = await joined(left, right)
    const { cover, stored, mediaType, size } = await joined(left, right, { optimize_for_web: '1' })
    expect(cover.optimization).toMatchObject({
      requested: true,
      applied: !stored.equals(before.stored),
      converted: mediaType !== before.mediaType,
      source_mime: sourceMime,
      source_bytes: left.length + right.length,
      source_width: before.size.width,
      source_height: before.size.height,
      stored_mime: mediaType,
      stored_bytes: stored.length,
      stored_width: size.width,
      stored_height: size.height,
    })
    expect(stored.length).toBeLessThanOrEqual(before.stored.length)
    return cover
  }

  test('two photographs', async () => {
    const cover = await expectReport(await jpeg(photo(300, 200, 0)), await png(photo(200, 200, 0)), 'image/jpeg')
    expect(cover.optimization).toMatchObject({ reason: 'converted_to_webp', converted: true })
    expect(cover.name).toBe('left.webp')
  })

  test('a GIF on the left: the joined image is a JPEG, so it may become a WebP', async () => {
    const cover = await expectReport(
      await opaqueGif(quarters(300, 200)),
      await opaqueGif(quarters(200, 200)),
      'image/gif',
    )
    expect(cover.optimization).toMatchObject({ reason: 'converted_to_webp', converted: true })
  })

  test('an animated WebP on the left', async () => {
    const moving = await animated('webp', [photo(100, 100), plain(100, 100, RED)])
    await expectReport(moving, await jpeg(photo(100, 100)), 'image/webp')
  })

  test('wider than 3840', async () => {
    const cover = await expectReport(await jpeg(photo(2500, 60), 98), await jpeg(photo(2500, 60), 98), 'image/jpeg')
    expect(cover.optimization).toMatchObject({ source_width: 5000, stored_width: 3840 })
  })
})

test('a cover has a page like an image', async () => {
  const { showUrl, originalUrl, thumbnailUrl } = await uploadCover(api)
  expect((await api.follow(showUrl)).text).toContain(originalUrl)
  expect(header(await api.follow(thumbnailUrl), 'content-type')).toBe('image/webp')
})
