// What the host may call. A job is: reset(), the file at an address of allocate(), what is wanted, then a decoder's open and
// its steps. A WebP is wanted by toWebp() and closed by finishWebp(); a picture by toPicture(), which leaves RGBA at
// picture(); rows for a cover by toUprightRows(), to be pulled by nextUprightRow() between steps.

import { alphaPlane } from './pipeline/alpha-plane'
import { toMacroblockRows } from './pipeline/sink'
import { Status } from './status'
import { encodeVp8Row, finishVp8Encoder, startVp8Encoder } from './formats/webp-lossy/encoder/encoder'
import { alphBytes, encodeAlph } from './formats/webp-alpha/encoder/encoder'

export {
  av1ChromaStride,
  av1Colours,
  av1End,
  av1First,
  av1Height,
  av1IsFullRange,
  av1Plane,
  av1Sampling,
  av1Stride,
  av1Width,
  narrowAv1,
  openAv1,
  stepAv1,
} from './formats/avif/decoder/byte-rows'
export { alphStart } from './formats/webp-alpha/encoder/encoder'
export { expandRange } from './colour/matrix-coefficients'
export { feedYuv, openYuv } from './pipeline/yuv-source'
export { openGif, stepGif } from './formats/gif/decoder/decoder'
export { openJpeg, startJpeg, stepJpeg } from './formats/jpeg/decoder/decoder'
export { encodeJpegRows, finishJpegEncoder, startJpegEncoder, addJpegRow } from './formats/jpeg/encoder/encoder'
export { allocate, isFull, peakBytes, reset } from './arena/memory'
export { clearOutput, outputBytes, outputStart } from './pipeline/output'
export { nextUprightRow, toUprightRows } from './pipeline/upright-rows'
export { feedPng, isPngComplete, openPng, pngStepBytes, stepPng } from './formats/png/decoder/decoder'
export { encodePngRow, startPngEncoder } from './formats/png/encoder/encoder'
export { feedRgba, openRgba } from './pipeline/rgba-source'
export { inputRow } from './pipeline/input-rows'
export { finish, picture, toPicture, transformColours } from './pipeline/sink'
export { openVp8, stepVp8 } from './formats/webp-lossy/decoder/decoder'
export { fileBytes, fileStart } from './formats/webp-lossy/encoder/encoder'
export { openVp8l, stepVp8l } from './formats/webp-lossless/decoder/decoder'
export { openWebpAlpha, stepWebpAlpha } from './formats/webp-alpha/decoder/decoder'

let width: i32 = 0
let height: i32 = 0
let quality: i32 = 0
let started: Status = Status.NoPixels
let hasAlpha = false

/** Wants a lossy WebP of `columns` x `rows` upright pixels at a quality of 0 to 100. */
export function toWebp(columns: i32, rows: i32, orientation: i32, wantedQuality: i32): void {
  width = columns
  height = rows
  quality = wantedQuality
  started = Status.NoPixels
  hasAlpha = false
  toMacroblockRows(columns, rows, orientation, encode)
}

/**
 * Ends the WebP whose pixels a decoder has delivered: without alpha it is at `fileStart()`, `fileBytes()` long; the payload
 * of its ALPH chunk is at `alphStart()`, `alphaBytes()` long.
 */
export function finishWebp(): Status {
  const status = started == Status.Ok ? finishVp8Encoder() : started
  if (status != Status.Ok) return status
  const plane = alphaPlane()
  hasAlpha = plane != 0
  if (hasAlpha) encodeAlph(plane, width, height)
  return Status.Ok
}

/** Length of the ALPH chunk's payload; 0 of an opaque picture. */
export function alphaBytes(): usize {
  return hasAlpha ? alphBytes() : 0
}

/** The encoder starts with its first macroblock row: until then a decoder may need the memory for coefficients. */
function encode(row: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  if (row == 0) started = startVp8Encoder(width, height, quality)
  if (started == Status.Ok) encodeVp8Row(row, y, u, v, yStride, uvStride)
}
