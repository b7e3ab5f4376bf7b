import { type Random, seededRandom } from './random.ts'

/** Cells across the image, or their size in pixels if that is smaller, and their weight in brightness and in colour. */
type Octave = ({ cells: number } | { pixels: number }) & { light: number; red: number; green: number; blue: number }

const OCTAVES: readonly Octave[] = [
  { cells: 6, light: 70, red: 0, green: 0, blue: -50 },
  { cells: 24, light: 45, red: 40, green: 0, blue: 0 },
  { cells: 90, light: 34, red: 0, green: 14, blue: 0 },
  { pixels: 48, light: 16, red: 0, green: 0, blue: 0 },
  { pixels: 12, light: 9, red: 0, green: 0, blue: 0 },
]

/** In pixels. Finer detail is left to the grain, so that a small image is more than noise. */
const FINEST_STEP = 8
const NOISE_SAMPLES = 65_536

/** Values on a grid, and the row of it that is being drawn. */
interface Lattice {
  step: number
  columns: number
  values: Float32Array
  row: Float32Array
}

/**
 * Returns an image like a photograph, as packed RGB: fractal noise for brightness and colour, and noise of single
 * pixels with the amplitude `grain`. Equal arguments return equal images.
 */
export function photo(width: number, height: number, seed: number, grain = 2): Buffer<ArrayBuffer> {
  const random = seededRandom(seed)
  const octaves = OCTAVES.map((octave) => ({ ...octave, lattice: makeLattice(octave, width, height, random) })).filter(
    ({ lattice }) => lattice.step >= FINEST_STEP,
  )
  const noise = Float32Array.from({ length: NOISE_SAMPLES }, () => (random() + random() + random() - 1.5) * grain * 2)
  const pixels = Buffer.alloc(width * height * 3)
  let noiseAt = 0
  for (let y = 0, at = 0; y < height; y++) {
    for (const { lattice } of octaves) interpolateRow(lattice, y)
    for (let x = 0; x < width; x++, at += 3) {
      noiseAt = (noiseAt * 5 + 12_345 + x) & (NOISE_SAMPLES - 1)
      let light = 110 + (noise[noiseAt] ?? 0)
      let [red, green, blue] = [10, 0, -5]
      for (const { lattice, light: l, red: r, green: g, blue: b } of octaves) {
        const value = valueAt(lattice, x)
        light += l * value
        red += r * value
        green += g * value
        blue += b * value
      }
      pixels[at] = clamp(light + red)
      pixels[at + 1] = clamp(light + green)
      pixels[at + 2] = clamp(light + blue)
    }
  }
  return pixels
}

function makeLattice(octave: Octave, width: number, height: number, random: Random): Lattice {
  const step = 'pixels' in octave ? octave.pixels : Math.ceil(width / octave.cells)
  const columns = Math.ceil(width / step) + 2
  const rows = Math.ceil(height / step) + 2
  const values = Float32Array.from({ length: columns * rows }, () => random() * 2 - 1)
  return { step, columns, values, row: new Float32Array(columns) }
}

function interpolateRow({ step, columns, values, row }: Lattice, y: number): void {
  const cell = Math.floor(y / step)
  const share = smooth(y / step - cell)
  for (let x = 0; x < columns; x++) {
    const above = values[cell * columns + x] ?? 0
    row[x] = above + ((values[(cell + 1) * columns + x] ?? 0) - above) * share
  }
}

function valueAt({ step, row }: Lattice, x: number): number {
  const cell = Math.floor(x / step)
  const left = row[cell] ?? 0
  return left + ((row[cell + 1] ?? 0) - left) * smooth(x / step - cell)
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t)
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}
