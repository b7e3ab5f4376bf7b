// Images made for the tests, and what to compare them by.
import { seededRandom } from '../../../../../test/support/random.ts'

/** RGB rows without gaps. */
export interface TestImage {
  width: number
  height: number
  channels: 1 | 3 | 4
  bytes: Uint8Array
}

/** An image like a photograph: smooth shapes of many sizes, each in a colour, and a little grain. */
export function photo(width: number, height: number, seed = 1): TestImage {
  const next = seededRandom(seed)
  const planes = [new Float64Array(width * height), new Float64Array(width * height), new Float64Array(width * height)]
  for (const [cell, strength] of [
    [width / 2, 60],
    [width / 6, 45],
    [width / 20, 25],
    [16, 8],
  ] as const) {
    for (const plane of planes) addNoise(plane, width, height, Math.max(8, cell), plane === planes[0] ? 10 : 4, next)
    const shared = new Float64Array(width * height)
    addNoise(shared, width, height, Math.max(8, cell), strength, next)
    for (const plane of planes) for (let i = 0; i < plane.length; i++) plane[i] = (plane[i] ?? 0) + (shared[i] ?? 0)
  }
  const bytes = new Uint8Array(width * height * 3)
  for (let i = 0; i < bytes.length; i++) {
    const grain = (next() - 0.5) * 6
    bytes[i] = Math.max(0, Math.min(255, 128 + (planes[i % 3]?.[Math.floor(i / 3)] ?? 0) + grain))
  }
  return { width, height, channels: 3, bytes }
}

/** Random values on a grid of `cell` pixels, smoothly joined. */
function addNoise(to: Float64Array, width: number, height: number, cell: number, strength: number, next: () => number) {
  const columns = Math.ceil(width / cell) + 2
  const values = Float64Array.from(
    { length: columns * (Math.ceil(height / cell) + 2) },
    () => (next() * 2 - 1) * strength,
  )
  const ease = (t: number) => t * t * (3 - 2 * t)
  const columnOf = Uint32Array.from({ length: width }, (_, x) => Math.floor(x / cell))
  const acrossOf = Float64Array.from(columnOf, (column, x) => ease(x / cell - column))
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(y / cell)
    const down = ease(y / cell - row)
    for (let x = 0; x < width; x++, i++) {
      const at = row * columns + (columnOf[x] ?? 0)
      const across = acrossOf[x] ?? 0
      const upperLeft = values[at] ?? 0
      const lowerLeft = values[at + columns] ?? 0
      const upper = upperLeft + ((values[at + 1] ?? 0) - upperLeft) * across
      const lower = lowerLeft + ((values[at + columns + 1] ?? 0) - lowerLeft) * across
      to[i] = (to[i] ?? 0) + upper + (lower - upper) * down
    }
  }
}

/** The peak signal-to-noise ratio in dB of the first `compared` channels of two images of the same size. */
export function psnr(a: Uint8Array, aChannels: number, b: Uint8Array, bChannels: number, compared = 3): number {
  let sum = 0
  for (let c = 0; c < compared; c++) {
    for (let i = c, j = c; i < a.length; i += aChannels, j += bChannels) {
      const difference = (a[i] ?? 0) - (b[j] ?? 0)
      sum += difference * difference
    }
  }
  return 10 * Math.log10(65025 / (sum / (a.length / aChannels) / compared))
}

/** The planes that an encoder gets, Y, U and V padded to whole macroblocks, as RGB. */
export function planesToRgb({ bytes: planes, width, height }: { bytes: Uint8Array; width: number; height: number }) {
  const stride = (width + 15) & ~15
  const luma = stride * ((height + 15) & ~15)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y >> 1) * (stride >> 1) + (x >> 1)
      const l = ((planes[y * stride + x] ?? 0) - 16) * (255 / 219)
      const b = ((planes[luma + at] ?? 0) - 128) * (255 / 224)
      const r = ((planes[luma * 1.25 + at] ?? 0) - 128) * (255 / 224)
      const pixel = [l + 1.402 * r, l - 0.344136 * b - 0.714136 * r, l + 1.772 * b]
      for (let c = 0; c < 3; c++) rgb[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(pixel[c] ?? 0)))
    }
  }
  return rgb
}
