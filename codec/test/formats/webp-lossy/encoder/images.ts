import { photo } from '../../../../../test/support/photo.ts'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import type { Yuv } from './encoder.ts'

/** Interleaved RGB as the planes that WebP takes: BT.601 in video range, chroma the mean of four pixels. */
export function toYuv(rgb: Uint8Array, width: number, height: number): Yuv {
  const chromaWidth = (width + 1) >> 1
  const chromaHeight = (height + 1) >> 1
  const samples = new Uint8Array(width * height + 2 * chromaWidth * chromaHeight)
  const colour = (x: number, y: number, c: number): number => rgb[(y * width + x) * 3 + c] ?? 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const luma = 0.257 * colour(x, y, 0) + 0.504 * colour(x, y, 1) + 0.098 * colour(x, y, 2)
      samples[y * width + x] = Math.round(16 + luma)
    }
  }
  const uStart = width * height
  const vStart = uStart + chromaWidth * chromaHeight
  for (let y = 0; y < chromaHeight; y++) {
    for (let x = 0; x < chromaWidth; x++) {
      const right = Math.min(width - 1, 2 * x + 1)
      const down = Math.min(height - 1, 2 * y + 1)
      const [r, g, b] = [0, 1, 2].map(
        (c) =>
          (colour(2 * x, 2 * y, c) + colour(right, 2 * y, c) + colour(2 * x, down, c) + colour(right, down, c)) / 4,
      ) as [number, number, number]
      samples[uStart + y * chromaWidth + x] = Math.round(128 - 0.148 * r - 0.291 * g + 0.439 * b)
      samples[vStart + y * chromaWidth + x] = Math.round(128 + 0.439 * r - 0.368 * g - 0.071 * b)
    }
  }
  return { width, height, samples }
}

/** A photo-like image, the same for the same size and seed. */
export async function photoYuv(width: number, height: number, seed: number): Promise<Yuv> {
  return toYuv(photo(width, height, seed), width, height)
}

/** Kinds of samples that are not like photos. */
export const KINDS = ['flat', 'black and white flat halves', 'gradient', 'noise', 'extreme noise', 'text'] as const
export type Kind = (typeof KINDS)[number]

/** An image of a kind, the same for the same size and seed. */
export function madeYuv(kind: Kind, width: number, height: number, seed: number): Yuv {
  const random = seededRandom(seed)
  const chromaSize = ((width + 1) >> 1) * ((height + 1) >> 1)
  const samples = new Uint8Array(width * height + 2 * chromaSize)
  const level = below(256, random)
  for (let i = 0; i < samples.length; i++)
    samples[i] = sampleOf(kind, i % width, Math.floor(i / width), width, level, random)
  return { width, height, samples }
}

function sampleOf(kind: Kind, x: number, y: number, width: number, level: number, random: () => number): number {
  switch (kind) {
    case 'flat':
      return level
    case 'black and white flat halves':
      return 2 * x < width ? 0 : 255
    case 'gradient':
      return (level + x + 2 * y) >> 2
    case 'noise':
      return below(256, random)
    case 'extreme noise':
      return random() < 0.5 ? 0 : 255
    case 'text':
      return (x % 7 < 2 || y % 9 < 2) && (x * 7 + y * 13 + ((x * y) >> 3)) % 5 < 3 ? 16 : 235
  }
}
