// A zlib stream (RFC 1950) of deflated data (RFC 1951), in whatever pieces it comes, to pieces of what it holds. The last 32 KiB
// stay before each piece, for copies.
import { allocate, allocateZeroed } from '../../../arena/memory'
import {
  BAD_CODE,
  buildTable,
  Codes,
  INDEX_MASK,
  INDEX_SHIFT,
  IS_END,
  IS_LITERAL,
  IS_POINTER,
  prepareSymbols,
  VALUE_SHIFT,
  WIDTH_MASK,
  WIDTH_SHIFT,
} from './inflate-table'

/** Why `inflate` gave way. */
export const enum Inflated {
  /** There is a piece: from `inflatedStart` to `inflatedEnd`. */
  Output = 0,
  /** More input is needed, at `inputRoom()`. There may be output, too. */
  NeedsInput = 1,
  /** The stream has ended; there may be a last piece. */
  End = 2,
  /** The input has ended before the stream; there may be a last piece. */
  Cut = 3,
  /** The stream contradicts its specification; what it gave before that may be a last piece. */
  Broken = 4,
}

/** The greatest distance of a copy (RFC 1951, 2). */
const WINDOW_BYTES: usize = 32 * 1024
/** A copy has 258 bytes at most, and four literals may come before it; vectors write 16 bytes more. */
const BUFFER_SLACK: usize = 258 + 4 + 32
/** Most of the input that is given at once. */
const INPUT_BYTES: usize = 64 * 1024
/** Bytes that may be read beyond the input: zeros at the end of the file. */
const INPUT_SLACK: usize = 64
/** Lengths of codes take 2,282 bits at most: 14 of counts, 19 lengths of 3, 316 codes of 7. */
const HEADER_BYTES: usize = 288
/** One turn of the loop reads 16 bytes at most: two loads of 8. */
const TURN_BYTES: usize = 16

/** Codes of literals and lengths take 15 bits at most, most of them 11 or less; distances 10. */
const LITERAL_BITS: u32 = 11
const DISTANCE_BITS: u32 = 10
/** Codes of code lengths take 7 at most. */
const CODE_BITS: u32 = 7
/** Tables of 2^11 and 2^10 entries, and those behind them: of 2^4 for each pair of 286 symbols, of 2^5 for each pair of 30. */
const LITERAL_ENTRIES: u32 = 2048 + 143 * 16
const DISTANCE_ENTRIES: u32 = 1024 + 15 * 32

const LITERALS: usize = memory.data(4 * 4336, 16)
const DISTANCES: usize = memory.data(4 * 1504, 16)
const LENGTHS: usize = memory.data(384)
const CODE_LENGTHS: usize = memory.data(19)
const CODE_TABLE: usize = memory.data(4 * 128, 16)
/** In which the lengths of the code of code lengths come (RFC 1951, 3.2.7). */
const CODE_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])

/** For copies from at most 16 bytes back: [distance][lane], the index of the repeated byte in each lane. */
const REPEATS: usize = memory.data(17 * 16, 16)
let hasRepeats = false

const enum State {
  Header,
  Block,
  Stored,
  Codes,
  Ended,
}

/** The stream that is inflated, set by `startInflate`. */
@unmanaged
class Inflater {
  /** The bytes of the piece that `inflate` made. */
  start: usize
  end: usize
  state: State
  isLastBlock: bool
  /** The widths of the indices of the tables, and whether they are those of the fixed codes. */
  literalBits: u32
  distanceBits: u32
  areFixed: bool
  storedLeft: usize
  /** Of the input: its buffer, what comes next, its end, and whether nothing comes after it. */
  input: usize
  next: usize
  inputEnd: usize
  isLastInput: bool
  /** Bits that were taken from the input, the first in the lowest; more than `bits` may be there, but are those that come. */
  hold: u64
  bits: u32
  /** The buffer: the window, then the piece. `first` is where the oldest byte is that copies may reach. */
  buffer: usize
  out: usize
  first: usize
  bufferBytes: usize
}

export const inflater: Inflater = changetype<Inflater>(memory.data(offsetof<Inflater>(), 8))

/** Begins a stream whose pieces have some `capacity` bytes at most. */
export function startInflate(capacity: usize): void {
  inflater.bufferBytes = capacity
  inflater.buffer = allocate(WINDOW_BYTES + inflater.bufferBytes + BUFFER_SLACK)
  inflater.input = allocateZeroed(INPUT_BYTES + INPUT_SLACK)
  inflater.next = inflater.input
  inflater.inputEnd = inflater.input
  inflater.isLastInput = false
  inflater.hold = 0
  inflater.bits = 0
  inflater.state = State.Header
  inflater.isLastBlock = false
  inflater.areFixed = false
  inflater.out = inflater.buffer + WINDOW_BYTES
  inflater.first = inflater.out
  prepareSymbols()
  if (!hasRepeats) fillRepeats()
}

