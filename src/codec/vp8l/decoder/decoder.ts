// A lossless WebP picture as a source of the sink.
import { premultiply } from '../../colour/premultiply'
import { Colour } from '../../colour/conversion'
import { allocate } from '../../memory'
import { splitQuads } from '../../colour/deinterleave'
import { drain, finish, announcePlane, push, announcePicture } from '../../pipeline/sink'
import { Status } from '../../status'
import { HEADER_BYTES, hasAlpha, height, readVp8lHeader, width } from './header'
import { decodeRow, moreRows, pixels, startImage } from './image'

/** What a vector may read or write beyond a row. */
const SLACK: usize = 64

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
  announcePicture(hasAlpha ? Colour.Rgba : Colour.Rgb, width, height)
  const planes = hasAlpha ? 4 : 3
  for (let i = 0; i < planes; i++) announcePlane(i, width, height, width, height, 1)
  return startImage(data + HEADER_BYTES, bytes - HEADER_BYTES, width, height)
}

/** Whether `decodeVp8lRow` has something left to do. */
export function moreVp8lRows(): bool {
  return moreRows()
}

/**
 * Decodes the next row of the picture that `openVp8l` opened into the sink; after the last one the sink's `finish` is
 * due.
 */
export function decodeVp8lRow(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  splitQuads(pixels, width, blue, green, red, alpha)
  pushColour(0, red)
  pushColour(1, green)
  pushColour(2, blue)
  if (hasAlpha) push(3, alpha)
  drain()
  return Status.Ok
}

/** Decodes the picture that `openVp8l` opened into the sink. `Malformed` if the stream ends before the picture does. */
export function decodeVp8l(): Status {
  while (moreRows()) {
    const status = decodeVp8lRow()
    if (status != Status.Ok) return status
  }
  return finish()
}

function pushColour(plane: i32, row: usize): void {
  if (hasAlpha) premultiply(row, alpha, width)
  push(plane, row)
}

function newRow(): usize {
  return allocate(<usize>width + SLACK)
}
