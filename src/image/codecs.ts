import { COVER_JPEG_QUALITY } from '../limits.ts'
import { findColourProfile } from './colour-profile.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { Picture } from './picture.ts'
import { requireBudget } from './pixels/budget.ts'
import { requireOk, runOnCore, take } from './pixels/core.ts'
import { decodeTo, oversamplingFor } from './pixels/decode.ts'
import { encodePng } from './pixels/encode-png.ts'
import { decodeWhole, feed } from './pixels/feed.ts'
import { encodeJpeg, encodeLossyWebp } from './pixels/jsquash.ts'
import { blankRaster, paste } from './pixels/raster.ts'
import { withColourProfile } from './pixels/webp-file.ts'

/**
 * Pixels, behind a narrow door: files and wanted sizes in, files out. Everything here throws ImageRefusal: 'over_budget',
 * or 'unreadable'.
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
  const size = fitInto(uprightSize(picture.facts), box)
  return inTurn(async () => {
    const webp = picture.facts.alpha
      ? await encodeLossyWebp(await decodeTo(picture, size), quality)
      : await encodeOpaque(picture, size, quality)
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

/** A WebP without alpha, made while the picture is decoded: neither is ever there as a whole. */
async function encodeOpaque(picture: Picture, { width, height }: Size, quality: number): Promise<Uint8Array> {
  const whole = await decodeWhole(picture)
  return runOnCore(async (core) => {
    core.toWebp(width, height, picture.facts.orientation, quality)
    await feed(core, picture, whole, oversamplingFor({ width, height }))
    requireOk(core.finishWebp())
    return take(core, core.fileStart(), core.fileBytes())
  })
}
