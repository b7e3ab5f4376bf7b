// The inverse DCT (T.81 A.3.3) to any size from 1 to 8 points each way. The lowest N frequencies of the 8-point
// transform are those of an N-point one with the same amplitudes. Each basis function is even or odd, so the sums
// over even and odd frequencies, E and O, yield both halves: out[x] = E + O and out[N - 1 - x] = E - O.

/** The block to be transformed: f32, natural order. */
export const BLOCK: usize = memory.data(64 * 4, 16)

/** Rows after the pass down the columns. */
const ROWS: usize = memory.data(64 * 4, 16)
/** For each N: basis[y][u], y < N / 2, for single values, zero for u >= N. */
const DOWN: usize = memory.data(9 * 128, 16)
/** For each N: basis[u][x], x < N / 2, for vectors of four x, zero beyond. */
const ACROSS: usize = memory.data(9 * 128, 16)
/** For each N: where the bytes E + O of x = 0..3 and E - O of x = 0..3 go. */
const ORDER: usize = memory.data(9 * 16, 16)
/** Rows, and columns << 4, that hold the coefficients up to each in zigzag order. */
const EXTENT: usize = memory.data(64)

/** Adding it leaves a float's integer part, rounded, in its lowest bits. */
const ROUNDING: f32 = 12582912
const ROUNDING_BITS: i32 = 0x4b400000
/** A float's sign. */
const NEGATIVE: i32 = i32.MIN_VALUE

let isReady: bool = false

/** Makes the constant tables, once for the module. */
export function prepareTransforms(natural: usize): void {
  if (isReady) return
  isReady = true
  for (let n = 1; n <= 8; n++) prepareBasis(n)
  let rows = 0
  let columns = 0
  for (let k: usize = 0; k < 64; k++) {
    rows = max(rows, (<i32>load<u8>(natural + k) >> 3) + 1)
    columns = max(columns, (<i32>load<u8>(natural + k) & 7) + 1)
    store<u8>(EXTENT + k, <u8>(rows | (columns << 4)))
  }
}

/** Makes the block zero. */
export function clearBlock(): void {
  const zero = i32x4.splat(0)
  for (let at: usize = 0; at < 256; at += 16) v128.store(BLOCK + at, zero)
}

/** The extent of a block whose last coefficient is `k` in zigzag order: rows | columns << 4. */
export function extentTo(k: i32): i32 {
  return <i32>load<u8>(EXTENT + <usize>k)
}

/** Writes a block of nothing but its mean; the 8 bytes from each row's beginning are written. */
export function transformFlat(level: f32, down: i32, to: usize, stride: usize): void {
  const mean = f32x4.splat((load<f32>(BLOCK) + level) * 0.125)
  const samples = i32x4.sub(f32x4.add(mean, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS))
  const words = i16x8.narrow_i32x4_s(samples, samples)
  const bytes = i8x16.narrow_i16x8_u(words, words)
  for (let y = 0; y < down; y++, to += stride) v128.store64_lane(to, bytes, 0)
}

/**
 * Transforms the block, of which only `extent` is not zero, to `across` x `down` samples; the 8 bytes from each row's
 * beginning are written.
 */
