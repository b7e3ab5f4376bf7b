// A lossless WebP image as a source of the sink.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { premultiplyPixels } from '../../../colour/premultiply'
import { announceImage, announcePixels, pushPixels } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { HEADER_BYTES, header, readVp8lHeader } from './header'
import { decodeRow, image, moreRows, startImage } from './image'

/** A row whose colours are multiplied by alpha. */
let premultiplied: usize = 0

/**
 * Reads what comes before the pixels of the image in the `bytes` bytes at `data` (the payload of a "VP8L" chunk) and
 * announces the planes. `OverBudget` if it is described in more detail than any encoder does.
 */
export function openVp8l(data: usize, bytes: usize): Status {
  const status = readVp8lHeader(data, bytes)
  if (status != Status.Ok) return status
  if (header.hasAlpha) premultiplied = allocate(((<usize>header.width) << 2) + ROW_SLACK)
  announceImage(header.hasAlpha ? Colour.Rgba : Colour.Rgb)
  announcePixels(header.width, header.height, 4, true)
  return startImage(data + HEADER_BYTES, bytes - HEADER_BYTES, header.width, header.height)
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepVp8l(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  if (header.hasAlpha) premultiplyPixels(image.pixels, premultiplied, header.width)
  pushPixels(header.hasAlpha ? premultiplied : image.pixels)
  return moreRows() ? Status.More : Status.Ok
}