/** Where the next bytes of the input go, and how many have room there (`inputRoomBytes`). */
export function inputRoom(): usize {
  giveBackBytes()
  const left = inflater.inputEnd > inflater.next ? inflater.inputEnd - inflater.next : 0
  memory.copy(inflater.input, inflater.next, left)
  inflater.next = inflater.input
  inflater.inputEnd = inflater.input + left
  return inflater.inputEnd
}

/** Returns the number of input bytes that there is room for. */
export function inputRoomBytes(): usize {
  return INPUT_BYTES - (inflater.inputEnd - inflater.input)
}

/** So many bytes were put at `inputRoom()`; `isLast` if no more will come. */
export function giveInput(bytes: usize, isLast: bool): void {
  inflater.inputEnd += bytes
  inflater.isLastInput = isLast
  memory.fill(inflater.inputEnd, 0, INPUT_SLACK)
}

/** Makes the next piece, from `inflatedStart` to `inflatedEnd`; the one before is void. */
export function inflate(): Inflated {
  if (inflater.out - inflater.buffer >= WINDOW_BYTES + inflater.bufferBytes) slide()
  inflater.start = inflater.out
  const result = run()
  inflater.end = inflater.out
  return result
}

/** Moves the window to the front of the buffer. */
function slide(): void {
  memory.copy(inflater.buffer, inflater.out - WINDOW_BYTES, WINDOW_BYTES)
  const moved = inflater.out - (inflater.buffer + WINDOW_BYTES)
  inflater.first = inflater.first > inflater.buffer + moved ? inflater.first - moved : inflater.buffer
  inflater.out = inflater.buffer + WINDOW_BYTES
}

function run(): Inflated {
  while (true) {
    if (inflater.state == State.Codes) {
      const result = takeCodes()
      if (result != Inflated.End) return result
      inflater.state = inflater.isLastBlock ? State.Ended : State.Block
    } else if (inflater.state == State.Stored) {
      const result = takeStored()
      if (result != Inflated.End) return result
      inflater.state = inflater.isLastBlock ? State.Ended : State.Block
    } else if (inflater.state == State.Ended) {
      return Inflated.End
    } else {
      if (inflater.inputEnd < inflater.next + HEADER_BYTES && !inflater.isLastInput) return Inflated.NeedsInput
      const isRight = inflater.state == State.Header ? takeHeader() : takeBlockHeader()
      if (isPastEnd()) return Inflated.Cut
      if (!isRight) return Inflated.Broken
    }
  }
}

/** Whether bits were taken that are not there. */
function isPastEnd(): bool {
  return inflater.next - (inflater.bits >> 3) > inflater.inputEnd
}

/** At least 56 bits from now on, beyond the end zeros. */
// @ts-ignore: decorator
@inline
function refill(): void {
  inflater.hold |= load<u64>(inflater.next) << (<u64>inflater.bits)
  inflater.next += (63 - inflater.bits) >> 3
  inflater.bits |= 56
  if (inflater.next > inflater.inputEnd + 16) inflater.next = inflater.inputEnd + 16
}

function take(count: u32): u32 {
  refill()
  const value = <u32>(inflater.hold & (((<u64>1) << (<u64>count)) - 1))
  inflater.hold >>= <u64>count
  inflater.bits -= count
  return value
}

/** The two bytes of zlib (RFC 1950, 2.2): deflate, a window of 32 KiB at most, no dictionary. */
function takeHeader(): bool {
  const cmf = take(8)
  const flags = take(8)
  inflater.state = State.Block
  return (cmf & 15) == 8 && cmf >> 4 <= 7 && ((cmf << 8) | flags) % 31 == 0 && (flags & 32) == 0
}

function takeBlockHeader(): bool {
  inflater.isLastBlock = take(1) == 1
  const type = take(2)
  if (type == 0) return startStored()
  inflater.state = State.Codes
  if (type == 1) return takeFixedCodes()
  return type == 2 && takeDynamicCodes()
}

function startStored(): bool {
  // The length begins with a byte; whole bytes that were taken go back.
  take(inflater.bits & 7)
  const length = take(16)
  const complement = take(16)
  giveBackBytes()
  inflater.storedLeft = length
  inflater.state = State.Stored
  return (length ^ complement) == 0xffff
}

