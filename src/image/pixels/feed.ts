import type { Picture } from '../picture.ts'
import { requireBudget } from './budget.ts'
import { type Core, put, requireOk } from './core.ts'
import { feedPng } from './feed-png.ts'
import { composeFirstFrame, feedWebp } from './feed-webp.ts'
import { decodeAvif } from './jsquash.ts'
import type { Raster } from './raster.ts'

/** Bytes that the coefficients of a JPEG in several scans may fill of the core's memory; the encoder takes some 10 MB more. */
const COEFFICIENTS_MAX_BYTES = 58_000_000
const RASTER_PIECE_BYTES = 1 << 20
const SLACK_BYTES = 64

/** The pixels of a picture that cannot be decoded by rows; undefined for all others. Throws ImageRefusal. */
export async function decodeWhole(picture: Picture): Promise<Raster | undefined> {
  const { bytes, facts } = picture
  if (facts.format === 'webp' && facts.alpha) return composeFirstFrame(picture)
  if (facts.format !== 'avif') return undefined
  requireBudget(facts.size)
  return decodeAvif(bytes)
}

/**
 * Decodes the first frame of a picture, or its `whole` pixels where it has them, into what the core was told to make. JPEG is
 * decoded at a scale that gives at least `oversampling` times the pixels wanted across, where it has them. Throws ImageRefusal.
 */
export async function feed(
  core: Core,
  picture: Picture,
  whole: Raster | undefined,
  oversampling: number,
): Promise<void> {
  if (whole) return feedRaster(core, whole)
  const { bytes, facts } = picture
  switch (facts.format) {
    case 'jpeg':
      requireOk(core.openJpeg(put(core, bytes), bytes.length))
      return requireOk(core.decodeJpeg(oversampling, COEFFICIENTS_MAX_BYTES))
    case 'png':
      return feedPng(core, bytes)
    case 'gif':
      requireOk(core.openGif(put(core, bytes), bytes.length))
      return requireOk(core.decodeGif())
    case 'webp':
      return feedWebp(core, picture)
    case 'avif':
      throw new Error('an AVIF is decoded as a whole')
  }
}

function feedRaster(core: Core, { width, height, rgba }: Raster): void {
  core.openRgba(width, height)
  const rowBytes = width * 4
  const rows = Math.max(1, Math.floor(RASTER_PIECE_BYTES / rowBytes))
  const piece = core.allocate(rows * rowBytes + SLACK_BYTES)
  for (let y = 0; y < height; y += rows) {
    const some = rgba.subarray(y * rowBytes, Math.min(y + rows, height) * rowBytes)
    new Uint8Array(core.memory.buffer, piece, some.length).set(some)
    core.feedRgba(piece, some.length / rowBytes)
  }
  requireOk(core.finish())
}
