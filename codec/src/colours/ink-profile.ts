import { INK_GRID_POINTS } from '../../assembly/colour/grid-points.ts'
import { readTables } from './table-profile.ts'

const INKS = 4

/**
 * Evaluates the tables of a CMYK profile (A2B0, perceptual) at the points of the codec's ink grid, as sRGB for
 * setInkGrid. Returns undefined if tables are missing or broken.
 */
export function readInkProfile(profile: Uint8Array): Uint8Array | undefined {
  const toSrgb = readTables(profile, INKS)
  if (!toSrgb) return undefined
  const most = INK_GRID_POINTS - 1
  const points = new Int16Array(INK_GRID_POINTS ** INKS * 4)
  for (let i = 0; i < points.length; i += 4) {
    const amounts = [3, 2, 1, 0].map((ink) => (Math.floor(i / 4 / INK_GRID_POINTS ** ink) % INK_GRID_POINTS) / most)
    for (const [channel, value] of toSrgb(amounts).entries()) {
      if (Number.isNaN(value)) return undefined
      points[i + channel] = Math.max(-0x8000, Math.min(0x7fff, Math.round(value * 255 * 64)))
    }
  }
  return new Uint8Array(points.buffer)
}
