import type { Picture } from '../picture.ts'
import { requireBudget } from './budget.ts'
import { type Core, put, requireOk } from './core.ts'
import { feedPng } from './feed-png.ts'
import { decodeAvif, decodeWebp } from './jsquash.ts'
import { blankRaster, paste, type Raster } from './raster.ts'
import { findFirstFrame, findLossyFrame } from './webp-file.ts'

/** Bytes that the coefficients of a JPEG in several scans may fill of the core's memory; the encoder takes some 10 MB more. */
const COEFFICIENTS_MAX_BYTES = 58_000_000
const RASTER_PIECE_BYTES = 1 << 20
const SLACK_BYTES = 64

/**
 * Decodes the first frame of a picture into what the core was told to make. JPEG is decoded at a scale that gives at least
 * `oversampling` times the pixels wanted across, where it has them. Throws ImageRefusal.
 */
export async function feed(core: Core, { bytes, facts }: Picture, oversampling: number): Promise<void> {
  switch (facts.format) {
    case 'jpeg':
      requireOk(core.openJpeg(put(core, bytes), bytes.length))
      return requireOk(core.decodeJpeg(oversampling, COEFFICIENTS_MAX_BYTES))
    case 'png':
      return feedPng(core, bytes)
    case 'gif':
      requireOk(core.openGif(put(core, bytes), bytes.length))
      return requireOk(core.decodeGif())
    case 'webp': {
      const frame = facts.coding === 'lossy' && !facts.alpha && findLossyFrame(bytes)
      if (!frame) return feedRaster(core, await decodeWholeWebp(bytes, facts.size))
      requireOk(core.openVp8(put(core, frame), frame.length))
      return requireOk(core.decodeVp8())
    }
    case 'avif':
      requireBudget(facts.size)
      return feedRaster(core, await decodeAvif(bytes))
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

async function decodeWholeWebp(bytes: Uint8Array, size: { width: number; height: number }): Promise<Raster> {
  requireBudget(size)
  const frame = findFirstFrame(bytes)
  if (!frame) return decodeWebp(bytes)
  const canvas = blankRaster(size)
  paste(canvas, await decodeWebp(frame.bytes), frame.left, frame.top)
  return canvas
}
