import { PICTURE_TURNS } from '../../src/limits.ts'
import { findColourProfile } from './colour-profile.ts'
import { fitInto } from './fit.ts'
import { type Size, uprightSize } from './format.ts'
import type { ImageFile } from './image-file.ts'
import type { Picture, SizedPicture } from './picture.ts'
import { requireOk, runOnCore, view } from './pixels/core.ts'
import { decodeInto, decodeWhole } from './pixels/decode.ts'
import { join } from './pixels/join.ts'
import { type Raster, takeRaster } from './pixels/raster.ts'
import { extendWebp } from './pixels/webp-file.ts'
import type { AnyFacts } from './probe.ts'
import { createTurns, type TurnState } from './turns.ts'

/**
 * All that touches pixels: takes files and wanted sizes, gives files. Everything here throws ImageRefusal: 'over_budget',
 * 'unreadable' or 'busy'.
 */

/**
 * The first frame as a lossy WebP: upright, fitted into the box, never enlarged, alpha kept, with the colour profile where
 * its colours need one. `quality` is 0 to 100.
 */
export function encodeWebp(picture: Picture, box: Size, quality: number): Promise<ImageFile> {
  const { bytes, facts } = picture
  const size = fitInto(uprightSize(facts), box)
  return inTurn(async () => {
    const whole = await decodeWhole(picture)
    // The WebP is made while the picture is decoded: the pixels are never all there.
    const webp = await runOnCore(async (core) => {
      core.toWebp(size.width, size.height, facts.orientation, quality)
      await decodeInto(core, picture, whole, size)
      requireOk(core.finishWebp())
      const alpha = core.alphaBytes() > 0 ? view(core, core.alphStart(), core.alphaBytes()) : undefined
      const profile = findColourProfile(bytes, facts)
      return extendWebp(view(core, core.fileStart(), core.fileBytes()), size, { alpha, profile })
    }, mannerOf(facts))
    return { bytes: webp, format: 'webp', size }
  }, picture.isGone)
}

/** The pixels of a small picture that can be decoded by rows, as thumbnails can: upright. */
export function decodePixels(picture: Picture): Promise<Raster> {
  const size = uprightSize(picture.facts)
  return inTurn(() =>
    runOnCore(async (core) => {
      core.toPicture(size.width, size.height, picture.facts.orientation)
      await decodeInto(core, picture, undefined, size)
      return takeRaster(core, size)
    }, mannerOf(picture.facts)),
  )
}

/** The colours and the alpha of an AVIF are decoded side by side, and so are the tiles of its grid. */
function mannerOf(facts: AnyFacts): { mayBorrow: boolean } {
  return { mayBorrow: facts.format === 'avif' && (facts.alpha || facts.grid) }
}

/** Two first frames of one height side by side, without a gap: a PNG, or a JPEG of quality 90 (D35). */
export function joinSideBySide(left: SizedPicture, right: SizedPicture, format: 'jpeg' | 'png'): Promise<ImageFile> {
  return inTurn(async () => {
    const [leftWhole, rightWhole] = [await decodeWhole(left.picture), await decodeWhole(right.picture)]
    const profile = sharedProfile(left.picture, right.picture)
    const bytes = await join({ ...left, whole: leftWhole }, { ...right, whole: rightWhole }, format, profile)
    return { bytes, format, size: { width: left.size.width + right.size.width, height: left.size.height } }
  }, left.picture.isGone)
}

/** One picture at a time, so that no more than one is in memory. */
const inTurn = createTurns(PICTURE_TURNS, {
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** How the queue of the pictures is doing that this isolate decodes. */
export function codecState(): TurnState {
  return inTurn.state()
}

/** The colour profile of two pictures that have the same; two different ones cannot both go with one file. */
function sharedProfile(left: Picture, right: Picture): Uint8Array | undefined {
  const [one, other] = [left, right].map(({ bytes, facts }) => findColourProfile(bytes, facts))
  const isSame = one && other && one.length === other.length && one.every((byte, i) => byte === other[i])
  return isSame ? one : undefined
}
