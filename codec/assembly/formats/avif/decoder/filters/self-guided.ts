// The self guided filter process and the box filter process: AV1 specification, 7.17.2 and 7.17.3.
import { allocate } from '../../../../arena/memory'
import { SGR_PARAMS } from '../../tables/filters'
import { bitDepth } from '../frames/sequence-header'
import { unitCoefficient, unitSet } from './restoration-units'

const SGRPROJ_RST_BITS: i32 = 4
const SGRPROJ_PRJ_BITS: i32 = 7
const SGRPROJ_MTABLE_BITS: i32 = 20
const SGRPROJ_RECIP_BITS: i32 = 12
const SGRPROJ_SGR_BITS: i32 = 8
const MAX_WIDTH: i32 = 384 + 16
const MAX_ROWS: i32 = 64 + 2

/** The memory of the filter, allocated for each frame that uses it. */
@unmanaged
class Arrays {
  /** A and B with a sample round the unit, i32; flt0 and flt1, i32. */
  a: usize
  b: usize
  flt0: usize
  flt1: usize
  /** Sums of columns of samples and of their squares. */
  columnSums: usize
  columnSquares: usize
}

const arrays: Arrays = changetype<Arrays>(memory.data(offsetof<Arrays>(), 4))

/** Takes the memory for a unit's height of a stripe. */
export function startSelfGuided(): void {
  const bytes = 4 * MAX_WIDTH * MAX_ROWS
  arrays.a = allocate(bytes)
  arrays.b = allocate(bytes)
  arrays.flt0 = allocate(bytes)
  arrays.flt1 = allocate(bytes)
  arrays.columnSums = allocate(4 * MAX_WIDTH)
  arrays.columnSquares = allocate(4 * MAX_WIDTH)
}

/** Filters `w` x `h` samples from column `x` of the rows at `rows` (as in restoration.ts) to `to`; the first row is even. */
export function selfGuide(unit: usize, rows: usize, x: i32, w: i32, h: i32, to: usize, stride: usize): void {
  const flt0 = arrays.flt0
  const flt1 = arrays.flt1
  const set = unitSet(unit)
  const r0 = radiusOf(set, 0)
  const r1 = radiusOf(set, 1)
  if (r0 > 0) boxFilter(rows, x, w, h, set, 0, flt0)
  if (r1 > 0) boxFilter(rows, x, w, h, set, 1, flt1)
  const w0 = unitCoefficient(unit, 0, 0)
  const w1 = unitCoefficient(unit, 0, 1)
  const w2 = (1 << SGRPROJ_PRJ_BITS) - w0 - w1
  const most = (1 << bitDepth) - 1
  const shift = SGRPROJ_RST_BITS + SGRPROJ_PRJ_BITS
  for (let i = 0; i < h; i++) {
    const row = rowAt(rows, i) + ((<usize>x) << 1)
    const out = to + <usize>i * stride
    const line = (<usize>(i * MAX_WIDTH)) << 2
    for (let j = 0; j < w; j++) {
      const u = (<i32>load<u16>(row + ((<usize>j) << 1))) << SGRPROJ_RST_BITS
      const at = line + ((<usize>j) << 2)
      const v = w1 * u + w0 * (r0 > 0 ? load<i32>(flt0 + at) : u) + w2 * (r1 > 0 ? load<i32>(flt1 + at) : u)
      store<u16>(out + ((<usize>j) << 1), <u16>max(0, min(most, (v + (1 << (shift - 1))) >> shift)))
    }
  }
}

/** Sample 0 of row `i` of the stripe. */
function rowAt(rows: usize, i: i32): usize {
  return <usize>load<u32>(rows + ((<usize>(i + 3)) << 2))
}

function radiusOf(set: i32, pass: i32): i32 {
  return load<u8>(SGR_PARAMS + ((set << 2) + pass * 2))
}

function boxFilter(rows: usize, x: i32, w: i32, h: i32, set: i32, pass: i32, to: usize): void {
  const r = radiusOf(set, pass)
  const eps = <i32>load<u8>(SGR_PARAMS + ((set << 2) + pass * 2 + 1))
  for (let i = -1; i < h + 1; i++) {
    // Of the first pass only odd rows are used.
    if (pass == 0 && (i & 1) == 0) continue
    sumColumns(rows, x, w, i, r)
    fillRow(w, i, r, eps)
  }
  for (let i = 0; i < h; i++) {
    if (pass == 0) weighAlternating(rowAt(rows, i) + ((<usize>x) << 1), w, i, to)
    else weighAll(rowAt(rows, i) + ((<usize>x) << 1), w, i, to)
  }
}

