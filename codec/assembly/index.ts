// Functions for the host. A job is: reset(), the file at an address of allocate(), the wanted output, then one decoder:
// an open...(), step() until it is done, and finish(). WebPs are requested by toWebp() and alsoToWebp(), and closed by
// finishWebp(), with nextWebp() between two. An image is requested by toPicture(), which leaves RGBA at image(), and
// rows by toUprightRows(), to be pulled by nextUprightRow() between steps.

import { Matrix } from './colour/matrix-coefficients'
import * as gif from './formats/gif/decoder/decoder'
import * as jpeg from './formats/jpeg/decoder/decoder'
import * as png from './formats/png/decoder/decoder'
import * as alpha from './formats/webp-alpha/decoder/decoder'
import * as lossless from './formats/webp-lossless/decoder/decoder'
import * as lossy from './formats/webp-lossy/decoder/decoder'
import * as rgba from './pipeline/rgba-source'
import { AlphaKind, ChromaSampling } from './pipeline/yuv-format'
import * as yuv from './pipeline/yuv-source'
import { Status } from './status'

export { allocate, isFull, limitMemory, peakBytes, reset } from './arena/memory'
export { setInkGrid } from './colour/ink-grid'
export { expandRange } from './colour/matrix-coefficients'
export {
  av1ChromaStride,
  av1Colours,
  av1Depth,
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
export { openJpeg } from './formats/jpeg/decoder/decoder'
export { addJpegRow, encodeJpegRows, finishJpegEncoder, startJpegEncoder } from './formats/jpeg/encoder/encoder'
export { updateCrc } from './formats/png/decoder/crc'
export { readPngHeader } from './formats/png/decoder/header'
export { giveInput, inputRoom, inputRoomBytes } from './formats/png/decoder/inflate'
export { encodePngRow, startPngEncoder } from './formats/png/encoder/encoder'
export { alphStart } from './formats/webp-alpha/encoder/encoder'
export {
  addLosslessRow,
  finishLossless,
  finishLosslessSurvey,
  losslessBytes,
  nextLosslessCoding,
  startLossless,
  startLosslessSurvey,
  streamBytes,
  streamStart,
  surveyLosslessRow,
} from './formats/webp-lossless/encoder/image'
export { fileBytes, fileStart } from './formats/webp-lossy/encoder/encoder'
export { changeJpegColours, changeJpegColoursByGrid, isOpaque, startJpegOutput, stepJpegOutput } from './jpeg-output'
export { inputRow } from './pipeline/input-rows'
export { clearOutput, outputBytes, outputStart } from './pipeline/output'
export { feedRgba } from './pipeline/rgba-source'
export {
  finish,
  heldPixels,
  holdPixels,
  image,
  isChanged,
  targetColumns,
  targetRows,
  toImage,
  transformColours,
  transformColoursByGrid,
  wantExact,
} from './pipeline/sink'
export { nextUprightRow, toUprightRows } from './pipeline/upright-rows'
export { deepenYuv, feedYuv, handOnTiles, openTile, openTiles, setAlphaRows } from './pipeline/yuv-source'
export {
  alphaBytes,
  alsoToWebp,
  finishWebp,
  freeEncoder,
  nextWebp,
  repeatWebp,
  toHeldWebp,
  toWebp,
} from './webp-outputs'

/** The steps of the decoder that was opened last. */
let stepping: () => Status = stepNothing

/**
 * Decodes a piece of what was opened: a row or some, between which rows can be pulled. `More` until it was the last; `NeedsInput`
 * where the host must first give what comes next; `Ok` after the last, when `finish()` is to follow.
 */
export function step(): Status {
  return stepping()
}

function stepNothing(): Status {
  return Status.NoPixels
}

/** After `openJpeg`: see `startJpeg` there. */
export function startJpeg(oversampling: f64, limit: f64): Status {
  stepping = jpeg.stepJpeg
  return jpeg.startJpeg(oversampling, limit)
}

/** After `readPngHeader`: see `openPng` there. */
export function openPng(canvasBudget: usize): Status {
  stepping = png.stepPng
  return png.openPng(canvasBudget)
}

/** See `openGif` there. */
export function openGif(file: usize, bytes: usize): Status {
  stepping = gif.stepGif
  return gif.openGif(file, bytes)
}

/** See `openVp8` there. */
export function openVp8(frame: usize, bytes: usize): Status {
  stepping = lossy.stepVp8
  return lossy.openVp8(frame, bytes)
}

/** See `openVp8l` there. */
export function openVp8l(data: usize, bytes: usize): Status {
  stepping = lossless.stepVp8l
  return lossless.openVp8l(data, bytes)
}

/** See `openWebpAlpha` there. */
export function openWebpAlpha(frame: usize, frameBytes: usize, alphas: usize, alphaBytes: usize): Status {
  stepping = alpha.stepWebpAlpha
  return alpha.openWebpAlpha(frame, frameBytes, alphas, alphaBytes)
}

/** See `openYuv` there: rows come by `feedYuv`. */
export function openYuv(
  columns: i32,
  rows: i32,
  sampling: ChromaSampling,
  matrix: Matrix,
  isFullRange: bool,
  alphas: AlphaKind,
  box: i32,
): void {
  stepping = yuv.stepYuv
  yuv.openYuv(columns, rows, sampling, matrix, isFullRange, alphas, box)
}

/** See `openRgba` there: rows come by `feedRgba`. */
export function openRgba(columns: i32, rows: i32): void {
  stepping = rgba.stepRgba
  rgba.openRgba(columns, rows)
}
