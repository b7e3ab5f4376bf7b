import { deflateSync } from 'node:zlib'
import { bytesBE, concat, textBytes } from 'tintype-codec/bytes'
import { type ProbedImage, probe, stripMetadata, uprightSize } from 'tintype-codec/interface'
import {
  animatedWebp,
  gif,
  image,
  jpeg,
  madeElsewhere,
  noise,
  type PngParts,
  png,
  pngFile,
  readTiles,
  tiles,
  webp,
} from 'tintype-codec/test/images'
import { decodeWebp } from 'tintype-codec/test/jsquash'
import { describe, expect, test } from 'vitest'
import type { OptimizationReason } from '../../src/image/optimize.ts'
import { pngChunk } from '../support/png.ts'
import { optimized } from './optimized.ts'

const SIZE = { width: 40, height: 24 }
const LARGER = { width: 200, height: 150 }
const FRAME = { raster: tiles(['R'], SIZE), left: 0, top: 0 }
const GIF_FRAME = { width: 2, height: 2, indices: [0, 1, 2, 3] }

/** The file that is stored: the upload, the upload without metadata, or the WebP candidate. */
type Stored = 'upload' | 'stripped' | 'candidate'

describe('the table of D32', () => {
  test.each<[string, Stored, OptimizationReason, () => Promise<ProbedImage> | ProbedImage]>([
    ['a still GIF', 'upload', 'gif_not_optimized', () => image(gif(GIF_FRAME, [GIF_FRAME]))],
    ['an animated GIF', 'upload', 'gif_not_optimized', () => image(gif(GIF_FRAME, [GIF_FRAME, GIF_FRAME]))],
    ['an animated WebP', 'upload', 'animated', () => animatedWebp(SIZE, [FRAME, FRAME])],
    ['an animated PNG', 'upload', 'animated', () => animatedPng(2)],
    ['an AVIF', 'stripped', 'kept_avif', () => madeElsewhere('avif')],
    ['a WebP, upright and small', 'stripped', 'metadata_only', () => webp(noise(SIZE))],
    ['a WebP with EXIF', 'stripped', 'metadata_only', () => webp(noise(SIZE), { orientation: 1 })],
    ['a WebP of one frame', 'stripped', 'metadata_only', () => animatedWebp(SIZE, [FRAME])],
    ['a WebP with an edge of 3840', 'stripped', 'metadata_only', () => webp(noise({ width: 3840, height: 2 }))],
    [
      'a WebP over 3840',
      'candidate',
      'reencoded_webp',
      () => webp(noise({ width: 3841, height: 8 }), { quality: 100 }),
    ],
    ['a turned WebP', 'candidate', 'reencoded_webp', () => webp(noise(SIZE), { quality: 100, orientation: 6 })],
    ['a turned WebP, small', 'stripped', 'webp_not_smaller', () => webp(noise(SIZE), { quality: 5, orientation: 3 })],
    ['a JPEG', 'candidate', 'converted_to_webp', () => jpeg(noise(SIZE), { quality: 100 })],
    ['a turned JPEG', 'candidate', 'converted_to_webp', () => jpeg(noise(SIZE), { quality: 100, orientation: 8 })],
    ['a JPEG, small', 'stripped', 'webp_not_smaller', () => jpeg(noise(LARGER), { quality: 30, orientation: 6 })],
    ['a JPEG, small but for a comment', 'stripped', 'webp_not_smaller', jpegWithLongComment],
    ['a PNG', 'candidate', 'converted_to_webp', () => png(noise(SIZE))],
    ['a PNG of a drawing', 'candidate', 'converted_to_webp', () => png(tiles(['RG', 'BW'], LARGER))],
    ['a PNG of one frame', 'candidate', 'converted_to_webp', () => animatedPng(1)],
    [
      'a PNG with a profile that cannot be read',
      'stripped',
      'metadata_only',
      () => blackPng(100, 100, [profileChunk()]),
    ],
    ['an interlaced PNG over the budget', 'stripped', 'metadata_only', () => interlacedBlackPng(8160, 8160)],
  ])('%s: the %s is stored', async (_, stored, reason, make) => {
    const upload = await make()
    const { bytes, facts } = upload
    const { optimization: report, stored: file } = await optimized(upload)
    const stripped = stored === 'upload' ? undefined : stripMetadata(bytes, facts)

    expect(report.reason).toBe(reason)
    if (stored === 'upload') expect(file.bytes).toBe(bytes)
    if (stored === 'stripped') expect(file.bytes).toEqual(stripped)
    if (stored === 'candidate')
      expect(probe(file.bytes)).toMatchObject({ format: 'webp', orientation: 1, size: file.size })
    expect(file.format).toBe(stored === 'candidate' ? 'webp' : facts.format)

    // The report follows from the two files.
    const storedFacts = probe(file.bytes)
    expect(file.size).toEqual(storedFacts && uprightSize(storedFacts))
    expect(report).toMatchObject({
      requested: true,
      applied: bytes.length !== file.bytes.length || bytes.some((byte, i) => byte !== file.bytes[i]),
      converted: file.format !== facts.format,
      sourceBytes: bytes.length,
      storedBytes: file.bytes.length,
      sourceWidth: uprightSize(facts).width,
      sourceHeight: uprightSize(facts).height,
      storedWidth: file.size.width,
      storedHeight: file.size.height,
      originalCandidateBytes: stripped?.length,
    })
    expect(file.bytes.length).toBeLessThanOrEqual(bytes.length)
    const { webpCandidateBytes } = report
    if (stored === 'candidate') expect(webpCandidateBytes).toBe(file.bytes.length)
    else if (reason === 'webp_not_smaller') expect(webpCandidateBytes).toBeGreaterThanOrEqual(file.bytes.length)
    else expect(webpCandidateBytes).toBeUndefined()
  })
})

