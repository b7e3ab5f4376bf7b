// The small images inside the stream: the data of each block of the image, or its colour table (WebP Lossless
// Bitstream Specification, 5.1). They are decoded whole, without transforms, with one prefix code group.
import { allocate, checkpoint, release } from '../../../arena/memory'
import { Status } from '../../../status'
import { readCacheBits } from './colour-cache'
import { isWithinBudget } from './memory-budget'
import { decodePixels, SLACK, startPixels } from './pixels'
import { readGroups } from './prefix-groups'

/** The image that was read last. */
@unmanaged
class SubImage {
  /** The pixels (u32) that `readSubImage` has read last, and their number. */
  pixels: usize
  count: i32
}

export const subImage: SubImage = changetype<SubImage>(memory.data(offsetof<SubImage>(), 4))

/** Reads an image of `width` x `height` pixels; it is what was allocated last. */
export function readSubImage(width: i32, height: i32): Status {
  subImage.count = width * height
  const bytes = ((<usize>subImage.count) << 2) + SLACK
  if (!isWithinBudget(bytes)) return Status.OverBudget
  subImage.pixels = allocate(bytes)
  const end = checkpoint()
  const cacheBits = readCacheBits()
  if (cacheBits < 0) return Status.Malformed
  const status = readGroups(1, cacheBits)
  if (status != Status.Ok) return status
  startPixels(width, height, subImage.pixels, subImage.count, cacheBits)
  for (let y = 0; y < height; y++) {
    const rowStatus = decodePixels(y)
    if (rowStatus != Status.Ok) return rowStatus
  }
  release(end)
  return Status.Ok
}

/** Keeps only the green (u8) of each pixel read last, and frees the rest. */
export function keepGreen(): void {
  const pixels = subImage.pixels
  const count = subImage.count
  for (let i: usize = 0; i < <usize>count; i++) store<u8>(pixels + i, load<u8>(pixels + (i << 2), 1))
  release((pixels + count + 15) & ~15)
}

/** Keeps only the blue, green and red (u8[3]) of each pixel read last, and frees the rest. */
export function keepColour(): void {
  const pixels = subImage.pixels
  const count = subImage.count
  let to = pixels
  for (let i: usize = 0; i < <usize>count; i++, to += 3) {
    const pixel = load<u32>(pixels + (i << 2))
    store<u16>(to, <u16>pixel)
    store<u8>(to, <u8>(pixel >> 16), 2)
  }
  // The last of them is read as four bytes.
  release((to + 1 + 15) & ~15)
}

/** Keeps the red and green (u16) of each pixel read last and frees the rest. Returns the largest number. */
export function keepRedGreen(): i32 {
  const pixels = subImage.pixels
  const count = subImage.count
  let largest = 0
  for (let i: usize = 0; i < <usize>count; i++) {
    const number = load<u16>(pixels + (i << 2), 1)
    store<u16>(pixels + (i << 1), number)
    largest = max(largest, <i32>number)
  }
  release((pixels + ((<usize>count) << 1) + 15) & ~15)
  return largest
}
