import type { Orientation, Size } from '../format.ts'

/** Decoded pixels, row by row from the top: red, green, blue and alpha, a byte each; colours are not multiplied by alpha. */
export interface Raster extends Size {
  rgba: Uint8ClampedArray
}

/** A raster that is all see-through. */
export function blankRaster({ width, height }: Size): Raster {
  return { width, height, rgba: new Uint8ClampedArray(width * height * 4) }
}

/** Whether no pixel is see-through, not even in part. */
export function isOpaque({ rgba }: Raster): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 255) return false
  return true
}

/** Puts a raster's pixels, alpha too, in place of those of another; what lies outside of it is left out. */
export function paste(canvas: Raster, raster: Raster, left: number, top: number): void {
  const width = Math.min(raster.width, canvas.width - left)
  const height = Math.min(raster.height, canvas.height - top)
  if (width <= 0) return
  for (let y = 0; y < height; y++) {
    const from = y * raster.width * 4
    canvas.rgba.set(raster.rgba.subarray(from, from + width * 4), ((top + y) * canvas.width + left) * 4)
  }
}

/**
 * Where the walk over the coded pixels begins that meets them in upright order, and its steps to the right and down:
 * offsets in pixels of a raster of width `w` and height `h` (EXIF 2.32, 4.6.4 A).
 */
const WALKS: Record<Orientation, (w: number, h: number) => { start: number; right: number; down: number }> = {
  1: (w) => ({ start: 0, right: 1, down: w }),
  2: (w) => ({ start: w - 1, right: -1, down: w }),
  3: (w, h) => ({ start: w * h - 1, right: -1, down: -w }),
  4: (w, h) => ({ start: w * (h - 1), right: 1, down: -w }),
  5: (w) => ({ start: 0, right: w, down: 1 }),
  6: (w, h) => ({ start: w * (h - 1), right: -w, down: 1 }),
  7: (w, h) => ({ start: w * h - 1, right: -w, down: -1 }),
  8: (w) => ({ start: w - 1, right: w, down: -1 }),
}

/** The same picture, turned upright. */
export function turnUpright(raster: Raster, orientation: Orientation): Raster {
  if (orientation === 1) return raster
  const { width: w, height: h } = raster
  const upright = blankRaster(orientation >= 5 ? { width: h, height: w } : raster)
  const walk = WALKS[orientation](w, h)
  const source = new Uint32Array(raster.rgba.buffer, raster.rgba.byteOffset, w * h)
  const target = new Uint32Array(upright.rgba.buffer)
  for (let y = 0, at = 0; y < upright.height; y++) {
    let from = walk.start + y * walk.down
    for (let x = 0; x < upright.width; x++, from += walk.right) target[at++] = source[from] ?? 0
  }
  return upright
}
