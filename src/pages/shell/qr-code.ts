// QR codes (ISO/IEC 18004:2015) of texts in byte mode, with error correction level M, in the versions 1 to 20.

/** Error correction codewords of each block (table 9, level M), by version from 1. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
/** Blocks of codewords (table 9, level M), by version from 1. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]
const BYTE_MODE = 0b0100
/** The indicator of level M (table 12). */
const LEVEL_M = 0b00
const FINDER_MODULES = 7
/** Padding of the remaining codewords, alternating (7.4.10). */
const PADS = [0xec, 0x11]

/** A mask that makes a code easier to read (table 10): whether it inverts the module in this row and column. */
const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
]

/** The modules of a code, by rows: true is dark. Without the quiet zone around it. */
export type QrCode = readonly (readonly boolean[])[]

/** The smallest code of a text, in UTF-8; undefined if it is longer than 666 bytes. */
export function qrCodeOf(text: string): QrCode | undefined {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, index) => bytes.length <= capacityOf(index + 1)) + 1
  if (version === 0) return undefined
  const codewords = interleave(version, dataOf(version, bytes))
  const candidates = MASKS.map((_, mask) => draw(version, codewords, mask))
  const penalties = candidates.map(penaltyOf)
  return candidates[penalties.indexOf(Math.min(...penalties))]
}

function sizeOf(version: number): number {
  return 17 + 4 * version
}

/** Where the rows and columns of alignment patterns are centred (annex E). */
function alignmentsOf(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = sizeOf(version) - 7
  const step = Math.ceil((last - 6) / (count - 1) / 2) * 2
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - step * (count - 2 - index))]
}

/** All codewords of a symbol: what the function patterns leave (7.3). */
function codewordsOf(version: number): number {
  const size = sizeOf(version)
  const alignments = alignmentsOf(version).length
  const patterns = alignments === 0 ? 0 : (alignments ** 2 - 3) * 25 - (alignments - 2) * 2 * 5
  const finders = 3 * 64
  const timing = 2 * (size - 16)
  const format = 31
  const versions = version < 7 ? 0 : 36
  return Math.floor((size ** 2 - finders - timing - format - versions - patterns) / 8)
}

function dataCodewordsOf(version: number): number {
  return codewordsOf(version) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1)
}

function countBitsOf(version: number): number {
  return version < 10 ? 8 : 16
}

/** Returns the number of bytes of text that fit. */
function capacityOf(version: number): number {
  return Math.floor((dataCodewordsOf(version) * 8 - 4 - countBitsOf(version)) / 8)
}

/** The data codewords: mode, count, bytes, terminator and padding (7.4). */
function dataOf(version: number, bytes: Uint8Array): Uint8Array {
  const bits: number[] = []
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  put(BYTE_MODE, 4)
  put(bytes.length, countBitsOf(version))
  for (const byte of bytes) put(byte, 8)
  const data = new Uint8Array(dataCodewordsOf(version))
  // The terminator of four zeros, and those up to the next codeword, are there already.
  for (const [index, bit] of bits.entries()) data[index >> 3] = at(data, index >> 3) | (bit << (7 - (index & 7)))
  const used = Math.min(Math.ceil((bits.length + 4) / 8), data.length)
  for (let index = used; index < data.length; index++) data[index] = at(PADS, (index - used) % 2)
  return data
}

/** The data in blocks, each with its error correction, column by column (7.6). */
function interleave(version: number, data: Uint8Array): Uint8Array {
  const count = at(BLOCKS, version - 1)
  const short = Math.floor(data.length / count)
  const shortBlocks = count - (data.length % count)
  const blocks = Array.from({ length: count }, (_, index) => {
    const start = index * short + Math.max(0, index - shortBlocks)
    return data.subarray(start, start + short + (index < shortBlocks ? 0 : 1))
  })
  const corrections = blocks.map((block) => correctionOf(block, at(CORRECTION, version - 1)))
  return Uint8Array.from([...columnsOf(blocks), ...columnsOf(corrections)])
}

function columnsOf(blocks: readonly Uint8Array[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => blocks.flatMap((block) => block[index] ?? [])).flat()
}

/** The remainder of Reed-Solomon in GF(256) over x⁸+x⁴+x³+x²+1 (7.5.2). */
function correctionOf(block: Uint8Array, count: number): Uint8Array {
  const generator = generatorOf(count)
  const remainder = new Uint8Array(count)
  for (const codeword of block) {
    const factor = codeword ^ at(remainder, 0)
    remainder.copyWithin(0, 1)
    remainder[count - 1] = 0
    for (let index = 0; index < count; index++)
      remainder[index] = at(remainder, index) ^ multiply(at(generator, index), factor)
  }
  return remainder
}

/** The product of (x - αⁱ) for i below `count`, without its leading 1; the highest power first (annex A). */
function generatorOf(count: number): Uint8Array {
  const generator = new Uint8Array(count)
  generator[count - 1] = 1
  let root = 1
  for (let factor = 0; factor < count; factor++) {
    for (let index = 0; index < count; index++)
      generator[index] = multiply(at(generator, index), root) ^ (generator[index + 1] ?? 0)
    root = multiply(root, 2)
  }
  return generator
}