describe('applied and converted', () => {
  test('a WebP without metadata is stored unchanged', async () => {
    const { optimization: report } = await optimized(await webp(noise(SIZE)))
    expect(report).toMatchObject({
      applied: false,
      converted: false,
      sourceMime: 'image/webp',
      storedMime: 'image/webp',
    })
  })

  test('a WebP that loses its EXIF chunk is another file of the same type', async () => {
    const { optimization: report } = await optimized(await webp(noise(SIZE), { orientation: 1 }))
    expect(report).toMatchObject({ applied: true, converted: false })
  })

  test('a PNG that becomes a WebP is converted', async () => {
    const { optimization: report } = await optimized(png(noise(SIZE)))
    expect(report).toMatchObject({ applied: true, converted: true, sourceMime: 'image/png', storedMime: 'image/webp' })
  })
})

describe('the WebP candidate', () => {
  test('is upright', async () => {
    const upload = await jpeg(tiles(['RG', 'BW'], { width: 400, height: 240 }), { quality: 100, orientation: 6 })
    const { stored: file, optimization: report } = await optimized(upload)
    expect(report).toMatchObject({
      reason: 'converted_to_webp',
      sourceWidth: 240,
      sourceHeight: 400,
      storedWidth: 240,
      storedHeight: 400,
    })
    expect(readTiles(await decodeWebp(file.bytes), 2, 2)).toEqual(['BR', 'WG'])
  })

  test.each([
    [3840, 3840],
    [3841, 3840],
  ])('of an image %i wide is %i wide', async (width, storedWidth) => {
    const { optimization: report } = await optimized(png(noise({ width, height: 8 })))
    expect(report).toMatchObject({ reason: 'converted_to_webp', sourceWidth: width, storedWidth })
  })

  test('of a drawing in PNG has exactly its pixels (D32)', async () => {
    const raster = tiles(['RG', 'BW'], LARGER)
    // Some are semitransparent, and more are invisible.
    for (let at = 3; at < raster.rgba.length / 2; at += 12) raster.rgba[at] = at % 3 === 0 ? 0 : 99
    const { stored: file } = await optimized(png(raster))
    expect((await decodeWebp(file.bytes)).rgba).toEqual(raster.rgba)
  })

  test('keeps alpha', async () => {
    const raster = noise(SIZE)
    for (let at = 3; at < raster.rgba.length / 2; at += 4) raster.rgba[at] = 0
    const { stored: file } = await optimized(png(raster))
    expect(file.format).toBe('webp')
    const { rgba } = await decodeWebp(file.bytes)
    expect([rgba[3], rgba[rgba.length - 1]]).toEqual([0, 255])
  })
})

