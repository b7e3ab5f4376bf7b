import type { Size } from '../format.ts'
import { type Core, take } from './core.ts'

/** Decoded pixels, row by row from the top: red, green, blue and alpha, a byte each; colours are not multiplied by alpha. */
export interface Raster extends Size {
  rgba: Uint8ClampedArray<ArrayBuffer>
}

/** A raster that is all see-through. */
export function blankRaster({ width, height }: Size): Raster {
  return { width, height, rgba: new Uint8ClampedArray(width * height * 4) }
}

/** Puts a raster's pixels, alpha too, instead of those of another; what lies outside of it is left out. */
export function paste(canvas: Raster, raster: Raster, left: number, top: number): void {
  const width = Math.min(raster.width, canvas.width - left)
  const height = Math.min(raster.height, canvas.height - top)
  if (width <= 0) return
  for (let y = 0; y < height; y++) {
    const from = y * raster.width * 4
    canvas.rgba.set(raster.rgba.subarray(from, from + width * 4), ((top + y) * canvas.width + left) * 4)
  }
}

/** Lays a raster over another by its alpha; what lies outside of it is left out. */
export function layOver(canvas: Raster, raster: Raster, left: number, top: number): void {
  const [firstX, firstY] = [Math.max(0, -left), Math.max(0, -top)]
  const lastX = Math.min(raster.width, canvas.width - left)
  const lastY = Math.min(raster.height, canvas.height - top)
  for (let y = firstY; y < lastY; y++) {
    for (let x = firstX; x < lastX; x++) {
      const from = (y * raster.width + x) * 4
      const to = ((top + y) * canvas.width + left + x) * 4
      const above = raster.rgba[from + 3] ?? 0
      const below = ((canvas.rgba[to + 3] ?? 0) * (255 - above)) / 255
      for (let i = 0; i < 3 && above + below > 0; i++) {
        const sum = (raster.rgba[from + i] ?? 0) * above + (canvas.rgba[to + i] ?? 0) * below
        canvas.rgba[to + i] = sum / (above + below)
      }
      canvas.rgba[to + 3] = above + below
    }
  }
}

/** A copy of the image that the core has made, of this size. */
export function takeRaster(core: Core, { width, height }: Size): Raster {
  return { width, height, rgba: new Uint8ClampedArray(take(core, core.image(), width * height * 4).buffer) }
}
