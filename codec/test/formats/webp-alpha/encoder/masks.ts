import sharp from 'sharp'
import { below, seededRandom } from '../../../../../test/support/random.ts'

/** A plane of alphas, rows without gaps. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly alphas: Uint8Array
}

/** Kinds of masks as they are met in real images, and harder ones. */
export const MASKS = [
  'circles',
  'hard circles',
  'text',
  'hard text',
  'soft shadow',
  'gradient',
  'diagonal gradient',
  'feathered photo',
  'steps',
  'halftone',
  'noise',
  'sparse noise',
] as const
type MaskKind = (typeof MASKS)[number]

/** A mask of a kind, the same for the same size. */
export async function mask(kind: MaskKind, width: number, height: number): Promise<Mask> {
  return { width, height, alphas: await alphasOfKind(kind, width, height) }
}

/** A mask whose alphas are told by their place in the plane. */
export function maskOf(width: number, height: number, alpha: (i: number) => number): Mask {
  const alphas = new Uint8Array(width * height)
  for (let i = 0; i < alphas.length; i++) alphas[i] = alpha(i)
  return { width, height, alphas }
}

/** A mask over one colour, as RGBA. */
export function painted({ alphas }: Mask): Buffer {
  const rgba = Buffer.alloc(alphas.length * 4, 0x80)
  for (let i = 0; i < alphas.length; i++) rgba[4 * i + 3] = alphas[i] ?? 0
  return rgba
}

/** Rectangles, ramps, noise and repetitions of what is there. */
export function randomMask(width: number, height: number, random: () => number): Mask {
  const alphas = new Uint8Array(width * height).fill(below(256, random))
  const step = 1 << below(8, random)
  for (let shapes = below(12, random); shapes > 0; shapes--) {
    const [left, top] = [below(width, random), below(height, random)]
    const [right, bottom] = [left + 1 + below(width - left, random), top + 1 + below(height - top, random)]
    const [kind, level, slope] = [below(4, random), below(256, random), below(7, random) - 3]
    const back = 1 + below(width * height, random)
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const i = y * width + x
        const values = [level, level + slope * (x + y), below(256, random), alphas[(i + back) % alphas.length] ?? 0]
        alphas[i] = Math.floor((values[kind] ?? 0) / step) * step
      }
    }
  }
  return { width, height, alphas }
}

async function alphasOfKind(kind: MaskKind, width: number, height: number): Promise<Uint8Array> {
  switch (kind) {
    case 'circles':
      return drawn(width, height, circles(width, height))
    case 'hard circles':
      return hard(await drawn(width, height, circles(width, height)))
    case 'text':
      return drawn(width, height, text(width, height))
    case 'hard text':
      return hard(await drawn(width, height, text(width, height)))
    case 'soft shadow':
      return drawn(width, height, shadow(width, height))
    case 'gradient':
      return each(width, height, (_x, y) => (255 * y) / Math.max(1, height - 1))
    case 'diagonal gradient':
      return each(width, height, (x, y) => (255 * (x + y)) / Math.max(1, width + height - 2))
    case 'feathered photo':
      return feathered(width, height)
    case 'steps':
      return each(width, height, (x, y) => Math.floor((9 * (x + 2 * y)) / (width + 2 * height)) * 28)
    case 'halftone':
      return each(width, height, (x, y) => ((x % 8) - 4) ** 2 * 8 + ((y % 8) - 4) ** 2 * 8 + (100 * x) / width)
    case 'noise': {
      const random = seededRandom(1)
      return each(width, height, () => below(256, random))
    }
    case 'sparse noise': {
      const random = seededRandom(2)
      return each(width, height, () => (random() < 0.02 ? below(256, random) : 255))
    }
  }
}

/** Something cut out of a photo: a wobbly edge, soft and noisy. */
function feathered(width: number, height: number): Uint8Array {
  const random = seededRandom(3)
  const radius = Math.min(width, height) / 2
  const wobble = Array.from({ length: 16 }, () => random())
  return each(width, height, (x, y) => {
    const [across, down] = [x - width / 2, y - height / 2]
    const sector = ((Math.atan2(down, across) / Math.PI + 1) * 8) % 16
    const [a = 0, b = 0] = [wobble[Math.floor(sector)], wobble[(Math.floor(sector) + 1) % 16]]
    const edge = radius * (0.7 + 0.25 * (a + (b - a) * (sector % 1)))
    return 128 + ((edge - Math.hypot(across, down)) * 1000) / radius + below(7, random)
  })
}

function each(width: number, height: number, alpha: (x: number, y: number) => number): Uint8Array {
  const alphas = new Uint8ClampedArray(width * height)
  for (let i = 0; i < alphas.length; i++) alphas[i] = alpha(i % width, Math.floor(i / width))
  return new Uint8Array(alphas.buffer)
}

function hard(alphas: Uint8Array): Uint8Array {
  return alphas.map((alpha) => (alpha < 128 ? 0 : 255))
}

async function drawn(width: number, height: number, shapes: string): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`
  return sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer()
}

function circles(width: number, height: number): string {
  const random = seededRandom(5)
  return Array.from({ length: 24 }, (_, i) => {
    const [x, y, r] = [random() * width, random() * height, (random() ** 2 * Math.min(width, height)) / 4 + 1]
    return `<circle cx="${x}" cy="${y}" r="${r}" fill-opacity="${i % 4 === 0 ? 0.4 : 1}"/>`
  }).join('')
}

/** Lines of made-up letters, each of two bent strokes: a real font may not be there, or be another. */
function text(width: number, height: number): string {
  const random = seededRandom(6)
  const size = Math.max(6, height / 14)
  const point = () => `${(size * (0.06 + 0.42 * random())).toFixed(2)} ${(size * (0.1 + 0.7 * random())).toFixed(2)}`
  const stroke = () => `M ${point()} Q ${point()} ${point()}`
  const letters = Array.from({ length: 24 }, () => `${stroke()} ${stroke()}`)
  const advance = size * 0.55
  const columns = Math.floor((width * 0.96) / advance)
  const lines = Array.from({ length: 12 }, (_, line) =>
    Array.from({ length: columns }, (_, column) => {
      const letter = letters[below(letters.length, random)] ?? ''
      const transform = `translate(${width / 50 + column * advance} ${size * (line + 0.3)})`
      return random() < 0.15 ? '' : `<path d="${letter}" transform="${transform}"/>`
    }).join(''),
  )
  return `<g fill="none" stroke="black" stroke-width="${size / 11}">${lines.join('')}</g>`
}

function shadow(width: number, height: number): string {
  const side = Math.min(width, height)
  return `<filter id="f"><feGaussianBlur stdDeviation="${side / 25}"/></filter>
    <rect x="${width * 0.22}" y="${height * 0.24}" width="${width * 0.6}" height="${height * 0.6}" rx="${side / 20}"
      filter="url(#f)" fill-opacity="0.6"/>
    <rect x="${width * 0.2}" y="${height * 0.2}" width="${width * 0.6}" height="${height * 0.6}" rx="${side / 20}"/>`
}