function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

/** Draws the symbol with a mask. */
function draw(version: number, codewords: Uint8Array, mask: number): boolean[][] {
  const size = sizeOf(version)
  const modules = Array.from({ length: size }, () => new Array<boolean | undefined>(size).fill(undefined))
  const set = (row: number, column: number, dark: boolean) => {
    const line = modules[row]
    if (line && column >= 0 && column < size) line[column] = dark
  }
  drawPatterns(version, set, (row, column) => modules[row]?.[column] !== undefined)
  drawFormat(size, mask, set)
  if (version >= 7) drawVersion(version, set)
  const inverts = MASKS[mask]
  let bit = 0
  for (const [row, column] of positionsOf(size)) {
    if (modules[row]?.[column] !== undefined) continue
    const dark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
    set(row, column, dark !== inverts?.(row, column))
    bit++
  }
  return modules.map((line) => line.map((dark) => dark === true))
}

type SetModule = (row: number, column: number, dark: boolean) => void

/** Finder, alignment and timing patterns (6.3). */
function drawPatterns(version: number, set: SetModule, isSet: (row: number, column: number) => boolean): void {
  const size = sizeOf(version)
  const far = size - FINDER_MODULES
  for (const [top, left] of [
    [0, 0],
    [0, far],
    [far, 0],
  ] as const) {
    for (let row = -1; row <= FINDER_MODULES; row++) {
      for (let column = -1; column <= FINDER_MODULES; column++) {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3))
        set(top + row, left + column, ring !== 2 && ring !== 4)
      }
    }
  }
  const centres = alignmentsOf(version)
  for (const row of centres) {
    for (const column of centres) {
      if (isSet(row, column)) continue
      for (let y = -2; y <= 2; y++)
        for (let x = -2; x <= 2; x++) set(row + y, column + x, Math.max(Math.abs(y), Math.abs(x)) !== 1)
    }
  }
  for (let index = 8; index < size - 8; index++) {
    if (!isSet(6, index)) set(6, index, index % 2 === 0)
    if (!isSet(index, 6)) set(index, 6, index % 2 === 0)
  }
}

/** Level and mask with 10 bits of a BCH code, twice (7.9). */
function drawFormat(size: number, mask: number, set: SetModule): void {
  const data = (LEVEL_M << 3) | mask
  const bits = ((data << 10) | remainderOf(data << 10, 0b101_0011_0111)) ^ 0b101_0100_0001_0010
  for (let index = 0; index < 15; index++) {
    const dark = ((bits >> index) & 1) === 1
    // Around the finder at the top left, past the timing patterns; and half at each of the others.
    if (index < 8) set(index < 6 ? index : index + 1, 8, dark)
    else set(8, index === 8 ? 7 : 14 - index, dark)
    if (index < 8) set(8, size - 1 - index, dark)
    else set(size - 15 + index, 8, dark)
  }
  set(size - 8, 8, true)
}

/** The version with 12 bits of a BCH code, twice (7.10). */
function drawVersion(version: number, set: SetModule): void {
  const size = sizeOf(version)
  const bits = (version << 12) | remainderOf(version << 12, 0b1_1111_0010_0101)
  for (let index = 0; index < 18; index++) {
    const dark = ((bits >> index) & 1) === 1
    const [far, close] = [size - 11 + (index % 3), Math.floor(index / 3)]
    set(close, far, dark)
    set(far, close, dark)
  }
}

function remainderOf(value: number, divisor: number): number {
  let rest = value
  while (lengthOf(rest) >= lengthOf(divisor)) rest ^= divisor << (lengthOf(rest) - lengthOf(divisor))
  return rest
}

function lengthOf(value: number): number {
  return 32 - Math.clz32(value)
}

/** The order of the modules: in columns of two from the right, up and down in turn, past the timing pattern (7.7.3). */
function* positionsOf(size: number): Generator<[row: number, column: number]> {
  let upwards = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const row = upwards ? size - 1 - step : step
      yield [row, right]
      yield [row, right - 1]
    }
    upwards = !upwards
  }
}

/** Penalty of a symbol that is hard to read (7.8.3.1): runs, blocks, what looks like a finder, and too much of one colour. */
function penaltyOf(modules: QrCode): number {
  const size = modules.length
  const columns = modules.map((_, column) => modules.map((line) => line[column] === true))
  let penalty = 0
  for (const line of [...modules, ...columns]) {
    const text = line.map((dark) => (dark ? '1' : '0')).join('')
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2
    penalty += (text.match(/(?=10111010000|00001011101)/g)?.length ?? 0) * 40
  }
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      const four = [modules[row], modules[row + 1]].flatMap((line) => line?.slice(column, column + 2) ?? [])
      if (four.every((dark) => dark === four[0])) penalty += 3
    }
  }
  const dark = modules.flat().filter(Boolean).length
  return penalty + Math.floor(Math.abs((dark * 20) / size ** 2 - 10)) * 10
}

function at(values: ArrayLike<number>, index: number): number {
  const value = values[index]
  if (value === undefined) throw new RangeError(`there is no entry ${index}`)
  return value
}
