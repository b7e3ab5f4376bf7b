import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

/** Coding of the samples of an AV1 image. */
export interface Av1Coding {
  bitDepth: 8 | 10 | 12
  chroma: '4:0:0' | '4:2:0' | '4:2:2' | '4:4:4'
}

/** The coding of its colours. */
interface Av1Colours {
  /** MatrixCoefficients of ITU-T H.273. */
  matrix: number
  isFullRange: boolean
}

/** The sequence header (AV1 bitstream specification, 5.5). Its size is that of the largest frame. */
interface Av1Sequence extends Size, Av1Coding, Av1Colours {}

const SEQUENCE_HEADER = 1

/** An image has a few OBUs; layers and tile groups add some more. */
const MAX_OBUS = 1000

/** SELECT_SCREEN_CONTENT_TOOLS: each frame has its own flag. */
const SELECT = 2

// ITU-T H.273, tables 2 to 4.
const UNSPECIFIED = 2
const BT709 = 1
const SRGB = 13
const IDENTITY = 0

/** The first sequence header of AV1 data. Throws ImageRefusal ('unreadable') if there is none. */
export function readSequence(obus: Uint8Array): Av1Sequence {
  for (const sequence of sequences(obus)) return sequence
  throw new ImageRefusal('unreadable', "an AVIF's picture must be coded in AV1")
}

/**
 * The largest frame size in the sequence headers of an AV1 item. A decoder allocates memory for it, whatever the boxes around it
 * say. `undefined` if there is no sequence header.
 */
export function findAv1Size(obus: Uint8Array): Size | undefined {
  let largest: Size | undefined
  for (const { width, height } of sequences(obus)) {
    if (!largest || width * height > largest.width * largest.height) largest = { width, height }
  }
  return largest
}

/** The sequence headers among the OBUs (5.3). */
function* sequences(obus: Uint8Array): Generator<Av1Sequence> {
  for (let at = 0, count = 1; at < obus.length; count++) {
    if (count > MAX_OBUS) throw new ImageRefusal('over_budget', `an AVIF must have at most ${MAX_OBUS} OBUs in an item`)
    const header = obus[at++] ?? 0
    const hasExtension = (header & 4) !== 0
    const hasSize = (header & 2) !== 0
    if (hasExtension) at++
    let length = obus.length - at
    if (hasSize) [length, at] = readLeb128(obus, at)
    if (((header >> 3) & 15) === SEQUENCE_HEADER) yield readSequenceHeader(readBits(obus.subarray(at, at + length)))
    at += length
  }
}

/** leb128() (4.10.5), and the offset after it. */
function readLeb128(bytes: Uint8Array, from: number): [value: number, end: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[from + i] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return [value, from + i + 1]
  }
  return [value, from + 8]
}

/** Reads an unsigned integer of `count` bits, high bit first; zeros past the end. */
type Bits = (count: number) => number

function readBits(bytes: Uint8Array): Bits {
  let position = 0
  return (count) => {
    let value = 0
    for (let i = 0; i < count; i++, position++) {
      value = value * 2 + (((bytes[position >> 3] ?? 0) >> (7 - (position & 7))) & 1)
    }
    return value
  }
}

function flagsOf(bits: Bits): () => boolean {
  return () => bits(1) === 1
}

/** sequence_header_obu() (5.5.1). */
function readSequenceHeader(bits: Bits): Av1Sequence {
  const flag = flagsOf(bits)
  const profile = bits(3)
  bits(1) // still_picture
  const isReduced = flag()
  if (isReduced) bits(5)
  else skipOperatingPoints(bits)
  const [widthBits, heightBits] = [bits(4) + 1, bits(4) + 1]
  const [width, height] = [bits(widthBits) + 1, bits(heightBits) + 1]
  if (!isReduced && flag()) bits(7) // frame_id_numbers_present_flag
  bits(3) // superblocks of 128, filter intra, intra edge filter
  if (!isReduced) skipInterTools(bits)
  bits(3) // super resolution, cdef, loop restoration
  return { width, height, ...readColourConfig(bits, profile) }
}

/** From timing_info_present_flag to the last operating point. */
function skipOperatingPoints(bits: Bits): void {
  const flag = flagsOf(bits)
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

/** uvlc() (4.10.3). */
function skipUvlc(bits: Bits): void {
  let zeros = 0
  while (zeros < 32 && bits(1) === 0) zeros++
  if (zeros < 32) bits(zeros)
}

/** From enable_interintra_compound to order_hint_bits_minus_1. */
function skipInterTools(bits: Bits): void {
  const flag = flagsOf(bits)
  bits(4)
  const hasOrderHint = flag()
  if (hasOrderHint) bits(2)
  const screenContent = flag() ? SELECT : bits(1)
  if (screenContent > 0 && !flag()) bits(1) // seq_choose_integer_mv, seq_force_integer_mv
  if (hasOrderHint) bits(3)
}

/** color_config() (5.5.2). */
function readColourConfig(bits: Bits, profile: number): Av1Coding & Av1Colours {
  const flag = flagsOf(bits)
  const isHigh = flag()
  const bitDepth = isHigh ? (profile === 2 && flag() ? 12 : 10) : 8
  const isMonochrome = profile !== 1 && flag()
  const [primaries, transfer, matrix] = flag() ? [bits(8), bits(8), bits(8)] : [UNSPECIFIED, UNSPECIFIED, UNSPECIFIED]
  if (isMonochrome) return { bitDepth, chroma: '4:0:0', matrix, isFullRange: flag() }
  if (primaries === BT709 && transfer === SRGB && matrix === IDENTITY) {
    return { bitDepth, chroma: '4:4:4', matrix, isFullRange: true }
  }
  const isFullRange = flag()
  const halvesAcross = profile === 0 || (profile === 2 && (bitDepth !== 12 || flag()))
  const halvesDown = profile === 0 || (profile === 2 && bitDepth === 12 && halvesAcross && flag())
  const chroma = halvesAcross ? (halvesDown ? '4:2:0' : '4:2:2') : '4:4:4'
  return { bitDepth, chroma, matrix, isFullRange }
}
