import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

const SEQUENCE_HEADER = 1

/** A picture has a handful; layers and tile groups some more. */
const MAX_OBUS = 1000

/**
 * The largest frame size that the sequence headers in an AV1 item announce, which is what a decoder makes room for,
 * whatever the boxes around it say (AV1 bitstream specification, 5.3 to 5.5). `undefined` when none can be found.
 */
export function findAv1Size(obus: Uint8Array): Size | undefined {
  let largest: Size | undefined
  for (let at = 0, count = 1; at < obus.length; count++) {
    if (count > MAX_OBUS) throw new ImageRefusal('over_budget', `an AVIF must have at most ${MAX_OBUS} OBUs in an item`)
    const header = obus[at++] ?? 0
    const hasExtension = (header & 4) !== 0
    const hasSize = (header & 2) !== 0
    if (hasExtension) at++
    let length = obus.length - at
    if (hasSize) [length, at] = readLeb128(obus, at)
    if (((header >> 3) & 15) === SEQUENCE_HEADER) {
      const size = readSequenceHeader(obus.subarray(at, at + length))
      if (!largest || size.width * size.height > largest.width * largest.height) largest = size
    }
    at += length
  }
  return largest
}

/** A number in seven-bit groups, low group first (4.10.5), and the offset after it. */
function readLeb128(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[from + i] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return [value, from + i + 1]
  }
  return [value, from + 8]
}

/** sequence_header_obu() as far as its frame size (5.5.1). */
function readSequenceHeader(obu: Uint8Array): Size {
  let position = 0
  function bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++, position++) {
      value = value * 2 + (((obu[position >> 3] ?? 0) >> (7 - (position & 7))) & 1)
    }
    return value
  }
  const flag = () => bits(1) === 1

  bits(4) // seq_profile, still_picture
  const isReduced = flag()
  if (isReduced) bits(5)
  else {
    let delayBits: number | undefined
    if (flag()) {
      bits(64) // timing_info
      if (flag()) skipUvlc(bits)
      if (flag()) {
        delayBits = bits(5) + 1
        bits(42)
      }
    }
    const hasDisplayDelay = flag()
    for (let points = bits(5) + 1; points > 0; points--) {
      bits(12)
      const level = bits(5)
      if (level > 7) bits(1)
      if (delayBits !== undefined && flag()) bits(2 * delayBits + 1)
      if (hasDisplayDelay && flag()) bits(4)
    }
  }
  const widthBits = bits(4) + 1
  const heightBits = bits(4) + 1
  return { width: bits(widthBits) + 1, height: bits(heightBits) + 1 }
}

/** uvlc() (4.10.3). */
function skipUvlc(bits: (count: number) => number): void {
  let zeros = 0
  while (zeros < 32 && bits(1) === 0) zeros++
  if (zeros < 32) bits(zeros)
}
