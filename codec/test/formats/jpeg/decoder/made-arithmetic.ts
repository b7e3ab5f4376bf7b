// JPEGs of arithmetic coding (T.81 F.1.4, G.1.3), with any conditioning: each component has tables of its own number.

import { ArithmeticEncoder } from './arithmetic-encoder.ts'
import type { TestImage } from './images.ts'

/** Bounds L and U of DC differences, and Kx (B.2.4.3). */
interface Conditioning {
  lower: number
  upper: number
  kx: number
}

/** Options of a file: sequential, with the default conditioning and without restarts, unless given. */
export interface ArithmeticOptions {
  progressive?: boolean
  conditioning?: Conditioning
  /** MCUs of a restart interval. */
  restart?: number
  /** Whether each component has a scan of its own, where a file is sequential. */
  separate?: boolean
}

/** A scan: its components, band, and bit positions. */
interface Scan {
  components: number[]
  from: number
  to: number
  high: number
  low: number
}

const STEP = 6
const ZIGZAG = zigzag()
/** Numbers that no context of a table has: 64 contexts of DC, then 256 of AC. */
const TABLE_CONTEXTS = 1024
const AC = 64
const COMPONENTS = [0, 1, 2]
const SEQUENTIAL: Scan[] = [{ components: COMPONENTS, from: 0, to: 63, high: 0, low: 0 }]
const SEPARATE: Scan[] = COMPONENTS.map((i) => ({ components: [i], from: 0, to: 63, high: 0, low: 0 }))
const PROGRESSIVE: Scan[] = [
  { components: COMPONENTS, from: 0, to: 0, high: 0, low: 1 },
  ...COMPONENTS.map((i) => ({ components: [i], from: 1, to: 5, high: 0, low: 2 })),
  ...COMPONENTS.map((i) => ({ components: [i], from: 6, to: 63, high: 0, low: 2 })),
  ...COMPONENTS.map((i) => ({ components: [i], from: 1, to: 63, high: 2, low: 1 })),
  { components: COMPONENTS, from: 0, to: 0, high: 1, low: 0 },
  ...COMPONENTS.map((i) => ({ components: [i], from: 1, to: 63, high: 1, low: 0 })),
]

/** An RGB image whose sides are multiples of 8, as a JPEG of three components that are R, G and B. */
export function arithmeticJpeg(image: TestImage, options: ArithmeticOptions = {}): Uint8Array {
  const { progressive = false, conditioning, restart = 0, separate = false } = options
  const { width, height } = image
  const blocks = COMPONENTS.map((i) => blocksOf(image, i))
  const scans = progressive ? PROGRESSIVE : separate ? SEPARATE : SEQUENTIAL
  const bound = conditioning ? conditioning.lower | (conditioning.upper << 4) : 0
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0]),
    ...segment(0xdb, [0, ...Array.from({ length: 64 }, () => STEP)]),
    ...segment(progressive ? 0xca : 0xc9, [
      ...[8, height >> 8, height & 255, width >> 8, width & 255, 3],
      ...COMPONENTS.flatMap((i) => [i, 0x11, 0]),
    ]),
    ...(conditioning
      ? segment(
          0xcc,
          COMPONENTS.flatMap((i) => [i, bound, 0x10 | i, conditioning.kx]),
        )
      : []),
    ...(restart > 0 ? segment(0xdd, [restart >> 8, restart & 255]) : []),
    ...scans.flatMap((scan) => [
      ...segment(0xda, [
        scan.components.length,
        ...scan.components.flatMap((i) => [i, (i << 4) | i]),
        ...[scan.from, scan.to, (scan.high << 4) | scan.low],
      ]),
      ...dataOf(scan, blocks, options),
    ]),
    ...[0xff, 0xd9],
  ])
}

function dataOf(
  scan: Scan,
  blocks: number[][][],
  { progressive = false, conditioning, restart = 0 }: ArithmeticOptions,
) {
  const { lower, upper, kx } = conditioning ?? { lower: 0, upper: 1, kx: 5 }
  const count = blocks[0]?.length ?? 0
  const data: number[] = []
  for (let first = 0, interval = 0; first < count; first += restart || count, interval++) {
    const encoder = new ArithmeticEncoder()
    const states = blocks.map((_, i) => new BlockWriter(encoder, i * TABLE_CONTEXTS, { lower, upper, kx }))
    for (let b = first; b < Math.min(count, first + (restart || count)); b++) {
      for (const i of scan.components) states[i]?.write(blocks[i]?.[b] ?? [], scan, progressive)
    }
    data.push(...encoder.finish())
    if (first + (restart || count) < count) data.push(0xff, 0xd0 + (interval & 7))
  }
  return data
}

/** Writes the blocks of a component: coefficients in zigzag order as decisions. */
class BlockWriter {
  readonly encoder: ArithmeticEncoder
  readonly table: number
  readonly conditioning: Conditioning
  #prediction = 0
  #dcContext = 0

  constructor(encoder: ArithmeticEncoder, table: number, conditioning: Conditioning) {
    this.encoder = encoder
    this.table = table
    this.conditioning = conditioning
  }

