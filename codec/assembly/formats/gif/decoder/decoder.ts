// The first image of a GIF, on its screen, as a source of the sink.

import { allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { announceImage, announcePixels, pushPixels } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { findFirstImage, firstImage, PALETTE } from './first-image'
import { imageRows, readImageRow, startRows } from './image-rows'

/** The rows of the image, and progress. */
@unmanaged
class Decoder {
  /** A row of RGBA, and one of nothing: black, or transparent if the image has alpha. */
  pixels: usize
  nothing: usize
  /** The row to come, and whether a pixel has come, or can come no more as the image is not on the screen. */
  y: i32
  seen: bool
}

const decoder: Decoder = changetype<Decoder>(memory.data(offsetof<Decoder>(), 4))

/** Reads the GIF of `bytes` bytes at `file` up to the data of its first image and announces the planes. */
export function openGif(file: usize, bytes: usize): Status {
  const status = findFirstImage(file, bytes)
  if (status != Status.Ok) return status
  if (!startRows(file + bytes)) return Status.Malformed
  const coversScreen =
    firstImage.x == 0 &&
    firstImage.y == 0 &&
    firstImage.ownWidth >= firstImage.width &&
    firstImage.ownHeight >= firstImage.height
  const isSeeThrough = firstImage.hasTransparency || !coversScreen || firstImage.isCut
  decoder.pixels = allocateZeroed(((<usize>firstImage.width) << 2) + ROW_SLACK)
  decoder.nothing = allocateZeroed(((<usize>firstImage.width) << 2) + ROW_SLACK)
  decoder.y = 0
  decoder.seen = firstImage.y >= firstImage.height
  announceImage(isSeeThrough ? Colour.Rgba : Colour.Rgb)
  announcePixels(firstImage.width, firstImage.height, 4, false)
  return Status.Ok
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepGif(): Status {
  const inside = decoder.y >= firstImage.y && decoder.y < firstImage.y + firstImage.ownHeight
  const read = inside ? readImageRow(decoder.y - firstImage.y) : 0
  if (read > 0) {
    decoder.seen = true
    fillRow(read)
  }
  pushPixels(read > 0 ? decoder.pixels : decoder.nothing)
  if (++decoder.y < firstImage.height) return Status.More
  return decoder.seen ? Status.Ok : Status.NoPixels
}

/** The colours of the `read` first indices of a row; what lies beyond the screen is left out. */
function fillRow(read: i32): void {
  const indices = imageRows.indices
  const visible = max(0, min(firstImage.ownWidth, firstImage.width - firstImage.x))
  const known = min(read, visible)
  const to = decoder.pixels + ((<usize>firstImage.x) << 2)
  for (let x: usize = 0; x < <usize>known; x++) {
    store<u32>(to + (x << 2), load<u32>(PALETTE + ((<usize>load<u8>(indices + x)) << 2)))
  }
  if (known < visible) memory.fill(to + ((<usize>known) << 2), 0, (<usize>(visible - known)) << 2)
}
