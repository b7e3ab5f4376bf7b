import { COVER_JPEG_QUALITY } from '../limits.ts'
import { findColourProfile } from './colour-profile.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { Picture } from './picture.ts'
import { requireBudget } from './pixels/budget.ts'
import { decodeCmykJpeg } from './pixels/decode-cmyk.ts'
import { decodeGif } from './pixels/decode-gif.ts'
import { decodePng } from './pixels/decode-png.ts'
import { encodePng } from './pixels/encode-png.ts'
import { decodeAvif, decodeJpeg, decodeWebp, encodeJpeg, encodeLossyWebp } from './pixels/jsquash.ts'
import { blankRaster, paste, type Raster, turnUpright } from './pixels/raster.ts'
import { resample } from './pixels/resample.ts'
import { findFirstFrame, withColourProfile } from './pixels/webp-file.ts'

/**
 * Pixels, behind a narrow door: files and wanted sizes in, files out. Everything here throws ImageRefusal: 'over_budget',
 * told from the header before anything is decoded, or 'unreadable'.
 */

/** A file made by a codec. */
export interface Encoded {
  bytes: Uint8Array
  size: Size
}

/** A picture and the (upright) size it is to have. */
export interface Panel {
  picture: Picture
  size: Size
}

/**
 * The first frame as a lossy WebP: upright, fitted into the box, never enlarged, alpha kept, with the colour profile where
 * its colours need one. `quality` is 0 to 100.
 */
export function encodeWebp(picture: Picture, box: Size, quality: number): Promise<Encoded> {
  return inTurn(async () => {
    const raster = await decodeTo(picture, fitInto(uprightSize(picture.facts), box))
    const size = { width: raster.width, height: raster.height }
    const webp = await encodeLossyWebp(raster, quality)
    const profile = findColourProfile(picture.bytes, picture.facts)
    return { bytes: profile ? withColourProfile(webp, size, profile) : webp, size }
  })
}

/** Two first frames of one height side by side, without a gap: a PNG, or a JPEG of quality 90 (D35). */
export function joinSideBySide(left: Panel, right: Panel, format: 'jpeg' | 'png'): Promise<Encoded> {
  const size = { width: left.size.width + right.size.width, height: left.size.height }
  return inTurn(async () => {
    requireBudget(size)
    const joined = blankRaster(size)
    paste(joined, await decodeTo(left.picture, left.size), 0, 0)
    paste(joined, await decodeTo(right.picture, right.size), left.size.width, 0)
    return { bytes: format === 'png' ? encodePng(joined) : await encodeJpeg(joined, COVER_JPEG_QUALITY), size }
  })
}

let lastJob: Promise<unknown> = Promise.resolve()

/** One picture at a time, so that no more than one is in memory. */
function inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
  const result = lastJob.then(job)
  lastJob = result.then(forget, forget)
  return result
}

/** The chain of jobs holds no result. */
function forget(): void {}

/** Decodes the first frame, upright and at an upright size no larger than its own. The turn comes last, when there is less to turn. */
async function decodeTo(picture: Picture, upright: Size): Promise<Raster> {
  const { orientation } = picture.facts
  const asCoded = uprightSize({ size: upright, orientation })
  return turnUpright(resample(await decode(picture), asCoded), orientation)
}

async function decode({ bytes, facts }: Picture): Promise<Raster> {
  requireBudget(facts.size)
  switch (facts.format) {
    case 'jpeg':
      return facts.sampling.length === 4 ? decodeCmykJpeg(bytes, facts) : decodeJpeg(bytes)
    case 'png':
      return decodePng(bytes, facts)
    case 'gif':
      return decodeGif(bytes, facts)
    case 'webp':
      return decodeFirstWebpFrame(bytes, facts.size)
    case 'avif':
      return decodeAvif(bytes)
  }
}

async function decodeFirstWebpFrame(bytes: Uint8Array, size: Size): Promise<Raster> {
  const frame = findFirstFrame(bytes)
  if (!frame) return decodeWebp(bytes)
  const canvas = blankRaster(size)
  paste(canvas, await decodeWebp(frame.bytes), frame.left, frame.top)
  return canvas
}
