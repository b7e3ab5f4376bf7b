import { findColourProfile } from './colour-profile.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { Picture } from './picture.ts'
import { requireOk, runOnCore, take } from './pixels/core.ts'
import { decodeInto, decodeTo, decodeWhole } from './pixels/decode.ts'
import { join } from './pixels/join.ts'
import { encodeLossyWebp } from './pixels/jsquash.ts'
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
  return inTurn(async () => {
    const [leftWhole, rightWhole] = [await decodeWhole(left.picture), await decodeWhole(right.picture)]
    const profile = sharedProfile(left.picture, right.picture)
    const bytes = await join({ ...left, whole: leftWhole }, { ...right, whole: rightWhole }, format, profile)
    return { bytes, size: { width: left.size.width + right.size.width, height: left.size.height } }
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
async function encodeOpaque(picture: Picture, size: Size, quality: number): Promise<Uint8Array> {
  const whole = await decodeWhole(picture)
  return runOnCore(async (core) => {
    core.toWebp(size.width, size.height, picture.facts.orientation, quality)
    await decodeInto(core, picture, whole, size)
    requireOk(core.finishWebp())
    return take(core, core.fileStart(), core.fileBytes())
  })
}

/** The colour profile of two pictures that have the same; two different ones cannot both go with one file. */
function sharedProfile(left: Picture, right: Picture): Uint8Array | undefined {
  const [one, other] = [left, right].map(({ bytes, facts }) => findColourProfile(bytes, facts))
  const isSame = one && other && one.length === other.length && one.every((byte, i) => byte === other[i])
  return isSame ? one : undefined
}
