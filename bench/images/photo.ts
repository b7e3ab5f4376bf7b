// The images that are measured: like photographs, the same on every machine.
import { photo } from '../../test/support/photo.ts'
import { seededRandom } from '../../test/support/random.ts'

const SEED = 20_261_121

/** The sizes that are measured, by their megapixels. */
export const SIZES: Record<string, [width: number, height: number]> = {
  1: [1200, 800],
  3: [2048, 1536],
  12: [4032, 3024],
  24: [6000, 4000],
  48: [8000, 6000],
}

/** Raw RGB of an image; `grain` is the amplitude of the noise of single pixels. */
export function makePhoto(width: number, height: number, grain: number) {
  return photo(width, height, SEED, grain)
}

/** Raw RGB of a drawing: rectangles and discs of flat colours, and lines of strokes as small as those of text. */
export function makeDrawing(width: number, height: number) {
  const random = seededRandom(SEED)
  const pixels = Buffer.alloc(width * height * 3, 255)
  const whole = (below: number) => Math.floor(random() * below)
  const colour = () => Buffer.of(whole(8) * 36, whole(8) * 36, whole(8) * 36)
  const span = (y: number, from: number, to: number, rgb: Buffer) => {
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

/**
 * Raw RGB of a page as a screen shows it: lines of words in letters with smooth edges, below a bar, beside an image with a gradient.
 */
export function makePage(width: number, height: number) {
  const random = seededRandom(SEED)
  const whole = (below: number) => Math.floor(random() * below)
  const [letterWidth, letterHeight, lineHeight] = [9, 14, 22]
  const letters = Array.from({ length: 40 }, () => {
    const strokes = Array.from({ length: 3 }, () => [whole(6), whole(10), 1 + whole(6), 1 + whole(4)])
    return Array.from({ length: letterWidth * letterHeight }, (_, i) => {
      const [x, y] = [i % letterWidth, Math.floor(i / letterWidth)]
      const shares = strokes.map(([left = 0, top = 0, w = 0, h = 0]) =>
        x < left || x > left + w || y < top || y > top + h ? 0 : x === left || y === top ? 0.45 : 1,
      )
      return Math.max(...shares)
    })
  })
  const words = Array.from({ length: 300 }, () => Array.from({ length: 2 + whole(8) }, () => whole(letters.length)))
  const pixels = Buffer.alloc(width * height * 3, 252)
  pixels.fill(Buffer.of(36, 52, 80), 0, width * 3 * 40)
  const put = (x: number, y: number, letter: number[], ink: number[]) => {
    for (const [i, share] of letter.entries()) {
      const at = ((y + Math.floor(i / letterWidth)) * width + x + (i % letterWidth)) * 3
      for (const [c, value] of ink.entries()) pixels[at + c] = Math.round(252 + (value - 252) * share)
    }
  }
  for (let y = 60; y + lineHeight < height; y += lineHeight) {
    const ink = y % (lineHeight * 12) < lineHeight ? [20, 80, 200] : [30, 30, 34]
    for (let x = 24; ; ) {
      const word = words[whole(words.length)] ?? []
      if (x + word.length * letterWidth > width * 0.7) break
      for (const letter of word) {
        put(x, y, letters[letter] ?? [], ink)
        x += letterWidth
      }
      x += letterWidth
    }
  }
  const left = Math.floor(width * 0.74)
  for (let y = 60; y < Math.min(height, 60 + width * 0.2); y++) {
    for (let x = left; x < width - 24; x++) pixels.set([(x * 255) / width, 90 + (y & 127), 160], (y * width + x) * 3)
  }
  return pixels
}
