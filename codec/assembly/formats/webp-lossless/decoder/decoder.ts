// A lossless WebP picture as a source of the sink.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { splitQuads } from '../../../colour/deinterleave'
import { pushPremultiplied, pushRgb } from '../../../pipeline/rgb-rows'
import { announcePicture, announcePlane } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { HEADER_BYTES, hasAlpha, height, readVp8lHeader, width } from './header'
import { decodeRow, moreRows, pixels, startImage } from './image'

let red: usize = 0
let green: usize = 0
let blue: usize = 0
let alpha: usize = 0

/**
 * Reads what comes before the pixels of the picture in the `bytes` bytes at `data` (the payload of a "VP8L" chunk) and
 * announces the planes. `OverBudget` if it is described in more detail than any encoder does.
 */
export function openVp8l(data: usize, bytes: usize): Status {
  const status = readVp8lHeader(data, bytes)
  if (status != Status.Ok) return status
  red = newRow()
  green = newRow()
  blue = newRow()
  alpha = newRow()
  announcePicture(hasAlpha ? Colour.Rgba : Colour.Rgb)
  const planes = hasAlpha ? 4 : 3
  for (let i = 0; i < planes; i++) announcePlane(i, width, height, width, height, 1)
  return startImage(data + HEADER_BYTES, bytes - HEADER_BYTES, width, height)
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepVp8l(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  splitQuads(pixels, width, blue, green, red, alpha)
  if (hasAlpha) pushPremultiplied(red, green, blue, alpha, width)
  else pushRgb(red, green, blue)
  return moreRows() ? Status.More : Status.Ok
}

function newRow(): usize {
  return allocate(<usize>width + ROW_SLACK)
}
