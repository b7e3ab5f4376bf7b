// Reads the chunks before the pixels: IHDR, PLTE and tRNS (PNG, third edition, 11.2.1, 11.2.2 and 11.3.1.1).
import { Status } from '../../../status'

/** Colour types (11.2.1). */
export const enum ColourType {
  Gray = 0,
  Rgb = 2,
  Palette = 3,
  GrayAlpha = 4,
  Rgba = 6,
}

/** The chunks before the data, set by `readPngHeader`. */
@unmanaged
class Header {
  /** The image's size in pixels. */
  width: i32
  height: i32
  /** Bits of a sample or palette index. */
  bitDepth: i32
  colourType: ColourType
  interlaced: bool
  /** Samples of a pixel: 1 to 4. */
  channels: i32
  /** Some pixels are, or may be, not opaque. */
  hasAlpha: bool
  /** The file is cut off: rows that are missing are transparent, all others are as they would be. */
  isCut: bool
  /** tRNS gave one colour that is transparent. */
  hasKey: bool
  /** The payload of PLTE, and its number of entries. */
  paletteChunk: usize
  paletteEntries: i32
}

export const header: Header = changetype<Header>(memory.data(offsetof<Header>(), 4))

/** The transparent colour, in the bytes of a pixel; a sample of less than 8 bits takes a byte. */
export const KEY: usize = memory.data(8)

/**
 * u8[256][4]: red, green, blue and alpha of the palette, the colours multiplied by alpha. An index without an entry
 * is opaque black, as libpng reads it.
 */
export const PALETTE: usize = memory.data(4 * 256, 16)

const IHDR_BYTES: i32 = 13
/** A longer row is beyond any budget, and its length in bits beyond 32 bits. */
const MAX_ROW_BYTES: u64 = 0x0fffffff

/**
 * Reads the payloads of IHDR, PLTE and tRNS; a chunk that is not there has 0 bytes. `Malformed` if they contradict the
 * specification, `OverBudget` if a row is longer than 256 MB. A tRNS of the wrong size, or for a colour type that has alpha,
 * is ignored. An image that is `cut` off within its pixels has alpha in any case.
 */
export function readPngHeader(
  ihdr: usize,
  ihdrBytes: i32,
  plte: usize,
  plteBytes: i32,
  trns: usize,
  trnsBytes: i32,
  cut: bool,
): Status {
  header.isCut = cut
  if (ihdrBytes != IHDR_BYTES) return Status.Malformed
  const columns = bswap<u32>(load<u32>(ihdr))
  const rows = bswap<u32>(load<u32>(ihdr, 4))
  if (columns == 0 || rows == 0 || columns > 0x7fffffff || rows > 0x7fffffff) return Status.Malformed
  const compression = load<u8>(ihdr, 10)
  const filterMethod = load<u8>(ihdr, 11)
  const interlace = load<u8>(ihdr, 12)
  if (compression != 0 || filterMethod != 0 || interlace > 1) return Status.Malformed
  header.width = columns
  header.height = rows
  header.interlaced = interlace == 1
  header.bitDepth = load<u8>(ihdr, 8)
  const type = <i32>load<u8>(ihdr, 9)
  if (!isAllowed(type, header.bitDepth)) return Status.Malformed
  header.colourType = type
  header.channels = type == ColourType.Rgb ? 3 : type == ColourType.Rgba ? 4 : type == ColourType.GrayAlpha ? 2 : 1
  if ((<u64>columns * header.channels * header.bitDepth) >> 3 > MAX_ROW_BYTES) return Status.OverBudget
  header.hasAlpha = header.isCut || type == ColourType.GrayAlpha || type == ColourType.Rgba
  header.hasKey = false
  if (type == ColourType.Palette) return readPalette(plte, plteBytes, trns, trnsBytes)
  if ((type == ColourType.Gray || type == ColourType.Rgb) && trnsBytes == 2 * header.channels) readKey(trns)
  return Status.Ok
}

/** The alphas of the palette are undone in its colours, which `readPngHeader` multiplied by them. */
export function keepPaletteStraight(): void {
  for (let i = 0; i < header.paletteEntries; i++) {
    for (let c = 0; c < 3; c++) store<u8>(PALETTE + (i << 2) + c, load<u8>(header.paletteChunk + 3 * i + c))
  }
}

/** Table 12: the bit depths of each colour type. */
function isAllowed(type: i32, depth: i32): bool {
  if (type == ColourType.Gray) return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16
  if (type == ColourType.Palette) return depth == 1 || depth == 2 || depth == 4 || depth == 8
  return (
    (type == ColourType.Rgb || type == ColourType.GrayAlpha || type == ColourType.Rgba) && (depth == 8 || depth == 16)
  )
}

function readPalette(plte: usize, plteBytes: i32, trns: usize, trnsBytes: i32): Status {
  if (plteBytes < 3 || plteBytes > 3 * 256 || plteBytes % 3 != 0) return Status.Malformed
  for (let i = 0; i < 256; i++) store<u32>(PALETTE + (i << 2), 0xff000000)
  header.paletteChunk = plte
  header.paletteEntries = plteBytes / 3
  for (let i = 0; i < header.paletteEntries; i++) {
    const alpha: u32 = i < trnsBytes ? load<u8>(trns + i) : 255
    store<u8>(PALETTE + (i << 2) + 3, <u8>alpha)
    for (let c = 0; c < 3; c++) {
      store<u8>(PALETTE + (i << 2) + c, <u8>((<u32>load<u8>(plte + 3 * i + c) * alpha + 127) / 255))
    }
    if (alpha != 255) header.hasAlpha = true
  }
  return Status.Ok
}

/** Two bytes a sample; below 16 bits only the lowest `bitDepth` bits count. */
function readKey(trns: usize): void {
  header.hasKey = true
  header.hasAlpha = true
  const mask = header.bitDepth < 8 ? (1 << header.bitDepth) - 1 : 255
  for (let c = 0; c < header.channels; c++) {
    if (header.bitDepth == 16) store<u16>(KEY + 2 * c, load<u16>(trns + 2 * c))
    else store<u8>(KEY + c, <u8>(<i32>load<u8>(trns + 2 * c + 1) & mask))
  }
}
