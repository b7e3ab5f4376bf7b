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
const EMPTY = new Float64Array()

/** Values on a grid. The share of the next cell in the value of a column is the same in every row. */
interface Lattice {
  step: number
  columns: number
  values: Float32Array
  /** The row that is being drawn, between two rows of the grid. */
  row: Float32Array
  shares: Float64Array
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
  const sums = Array.from({ length: 4 }, () => new Float64Array(width))
  const [light = EMPTY, red = EMPTY, green = EMPTY, blue = EMPTY] = sums
  let noiseAt = 0
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      noiseAt = (noiseAt * 5 + 12_345 + x) & (NOISE_SAMPLES - 1)
      light[x] = 110 + (noise[noiseAt] ?? 0)
    }
    red.fill(10)
    green.fill(0)
    blue.fill(-5)
    for (const { lattice, ...weights } of octaves) {
      interpolateRow(lattice, y)
      addRow(light, lattice, weights.light)
      addRow(red, lattice, weights.red)
      addRow(green, lattice, weights.green)
      addRow(blue, lattice, weights.blue)
    }
    for (let x = 0; x < width; x++, at += 3) {
      const lightness = light[x] ?? 0
      pixels[at] = clamp(lightness + (red[x] ?? 0))
      pixels[at + 1] = clamp(lightness + (green[x] ?? 0))
      pixels[at + 2] = clamp(lightness + (blue[x] ?? 0))
    }
  }
  return pixels
}

function makeLattice(octave: Octave, width: number, height: number, random: Random): Lattice {
  const step = 'pixels' in octave ? octave.pixels : Math.ceil(width / octave.cells)
  const columns = Math.ceil(width / step) + 2
  const rows = Math.ceil(height / step) + 2
  const values = Float32Array.from({ length: columns * rows }, () => random() * 2 - 1)
  const shares = Float64Array.from({ length: width }, (_, x) => smooth(x / step - Math.floor(x / step)))
  return { step, columns, values, row: new Float32Array(columns), shares }
}

function interpolateRow({ step, columns, values, row }: Lattice, y: number): void {
  const cell = Math.floor(y / step)
  const share = smooth(y / step - cell)
  for (let x = 0; x < columns; x++) {
    const above = values[cell * columns + x] ?? 0
    row[x] = above + ((values[(cell + 1) * columns + x] ?? 0) - above) * share
  }
}

/** Adds the values of the row that is being drawn, with a weight. */
function addRow(sums: Float64Array, { step, row, shares }: Lattice, weight: number): void {
  if (weight === 0) return
  for (let cell = 0, x = 0; x < sums.length; cell++) {
    const left = row[cell] ?? 0
    const more = (row[cell + 1] ?? 0) - left
    for (const end = Math.min(sums.length, x + step); x < end; x++) {
      sums[x] = (sums[x] ?? 0) + weight * (left + more * (shares[x] ?? 0))
    }
  }
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t)
}

function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value
}
