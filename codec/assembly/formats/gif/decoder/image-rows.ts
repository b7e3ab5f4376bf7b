// The rows of the first image from top to bottom. An interlaced image (GIF89a appendix E) has them in four passes; so that
// no image is ever held, four decoders read it at once, each from where its pass begins.
import { allocate } from '../../../arena/memory'
import { firstImage } from './first-image'
import { copyLzw, LZW_BYTES, LzwDecoder, MAX_MINIMUM_BITS, readIndices, startLzw } from './lzw'

/** Bytes that may be read beyond a row. */
const SLACK: usize = 16

/** First row and distance of rows of the passes. */
const PASS_START: usize = memory.data<u8>([0, 4, 2, 1])
const PASS_STEP: usize = memory.data<u8>([8, 8, 4, 2])

/** The decoders of the rows. */
@unmanaged
class ImageRows {
  /** The indices of the row that was read last. */
  indices: usize
  decoders: usize
}

export const imageRows: ImageRows = changetype<ImageRows>(memory.data(offsetof<ImageRows>(), 4))

/** Prepares the rows; `end` is the end of the file. False if the code size is not one of a GIF. */
export function startRows(end: usize): bool {
  const minimumBits = <i32>load<u8>(firstImage.data)
  if (minimumBits < 1 || minimumBits > MAX_MINIMUM_BITS) return false
  const passes = firstImage.interlaced ? 4 : 1
  imageRows.decoders = allocate(LZW_BYTES * passes)
  imageRows.indices = allocate(<usize>firstImage.ownWidth + SLACK)
  startLzw(decoder(0), firstImage.data + 1, end, minimumBits)
  if (firstImage.interlaced) findPasses()
  return true
}

/** Reads row `y` into `indices` and returns how many of its `imageWidth` indices came. Rows are to be read in order. */
export function readImageRow(y: i32): i32 {
  return readIndices(decoder(firstImage.interlaced ? passOf(y) : 0), imageRows.indices, firstImage.ownWidth)
}

/** Reads through the first three passes, and leaves a decoder at the start of each. */
function findPasses(): void {
  const scout = decoder(3)
  copyLzw(scout, decoder(0))
  for (let pass = 0; pass < 3; pass++) {
    const step = <i32>load<u8>(PASS_STEP + pass)
    for (let y = <i32>load<u8>(PASS_START + pass); y < firstImage.ownHeight; y += step)
      readIndices(scout, imageRows.indices, firstImage.ownWidth)
    if (pass < 2) copyLzw(decoder(pass + 1), scout)
  }
}

function passOf(y: i32): i32 {
  return (y & 7) == 0 ? 0 : (y & 7) == 4 ? 1 : (y & 3) == 2 ? 2 : 3
}

function decoder(pass: i32): LzwDecoder {
  return changetype<LzwDecoder>(imageRows.decoders + <usize>pass * LZW_BYTES)
}
