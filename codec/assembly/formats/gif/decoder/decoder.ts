// The first image of a GIF, on its screen, as a source of the sink.

import { allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { announceImage, announcePixels, pushPixels } from '../../../pipeline/sink'
import { Status } from '../../../status'
import {
  findFirstImage,
  hasTransparency,
  height,
  imageHeight,
  imageWidth,
  imageX,
  imageY,
  isCut,
  PALETTE,
  width,
} from './first-image'
import { indices, readImageRow, startRows } from './image-rows'

/** A row of RGBA, and one of nothing: black, or transparent if the image has alpha. */
let pixels: usize = 0
let nothing: usize = 0
/** The row to come, and whether a pixel has come, or can come no more as the image is not on the screen. */
let y: i32 = 0
let seen = false

/** Reads the GIF of `bytes` bytes at `file` up to the data of its first image and announces the planes. */
export function openGif(file: usize, bytes: usize): Status {
  const status = findFirstImage(file, bytes)
  if (status != Status.Ok) return status
  if (!startRows(file + bytes)) return Status.Malformed
  const coversScreen = imageX == 0 && imageY == 0 && imageWidth >= width && imageHeight >= height
  const isSeeThrough = hasTransparency || !coversScreen || isCut
  pixels = allocateZeroed(((<usize>width) << 2) + ROW_SLACK)
  nothing = allocateZeroed(((<usize>width) << 2) + ROW_SLACK)
  y = 0
  seen = imageY >= height
  announceImage(isSeeThrough ? Colour.Rgba : Colour.Rgb)
  announcePixels(width, height, 4, false)
  return Status.Ok
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepGif(): Status {
  const inside = y >= imageY && y < imageY + imageHeight
  const read = inside ? readImageRow(y - imageY) : 0
  if (read > 0) {
    seen = true
    fillRow(read)
  }
  pushPixels(read > 0 ? pixels : nothing)
  if (++y < height) return Status.More
  return seen ? Status.Ok : Status.NoPixels
}

/** The colours of the `read` first indices of a row; what lies beyond the screen is left out. */
function fillRow(read: i32): void {
  const visible = max(0, min(imageWidth, width - imageX))
  const known = min(read, visible)
  const to = pixels + ((<usize>imageX) << 2)
  for (let x: usize = 0; x < <usize>known; x++) {
    store<u32>(to + (x << 2), load<u32>(PALETTE + ((<usize>load<u8>(indices + x)) << 2)))
  }
  if (known < visible) memory.fill(to + ((<usize>known) << 2), 0, (<usize>(visible - known)) << 2)
}