  write(block: number[], { from, to, high, low }: Scan, progressive: boolean): void {
    if (!progressive) {
      this.#writeDc(block[0] ?? 0)
      this.#writeBand(block, 1, 63)
    } else if (from === 0 && high === 0) this.#writeDc((block[0] ?? 0) >> low)
    else if (from === 0) this.encoder.decideEvenly(((block[0] ?? 0) >> low) & 1)
    else if (high === 0)
      this.#writeBand(
        block.map((value) => shifted(value, low)),
        from,
        to,
      )
    else this.#refineBand(block, { from, to, high, low })
  }

  #writeDc(value: number): void {
    const { lower, upper } = this.conditioning
    const difference = value - this.#prediction
    this.#prediction = value
    const context = this.table + this.#dcContext
    this.encoder.decide(context, difference === 0 ? 0 : 1)
    if (difference === 0) {
      this.#dcContext = 0
      return
    }
    const sign = difference < 0 ? 1 : 0
    this.encoder.decide(context + 1, sign)
    const rest = Math.abs(difference) - 1
    this.encoder.decide(context + 2 + sign, rest > 0 ? 1 : 0)
    if (rest > 0) this.#writeMagnitude(rest, 1, this.table + 20)
    const isZero = Math.abs(difference) <= (1 << lower) >> 1
    const isLarge = Math.abs(difference) > 1 << upper
    this.#dcContext = isZero ? 0 : (isLarge ? 12 : 4) + 4 * sign
  }

  #writeBand(block: number[], from: number, to: number): void {
    const end = lastNonzero(block, to)
    for (let k = from; k <= to; k++) {
      this.encoder.decide(this.#context(k), k > end ? 1 : 0)
      if (k > end) return
      for (; (block[k] ?? 0) === 0; k++) this.encoder.decide(this.#context(k) + 1, 0)
      this.encoder.decide(this.#context(k) + 1, 1)
      this.#writeValue(block[k] ?? 0, k)
    }
  }

  #refineBand(block: number[], { from, to, high, low }: Omit<Scan, 'components'>): void {
    const earlierEnd = lastNonzero(
      block.map((value) => shifted(value, high)),
      to,
    )
    const now = block.map((value) => shifted(value, low))
    const end = lastNonzero(now, to)
    for (let k = from; k <= to; k++) {
      if (k > earlierEnd) {
        this.encoder.decide(this.#context(k), k > end ? 1 : 0)
        if (k > end) return
      }
      for (; (now[k] ?? 0) === 0; k++) this.encoder.decide(this.#context(k) + 1, 0)
      const value = now[k] ?? 0
      if (shifted(block[k] ?? 0, high) !== 0) this.encoder.decide(this.#context(k) + 2, Math.abs(value) & 1)
      else {
        this.encoder.decide(this.#context(k) + 1, 1)
        this.encoder.decideEvenly(value < 0 ? 1 : 0)
      }
    }
  }

  #writeValue(value: number, k: number): void {
    this.encoder.decideEvenly(value < 0 ? 1 : 0)
    const rest = Math.abs(value) - 1
    const context = this.#context(k) + 2
    this.encoder.decide(context, rest > 0 ? 1 : 0)
    if (rest === 0) return
    this.encoder.decide(context, rest > 1 ? 1 : 0)
    if (rest > 1) this.#writeMagnitude(rest, 2, this.table + AC + (k <= this.conditioning.kx ? 189 : 217))
  }

  /** The size of `rest`, from `size` on, and its lower bits. */
  #writeMagnitude(rest: number, size: number, context: number): void {
    let top = size
    for (; top << 1 <= rest; top <<= 1) this.encoder.decide(context++, 1)
    this.encoder.decide(context, 0)
    for (let bit = top >> 1; bit > 0; bit >>= 1) this.encoder.decide(context + 14, rest & bit ? 1 : 0)
  }

  #context(k: number): number {
    return this.table + AC + 3 * (k - 1)
  }
}

function lastNonzero(block: number[], to: number): number {
  return block.findLastIndex((value, k) => k > 0 && k <= to && value !== 0)
}

/** The point transform of AC coefficients: towards zero (G.1.2.1). */
function shifted(value: number, low: number): number {
  return Math.trunc(value / (1 << low))
}

/** The quantized coefficients of all blocks, by the definition of the FDCT (A.3.3). */
function blocksOf({ width, height, bytes }: TestImage, component: number): number[][] {
  const blocks: number[][] = []
  for (let top = 0; top < height; top += 8) {
    for (let left = 0; left < width; left += 8) {
      const samples = Array.from({ length: 64 }, (_, i) => {
        const at = (top + (i >> 3)) * width + left + (i & 7)
        return (bytes[3 * at + component] ?? 0) - 128
      })
      blocks.push(ZIGZAG.map((position) => Math.round(coefficient(samples, position >> 3, position & 7) / STEP)))
    }
  }
  return blocks
}

function coefficient(samples: number[], v: number, u: number): number {
  const sum = samples.reduce((total, sample, i) => total + sample * cosine(i & 7, u) * cosine(i >> 3, v), 0)
  return (sum / 4) * (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)
}

function cosine(sample: number, frequency: number): number {
  return Math.cos(((2 * sample + 1) * frequency * Math.PI) / 16)
}

/** The natural index of each coefficient in zigzag order (figure A.6). */
function zigzag(): number[] {
  const positions = Array.from({ length: 64 }, (_, i) => i)
  const order = (position: number) => {
    const [row, column] = [position >> 3, position & 7]
    return 16 * (row + column) + ((row + column) % 2 === 0 ? column : row)
  }
  return positions.toSorted((a, b) => order(a) - order(b))
}

function segment(marker: number, payload: number[]): number[] {
  const length = payload.length + 2
  return [0xff, marker, length >> 8, length & 255, ...payload]
}
