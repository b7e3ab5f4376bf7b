// The symbol decoder of AV1 (8.2), 48 bits ahead. CDFs are stored as 32768 less their values (tables/cdf.ts).

/** The state of a symbol decoder. */
@unmanaged
export class SymbolDecoder {
  /** SymbolValue in the 16 highest bits, below it what follows of the data, inverted. */
  window: u64
  /** SymbolRange */
  range: u32
  /** The number of loaded bits below the highest 16 of the window. */
  bits: i32
  next: usize
  end: usize
}

/** The decoder of the current tile. */
@unmanaged
class CurrentDecoder extends SymbolDecoder {
  /** disable_cdf_update is 0. */
  adapts: bool
}

export const symbols: CurrentDecoder = changetype<CurrentDecoder>(memory.data(offsetof<CurrentDecoder>(), 8))

/** init_symbol( ) for `length` bytes at `from` (8.2.2). Beyond them zero bits are read. */
export function initSymbol(d: SymbolDecoder, from: usize, length: usize): void {
  // Of the first word 15 bits are SymbolValue, and 17 follow.
  d.window = (<u64>nextInverted(from, from + length)) << 31
  d.range = 1 << 15
  d.bits = 17
  d.next = from + 4
  d.end = from + length
}

/** The next four bytes as a big-endian number, inverted; bytes from `limit` on are zero before that. */
function nextInverted(at: usize, limit: usize): u32 {
  if (at + 4 <= limit) return ~bswap<u32>(load<u32>(at))
  let word: u32 = 0
  for (let i: usize = 0; i < 4; i++) word = (word << 8) | (at + i < limit ? <u32>load<u8>(at + i) : 0)
  return ~word
}

/** Resumes a decoder. */
export function resumeSymbols(d: SymbolDecoder, disableCdfUpdate: bool): void {
  memory.copy(changetype<usize>(symbols), changetype<usize>(d), offsetof<SymbolDecoder>())
  symbols.adapts = !disableCdfUpdate
}

/** Puts the decoder's state aside. */
export function suspendSymbols(d: SymbolDecoder): void {
  memory.copy(changetype<usize>(d), changetype<usize>(symbols), offsetof<SymbolDecoder>())
}

/** Whether far more bits were taken than there are. */
export function ranOut(): bool {
  return symbols.next > symbols.end + 16
}

/** read_symbol( ) of a CDF of n symbols (8.2.6). */
export function readSymbol(cdf: usize, n: i32): i32 {
  const value = <u32>(symbols.window >> 48)
  const r = symbols.range >> 8
  let least = (<u32>(n - 1)) << 2
  let at = cdf
  let previous = symbols.range
  let current = ((r * (<u32>load<u16>(at) >> 6)) >> 1) + least
  while (value < current) {
    previous = current
    at += 2
    least -= 4
    current = ((r * (<u32>load<u16>(at) >> 6)) >> 1) + least
  }
  renormalize(previous - current, current)
  const symbol = <i32>((at - cdf) >> 1)
  if (symbols.adapts) adapt(cdf, symbol, n)
  return symbol
}

/** Sixteen lanes of ones, then zeros: `2 * n` bytes before FIRST_LANES a vector of ones in its first `n` lanes begins. */
// biome-ignore format: a table
const FIRST_LANES: usize = memory.data<u64>([
  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0, 0, 0, 0, 0, 0,
], 16) + 32

/** For each of four symbols all ones in the values of a CDF that are before it. */
const BEFORE: usize = memory.data<u64>([0, 0xffff, 0xffffffff, 0xffffffffffff], 16)

/** Moves the CDF of four symbols towards one of them. */
// @ts-ignore: decorator
@inline
export function adaptQuaternary(cdf: usize, symbol: i32): void {
  const count = <u32>load<u16>(cdf, 8)
  const f = v128.load64_zero(cdf)
  const before = v128.load64_zero(BEFORE + ((<usize>symbol) << 3))
  // Of 32768 the rest where the symbol is further on, and the value itself elsewhere.
  const way = i16x8.sub(v128.xor(f, v128.and(before, i16x8.splat(0x7fff))), before)
  const step = i16x8.shr_u(way, 5 + (count >> 4))
  v128.store64_lane(cdf, i16x8.sub(f, i16x8.sub(v128.xor(step, before), before)), 0)
  store<u16>(cdf, count + (count < 32 ? 1 : 0), 8)
}

