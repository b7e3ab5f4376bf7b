import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listCorpus } from '../support/corpus.ts'
import { pngChunk, uint32 } from '../support/png.ts'
import { sharedApi } from './support/api.ts'
import { quarterLetters, TURNED_QUARTERS } from './support/appearance.ts'
import {
  animated,
  avif,
  chequers,
  encoder,
  FORMATS,
  gif,
  jpeg,
  photo,
  plain,
  png,
  quarters,
  webp,
} from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { expectTrueReport, likeness, metadataIn, samePixels, storedFile } from './support/optimization-report.ts'
import { animatedPng, withPngChunks } from './support/png-file.ts'
import { privatePngChunks, privateWebpOrAvif, SECRET, withPrivateJpegSegments } from './support/private-metadata.ts'
import type { Uploaded } from './support/responses.ts'
import { uploadImage } from './support/steps.ts'

const api = sharedApi()

/** Uploads with optimize_for_web=1, and checks the facts of every report. */
async function optimized(bytes: Buffer, mediaType: string): Promise<{ image: Uploaded; stored: Buffer }> {
  const image = await uploadImage(api, { img: file('picture.bin', bytes), optimize_for_web: '1' })
  const stored = await expectTrueReport(api, { bytes, mediaType }, image)
  return { image, stored: stored.bytes }
}

const frames = [quarters(40, 30), plain(40, 30, [0, 0, 0])]
const JPEG = 'image/jpeg'
const PNG = 'image/png'
/** A gamma of 1. */
const LINEAR = pngChunk('gAMA', uint32(100_000))
const GIF = 'image/gif'
const WEBP = 'image/webp'
const AVIF = 'image/avif'

describe('D31: without optimize_for_web the stored file is the upload, byte for byte', () => {
  test.for([
    ['JPEG with metadata', async () => withPrivateJpegSegments(await jpeg(photo(60, 40)), 6)],
    ['PNG with metadata', async () => withPngChunks(await png(photo(60, 40)), privatePngChunks(6))],
    ['GIF', () => gif(photo(60, 40))],
    ['WebP with metadata', () => privateWebpOrAvif('webp', photo(60, 40), 6)],
    ['AVIF with metadata', () => privateWebpOrAvif('avif', photo(60, 40), 6)],
    ['PNG and bytes after its end', async () => Buffer.concat([await png(photo(60, 40)), Buffer.from('more')])],
  ] as const)('%s', async ([, make]) => {
    const bytes = await make()
    for (const sent of [{}, { optimize_for_web: '0' }, { optimize_for_web: '' }]) {
      const image = await uploadImage(api, { img: file('a.bin', bytes), ...sent })
      expect(image.optimization).toBeUndefined()
      expect((await storedFile(api, image)).bytes.equals(bytes)).toBe(true)
    }
  })
})

