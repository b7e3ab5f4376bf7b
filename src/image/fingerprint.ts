import type { Raster } from 'tintype-codec/interface'

/**
 * A perceptual fingerprint that survives scaling and re-encoding. Each of 64 bits says whether one of the lowest
 * frequencies of the luma (DCT-II, without the constant) is above their median. Compare with `distanceOf`.
 */
export type Fingerprint = Uint8Array

/** One bit for each frequency. */
const FINGERPRINT_BYTES = 8

/** The luma is sampled at so many columns and rows, whatever the shape of the image. */
const SIDE = 32
/** As many of the frequencies must be this strong, in levels of luma, or noise would decide most of the bits. */
const STRONG_LEVELS = 0.25
const STRONG_MIN = 40

const FREQUENCIES = lowestFrequencies(FINGERPRINT_BYTES * 8)
const COSINES = Array.from({ length: SIDE }, (_, frequency) =>
  Float64Array.from({ length: SIDE }, (_, at) => Math.cos((Math.PI * (2 * at + 1) * frequency) / (2 * SIDE))),
)

/** The fingerprint of an image; undefined where it is so even that it would fit too many others. */
export function fingerprintOf(raster: Raster): Fingerprint | undefined {
  const luma = sampleLuma(raster)
  const levels = FREQUENCIES.map(([across, down]) => levelOf(luma, across, down))
  if (levels.filter((level) => Math.abs(level) >= STRONG_LEVELS).length < STRONG_MIN) return undefined
  const sorted = levels.toSorted((a, b) => a - b)
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2
  const fingerprint = new Uint8Array(FINGERPRINT_BYTES)
  levels.forEach((level, bit) => {
    if (level > median) fingerprint[bit >> 3] = (fingerprint[bit >> 3] ?? 0) | (1 << (bit & 7))
  })
  return fingerprint
}

/** In how many bits two fingerprints differ. */
export function distanceOf(one: Fingerprint, other: Fingerprint): number {
  let distance = 0
  for (let i = 0; i < FINGERPRINT_BYTES; i++) {
    for (let rest = (one[i] ?? 0) ^ (other[i] ?? 0); rest !== 0; rest &= rest - 1) distance++
  }
  return distance
}

/** The luma (Rec. 601) of SIDE by SIDE areas of the image on white, row by row. */
function sampleLuma({ width, height, rgba }: Raster): Float64Array {
  const across = Array.from({ length: SIDE }, (_, at) => sharesOf(at, width))
  const rows = new Float64Array(SIDE * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < SIDE; x++) {
      rows[y * SIDE + x] = average(across[x], (at) => lumaAt(rgba, (y * width + at) * 4))
    }
  }
  const luma = new Float64Array(SIDE * SIDE)
  for (let y = 0; y < SIDE; y++) {
    const down = sharesOf(y, height)
    for (let x = 0; x < SIDE; x++) luma[y * SIDE + x] = average(down, (at) => rows[at * SIDE + x] ?? 0)
  }
  return luma
}

/** The samples, of `length`, under the `at`th of SIDE equal areas, each with its share of the area. */
function sharesOf(at: number, length: number): [sample: number, share: number][] {
  const [from, to] = [(at * length) / SIDE, ((at + 1) * length) / SIDE]
  const shares: [number, number][] = []
  for (let sample = Math.floor(from); sample < Math.min(Math.ceil(to), length); sample++) {
    shares.push([sample, (Math.min(sample + 1, to) - Math.max(sample, from)) / (to - from)])
  }
  return shares
}

function average(shares: readonly [number, number][] | undefined, valueAt: (sample: number) => number): number {
  return (shares ?? []).reduce((sum, [sample, share]) => sum + share * valueAt(sample), 0)
}

function lumaAt(rgba: Uint8ClampedArray, at: number): number {
  const alpha = (rgba[at + 3] ?? 0) / 255
  const luma = 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0)
  return luma * alpha + 255 * (1 - alpha)
}

/** Returns the amplitude of a frequency in the luma. */
function levelOf(luma: Float64Array, across: number, down: number): number {
  let sum = 0
  for (let y = 0; y < SIDE; y++) {
    const vertical = COSINES[down]?.[y] ?? 0
    for (let x = 0; x < SIDE; x++) sum += (luma[y * SIDE + x] ?? 0) * vertical * (COSINES[across]?.[x] ?? 0)
  }
  return (sum * (across === 0 || down === 0 ? 2 : 4)) / (SIDE * SIDE)
}

function lowestFrequencies(count: number): [across: number, down: number][] {
  const all = Array.from({ length: SIDE * SIDE }, (_, i): [number, number] => [i % SIDE, Math.floor(i / SIDE)])
  return all.sort(([a, b], [c, d]) => a * a + b * b - (c * c + d * d) || a - c).slice(1, count + 1)
}