/** read_symbol( ) of a CDF of two symbols. */
export function readBool(cdf: usize): i32 {
  const f = <u32>load<u16>(cdf)
  const current = (((symbols.range >> 8) * (f >> 6)) >> 1) + 4
  const isZero = <u32>(symbols.window >> 48) >= current
  if (isZero) renormalize(symbols.range - current, current)
  else renormalize(current, 0)
  if (symbols.adapts) {
    const count = <u32>load<u16>(cdf, 4)
    const rate = 4 + (count > 15 ? 1 : 0) + (count > 31 ? 1 : 0)
    store<u16>(cdf, isZero ? f - (f >> rate) : f + ((32768 - f) >> rate))
    store<u16>(cdf, count + (count < 32 ? 1 : 0), 4)
  }
  return isZero ? 0 : 1
}

/** read_symbol( ) of two symbols where the value for the first is given and stays as it is. */
export function readFixedBool(f: u32): i32 {
  const current = (((symbols.range >> 8) * (f >> 6)) >> 1) + 4
  const isZero = <u32>(symbols.window >> 48) >= current
  if (isZero) renormalize(symbols.range - current, current)
  else renormalize(current, 0)
  return isZero ? 0 : 1
}

/** L(n) */
export function readLiteral(n: i32): i32 {
  let value = 0
  for (let i = 0; i < n; i++) value = (value << 1) | readLiteralBit()
  return value
}

/** L(1): read_bool( ) (8.2.3). */
export function readLiteralBit(): i32 {
  return readFixedBool(1 << 14)
}

/** NS(n) (4.10.10). */
export function readUniform(n: i32): i32 {
  const w = 32 - clz<i32>(n)
  const m = (1 << w) - n
  const value = readLiteral(w - 1)
  return value < m ? value : (value << 1) - m + readLiteralBit()
}

/** Takes `below` off SymbolValue, and new bits until SymbolRange has 16 again. */
function renormalize(left: u32, below: u32): void {
  const shift = <i32>clz<u32>(left) - 16
  symbols.range = left << shift
  symbols.window = (symbols.window - ((<u64>below) << 48)) << shift
  const bits = symbols.bits - shift
  symbols.bits = bits
  if (bits < 0) refill()
}

function refill(): void {
  symbols.window |= nextWord() << (16 - symbols.bits)
  symbols.bits += 32
}

/** Takes the next 32 bits, inverted. */
export function nextWord(): u64 {
  const word = nextInverted(symbols.next, symbols.end)
  symbols.next += 4
  return word
}

/** Moves the CDF towards the symbol, the slower the more often it was used. */
function adapt(cdf: usize, symbol: i32, n: i32): void {
  const counter = cdf + ((<usize>n) << 1)
  const count = <u32>load<u16>(counter)
  const rate = 3 + (count >> 4) + (n > 3 ? 2 : 1)
  const before = FIRST_LANES - ((<usize>symbol) << 1)
  const values = FIRST_LANES - ((<usize>(n - 1)) << 1)
  adaptEight(cdf, v128.load(before), v128.load(values), rate)
  if (n > 9) adaptEight(cdf + 16, v128.load(before, 16), v128.load(values, 16), rate)
  store<u16>(counter, count + (count < 32 ? 1 : 0))
}

/** Moves eight values of a CDF: up those `before` the symbol, down others; what is not in `values` stays. */
// @ts-ignore: decorator
@inline
function adaptEight(at: usize, before: v128, values: v128, rate: u32): void {
  const f = v128.load(at)
  const way = i16x8.sub(v128.xor(f, v128.and(before, i16x8.splat(0x7fff))), before)
  const step = v128.and(i16x8.shr_u(way, rate), values)
  v128.store(at, i16x8.sub(f, i16x8.sub(v128.xor(step, before), before)))
}
