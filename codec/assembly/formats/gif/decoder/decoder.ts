// The first image of a GIF, on its screen, as a source of the sink.

import { allocateZeroed } from '../../../arena/memory'
import { Colour } from '../../../colour/conversion'
import { announcePicture, announcePlane, drain, push } from '../../../pipeline/sink'
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

/** What may be read beyond a row. */
const SLACK: usize = 16

let planes: i32 = 0
let planeBytes: usize = 0
/** The row of each plane, and a row of nothing: black, or transparent if the picture has an alpha plane. */
let rows: usize = 0
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
  planes = isSeeThrough ? 4 : 3
  planeBytes = <usize>width + SLACK
  rows = allocateZeroed(planeBytes * planes)
  nothing = allocateZeroed(planeBytes)
  y = 0
  seen = imageY >= height
  announcePicture(isSeeThrough ? Colour.Rgba : Colour.Rgb)
  for (let i = 0; i < planes; i++) announcePlane(i, width, height, width, height, 1)
  return Status.Ok
}

/** Decodes the next row into the sink; `More` until it was the last. */
export function stepGif(): Status {
  const inside = y >= imageY && y < imageY + imageHeight
  const read = inside ? readImageRow(y - imageY) : 0
  if (read > 0) {
    seen = true
    fillRows(read)
  }
  for (let i = 0; i < planes; i++) push(i, read > 0 ? rows + <usize>i * planeBytes : nothing)
  drain()
  if (++y < height) return Status.More
  return seen ? Status.Ok : Status.NoPixels
}

/** The colours of the `read` first indices of a row; what lies beyond the screen is left out. */
function fillRows(read: i32): void {
  const visible = max(0, min(imageWidth, width - imageX))
  const known = min(read, visible)
  for (let i = 0; i < planes; i++) {
    const to = rows + <usize>i * planeBytes + imageX
    const table = PALETTE + (i << 8)
    for (let x = 0; x < known; x++) store<u8>(to + x, load<u8>(table + load<u8>(indices + x)))
    if (known < visible) memory.fill(to + known, 0, visible - known)
  }
}