describe('D32: with it, exactly one of these happens, and the report says which', () => {
  const unchanged = { applied: false, converted: false }

  describe('any GIF | the upload | gif_not_optimized', () => {
    test.for([
      ['static', () => gif(photo(60, 40))],
      ['animated', () => animated('gif', frames)],
    ] as const)('%s', async ([, make]) => {
      const { image } = await optimized(await make(), GIF)
      expect(image.optimization).toMatchObject({ ...unchanged, reason: 'gif_not_optimized' })
    })
  })

  describe('PNG, WebP or AVIF with two frames or more | the upload | animated', () => {
    test.for([
      ['PNG', PNG, async () => withPngChunks(animatedPng(frames), privatePngChunks(1))],
      ['WebP', WEBP, () => animated('webp', frames)],
    ] as const)('%s', async ([, mediaType, make]) => {
      const { image } = await optimized(await make(), mediaType)
      expect(image.optimization).toMatchObject({
        ...unchanged,
        reason: 'animated',
        source_width: 40,
        source_height: 30,
      })
    })

    const sequence = listCorpus().find(
      ({ format, animated, expected }) => format === 'avif' && animated && expected.join() === '200',
    )
    test.skipIf(sequence === undefined)('AVIF (a file of the corpus)', async () => {
      const { image } = await optimized(Buffer.from(sequence?.read() ?? []), AVIF)
      expect(image.optimization).toMatchObject({ ...unchanged, reason: 'animated' })
    })
  })

  test('AVIF | the upload without Exif and XMP items, pixels untouched | kept_avif', async () => {
    const bytes = await privateWebpOrAvif('avif', photo(60, 40), 1)
    expect(await metadataIn(bytes)).toEqual(['exif', 'xmp'])
    const { image, stored } = await optimized(bytes, AVIF)
    expect(image.optimization).toMatchObject({ applied: true, converted: false, reason: 'kept_avif' })
    expect(await metadataIn(stored)).toEqual([])
    expect(stored.includes(SECRET)).toBe(false)
    expect(await samePixels(bytes, stored)).toBe(true)
  })

  test('AVIF without metadata is stored as it is | kept_avif', async () => {
    const { image } = await optimized(await avif(photo(60, 40)), AVIF)
    expect(image.optimization).toMatchObject({ ...unchanged, reason: 'kept_avif' })
  })

  test('an AVIF of any size keeps it: no edge is reduced to 3840', async () => {
    const { image } = await optimized(await avif(plain(4000, 16, [1, 2, 3])), AVIF)
    expect(image.optimization).toMatchObject({ reason: 'kept_avif', source_width: 4000, stored_width: 4000 })
  })

  test('a turned AVIF keeps its irot and imir', async () => {
    const { image, stored } = await optimized(await privateWebpOrAvif('avif', quarters(80, 40), 6), AVIF)
    expect(image.optimization).toMatchObject({ reason: 'kept_avif', source_width: 40, source_height: 80 })
    expect(await quarterLetters(await sharp(stored).autoOrient().png().toBuffer())).toBe(TURNED_QUARTERS[6])
  })

  test('WebP, upright, no edge over 3840 | the upload without EXIF and XMP chunks | metadata_only', async () => {
    const bytes = await privateWebpOrAvif('webp', photo(60, 40), 1)
    expect(await metadataIn(bytes)).toEqual(['exif', 'xmp'])
    const { image, stored } = await optimized(bytes, WEBP)
    expect(image.optimization).toMatchObject({ applied: true, converted: false, reason: 'metadata_only' })
    expect(await metadataIn(stored)).toEqual([])
    expect(stored.includes(SECRET)).toBe(false)
    expect(await samePixels(bytes, stored)).toBe(true)
  })

  test('WebP without metadata is stored as it is | metadata_only', async () => {
    const { image } = await optimized(await webp(photo(60, 40)), WEBP)
    expect(image.optimization).toMatchObject({ ...unchanged, reason: 'metadata_only' })
  })

  test('a WebP of exactly 3840 | metadata_only', async () => {
    const { image } = await optimized(await webp(photo(3840, 8), 100), WEBP)
    expect(image.optimization).toMatchObject({ reason: 'metadata_only', stored_width: 3840 })
  })

  test('WebP, turned, the new one is smaller | WebP q90, upright | reencoded_webp', async () => {
    const bytes = await privateWebpOrAvif('webp', photo(300, 200), 6, 100)
    const { image, stored } = await optimized(bytes, WEBP)
    expect(image.optimization).toMatchObject({ applied: true, converted: false, reason: 'reencoded_webp' })
    expect(image.optimization).toMatchObject({ stored_width: 200, stored_height: 300 })
    expect(await metadataIn(stored)).toEqual([])
    expect(await likeness(stored, bytes)).toBeGreaterThan(28)
  })

  test('WebP over 3840, the new one is smaller | at most 3840 | reencoded_webp', async () => {
    const { image } = await optimized(await webp(photo(4200, 60), 100), WEBP)
    expect(image.optimization).toMatchObject({ reason: 'reencoded_webp', source_width: 4200, stored_width: 3840 })
  })

  describe('JPEG or PNG, the WebP candidate is smaller | WebP q90, upright, at most 3840 | converted_to_webp', () => {
    test.for([
      ['JPEG', JPEG, () => jpeg(photo(300, 200), 98)],
      ['JPEG of gray', JPEG, () => encoder(photo(300, 200)).toColourspace('b-w').jpeg({ quality: 98 }).toBuffer()],
      ['JPEG, progressive', JPEG, () => encoder(photo(300, 200)).jpeg({ quality: 98, progressive: true }).toBuffer()],
      ['JPEG of CMYK', JPEG, () => encoder(photo(300, 200)).toColourspace('cmyk').jpeg({ quality: 98 }).toBuffer()],
      ['PNG', PNG, () => png(photo(300, 200))],
      ['PNG, interlaced', PNG, () => encoder(photo(300, 200)).png({ progressive: true }).toBuffer()],
      ['PNG of 16 bits', PNG, () => encoder(photo(300, 200)).toColourspace('rgb16').png().toBuffer()],
      ['PNG of an animation with one frame (D37)', PNG, async () => animatedPng([photo(300, 200)])],
    ] as const)('%s', async ([kind, mediaType, make]) => {
      const bytes = await make()
      const { image, stored } = await optimized(bytes, mediaType)
      expect(image.optimization).toMatchObject({
        applied: true,
        converted: true,
        reason: 'converted_to_webp',
        stored_mime: WEBP,
        source_width: 300,
        source_height: 200,
        stored_width: 300,
        stored_height: 200,
      })
      expect(image.name).toBe('picture.webp')
      // Colours of CMYK depend on a profile that not every decoder knows.
      if (kind !== 'JPEG of CMYK') expect(await likeness(stored, bytes)).toBeGreaterThan(28)
    })

    test.for([
      ['chequers', () => chequers(300, 200)],
      ['with see-through ones', () => ({ ...chequers(300, 200), ...withAlpha(chequers(300, 200).data) })],
    ] as const)(
      'for PNG the smaller of that and lossless WebP (exact, so no quality is lost): %s',
      async ([, draw]) => {
        const bytes = await png(draw())
        const { image, stored } = await optimized(bytes, PNG)
        expect(image.optimization).toMatchObject({ reason: 'converted_to_webp', webp_candidate_bytes: stored.length })
        expect(stored.toString('latin1', 12, 16)).toBe('VP8L')
        expect(stored.length).toBeLessThan((await webp(draw(), 90)).length)
        const pixelsOf = (file: Buffer) => sharp(file).ensureAlpha().raw().toBuffer()
        expect((await pixelsOf(stored)).equals(await pixelsOf(bytes))).toBe(true)
      },
    )

    test('alpha is kept', async () => {
      const bytes = await png({ ...photo(128, 128), ...withAlpha(photo(128, 128).data) })
      const { image, stored } = await optimized(bytes, PNG)
      expect(image.optimization).toMatchObject({ reason: 'converted_to_webp' })
      const { data, info } = await sharp(stored).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      expect([data[3], data[info.width * 4 - 1]]).toEqual([0, 255])
    })
  })

  describe('any of these three, and the candidate is not smaller | the upload without metadata | webp_not_smaller', () => {
    test.for([
      ['JPEG', JPEG, async () => withPrivateJpegSegments(await jpeg(photo(200, 150, 80), 4), 1)],
      ['WebP, turned', WEBP, () => privateWebpOrAvif('webp', photo(200, 150, 80), 3, 2)],
    ] as const)('%s', async ([, mediaType, make]) => {
      const bytes = await make()
      const { image, stored } = await optimized(bytes, mediaType)
      expect(image.optimization).toMatchObject({ applied: true, converted: false, reason: 'webp_not_smaller' })
      expect(stored.includes(SECRET)).toBe(false)
      expect(await samePixels(bytes, stored)).toBe(true)
    })

    test('without metadata to remove, nothing is applied', async () => {
      const { image } = await optimized(await jpeg(photo(200, 150, 80), 4), JPEG)
      expect(image.optimization).toMatchObject({ ...unchanged, reason: 'webp_not_smaller' })
    })
  })
})

