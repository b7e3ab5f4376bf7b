import sharp from 'sharp'
import { seededRandom } from '../support/random.ts'

/**
 * A picture like a photograph, as interleaved RGB: smooth shapes of several sizes in each colour, an edge, and noise.
 * The same for the same size and seed.
 */
export async function photo(width: number, height: number, seed: number): Promise<Buffer> {
  const random = seededRandom(seed)
  const sums = new Float32Array(width * height * 3).fill(118)
  for (const [cells, strength] of OCTAVES) {
    const across = Math.max(2, Math.min(width, cells))
    const down = Math.max(2, Math.min(height, Math.round((cells * height) / width)))
    const grid = Buffer.from(Array.from({ length: across * down * 3 }, () => Math.floor(random() * 256)))
    const layer = await sharp(grid, { raw: { width: across, height: down, channels: 3 } })
      .resize(width, height, { fit: 'fill', kernel: 'cubic' })
      .raw()
      .toBuffer()
    for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] ?? 0) + ((layer[i] ?? 0) - 128) * strength
  }
  const pixels = Buffer.alloc(sums.length)
  for (let i = 0; i < pixels.length; i++) {
    const x = Math.floor(i / 3) % width
    const y = Math.floor(i / 3 / width)
    const edge = x * height > y * width ? 18 : -18
    pixels[i] = Math.max(0, Math.min(255, Math.round((sums[i] ?? 0) + edge + random() * 8)))
  }
  return pixels
}

/** Cells across the picture, and how much of their contrast counts. */
const OCTAVES = [
  [5, 0.8],
  [21, 0.5],
  [90, 0.3],
  [300, 0.15],
] as const