export function transform(extent: i32, level: f32, across: i32, down: i32, to: usize, stride: usize): void {
  if (across == 2 && down == 2) return transformPairs(level, to, stride)
  const rows = min(extent & 15, down)
  const columns = min(extent >> 4, across)
  transformDown(rows, down, 0)
  if (columns > 4) transformDown(rows, down, 16)
  const order = v128.load(ORDER + ((<usize>across) << 4))
  const basis = ACROSS + ((<usize>across) << 7)
  const middle = f32x4.splat(level * 0.125)
  const rounding = f32x4.splat(ROUNDING)
  const roundingBits = i32x4.splat(ROUNDING_BITS)
  for (let y = 0; y < down; y++, to += stride) {
    const row = ROWS + ((<usize>y) << 5)
    let even = middle
    let odd = f32x4.splat(0)
    for (let u = 0; u < columns; u += 2) {
      const value = row + ((<usize>u) << 2)
      const wave = basis + ((<usize>u) << 4)
      even = f32x4.add(even, f32x4.mul(v128.load32_splat(value), v128.load(wave)))
      odd = f32x4.add(odd, f32x4.mul(v128.load32_splat(value, 4), v128.load(wave, 16)))
    }
    const left = i32x4.sub(f32x4.add(f32x4.add(even, odd), rounding), roundingBits)
    const right = i32x4.sub(f32x4.add(f32x4.sub(even, odd), rounding), roundingBits)
    const words = i16x8.narrow_i32x4_s(left, right)
    v128.store64_lane(to, i8x16.swizzle(i8x16.narrow_i16x8_u(words, words), order), 0)
  }
}

/** Two samples each way: all amplitudes are the same, so they are sums and differences of four coefficients. */
function transformPairs(level: f32, to: usize, stride: usize): void {
  const flat = f32x4.splat(load<f32>(BLOCK) + level)
  const across = v128.xor(v128.load32_splat(BLOCK, 4), i32x4(0, NEGATIVE, 0, NEGATIVE))
  const down = v128.xor(v128.load32_splat(BLOCK, 8 * 4), i32x4(0, 0, NEGATIVE, NEGATIVE))
  const both = v128.xor(v128.load32_splat(BLOCK, 9 * 4), i32x4(0, NEGATIVE, NEGATIVE, 0))
  const sums = f32x4.mul(f32x4.add(f32x4.add(flat, across), f32x4.add(down, both)), f32x4.splat(0.125))
  const samples = i32x4.sub(f32x4.add(sums, f32x4.splat(ROUNDING)), i32x4.splat(ROUNDING_BITS))
  const words = i16x8.narrow_i32x4_s(samples, samples)
  const bytes = i8x16.narrow_i16x8_u(words, words)
  v128.store16_lane(to, bytes, 0)
  v128.store16_lane(to + stride, bytes, 1)
}

/** Four columns, those at byte `offset` of each row. */
function transformDown(rows: i32, down: i32, offset: usize): void {
  const basis = DOWN + ((<usize>down) << 7)
  const half = (down + 1) >> 1
  for (let y = 0; y < half; y++) {
    let even = f32x4.splat(0)
    let odd = f32x4.splat(0)
    for (let u = 0; u < rows; u += 2) {
      const value = BLOCK + ((<usize>u) << 5) + offset
      const amplitude = basis + ((<usize>y) << 5) + ((<usize>u) << 2)
      even = f32x4.add(even, f32x4.mul(v128.load32_splat(amplitude), v128.load(value)))
      odd = f32x4.add(odd, f32x4.mul(v128.load32_splat(amplitude, 4), v128.load(value, 32)))
    }
    v128.store(ROWS + ((<usize>y) << 5) + offset, f32x4.add(even, odd))
    v128.store(ROWS + ((<usize>(down - 1 - y)) << 5) + offset, f32x4.sub(even, odd))
  }
}

function prepareBasis(n: i32): void {
  const half = (n + 1) >> 1
  for (let x = 0; x < half; x++) {
    for (let u = 0; u < n; u++) {
      const amplitude = u == 0 ? Math.SQRT1_2 / 2 : 0.5
      const value = <f32>(amplitude * Math.cos((<f64>((2 * x + 1) * u) * Math.PI) / <f64>(2 * n)))
      store<f32>(DOWN + ((<usize>n) << 7) + ((<usize>x) << 5) + ((<usize>u) << 2), value)
      store<f32>(ACROSS + ((<usize>n) << 7) + ((<usize>u) << 4) + ((<usize>x) << 2), value)
    }
  }
  for (let x = 0; x < n; x++) store<u8>(ORDER + <usize>(n * 16 + x), <u8>(x < half ? x : 4 + n - 1 - x))
}