/** Takes no more than the bits of a begun byte: all others are to be read again. */
function giveBackBytes(): void {
  inflater.next -= inflater.bits >> 3
  inflater.bits &= 7
  inflater.hold &= ((<u64>1) << (<u64>inflater.bits)) - 1
}

function takeStored(): Inflated {
  while (inflater.storedLeft > 0) {
    const room = inflater.buffer + WINDOW_BYTES + inflater.bufferBytes - inflater.out
    const there = inflater.inputEnd > inflater.next ? inflater.inputEnd - inflater.next : 0
    const count = min(inflater.storedLeft, min(room, there))
    memory.copy(inflater.out, inflater.next, count)
    inflater.out += count
    inflater.next += count
    inflater.storedLeft -= count
    if (inflater.storedLeft == 0) break
    if (there == count) return inflater.isLastInput ? Inflated.Cut : Inflated.NeedsInput
    return Inflated.Output
  }
  return Inflated.End
}

/** RFC 1951, 3.2.6. */
function takeFixedCodes(): bool {
  // A file may have a block every ten bits.
  if (inflater.areFixed) return true
  memory.fill(LENGTHS, 8, 144)
  memory.fill(LENGTHS + 144, 9, 112)
  memory.fill(LENGTHS + 256, 7, 24)
  memory.fill(LENGTHS + 280, 8, 8)
  memory.fill(LENGTHS + 288, 5, 32)
  inflater.areFixed = buildTables(288, 32)
  return inflater.areFixed
}

/** RFC 1951, 3.2.7. */
function takeDynamicCodes(): bool {
  const literals = take(5) + 257
  const distances = take(5) + 1
  const codes = take(4) + 4
  if (literals > 286 || distances > 30) return false
  memory.fill(CODE_LENGTHS, 0, 19)
  for (let i: u32 = 0; i < codes; i++) store<u8>(CODE_LENGTHS + load<u8>(CODE_ORDER + i), <u8>take(3))
  inflater.areFixed = false
  const tableBits = <u64>buildTable(CODE_LENGTHS, 19, CODE_TABLE, CODE_BITS, 128, Codes.OfLengths)
  if (tableBits == 0) return false
  const total = literals + distances
  let i: u32 = 0
  while (i < total) {
    refill()
    const entry = load<u32>(CODE_TABLE + ((<usize>(inflater.hold & ((1 << tableBits) - 1))) << 2))
    if ((entry & BAD_CODE) != 0) return false
    inflater.hold >>= <u64>(entry & 63)
    inflater.bits -= entry & 63
    const symbol = (entry >> VALUE_SHIFT) & 0x1ff
    if (symbol < 16) {
      store<u8>(LENGTHS + i++, <u8>symbol)
      continue
    }
    if (symbol == 16 && i == 0) return false
    const value: u8 = symbol == 16 ? load<u8>(LENGTHS + i - 1) : 0
    const count = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7)
    if (i + count > total) return false
    memory.fill(LENGTHS + i, value, count)
    i += count
  }
  // Without an end the block would have none.
  return load<u8>(LENGTHS + 256) != 0 && buildTables(literals, distances)
}

function buildTables(literals: u32, distances: u32): bool {
  inflater.literalBits = buildTable(LENGTHS, literals, LITERALS, LITERAL_BITS, LITERAL_ENTRIES, Codes.OfLiterals)
  inflater.distanceBits = buildTable(
    LENGTHS + literals,
    distances,
    DISTANCES,
    DISTANCE_BITS,
    DISTANCE_ENTRIES,
    Codes.OfDistances,
  )
  return inflater.literalBits > 0 && inflater.distanceBits > 0
}

