import { below } from '../../../../../test/support/random.ts'
import { type BitWriter, newBitWriter } from './bit-writer.ts'
import { type PrefixCode, putRandomCode } from './random-code.ts'

type Random = () => number

const FIRST_LENGTH = 256
const FIRST_CACHED = 256 + 24
const DISTANCE_SYMBOLS = 40
/** Distance codes that mean a pixel nearby, and the rows and columns that they reach back. */
const NEIGHBOUR_CODES = 120
const NEIGHBOUR_ROWS = 7
const NEIGHBOUR_COLUMNS = 8

/** The five prefix codes of a group. */
interface Group {
  readonly green: PrefixCode
  readonly red: PrefixCode
  readonly blue: PrefixCode
  readonly alpha: PrefixCode
  readonly distance: PrefixCode
}

/**
 * A lossless stream, header included, that uses the format in ways no encoder would. It has transforms in any order,
 * any predictor for any block, long and short prefix codes, groups of them, caches, and copies from anywhere.
 */
export function randomStream(width: number, height: number, random: Random): Buffer {
  const out = newBitWriter()
  out.put(0x2f, 8)
  out.put(width - 1, 14)
  out.put(height - 1, 14)
  out.put(1, 1)
  out.put(0, 3)
  putMain(out, putTransforms(out, width, height, random), height, random)
  return out.bytes()
}

/** Returns the columns that are coded. */
function putTransforms(out: BitWriter, width: number, height: number, random: Random): number {
  let columns = width
  const order = [0, 1, 2, 3].map((type) => ({ type, key: random() })).sort((a, b) => a.key - b.key)
  for (const { type } of order) {
    if (random() < 0.4) continue
    out.put(1, 1)
    out.put(type, 2)
    if (type < 2) {
      const bits = 2 + below(3, random)
      out.put(bits - 2, 3)
      putSub(out, blocks(columns, bits), blocks(height, bits), random)
    } else if (type === 3) {
      const colours = 1 + below(random() < 0.7 ? 20 : 256, random)
      out.put(colours - 1, 8)
      putSub(out, colours, 1, random)
      columns = blocks(columns, colours <= 2 ? 3 : colours <= 4 ? 2 : colours <= 16 ? 1 : 0)
    }
  }
  out.put(0, 1)
  return columns
}

function putMain(out: BitWriter, width: number, height: number, random: Random): void {
  const cached = putCacheBits(out, random)
  const hasBlocks = random() < 0.5
  out.put(hasBlocks ? 1 : 0, 1)
  const bits = 2 + below(2, random)
  let numbers: number[] = []
  if (hasBlocks) {
    out.put(bits - 2, 3)
    numbers = putEntropyImage(out, blocks(width, bits), blocks(height, bits), random)
  }
  const groups = Array.from({ length: 1 + Math.max(0, ...numbers) }, () => putGroup(out, cached, random))
  putPixels(out, width, height, cached, random, (x, y) => {
    return groups[numbers[(y >> bits) * blocks(width, bits) + (x >> bits)] ?? 0]
  })
}

function putSub(out: BitWriter, width: number, height: number, random: Random): void {
  const cached = putCacheBits(out, random)
  const group = putGroup(out, cached, random)
  putPixels(out, width, height, cached, random, () => group)
}

/** Numbers of groups from 0 to 3, each in the green of a literal; returns them. */
function putEntropyImage(out: BitWriter, width: number, height: number, random: Random): number[] {
  out.put(0, 1)
  const green = putRandomCode(out, FIRST_CACHED, 4, () => 0)
  const others = [256, 256, 256, DISTANCE_SYMBOLS].map((alphabet) => putRandomCode(out, alphabet, 1, random))
  return Array.from({ length: width * height }, () => {
    const number = green.symbols[below(4, random)] ?? 0
    green.put(number)
    for (const code of others.slice(0, 3)) code.put(0)
    return number
  })
}

/** Returns the size of the cache, 0 for none. */
function putCacheBits(out: BitWriter, random: Random): number {
  const bits = random() < 0.5 ? 0 : 1 + below(11, random)
  out.put(bits > 0 ? 1 : 0, 1)
  if (bits > 0) out.put(bits, 4)
  return bits > 0 ? 1 << bits : 0
}

function putGroup(out: BitWriter, cached: number, random: Random): Group {
  const code = (alphabet: number): PrefixCode => {
    const count = random() < 0.2 ? 1 : random() < 0.3 ? alphabet : 1 + below(alphabet, random)
    return putRandomCode(out, alphabet, count, random)
  }
  return {
    green: code(FIRST_CACHED + cached),
    red: code(256),
    blue: code(256),
    alpha: code(256),
    distance: putRandomCode(out, DISTANCE_SYMBOLS, DISTANCE_SYMBOLS, random),
  }
}

function putPixels(
  out: BitWriter,
  width: number,
  height: number,
  cached: number,
  random: Random,
  groupAt: (x: number, y: number) => Group | undefined,
): void {
  const any = (code: PrefixCode): number => code.symbols[below(code.symbols.length, random)] ?? 0
  const total = width * height
  for (let position = 0; position < total; ) {
    const group = groupAt(position % width, Math.floor(position / width))
    if (!group) throw new Error(`no group at pixel ${position}`)
    const symbol = any(group.green)
    const { extra, least } = lz77(symbol - FIRST_LENGTH)
    const length = least + below(1 << extra, random)
    const isLength = symbol >= FIRST_LENGTH && symbol < FIRST_CACHED
    if (isLength && position > 0 && length <= total - position) {
      group.green.put(symbol)
      out.put(length - least, extra)
      putDistance(out, group.distance, position, width, random)
      position += length
    } else if (symbol >= FIRST_CACHED && cached > 0) {
      group.green.put(symbol)
      position++
    } else {
      group.green.put(isLength ? 0 : symbol)
      for (const code of [group.red, group.blue, group.alpha]) code.put(any(code))
      position++
    }
  }
}

/** Near codes only where none of them leads out of the image. */
function putDistance(out: BitWriter, code: PrefixCode, position: number, width: number, random: Random): void {
  const isInside = position >= NEIGHBOUR_ROWS * width + NEIGHBOUR_COLUMNS
  const value =
    isInside && random() < 0.7 ? 1 + below(NEIGHBOUR_CODES, random) : NEIGHBOUR_CODES + 1 + below(position, random)
  let symbol = 0
  while (lz77(symbol + 1).least <= value) symbol++
  code.put(symbol)
  out.put(value - lz77(symbol).least, lz77(symbol).extra)
}

/** The least value of a length's or distance's prefix symbol, and the bits that follow it. */
function lz77(symbol: number): { least: number; extra: number } {
  if (symbol < 4) return { least: symbol + 1, extra: 0 }
  const extra = (symbol - 2) >> 1
  return { least: ((2 + (symbol & 1)) << extra) + 1, extra }
}

function blocks(pixels: number, bits: number): number {
  return Math.ceil(pixels / (1 << bits))
}
