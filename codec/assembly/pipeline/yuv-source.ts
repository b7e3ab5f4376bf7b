// The planes of a decoded AV1 image as a source of the sink. They are resized as they are and converted to RGB
// afterwards. Colours under an alpha are converted at full resolution first, since they are multiplied by it.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { Colour } from '../colour/conversion'
import { expandRange, isBt601, Matrix, setMatrix, toRgb } from '../colour/matrix-coefficients'
import { premultiply } from '../colour/premultiply'
import { Status } from '../status'
import { announceImage, announcePlane, drain, push } from './sink'
import { AlphaKind, ChromaSampling, YUV_ROWS_AT_ONCE } from './yuv-format'

/** Rows that may come at once, before the host takes what was made of them. */
const MAX_ROWS_AT_ONCE: i32 = YUV_ROWS_AT_ONCE

let columns: i32 = 0
/** Rows that are to come. */
let left: i32 = 0
let sampling: ChromaSampling = ChromaSampling.Monochrome
let matrix: Matrix = Matrix.Unspecified
let isFullRange = false
let alphaKind: AlphaKind = AlphaKind.None
let planes: i32 = 0
/** A row of red, one of green and one of blue, `rgbStride` bytes apart. */
let rgb: usize = 0
let rgbStride: usize = 0
/** Alpha of the rows that come next, and the bytes from row to row. */
let alphas: usize = 0
let alphaStride: i32 = 0

/** Announces an image of 8 bits a sample. `feedYuv` takes its rows. */
export function openYuv(
  width: i32,
  height: i32,
  chromaSampling: ChromaSampling,
  coefficients: Matrix,
  fullRange: bool,
  alpha: AlphaKind,
): void {
  columns = width
  left = height
  sampling = chromaSampling
  matrix = coefficients
  isFullRange = fullRange
  alphaKind = alpha
  const isGray = sampling == ChromaSampling.Monochrome
  setMatrix(matrix, isFullRange)
  if (alpha == AlphaKind.None && !isGray && matrix != Matrix.Identity) return openUnconverted(height)
  planes = (isGray ? 1 : 3) + (alpha == AlphaKind.None ? 0 : 1)
  rgbStride = (<usize>width + ROW_SLACK + 15) & ~15
  rgb = allocate(3 * rgbStride)
  const hasAlpha = alpha != AlphaKind.None
  announceImage(isGray ? (hasAlpha ? Colour.GrayAlpha : Colour.Gray) : hasAlpha ? Colour.Rgba : Colour.Rgb)
  for (let i = 0; i < planes; i++) announcePlane(i, width, height, width, height, MAX_ROWS_AT_ONCE)
}

/** The planes go into the sink as they are. */
function openUnconverted(height: i32): void {
  planes = 0
  const ofBt601 = isFullRange ? Colour.YuvFull : Colour.YuvLimited
  announceImage(isBt601(matrix) ? ofBt601 : Colour.YuvMatrix)
  const across = sampling == ChromaSampling.Yuv444 ? columns : (columns + 1) >> 1
  const down = sampling == ChromaSampling.Yuv420 ? (height + 1) >> 1 : height
  const spanAcross = sampling == ChromaSampling.Yuv444 ? <f64>columns : <f64>columns / 2
  const spanDown = sampling == ChromaSampling.Yuv420 ? <f64>height / 2 : <f64>height
  announcePlane(0, columns, height, columns, height, MAX_ROWS_AT_ONCE)
  announcePlane(1, across, down, spanAcross, spanDown, MAX_ROWS_AT_ONCE)
  announcePlane(2, across, down, spanAcross, spanDown, MAX_ROWS_AT_ONCE)
}

/** Sets the alphas, 0 to 255, of the rows that `feedYuv` takes next. */
export function setAlphaRows(at: usize, stride: i32): void {
  alphas = at
  alphaStride = stride
}

/**
 * Takes the next `rows` rows, an even number or the last ones; at most YUV_ROWS_AT_ONCE where the host pulls rows. They are
 * planes of samples, after `setAlphaRows` where there is alpha; each must be readable for 64 bytes more. Rows may be changed
 * in place.
 */
export function feedYuv(y: usize, cb: usize, cr: usize, yStride: i32, chromaStride: i32, rows: i32): void {
  left -= rows
  for (let row = 0; row < rows; row++) {
    const luma = y + <usize>row * yStride
    const chromaRow = <usize>(sampling == ChromaSampling.Yuv420 ? row >> 1 : row) * chromaStride
    const isRepeated = sampling == ChromaSampling.Yuv420 && (row & 1) == 1
    if (planes == 0) {
      push(0, luma)
      if (!isRepeated) {
        push(1, cb + chromaRow)
        push(2, cr + chromaRow)
      }
      if (sampling == ChromaSampling.Yuv420 && !isRepeated && row + 1 < rows) continue
    } else feedColours(luma, cb + chromaRow, cr + chromaRow, alphas + <usize>row * alphaStride)
    drain()
  }
}

/** `NeedsInput` until all rows came by `feedYuv`. */
export function stepYuv(): Status {
  return left > 0 ? Status.NeedsInput : Status.Ok
}

function feedColours(y: usize, cb: usize, cr: usize, alpha: usize): void {
  const hasAlpha = alphaKind != AlphaKind.None
  if (sampling == ChromaSampling.Monochrome) {
    if (!isFullRange) expandRange(y, columns)
    pushColour(0, y, alpha)
  } else if (matrix == Matrix.Identity) {
    if (!isFullRange) {
      expandRange(y, columns)
      expandRange(cb, columns)
      expandRange(cr, columns)
    }
    pushColour(0, cr, alpha)
    pushColour(1, y, alpha)
    pushColour(2, cb, alpha)
  } else {
    toRgb(y, cb, cr, columns, sampling != ChromaSampling.Yuv444, rgb, rgbStride)
    for (let i = 0; i < 3; i++) pushColour(i, rgb + <usize>i * rgbStride, alpha)
  }
  if (hasAlpha) push(planes - 1, alpha)
}

function pushColour(i: i32, row: usize, alpha: usize): void {
  if (alphaKind == AlphaKind.Straight) premultiply(row, alpha, columns)
  push(i, row)
}
