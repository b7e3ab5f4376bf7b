// What the host may call. A job is: reset(), the file at an address of allocate(), what is wanted, then a decoder's open and
// decode. A WebP is wanted by toWebp() and closed by finishWebp(); a picture by toPicture(), which leaves RGBA at picture().

import { Status } from './status'
import { toBands } from './sink'
import { encodeBand, finishEncoder, startEncoder } from './vp8/encoder/encoder'

export { allocate, isFull, peakBytes, reset } from './memory'
export { decodeGif, openGif } from './gif/decode'
export { decodeJpeg, openJpeg } from './jpeg/decoder'
export { feedPng, finishPng, isPngComplete, openPng } from './png/decode'
export { feedRgba, openRgba } from './rgba'
export { finish, picture, toPicture } from './sink'
export { decodeVp8l, openVp8l } from './vp8l/decode'
export { decodeVp8, openVp8 } from './vp8/decoder/decode'
export { decodeWebpAlpha, openWebpAlpha } from './webp-alpha/decode'
export { fileBytes, fileStart } from './vp8/encoder/encoder'

let width: i32 = 0
let height: i32 = 0
let quality: i32 = 0
let started: Status = Status.NoPixels

/** Wants a lossy WebP of `columns` x `rows` upright pixels at a quality of 0 to 100. */
export function toWebp(columns: i32, rows: i32, orientation: i32, wantedQuality: i32): void {
  width = columns
  height = rows
  quality = wantedQuality
  started = Status.NoPixels
  toBands(columns, rows, orientation, encode)
}

/** Ends the WebP whose pixels a decoder has delivered: it is at `fileStart()`, `fileBytes()` long. */
export function finishWebp(): Status {
  return started == Status.Ok ? finishEncoder() : started
}

/** The encoder starts with its first band: a decoder may have had to keep coefficients until then. */
function encode(band: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  if (band == 0) started = startEncoder(width, height, quality)
  if (started == Status.Ok) encodeBand(band, y, u, v, yStride, uvStride)
}
