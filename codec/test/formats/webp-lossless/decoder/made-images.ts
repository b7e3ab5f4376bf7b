import { photo } from '../../../../../test/support/photo.ts'
import { below, seededRandom } from '../../../../../test/support/random.ts'

/** Interleaved RGBA, not multiplied by alpha. */
export interface TestImage {
  readonly width: number
  readonly height: number
  readonly rgba: Buffer
}

/** Numbers of colours of the test images: both sides of each number at which the format packs pixels in another way. */
export const COLOUR_COUNTS = [1, 2, 3, 4, 5, 16, 17, 200, 256, 300]

/** Widths and heights at the format's edges, and around the sizes of its blocks. */
export const EDGE_SIZES = [
  [1, 1],
  [1, 2],
  [2, 1],
  [3, 3],
  [1, 333],
  [5, 4],
  [15, 16],
  [17, 33],
  [16383, 1],
  [1, 16383],
  [16383, 3],
] as const

/** A photo, see-through in part if `alpha`. */
export async function photoImage(width: number, height: number, seed: number, alpha = false): Promise<TestImage> {
  const rgb = photo(width, height, seed)
  const rgba = Buffer.alloc(width * height * 4, 255)
  for (let i = 0; i < width * height; i++) {
    rgb.copy(rgba, i * 4, i * 3, i * 3 + 3)
    if (alpha) rgba[i * 4 + 3] = Math.max(0, Math.min(255, (i % width) * 3 - Math.floor(i / width)))
  }
  return { width, height, rgba }
}

/** Patches of `colours` colours. */
export function paletteImage(width: number, height: number, colours: number, seed: number): TestImage {
  const random = seededRandom(seed)
  const palette = Array.from({ length: colours }, (_, i) => [i, below(256, random), below(256, random)] as const)
  const rgba = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const patch = Math.floor(x / 5) * 7 + Math.floor(y / 3) * 3
      const index = random() < 0.1 ? below(colours, random) : patch % colours
      rgba.set(palette[index] ?? [], (y * width + x) * 4)
    }
  }
  return { width, height, rgba }
}

/** Every sample random. */
export function noiseImage(width: number, height: number, seed: number): TestImage {
  const random = seededRandom(seed)
  return { width, height, rgba: Buffer.from(Array.from({ length: width * height * 4 }, () => below(256, random))) }
}
