// An image stream, row by row: WebP Lossless Bitstream Specification, chapters 4 to 7. Copies reach back less than 2^20
// pixels, so a window of no more of them is held, before their transforms are undone, however large the image is.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Status } from '../../../status'
import { blocksOf } from '../blocks'
import { openBits, readBits } from './bit-reader'
import { readCacheBits } from './colour-cache'
import { startBudget } from './memory-budget'
import { addressOf, decodePixels, SLACK, startPixels, useBlocks } from './pixels'
import { readGroups } from './prefix-groups'
import { keepRedGreen, readSubImage, subImage } from './sub-image'
import { readTransforms, transforms, undoTransforms } from './transforms'

/** A power of two beyond the longest way back, 2^20 - 120 (5.2.2). */
const WINDOW_PIXELS: i32 = 1 << 20

/** The image that is decoded. */
@unmanaged
class LosslessImage {
  /** The finished row after `decodeRow`: its pixels, u32 with blue lowest; readable for 64 bytes more. */
  pixels: usize
  rows: i32
  y: i32
  windowPixels: i32
  /** A coded row that does not lie in one piece. */
  joined: usize
}

export const image: LosslessImage = changetype<LosslessImage>(memory.data(offsetof<LosslessImage>(), 4))

/** Starts the image of `width` x `height` pixels whose stream, without a header, is the `bytes` bytes at `data`. */
export function startImage(data: usize, bytes: usize, width: i32, height: i32): Status {
  openBits(data, bytes)
  startBudget()
  image.rows = height
  image.y = 0
  const status = readTransforms(width, height)
  return status == Status.Ok ? startCoded(transforms.codedColumns, height) : status
}

/** Whether `decodeRow` has something left to do. */
export function moreRows(): bool {
  return image.y < image.rows
}

/** Decodes the next row: `pixels`. `Malformed` if the stream ends before it or contradicts itself. */
export function decodeRow(): Status {
  const status = decodePixels(image.y)
  if (status == Status.Ok) image.pixels = undoTransforms(codedRow(image.y++))
  return status
}

/** 7.3: the colour cache, the entropy image, the prefix code groups. */
function startCoded(width: i32, height: i32): Status {
  const cacheBits = readCacheBits()
  if (cacheBits < 0) return Status.Malformed
  let blocks: usize = 0
  let blockBits = 0
  let groups = 1
  if (readBits(1) == 1) {
    blockBits = readBits(3) + 2
    const status = readSubImage(blocksOf(width, blockBits), blocksOf(height, blockBits))
    if (status != Status.Ok) return status
    groups = keepRedGreen() + 1
    blocks = subImage.pixels
  }
  const status = readGroups(groups, cacheBits)
  if (status != Status.Ok) return status
  image.windowPixels = min(width * height, WINDOW_PIXELS)
  const bytes = ((<usize>image.windowPixels) << 2) + SLACK + ROW_SLACK
  startPixels(width, height, allocate(bytes), image.windowPixels, cacheBits)
  if (blocks != 0) useBlocks(blocks, blockBits)
  image.joined = allocate(((<usize>width) << 2) + ROW_SLACK)
  return Status.Ok
}

function codedRow(y: i32): usize {
  const first = y * transforms.codedColumns
  const start = addressOf(first)
  const whole = image.windowPixels - (first & (WINDOW_PIXELS - 1))
  if (whole >= transforms.codedColumns) return start
  const bytes = (<usize>whole) << 2
  memory.copy(image.joined, start, bytes)
  memory.copy(image.joined + bytes, addressOf(first + whole), ((<usize>transforms.codedColumns) << 2) - bytes)
  return image.joined
}
