// Photo-like pictures, the same on every machine: fractal noise for light and colour, grain on top.

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

// Each octave: cells across the picture (or their size in pixels, where smaller), its share of the light, and of the colours.
/** @typedef {{ cells?: number, pixels?: number, light: number, red: number, green: number, blue: number }} Octave */

/** @type {Octave[]} */
const OCTAVES = [
  { cells: 6, light: 70, red: 0, green: 0, blue: -50 },
  { cells: 24, light: 45, red: 40, green: 0, blue: 0 },
  { cells: 90, light: 34, red: 0, green: 14, blue: 0 },
  { pixels: 48, light: 16, red: 0, green: 0, blue: 0 },
  { pixels: 12, light: 9, red: 0, green: 0, blue: 0 },
]

/**
 * Raw RGB of a picture; `grain` is the amplitude of the noise of single pixels.
 * @param {number} width
 * @param {number} height
 * @param {number} grain
 */
export function makePhoto(width, height, grain) {
  const random = createRandom(20261121)
  const octaves = OCTAVES.map((octave) => ({ ...octave, ...makeLattice(octave, width, height, random) }))
  const pixels = new Uint8Array(width * height * 3)
  const noise = Float32Array.from({ length: 65_536 }, () => (random() + random() + random() - 1.5) * grain * 2)
  let noiseAt = 0
  for (let y = 0, at = 0; y < height; y++) {
    for (const octave of octaves) interpolateRow(octave, y)
    for (let x = 0; x < width; x++, at += 3) {
      let light = 110
      let red = 10
      let green = 0
      let blue = -5
      for (const { row, step, light: l, red: r, green: g, blue: b } of octaves) {
        const position = x / step
        const cell = position | 0
        const value = mix(row[cell], row[cell + 1], smooth(position - cell))
        light += l * value
        red += r * value
        green += g * value
        blue += b * value
      }
      noiseAt = (noiseAt * 5 + 12_345 + x) & 65_535
      light += noise[noiseAt] ?? 0
      pixels[at] = clamp(light + red)
      pixels[at + 1] = clamp(light + green)
      pixels[at + 2] = clamp(light + blue)
    }
  }
  return pixels
}

/**
 * @param {Octave} octave
 * @param {number} width
 * @param {number} height
 * @param {() => number} random
 */
function makeLattice({ cells = 1, pixels }, width, height, random) {
  const step = pixels ?? Math.ceil(width / cells)
  const columns = Math.ceil(width / step) + 2
  const rows = Math.ceil(height / step) + 2
  return {
    step,
    columns,
    values: Float32Array.from({ length: columns * rows }, () => random() * 2 - 1),
    row: new Float32Array(columns),
  }
}

/**
 * @param {ReturnType<typeof makeLattice>} lattice
 * @param {number} y
 */
function interpolateRow({ step, columns, values, row }, y) {
  const position = y / step
  const cell = position | 0
  const share = smooth(position - cell)
  for (let x = 0; x < columns; x++) {
    row[x] = mix(values[cell * columns + x], values[(cell + 1) * columns + x], share)
  }
}

/** The value at this share of the way from one to the next. */
function mix(from = 0, to = 0, share = 0) {
  return from + (to - from) * share
}

function smooth(/** @type {number} */ t) {
  return t * t * (3 - 2 * t)
}

function clamp(/** @type {number} */ value) {
  return value < 0 ? 0 : value > 255 ? 255 : value
}

/** Mulberry32: small, and good enough for pictures. */
function createRandom(/** @type {number} */ seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
