import { seededRandom } from '../../../../../test/support/random.ts'

/** Chroma subsampling of a made image; `mono` has no chroma. */
export type Sampling = '420' | '422' | '444' | 'mono'

/** An image to be made: waves and edges with a little noise, the same with much, or flat cells with letters. */
export interface MadeImage {
  readonly width: number
  readonly height: number
  readonly sampling: Sampling
  readonly depth: 8 | 10 | 12
  readonly kind: 'photo' | 'noise' | 'screen'
  /** Where it is more than one, the image moves, turns and grows. */
  readonly frames?: number
}

/** Writes a made image as YUV4MPEG2; without chroma it is grey 4:2:0, as aomenc wants it. */
export function y4m({ width, height, sampling, depth, kind, frames = 1 }: MadeImage): Buffer {
  const format = sampling === 'mono' ? '420' : sampling
  const subX = format === '444' ? 0 : 1
  const subY = format === '420' ? 1 : 0
  const value = kind === 'screen' ? cells(width) : waves(width, kind === 'noise' ? 0.5 : 0.06)
  const tag = depth > 8 ? `${format}p${depth}` : format === '420' ? '420jpeg' : format
  const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C${tag}\n`)]
  for (let i = 0; i < 3 * frames; i++) {
    const plane = i % 3
    const frame = (i - plane) / 3
    const move = movement(frame)
    if (plane === 0) parts.push(Buffer.from('FRAME\n'))
    const columns = plane > 0 ? (width + subX) >> subX : width
    const rows = plane > 0 ? (height + subY) >> subY : height
    const samples = new Uint16Array(columns * rows)
    for (let i = 0; i < samples.length; i++) {
      const x = (i % columns) << (plane > 0 ? subX : 0)
      const y = Math.floor(i / columns) << (plane > 0 ? subY : 0)
      const [u, v] = move(x, y)
      samples[i] = Math.round(value(plane, u, v) * ((1 << depth) - 1))
    }
    parts.push(Buffer.from(depth > 8 ? new Uint8Array(samples.buffer) : Uint8Array.from(samples)))
  }
  return Buffer.concat(parts)
}

/** Where in the image a frame's pixels are. */
function movement(frame: number): (x: number, y: number) => [number, number] {
  const scale = 1 - 0.02 * frame
  const [cos, sin] = [scale * Math.cos(0.03 * frame), scale * Math.sin(0.03 * frame)]
  return (x, y) => [cos * x + sin * y + 2.3 * frame, cos * y - sin * x + 1.1 * frame]
}

type Value = (plane: number, x: number, y: number) => number

function waves(seed: number, noise: number): Value {
  const random = seededRandom(seed)
  return (plane, x, y) => {
    const wave = 0.5 + 0.3 * Math.sin(x / 17 + plane) + 0.2 * Math.cos(y / 23 - (x / 41) * plane)
    const edge = (x * 0.7 + y * 0.4) % 67 < 12 ? 0.35 : 0
    const texture = 0.12 * Math.sin(x * 1.3) * Math.sin(y * 0.9) * (((x >> 6) + (y >> 6)) & 1)
    return Math.min(1, Math.max(0, wave * 0.7 + edge + texture + (random() - 0.5) * noise))
  }
}

function cells(seed: number): Value {
  const random = seededRandom(seed)
  const colours = Array.from({ length: 6 }, () => [random(), random(), random()])
  const backgrounds = Array.from({ length: 64 }, () => Math.floor(random() * 6))
  const letters = Array.from({ length: 24 }, () => Math.floor(random() * 65536))
  return (plane, x, y) => {
    const background = backgrounds[((x >> 5) + (y >> 5) * 13) & 63] ?? 0
    const letter = letters[((x >> 3) * 7 + (y >> 4) * 3) % 24] ?? 0
    const isInk = ((y >> 4) & 1) === 1 && ((letter >> (((x & 7) >> 1) + ((y & 15) >> 2) * 4)) & 1) === 1
    return colours[isInk ? (background + 3) % 6 : background]?.[plane] ?? 0
  }
}
