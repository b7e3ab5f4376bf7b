// The pictures that are measured: like photographs, the same on every machine.
import { photo } from '../test/support/photo.ts'
import { seededRandom } from '../test/support/random.ts'

const SEED = 20_261_121

/**
 * The sizes that are measured, by their megapixels.
 * @type {Record<string, [width: number, height: number]>}
 */
export const SIZES = {
  1: [1200, 800],
  3: [2048, 1536],
  12: [4032, 3024],
  24: [6000, 4000],
  48: [8000, 6000],
}

/**
 * Raw RGB of a picture; `grain` is the amplitude of the noise of single pixels.
 * @param {number} width
 * @param {number} height
 * @param {number} grain
 */
export function makePhoto(width, height, grain) {
  return photo(width, height, SEED, grain)
}

/**
 * Raw RGB of a drawing: rectangles and discs of flat colours, and lines of strokes as small as those of text.
 * @param {number} width
 * @param {number} height
 */
export function makeDrawing(width, height) {
  const random = seededRandom(SEED)
  const pixels = Buffer.alloc(width * height * 3, 255)
  const whole = (/** @type {number} */ below) => Math.floor(random() * below)
  const colour = () => Buffer.of(whole(8) * 36, whole(8) * 36, whole(8) * 36)
  const span = (
    /** @type {number} */ y,
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {Buffer} */ rgb,
  ) => {
    const [left, right] = [Math.max(0, Math.floor(from)), Math.min(width, Math.ceil(to))]
    if (y >= 0 && y < height && left < right) pixels.fill(rgb, (y * width + left) * 3, (y * width + right) * 3)
  }
  for (let i = 0; i < 60; i++) {
    const [x, y, w, h, rgb] = [whole(width), whole(height), whole(width / 4), whole(height / 4), colour()]
    const isDisc = i % 3 === 0
    for (let row = 0; row < h; row++) {
      const share = isDisc ? Math.sqrt(1 - ((2 * row) / h - 1) ** 2) : 1
      span(y + row, x + (w / 2) * (1 - share), x + (w / 2) * (1 + share), rgb)
    }
  }
  for (let i = 0; i < 40; i++) {
    const [x, y, rgb] = [whole(width), whole(height), colour()]
    for (let stroke = 0; stroke < 60; stroke++) {
      const [dx, dy, w, h] = [stroke * 8 + whole(5), whole(9), 1 + whole(5), 1 + whole(9)]
      for (let row = 0; row < h; row++) span(y + dy + row, x + dx, x + dx + w, rgb)
    }
  }
  return pixels
}
