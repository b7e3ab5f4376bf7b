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

/** The image's size in pixels. */
export let width: i32 = 0
export let height: i32 = 0
/** Bits of a sample or palette index. */
export let bitDepth: i32 = 0
export let colourType: ColourType = ColourType.Gray
export let interlaced: bool = false
/** Samples of a pixel: 1 to 4. */
export let channels: i32 = 0
/** Some pixels are, or may be, not opaque. */
export let hasAlpha: bool = false

/** The file is cut off: rows that are missing are transparent, all others are as they would be. */
export let isCut: bool = false
/** tRNS gave one colour that is transparent. */
export let hasKey: bool = false
/** The transparent colour, in the bytes of a pixel; a sample of less than 8 bits takes a byte. */
export const KEY: usize = memory.data(8)

/**
 * u8[256][4]: red, green, blue and alpha of the palette, the colours multiplied by alpha. An index without an entry
 * is opaque black, as libpng reads it.
 */
export const PALETTE: usize = memory.data(4 * 256, 16)
/** The payload of PLTE, and its number of entries. */
let paletteChunk: usize = 0
let paletteEntries: i32 = 0

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
  isCut = cut
  if (ihdrBytes != IHDR_BYTES) return Status.Malformed
  const columns = bswap<u32>(load<u32>(ihdr))
  const rows = bswap<u32>(load<u32>(ihdr, 4))
  if (columns == 0 || rows == 0 || columns > 0x7fffffff || rows > 0x7fffffff) return Status.Malformed
  const compression = load<u8>(ihdr, 10)
  const filterMethod = load<u8>(ihdr, 11)
  const interlace = load<u8>(ihdr, 12)
  if (compression != 0 || filterMethod != 0 || interlace > 1) return Status.Malformed
  width = columns
  height = rows
  interlaced = interlace == 1
  bitDepth = load<u8>(ihdr, 8)
  const type = <i32>load<u8>(ihdr, 9)
  if (!isAllowed(type, bitDepth)) return Status.Malformed
  colourType = type
  channels = type == ColourType.Rgb ? 3 : type == ColourType.Rgba ? 4 : type == ColourType.GrayAlpha ? 2 : 1
  if ((<u64>columns * channels * bitDepth) >> 3 > MAX_ROW_BYTES) return Status.OverBudget
  hasAlpha = isCut || type == ColourType.GrayAlpha || type == ColourType.Rgba
  hasKey = false
  if (type == ColourType.Palette) return readPalette(plte, plteBytes, trns, trnsBytes)
  if ((type == ColourType.Gray || type == ColourType.Rgb) && trnsBytes == 2 * channels) readKey(trns)
  return Status.Ok
}

/** The alphas of the palette are undone in its colours, which `readPngHeader` multiplied by them. */
export function keepPaletteStraight(): void {
  for (let i = 0; i < paletteEntries; i++) {
    for (let c = 0; c < 3; c++) store<u8>(PALETTE + (i << 2) + c, load<u8>(paletteChunk + 3 * i + c))
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
  paletteChunk = plte
  paletteEntries = plteBytes / 3
  for (let i = 0; i < paletteEntries; i++) {
    const alpha: u32 = i < trnsBytes ? load<u8>(trns + i) : 255
    store<u8>(PALETTE + (i << 2) + 3, <u8>alpha)
    for (let c = 0; c < 3; c++) {
      store<u8>(PALETTE + (i << 2) + c, <u8>((<u32>load<u8>(plte + 3 * i + c) * alpha + 127) / 255))
    }
    if (alpha != 255) hasAlpha = true
  }
  return Status.Ok
}

/** Two bytes a sample; below 16 bits only the lowest `bitDepth` bits count. */
function readKey(trns: usize): void {
  hasKey = true
  hasAlpha = true
  const mask = bitDepth < 8 ? (1 << bitDepth) - 1 : 255
  for (let c = 0; c < channels; c++) {
    if (bitDepth == 16) store<u16>(KEY + 2 * c, load<u16>(trns + 2 * c))
    else store<u8>(KEY + c, <u8>(<i32>load<u8>(trns + 2 * c + 1) & mask))
  }
}