describe('D33: "without metadata" is lossless', () => {
  test.for([
    ['JPEG', JPEG, async () => withPrivateJpegSegments(await jpeg(photo(200, 150, 80), 4), 6)],
    // A WebP would not show its colours.
    ['PNG', PNG, async () => withPngChunks(await png(chequers(64, 32)), [LINEAR, ...privatePngChunks(6)])],
    ['WebP', WEBP, () => privateWebpOrAvif('webp', photo(200, 150, 80), 6, 2)],
  ] as const)('a turned %s keeps a minimal EXIF with only its orientation', async ([, mediaType, make]) => {
    const bytes = await make()
    const { image, stored } = await optimized(bytes, mediaType)
    expect(image.optimization).toMatchObject({ applied: true, converted: false })
    const { orientation, exif } = await sharp(stored).metadata()
    expect(orientation).toBe(6)
    expect(exif?.length ?? 0).toBeLessThan(64)
    expect(await metadataIn(stored)).toEqual(['exif'])
    expect(stored.includes(SECRET)).toBe(false)
    expect(await samePixels(bytes, stored)).toBe(true)
  })

  test.for([
    [
      'JPEG',
      JPEG,
      () =>
        // One of four inks is not converted.
        encoder(photo(60, 40)).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
    ],
    ['WebP', WEBP, () => encoder(photo(60, 40)).withIccProfile('p3').webp().toBuffer()],
    ['AVIF', AVIF, () => encoder(photo(60, 40)).withIccProfile('p3').avif({ effort: 0 }).toBuffer()],
  ] as const)('the colour profile of a %s stays', async ([, mediaType, make]) => {
    const bytes = await make()
    const { stored } = await optimized(bytes, mediaType)
    expect((await sharp(stored).metadata()).icc).toEqual((await sharp(bytes).metadata()).icc)
  })

  test('a JPEG passes a new profile of its colours to its WebP', async () => {
    const bytes = await encoder(photo(200, 150)).withIccProfile('p3').jpeg({ quality: 98 }).toBuffer()
    const { image, stored } = await optimized(bytes, JPEG)
    expect(image.optimization).toMatchObject({ reason: 'converted_to_webp' })
    expect((await sharp(stored).metadata()).icc?.length).toBeLessThan(400)
    expect(await likeness(stored, bytes)).toBeGreaterThan(28)
  })

  test('bytes after the end of an image are removed', async () => {
    const bytes = Buffer.concat([await jpeg(photo(200, 150, 80), 4), Buffer.from(SECRET)])
    const { image, stored } = await optimized(bytes, JPEG)
    expect(image.optimization).toMatchObject({ reason: 'webp_not_smaller', applied: true })
    expect(stored.includes(SECRET)).toBe(false)
  })

  describe('widths and heights of the report are as displayed (upright)', () => {
    test.for([1, 2, 3, 4, 5, 6, 7, 8] as const)('orientation %i', async (orientation) => {
      const [width, height] = orientation >= 5 ? [100, 200] : [200, 100]
      const size = { source_width: width, source_height: height, stored_width: width, stored_height: height }
      const files: [Buffer, string][] = [
        [withPrivateJpegSegments(await jpeg(quarters(200, 100), 98), orientation), JPEG],
        [withPngChunks(await png(quarters(200, 100)), privatePngChunks(orientation)), PNG],
        [await privateWebpOrAvif('webp', quarters(200, 100), orientation), WEBP],
        [await privateWebpOrAvif('avif', quarters(200, 100), orientation), AVIF],
      ]
      for (const [bytes, mediaType] of files) {
        const { image, stored } = await optimized(bytes, mediaType)
        expect([mediaType, image.optimization]).toEqual([mediaType, expect.objectContaining(size)])
        const shown = await sharp(stored).autoOrient().png().toBuffer()
        expect([mediaType, await quarterLetters(shown)]).toEqual([mediaType, TURNED_QUARTERS[orientation]])
      }
    })
  })
})

