// From the header to the data of the first image: GIF89a 17 to 23. Everything else in the file is skipped.
import { Status } from '../../../status'

/** The first image, and the logical screen. */
@unmanaged
class FirstImage {
  /** The logical screen in pixels, enlarged to the first image: the size of the image. */
  width: i32
  height: i32
  /** The first image's place on the screen. */
  x: i32
  y: i32
  ownWidth: i32
  ownHeight: i32
  interlaced: bool
  /** The graphic control extension before the image names a transparent index. */
  hasTransparency: bool
  /** The file ends within the image's data: what is missing is transparent. */
  isCut: bool
  /** The address of the LZW minimum code size; the data sub-blocks follow it. */
  data: usize
}

export const firstImage: FirstImage = changetype<FirstImage>(memory.data(offsetof<FirstImage>(), 4))

/**
 * u8[256][4]: red, green, blue and alpha by index. Indices without an entry are black, and the transparent index is
 * all zeros. Without any colour table index 1 is white, as GIF89a 18 suggests.
 */
export const PALETTE: usize = memory.data(4 * 256, 16)

/** The host has judged the sizes; this keeps decoding within seconds. */
const MAX_IMAGE_PIXELS: u32 = 100_000_000

const IMAGE_SEPARATOR: u8 = 0x2c
const EXTENSION_INTRODUCER: u8 = 0x21
const GRAPHIC_CONTROL_LABEL: u8 = 0xf9

/**
 * Reads up to the data of the first image in the `bytes` bytes at `file`. `Malformed` if there is no header or the
 * screen has no size. `NoPixels` if there is no image, or one without pixels. `OverBudget` if it is larger than any
 * screen may be.
 */
export function findFirstImage(file: usize, bytes: usize): Status {
  const end = file + bytes
  // "GIF87a" or "GIF89a", then the logical screen descriptor.
  if (bytes < 13 || load<u32>(file) != 0x38464947) return Status.Malformed
  const version = load<u16>(file, 4)
  if (version != 0x6137 && version != 0x6139) return Status.Malformed
  firstImage.width = load<u16>(file, 6)
  firstImage.height = load<u16>(file, 8)
  if (firstImage.width == 0 || firstImage.height == 0) return Status.Malformed
  clearPalette()
  firstImage.hasTransparency = false
  let transparent = -1
  let at = file + 13
  const globalColours = coloursOf(load<u8>(file, 10))
  const globalTable = at
  if (globalTable + 3 * globalColours > end) return Status.NoPixels
  at += 3 * globalColours

  while (at < end && load<u8>(at) != IMAGE_SEPARATOR) {
    if (load<u8>(at) != EXTENSION_INTRODUCER || at + 2 > end) return Status.NoPixels
    if (load<u8>(at, 1) == GRAPHIC_CONTROL_LABEL && at + 8 <= end && load<u8>(at, 2) >= 4) {
      transparent = (load<u8>(at, 3) & 1) == 1 ? load<u8>(at, 6) : -1
    }
    at = skipSubBlocks(at + 2, end)
  }

  if (at + 10 > end) return Status.NoPixels
  firstImage.x = load<u16>(at, 1)
  firstImage.y = load<u16>(at, 3)
  firstImage.ownWidth = load<u16>(at, 5)
  firstImage.ownHeight = load<u16>(at, 7)
  if (firstImage.ownWidth == 0 || firstImage.ownHeight == 0) return Status.NoPixels
  if (<u32>firstImage.ownWidth * firstImage.ownHeight > MAX_IMAGE_PIXELS) return Status.OverBudget
  // A first image that reaches beyond the screen enlarges it, as in browsers.
  firstImage.width = max(firstImage.width, firstImage.x + firstImage.ownWidth)
  firstImage.height = max(firstImage.height, firstImage.y + firstImage.ownHeight)
  if (<u64>firstImage.width * firstImage.height > MAX_IMAGE_PIXELS) return Status.OverBudget
  const flags = load<u8>(at, 9)
  firstImage.interlaced = (flags & 0x40) != 0
  at += 10
  const localColours = coloursOf(flags)
  if (at + 3 * localColours + 1 > end) return Status.NoPixels
  if (localColours > 0) readColours(at, localColours)
  else if (globalColours > 0) readColours(globalTable, globalColours)
  else store<u32>(PALETTE + 4, 0xffffffff)
  if (transparent >= 0) makeTransparent(transparent)
  firstImage.data = at + 3 * localColours
  // A terminator may be the last byte of a file without a trailer.
  firstImage.isCut = skipSubBlocks(firstImage.data + 1, end) >= end && load<u8>(end - 1) != 0
  return Status.Ok
}

/** Returns the number of entries of the colour table that these flags announce. */
function coloursOf(flags: u8): i32 {
  return (flags & 0x80) != 0 ? 2 << (flags & 7) : 0
}

/** The address after the empty sub-block that ends a sequence, or `end`. */
function skipSubBlocks(at: usize, end: usize): usize {
  while (at < end) {
    const size = <usize>load<u8>(at)
    at += 1 + size
    if (size == 0) return at
  }
  return end
}

function clearPalette(): void {
  for (let i = 0; i < 256; i++) store<u32>(PALETTE + (i << 2), 0xff000000)
}

function readColours(table: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) store<u8>(PALETTE + (i << 2) + c, load<u8>(table + 3 * i + c))
  }
}

function makeTransparent(index: i32): void {
  firstImage.hasTransparency = true
  store<u32>(PALETTE + (index << 2), 0)
}
