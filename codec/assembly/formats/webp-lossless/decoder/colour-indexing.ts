// The colour indexing transform, undone: WebP Lossless Bitstream Specification, 4.4.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { readBits } from './bit-reader'
import { readSubImage, subImage } from './sub-image'

const MAX_COLOURS: i32 = 256

/** u32[256]: the colours; transparent black where the table has none. */
const COLOURS: usize = memory.data(4 * MAX_COLOURS, 16)

/** The transform of the image, set by `readColourIndexing`. */
@unmanaged
class ColourIndexing {
  /** 2^`bundleBits` indices share a pixel. */
  bundleBits: i32
  width: i32
  row: usize
}

export const indexing: ColourIndexing = changetype<ColourIndexing>(memory.data(offsetof<ColourIndexing>(), 4))

/** Reads the colour table for an image of `columns` columns. */
export function readColourIndexing(columns: i32): Status {
  const count = readBits(8) + 1
  const status = readSubImage(count, 1)
  if (status != Status.Ok) return status
  memory.fill(COLOURS, 0, 4 * MAX_COLOURS)
  let colour = i32x4.splat(0)
  for (let i = 0; i < count; i++) {
    colour = i8x16.add(colour, v128.load_zero<u32>(subImage.pixels + (i << 2)))
    v128.store_lane<u32>(COLOURS + (i << 2), colour, 0)
  }
  indexing.bundleBits = count <= 2 ? 3 : count <= 4 ? 2 : count <= 16 ? 1 : 0
  indexing.width = columns
  indexing.row = allocate((<usize>columns) << 2)
  return Status.Ok
}

/** The next row, of which `from` is the row of bundles: their greens hold the indices, the first of them lowest. */
export function undoColourIndexing(from: usize): usize {
  const width = indexing.width
  const row = indexing.row
  const indexBits = 8 >> indexing.bundleBits
  const mask = (1 << indexBits) - 1
  const within = (1 << indexing.bundleBits) - 1
  let bundle = 0
  for (let x = 0; x < width; x++) {
    if ((x & within) == 0) {
      bundle = load<u8>(from, 1)
      from += 4
    }
    store<u32>(row + ((<usize>x) << 2), load<u32>(COLOURS + ((<usize>(bundle & mask)) << 2)))
    bundle >>= indexBits
  }
  return row
}