describe('Web optimization rules', () => {
  test('1. private metadata does not survive in any format', async () => {
    const files = [
      withPrivateJpegSegments(await jpeg(photo(64, 48)), 1),
      withPngChunks(await png(photo(64, 48)), privatePngChunks(1)),
      await privateWebpOrAvif('webp', photo(64, 48), 1),
      await privateWebpOrAvif('avif', photo(64, 48), 1),
    ]
    for (const bytes of files) {
      const image = await uploadImage(api, { img: file('a', bytes), optimize_for_web: '1' })
      const stored = await storedFile(api, image)
      expect(stored.bytes.includes(SECRET)).toBe(false)
      expect(await metadataIn(stored.bytes)).toEqual([])
      expect((await api.follow(image.thumbnailUrl)).bytes.includes(SECRET)).toBe(false)
    }
  })

  test("2. JPEG and PNG use a WebP quality of 90: the candidate is similar to another encoder's at 90", async () => {
    const pixels = photo(600, 400)
    const { image } = await optimized(await png(pixels), PNG)
    const [worse, better] = [await webp(pixels, 80), await webp(pixels, 97)]
    expect(image.optimization?.webp_candidate_bytes).toBeGreaterThan(worse.length)
    expect(image.optimization?.webp_candidate_bytes).toBeLessThan(better.length)
  })

  test('5. the upload without a report is the original', async () => {
    for (const { encode, mediaType } of FORMATS) {
      const bytes = await encode(photo(40, 30))
      const image = await uploadImage(api, { img: file('a', bytes) })
      const stored = await storedFile(api, image)
      expect([stored.mediaType, stored.bytes.equals(bytes)]).toEqual([mediaType, true])
    }
  })
})

/** Adds alpha: clear on the left, solid on the right. */
function withAlpha(rgb: Buffer): { data: Buffer; channels: 4 } {
  const data = Buffer.alloc((rgb.length / 3) * 4)
  for (let pixel = 0; pixel < rgb.length / 3; pixel++) {
    rgb.copy(data, pixel * 4, pixel * 3, pixel * 3 + 3)
    data[pixel * 4 + 3] = pixel % 128 < 64 ? 0 : 255
  }
  return { data, channels: 4 }
}