/** Sums over 2 * r + 1 rows round row `i`, of each column from x - 1 - r to x + w + r. */
function sumColumns(rows: usize, x: i32, w: i32, i: i32, r: i32): void {
  const columnSums = arrays.columnSums
  const columnSquares = arrays.columnSquares
  const count = w + 2 + 2 * r
  for (let j = 0; j < count; j++) {
    let sum = 0
    let squares = 0
    for (let dy = -r; dy <= r; dy++) {
      const c = <i32>load<u16>(rowAt(rows, i + dy) + ((<usize>(x + j - 1 - r)) << 1))
      sum += c
      squares += c * c
    }
    store<i32>(columnSums + ((<usize>j) << 2), sum)
    store<i32>(columnSquares + ((<usize>j) << 2), squares)
  }
}

/** A[ i ] and B[ i ]. */
function fillRow(w: i32, i: i32, r: i32, eps: i32): void {
  const a = arrays.a
  const b = arrays.b
  const columnSums = arrays.columnSums
  const columnSquares = arrays.columnSquares
  const n = (2 * r + 1) * (2 * r + 1)
  const n2e = n * n * eps
  const s = ((1 << SGRPROJ_MTABLE_BITS) + n2e / 2) / n2e
  const oneOverN = ((1 << SGRPROJ_RECIP_BITS) + n / 2) / n
  const line = (<usize>((i + 1) * MAX_WIDTH)) << 2
  const depth = bitDepth - 8
  for (let j = 0; j < w + 2; j++) {
    let sum: u32 = 0
    let squares: u32 = 0
    for (let dx = 0; dx <= 2 * r; dx++) {
      sum += load<u32>(columnSums + ((<usize>(j + dx)) << 2))
      squares += load<u32>(columnSquares + ((<usize>(j + dx)) << 2))
    }
    const scaled = round(squares, 2 * depth)
    const d = round(sum, depth)
    const p = <u32>max(0, <i32>(scaled * n - d * d))
    const z = <u32>((<u64>p * s + (1 << (SGRPROJ_MTABLE_BITS - 1))) >> SGRPROJ_MTABLE_BITS)
    const a2: u32 = z >= 255 ? 256 : z == 0 ? 1 : ((z << SGRPROJ_SGR_BITS) + z / 2) / (z + 1)
    const b2 = ((1 << SGRPROJ_SGR_BITS) - a2) * sum * oneOverN
    store<i32>(a + line + ((<usize>j) << 2), a2)
    store<i32>(b + line + ((<usize>j) << 2), round(b2, SGRPROJ_RECIP_BITS))
  }
}

/** Round2( x, n ) */
// @ts-ignore: decorator
@inline
function round(x: u32, n: i32): u32 {
  return n == 0 ? x : (x + (1 << (n - 1))) >> n
}

// @ts-ignore: decorator
@inline
function number(array: usize, i: i32, j: i32): i32 {
  return load<i32>(array + ((<usize>((i + 1) * MAX_WIDTH + j + 1)) << 2))
}

/** 6 of the sample in a row, 5 of each beside it. */
// @ts-ignore: decorator
@inline
function six(array: usize, i: i32, j: i32): i32 {
  return 6 * number(array, i, j) + 5 * (number(array, i, j - 1) + number(array, i, j + 1))
}

/** F of pass 0 */
function weighAlternating(row: usize, w: i32, i: i32, to: usize): void {
  const a = arrays.a
  const b = arrays.b
  const isOdd = (i & 1) != 0
  const shift = SGRPROJ_SGR_BITS + (isOdd ? 4 : 5) - SGRPROJ_RST_BITS
  for (let j = 0; j < w; j++) {
    const sumA = isOdd ? six(a, i, j) : six(a, i - 1, j) + six(a, i + 1, j)
    const sumB = isOdd ? six(b, i, j) : six(b, i - 1, j) + six(b, i + 1, j)
    const v = sumA * <i32>load<u16>(row + ((<usize>j) << 1)) + sumB
    store<i32>(to + ((<usize>(i * MAX_WIDTH + j)) << 2), (v + (1 << (shift - 1))) >> shift)
  }
}

/** 4 of each sample in a cross, 3 of each at its corners. */
// @ts-ignore: decorator
@inline
function nine(array: usize, i: i32, j: i32): i32 {
  const cross =
    number(array, i, j) +
    number(array, i, j - 1) +
    number(array, i, j + 1) +
    number(array, i - 1, j) +
    number(array, i + 1, j)
  const corners =
    number(array, i - 1, j - 1) +
    number(array, i - 1, j + 1) +
    number(array, i + 1, j - 1) +
    number(array, i + 1, j + 1)
  return 4 * cross + 3 * corners
}

/** F of pass 1 */
function weighAll(row: usize, w: i32, i: i32, to: usize): void {
  const a = arrays.a
  const b = arrays.b
  const shift = SGRPROJ_SGR_BITS + 5 - SGRPROJ_RST_BITS
  for (let j = 0; j < w; j++) {
    const v = nine(a, i, j) * <i32>load<u16>(row + ((<usize>j) << 1)) + nine(b, i, j)
    store<i32>(to + ((<usize>(i * MAX_WIDTH + j)) << 2), (v + (1 << (shift - 1))) >> shift)
  }
}
