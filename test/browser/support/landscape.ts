/** The colours of a time of day, from the top of the sky to the nearest hill, as `#rrggbb`. */
interface Light {
  sky: readonly string[]
  sun: string
  far: string
  front: string
}

/** Times of day, so that images differ. */
export const LIGHTS = {
  dawn: { sky: ['#3b4a7a', '#b06a8c', '#f4a27c', '#ffd9a0'], sun: '#fff1cf', far: '#c98b93', front: '#2a2140' },
  morning: { sky: ['#4d8fcf', '#8fc1e6', '#d8ecf3'], sun: '#fffbe8', far: '#9dbdd0', front: '#1d4a45' },
  noon: { sky: ['#1f6fc4', '#62a8e0', '#c4e3f2'], sun: '#ffffff', far: '#8fb4c4', front: '#2f5d2c' },
  autumn: { sky: ['#7a8fa8', '#c7c3b4', '#f0dfba'], sun: '#fff6dc', far: '#c6a882', front: '#5a2c17' },
  dusk: { sky: ['#141c3d', '#4a3569', '#b5566a', '#f2925a'], sun: '#ffd58a', far: '#80506e', front: '#120f22' },
  night: { sky: ['#040817', '#0d1a36', '#23385c'], sun: '#e9eef8', far: '#26385a', front: '#050a16' },
} as const satisfies Record<string, Light>

interface Pixels {
  data: Buffer
  width: number
  height: number
}

const RIDGES = 5
const OCTAVES = 7

/** Returns a landscape of hills over a lake, equal for equal seeds: 3 bytes a pixel, red, green and blue. */
export function landscape(width: number, height: number, light: keyof typeof LIGHTS, seed: number): Pixels {
  const { sky, sun, far, front } = LIGHTS[light]
  const [skies, sunColour, farColour, frontColour] = [sky.map(channels), channels(sun), channels(far), channels(front)]
  const shore = Math.round(height * 0.72)
  const ridges = Array.from({ length: RIDGES }, (_, index) => ridge(width, height, shore, index, seed))
  const centre = { x: width * (0.25 + 0.5 * hash(seed, 1)), y: shore * (0.26 + 0.2 * hash(seed, 2)) }
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++) {
    // Water mirrors what is above the shore, compressed, in waves that grow towards the viewer.
    const depth = y - shore
    const mirrored = depth < 0 ? y : shore - 1 - depth * 1.7
    const wave = depth < 0 ? 0 : Math.sin(depth * 0.55 + 40 * Math.sqrt(depth / height)) * (1 + depth * 0.035)
    for (let x = 0; x < width; x++) {
      const above = depth < 0 ? x : clamp(x + wave * Math.sin(x * 0.02 + depth * 0.21 + seed), 0, width - 1)
      const colour = land(above, Math.max(mirrored, 0))
      const shade = depth < 0 ? 1 : 0.8 - (0.18 * depth) / (height - shore)
      const grain = (hash(x + y * width, seed) - 0.5) * 5
      for (let channel = 0; channel < 3; channel++) {
        data[(y * width + x) * 3 + channel] = clamp((colour[channel] ?? 0) * shade + grain, 0, 255)
      }
    }
  }
  return { data, width, height }

  /** Returns the colour above the shore: the nearest ridge of this height, or the sky. */
  function land(x: number, y: number): number[] {
    for (let index = RIDGES - 1; index >= 0; index--) {
      const top = at(ridges[index] ?? [], x)
      if (y < top) continue
      const nearness = index / (RIDGES - 1)
      const colour = blend(farColour, frontColour, nearness ** 0.8)
      // Mist in the valleys grows with the distance.
      const mist = clamp((y - top) / (height * 0.3), 0, 1) * 0.45 * (1 - nearness)
      return blend(colour, skies.at(-1) ?? colour, mist)
    }
    const above = gradient(skies, y / (shore * 0.75))
    const distance = Math.hypot(x - centre.x, y - centre.y) / height
    const glow = Math.exp(-((distance / 0.16) ** 2)) * 0.55 + smooth(1 - (distance - 0.032) / 0.006)
    return blend(above, sunColour, clamp(glow, 0, 1))
  }
}

/** Returns the start of each column of a ridge: mountains in the back, hills in front. */
function ridge(width: number, height: number, shore: number, index: number, seed: number): number[] {
  const nearness = index / (RIDGES - 1)
  const base = shore - height * (0.33 - 0.31 * nearness)
  const rise = height * (0.2 - 0.08 * nearness)
  return Array.from({ length: width }, (_, x) => {
    const position = (x / height) * (1.6 + nearness)
    let relief = 0
    for (let octave = 0; octave < OCTAVES; octave++) {
      const steep = 1 - Math.abs(2 * noise(position * 2 ** octave, seed * 31 + index * 7 + octave) - 1)
      relief += steep * 0.5 ** (octave + 1) * (octave < 2 ? 1 : 1.15 - nearness * 0.5)
    }
    return base - (relief - 0.5) * rise * 1.8
  })
}

function noise(position: number, seed: number): number {
  const cell = Math.floor(position)
  const share = smooth(position - cell)
  return hash(cell, seed) * (1 - share) + hash(cell + 1, seed) * share
}

function at(values: readonly number[], position: number): number {
  const cell = Math.floor(position)
  const share = position - cell
  const left = values[cell] ?? 0
  return left + ((values[cell + 1] ?? left) - left) * share
}

/** Returns a pseudo-random number from 0 to 1 for two numbers. */
function hash(value: number, seed: number): number {
  let mixed = Math.imul(value + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(seed + 0x165667b1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

function gradient(colours: readonly number[][], share: number): number[] {
  const position = clamp(share, 0, 0.9999) * (colours.length - 1)
  const index = Math.floor(position)
  const [above = [], below = above] = colours.slice(index, index + 2)
  return blend(above, below, smooth(position - index))
}

function blend(one: readonly number[], other: readonly number[], share: number): number[] {
  return one.map((value, channel) => value + ((other[channel] ?? 0) - value) * share)
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16))
}

function smooth(share: number): number {
  const clamped = clamp(share, 0, 1)
  return clamped * clamped * (3 - 2 * clamped)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