test('of a cover the report names the left file and the bytes of both', async () => {
  const joined = await jpeg(noise(SIZE), { quality: 100 })
  const { optimization: report } = await optimized(joined, { mediaType: 'image/webp', bytes: 123_456 })
  expect(report).toMatchObject({
    sourceMime: 'image/webp',
    sourceBytes: 123_456,
    storedMime: 'image/webp',
    // Compared with the joined JPEG.
    applied: true,
    converted: true,
  })
})

test.each([
  ['pixels that cannot be decoded', async () => truncated(await jpeg(noise(SIZE)), 200)],
  ['a structure that cannot be stripped', async () => truncated(await webp(noise(SIZE)), 100)],
])('%s: ImageRefusal, and the caller keeps the upload (D34)', async (_, make) => {
  await expect(optimized(await make())).rejects.toMatchObject({ name: 'ImageRefusal' })
})

test('an AVIF whose metadata can be neither cut out nor blanked is stored unchanged, and the report has applied: false', async () => {
  const { bytes, facts } = madeElsewhere('avif')
  const track = concat([bytesBE(8, 4), textBytes('moov')])
  const upload = { bytes: concat([bytes, track]), facts }
  const { optimization: report, stored } = await optimized(upload)
  expect(report).toMatchObject({
    applied: false,
    converted: false,
    reason: 'kept_avif',
    originalCandidateBytes: undefined,
  })
  expect(stored.bytes).toBe(upload.bytes)
})

function truncated({ bytes, facts }: ProbedImage, length: number): ProbedImage {
  return { bytes: bytes.subarray(0, length), facts }
}

/** Returns a JPEG that is larger than the WebP, but not without its comment. */
async function jpegWithLongComment(): Promise<ProbedImage> {
  const { bytes } = await jpeg(noise(LARGER), { quality: 30 })
  const comment = concat([Uint8Array.of(0xff, 0xfe), bytesBE(60_002, 2), new Uint8Array(60_000)])
  return image(concat([bytes.subarray(0, 2), comment, bytes.subarray(2)]))
}

/** Returns a noisy PNG that announces this many frames. */
function animatedPng(frames: number): ProbedImage {
  const { bytes } = png(noise(SIZE))
  const afterHeader = 33
  const control = pngChunk('acTL', concat([bytesBE(frames, 4), bytesBE(0, 4)]))
  return image(concat([bytes.subarray(0, afterHeader), control, bytes.subarray(afterHeader)]))
}

/** Returns a black PNG of one bit a pixel, for which no WebP is smaller. */
function blackPng(width: number, height: number, chunks: PngParts['chunks'] = []): ProbedImage {
  const data = new Uint8Array((1 + Math.ceil(width / 8)) * height)
  return image(pngFile({ size: [width, height], header: [1, 0, 0], chunks, data }))
}

/** Returns a profile that is compressed in a PNG, and not in a WebP. */
function profileChunk(): [string, Uint8Array] {
  const profile = new Uint8Array(2000)
  profile.set(bytesBE(profile.length, 4))
  profile.set(textBytes('RGB '), 16)
  profile.set(textBytes('acsp'), 36)
  return ['iCCP', concat([textBytes('name\0\0'), deflateSync(profile)])]
}

/**
 * Returns a PNG with all rows of the seven passes in arbitrary order. Its 67 megapixels do not fit, even reduced to
 * 3840 pixels.
 */
function interlacedBlackPng(width: number, height: number): ProbedImage {
  const passes = [
    [8, 8],
    [8, 8],
    [4, 8],
    [4, 4],
    [2, 4],
    [2, 2],
    [1, 2],
  ]
  const bytes = passes.reduce((sum, [x = 1, y = 1]) => sum + (height / y) * (1 + Math.ceil(width / x / 8)), 0)
  return image(pngFile({ size: [width, height], header: [1, 0, 1], data: new Uint8Array(bytes) }))
}
