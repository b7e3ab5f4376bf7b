// The small images inside the stream: the data of each block of the image, or its colour table (WebP Lossless
// Bitstream Specification, 5.1). They are decoded whole, without transforms, with one prefix code group.
import { allocate, checkpoint, release } from '../../../arena/memory'
import { Status } from '../../../status'
import { readCacheBits } from './colour-cache'
import { isWithinBudget } from './memory-budget'
import { decodePixels, SLACK, startPixels } from './pixels'
import { readGroups } from './prefix-groups'

/** The pixels (u32) that `readSubImage` has read last, and their number. */
export let subImage: usize = 0
let subImagePixels: i32 = 0

/** Returns the number of blocks of 2^`bits` pixels along a side of `pixels` pixels. */
export function blocksOf(pixels: i32, bits: i32): i32 {
  return (pixels + (1 << bits) - 1) >> bits
}

/** Reads an image of `width` x `height` pixels; it is what was allocated last. */
export function readSubImage(width: i32, height: i32): Status {
  subImagePixels = width * height
  const bytes = ((<usize>subImagePixels) << 2) + SLACK
  if (!isWithinBudget(bytes)) return Status.OverBudget
  subImage = allocate(bytes)
  const end = checkpoint()
  const cacheBits = readCacheBits()
  if (cacheBits < 0) return Status.Malformed
  const status = readGroups(1, cacheBits)
  if (status != Status.Ok) return status
  startPixels(width, height, subImage, subImagePixels, cacheBits)
  for (let y = 0; y < height; y++) {
    const rowStatus = decodePixels(y)
    if (rowStatus != Status.Ok) return rowStatus
  }
  release(end)
  return Status.Ok
}

/** Keeps of each pixel read last its green alone (u8), and returns back the rest. */
export function keepGreen(): void {
  for (let i: usize = 0; i < <usize>subImagePixels; i++) store<u8>(subImage + i, load<u8>(subImage + (i << 2), 1))
  release((subImage + subImagePixels + 15) & ~15)
}

/** Keeps of each pixel read last its blue, green and red (u8[3]), and returns back the rest. */
export function keepColour(): void {
  let to = subImage
  for (let i: usize = 0; i < <usize>subImagePixels; i++, to += 3) {
    const pixel = load<u32>(subImage + (i << 2))
    store<u16>(to, <u16>pixel)
    store<u8>(to, <u8>(pixel >> 16), 2)
  }
  // The last of them is read as four bytes.
  release((to + 1 + 15) & ~15)
}

/** Keeps the red and green (u16) of each pixel read last and frees the rest. Returns the largest number. */
export function keepRedGreen(): i32 {
  let largest = 0
  for (let i: usize = 0; i < <usize>subImagePixels; i++) {
    const number = load<u16>(subImage + (i << 2), 1)
    store<u16>(subImage + (i << 1), number)
    largest = max(largest, <i32>number)
  }
  release((subImage + ((<usize>subImagePixels) << 1) + 15) & ~15)
  return largest
}
