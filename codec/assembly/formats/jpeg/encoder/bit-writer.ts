// Tokens to entropy-coded data (T.81 F.1.2, B.1.1.5): the first bit is the highest, and a byte of ones is followed by
// one of zeros.

import { advanceTo, output } from '../../../pipeline/output'
import { codeOf } from './huffman'
import { clearTokens, tokens } from './tokens'

/** A token writes four bytes at most, each stuffed, and `finishBits` as much; the end of the image follows. */
const SLACK: usize = 24

/** The position in the tokens, and what is not written yet. */
@unmanaged
class BitWriter {
  /** Bits that are not written yet, the last one lowest, and how many: fewer than 32. */
  bits: u64
  count: u64
  /** The token to be written next, 0 for the first. */
  next: usize
}

const writer: BitWriter = changetype<BitWriter>(memory.data(offsetof<BitWriter>(), 8))

/** Begins the data of a scan. */
export function startBits(): void {
  writer.bits = 0
  writer.count = 0
  writer.next = 0
}

/** Writes the buffered tokens, and clears them; false if the output is full: it is to be taken, and this called again. */
export function writeTokens(): bool {
  let token = writer.next == 0 ? tokens.first : writer.next
  let bits = writer.bits
  let count = writer.count
  let to = output.at
  const limit = output.end - SLACK
  const last = tokens.last
  for (; token < last && to < limit; token += 4) {
    const value = load<u32>(token)
    const code = codeOf(value >> 16)
    const size = (value >> 16) & 15
    const length = <u64>(code & 255)
    bits = (bits << length) | ((<u64>(code >> 8)) << (<u64>size)) | <u64>(value & 0xffff)
    count += length
    if (count >= 32) {
      count -= 32
      to = writeWord(<u32>(bits >> count), to)
    }
  }
  writer.bits = bits
  writer.count = count
  advanceTo(to)
  writer.next = token
  if (token < last) return false
  writer.next = 0
  clearTokens()
  return true
}

/** Writes the remaining bits, padded with ones to whole bytes (F.1.2.3). */
export function finishBits(): void {
  const missing = <u64>((32 - writer.count) & 7)
  const rest = <u32>(writer.bits << missing) | ((1 << (<u32>missing)) - 1)
  let bytes = (writer.count + missing) >> 3
  let to = output.at
  while (bytes-- > 0) to = writeByte((rest >> ((<u32>bytes) << 3)) & 255, to)
  advanceTo(to)
}

function writeWord(word: u32, to: usize): usize {
  // Whether a byte is all ones: its complement is zero.
  const inverse = ~word
  if (((inverse - 0x01010101) & ~inverse & 0x80808080) == 0) {
    store<u32>(to, bswap<u32>(word))
    return to + 4
  }
  for (let shift = 24; shift >= 0; shift -= 8) to = writeByte((word >> shift) & 255, to)
  return to
}

function writeByte(byte: u32, to: usize): usize {
  store<u8>(to++, <u8>byte)
  if (byte == 255) store<u8>(to++, 0)
  return to
}
