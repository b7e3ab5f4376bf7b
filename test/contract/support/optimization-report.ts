import sharp from 'sharp'
import { expect } from 'vitest'
import type { Api } from './api.ts'
import { header } from './client.ts'
import type { Uploaded } from './responses.ts'

/** Returns the stored file of an upload, and its media type. */
export async function storedFile(api: Api, image: Uploaded): Promise<{ bytes: Buffer; mediaType: string }> {
  const response = await api.follow(image.originalUrl)
  expect(response.status).toBe(200)
  return { bytes: response.bytes, mediaType: header(response, 'content-type') ?? '' }
}

const CANDIDATES: Record<string, readonly [original: boolean, webp: boolean]> = {
  gif_not_optimized: [false, false],
  animated: [false, false],
  kept_avif: [true, false],
  metadata_only: [true, false],
  reencoded_webp: [true, true],
  converted_to_webp: [true, true],
  webp_not_smaller: [true, true],
}

/**
 * Expects the facts of every report on an uploaded file (D32, D33). It describes the stored file, which is no larger
 * than the upload, and names the candidates. Returns the stored file.
 */
export async function expectTrueReport(
  api: Api,
  upload: { bytes: Uint8Array; mediaType: string },
  image: Uploaded,
): Promise<{ bytes: Buffer; mediaType: string }> {
  const stored = await storedFile(api, image)
  const report = image.optimization ?? expect.fail('there is no report')
  expect(report).toMatchObject({
    requested: true,
    applied: !stored.bytes.equals(upload.bytes),
    converted: stored.mediaType !== upload.mediaType,
    source_mime: upload.mediaType,
    stored_mime: stored.mediaType,
    source_bytes: upload.bytes.length,
    stored_bytes: stored.bytes.length,
  })
  expect(stored.bytes.length).toBeLessThanOrEqual(upload.bytes.length)
  expect(image.name.split('.').at(-1)).toBe(stored.mediaType === 'image/jpeg' ? 'jpg' : stored.mediaType.slice(6))

  const [original, webp] = CANDIDATES[String(report.reason)] ?? expect.fail(`no such reason: ${report.reason}`)
  expect(['original', report.original_candidate_bytes !== undefined]).toEqual(['original', original])
  expect(['webp', report.webp_candidate_bytes !== undefined]).toEqual(['webp', webp])
  const candidates = [report.original_candidate_bytes, report.webp_candidate_bytes].filter((size) => size !== undefined)
  if (candidates.length > 0) expect(report.stored_bytes).toBe(Math.min(...candidates.map(Number)))
  return stored
}

/** Returns the kinds of metadata that a decoder finds in a file. */
export async function metadataIn(bytes: Buffer): Promise<string[]> {
  const found = await sharp(bytes).metadata()
  const kinds = {
    exif: found.exif,
    xmp: found.xmp,
    iptc: found.iptc,
    comments: found.comments?.length ? true : undefined,
  }
  return Object.entries(kinds).flatMap(([kind, value]) => (value === undefined ? [] : [kind]))
}

/** Returns whether two files have exactly the same pixels, before any rotation. */
export async function samePixels(first: Buffer, second: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([first, second].map((bytes) => sharp(bytes).raw().toBuffer()))
  return a !== undefined && b !== undefined && a.equals(b)
}

/**
 * Returns the similarity of two images, in decibels (peak signal-to-noise ratio). Both are upright, on white, and at
 * the size of the first one. `atMostPx` shrinks them, so that only gross errors count.
 */
export async function likeness(first: Buffer, second: Buffer, atMostPx = 4096): Promise<number> {
  const { width, height } = await sharp(first).metadata()
  const scale = Math.min(1, atMostPx / Math.max(width, height))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const [a, b] = await Promise.all([first, second].map((bytes) => rgb(bytes, size)))
  if (a === undefined || b === undefined) return 0
  let error = 0
  for (let at = 0; at < a.length; at++) error += ((a[at] ?? 0) - (b[at] ?? 0)) ** 2
  return error === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((255 ** 2 * a.length) / error)
}

async function rgb(bytes: Buffer, size: { width: number; height: number }): Promise<Buffer> {
  const upright = sharp(bytes).autoOrient().flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha()
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true })
  const small = sharp(data, { raw: info }).resize({ ...size, fit: 'fill', kernel: 'lanczos3' })
  return small.toColourspace('srgb').removeAlpha().raw().toBuffer()
}