/** Literals and copies, up to the end of the block, of the piece or of the input. */
function takeCodes(): Inflated {
  const first = inflater.first
  giveBackBytes()
  const bufferEnd = inflater.buffer + WINDOW_BYTES + inflater.bufferBytes
  const safe = inflater.inputEnd - TURN_BYTES
  let p = inflater.next
  // The two lowest bits were taken before. Above them, the masked bits of a code are the offset of its entry. Only the lowest six
  // bits of `n` count.
  let h = inflater.hold << INDEX_SHIFT
  let n = inflater.bits + INDEX_SHIFT
  let o = inflater.out
  let result = Inflated.Broken
  const literalMask = (((<u32>1) << inflater.literalBits) - 1) << INDEX_SHIFT
  const distanceMask = (((<u32>1) << inflater.distanceBits) - 1) << INDEX_SHIFT
  while (true) {
    if (o >= bufferEnd) {
      result = Inflated.Output
      break
    }
    if (<isize>p > <isize>safe) {
      if (!inflater.isLastInput) {
        result = Inflated.NeedsInput
        break
      }
      if (p - (((n & 63) - INDEX_SHIFT) >> 3) > inflater.inputEnd) {
        result = Inflated.Cut
        break
      }
    }
    h |= load<u64>(p) << (<u64>n)
    p += (~n >> 3) & 7
    n |= 56
    let entry = load<u32>(<u32>h & literalMask, LITERALS)
    if (<i32>entry < 0) {
      // Up to four literals, of 11 bits each: 44 of 62.
      const last = o + 3
      do {
        h >>= <u64>entry
        n -= entry
        store<u8>(o, <u8>(entry >> VALUE_SHIFT))
        entry = load<u32>(<u32>h & literalMask, LITERALS)
      } while (o++ < last && <i32>entry < 0)
      if (<i32>entry < 0) continue
      h |= load<u64>(p) << (<u64>n)
      p += (~n >> 3) & 7
      n |= 56
    }
    let code = h
    if ((entry & (IS_POINTER | IS_END | BAD_CODE)) != 0) {
      if ((entry & IS_POINTER) != 0) entry = subtableEntry(LITERALS, entry, h, inflater.literalBits)
      if ((entry & BAD_CODE) != 0) break
      if ((entry & (IS_LITERAL | IS_END)) != 0) {
        h >>= <u64>entry
        n -= entry
        if ((entry & IS_END) != 0) {
          result = Inflated.End
          break
        }
        store<u8>(o++, <u8>(entry >> VALUE_SHIFT))
        continue
      }
    }
    // A length of 15 and 5 bits, a distance of 15 and 13: 48.
    h >>= <u64>entry
    n -= entry
    const length = ((entry >> VALUE_SHIFT) & 0x1ff) + extraValue(code, entry)
    entry = load<u32>(<u32>h & distanceMask, DISTANCES)
    if ((entry & (IS_POINTER | BAD_CODE)) != 0) {
      if ((entry & IS_POINTER) != 0) entry = subtableEntry(DISTANCES, entry, h, inflater.distanceBits)
      if ((entry & BAD_CODE) != 0) break
    }
    code = h
    h >>= <u64>entry
    n -= entry
    const distance = ((entry >> VALUE_SHIFT) & 0x7fff) + extraValue(code, entry)
    if (<usize>distance > o - first) break
    const end = o + length
    const from = o - distance
    // Most copies are of 16 bytes at most, from wherever.
    const repeated = i8x16.swizzle(v128.load(from), v128.load(REPEATS + (min(distance, 16) << 4)))
    v128.store(o, repeated)
    if (length > 16) copyOn(o, from, end, distance, repeated)
    o = end
  }
  inflater.next = p
  inflater.hold = h >> INDEX_SHIFT
  inflater.bits = (n & 63) - INDEX_SHIFT
  inflater.out = o
  // Beyond the end of the file there are zeros, but not without end.
  return result == Inflated.End && isPastEnd() ? Inflated.Cut : result
}

/** Copies what comes after the first 16 bytes, which are `repeated`. */
function copyOn(o: usize, from: usize, end: usize, distance: u32, repeated: v128): void {
  if (distance >= 16) {
    do {
      o += 16
      from += 16
      v128.store(o, v128.load(from))
    } while (o + 16 < end)
  } else {
    const step = 16 - (16 % distance)
    do {
      o += step
      v128.store(o, repeated)
    } while (o + step < end)
  }
}

/** Returns the value of the bits after a code. The code begins at bit `INDEX_SHIFT`. */
// @ts-ignore: decorator
@inline
function extraValue(code: u64, entry: u32): u32 {
  const taken = code & ((((<u64>1) << INDEX_SHIFT) << (<u64>entry)) - 1)
  return <u32>(taken >> <u64>((entry >> WIDTH_SHIFT) & WIDTH_MASK))
}

/** The entry in the table behind a pointer. The code begins at bit `INDEX_SHIFT`. */
// @ts-ignore: decorator
@inline
function subtableEntry(table: usize, pointer: u32, code: u64, primary: u32): u32 {
  const index =
    ((pointer >> VALUE_SHIFT) & INDEX_MASK) +
    (<u32>(code >> <u64>(primary + INDEX_SHIFT)) & ((1 << ((pointer >> WIDTH_SHIFT) & WIDTH_MASK)) - 1))
  return load<u32>(table + ((<usize>index) << INDEX_SHIFT))
}

function fillRepeats(): void {
  hasRepeats = true
  for (let distance = 1; distance <= 16; distance++) {
    for (let i = 0; i < 16; i++) store<u8>(REPEATS + (distance << 4) + i, <u8>(i % distance))
  }
}
