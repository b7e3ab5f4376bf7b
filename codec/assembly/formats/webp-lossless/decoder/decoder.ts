// A lossless WebP image as a source of the sink.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { premultiplyPixels } from '../../../colour/premultiply'
import { announceImage, announcePixels, pushPixels } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { HEADER_BYTES, hasAlpha, height, readVp8lHeader, width } from './header'
import { decodeRow, moreRows, pixels, startImage } from './image'

/** A row whose colours are multiplied by alpha. */
let premultiplied: usize = 0

/**
 * Reads what comes before the pixels of the image in the `bytes` bytes at `data` (the payload of a "VP8L" chunk) and
 * announces the planes. `OverBudget` if it is described in more detail than any encoder does.
 */
export function openVp8l(data: usize, bytes: usize): Status {
  const status = readVp8lHeader(data, bytes)
  if (status != Status.Ok) return status
  if (hasAlpha) premultiplied = allocate(((<usize>width) << 2) + ROW_SLACK)
  announceImage(hasAlpha ? Colour.Rgba : Colour.Rgb)
  announcePixels(width, height, 4, true)
  return startImage(data + HEADER_BYTES, bytes - HEADER_BYTES, width, height)
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepVp8l(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  if (hasAlpha) premultiplyPixels(pixels, premultiplied, width)
  pushPixels(hasAlpha ? premultiplied : pixels)
  return moreRows() ? Status.More : Status.Ok
}
