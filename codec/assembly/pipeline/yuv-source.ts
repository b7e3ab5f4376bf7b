// The planes of a decoded AV1 image as a source of the sink. They are resized as they are and converted to RGB
// afterwards. Colours under an alpha are converted at full resolution first, since they are multiplied by it.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { Colour } from '../colour/conversion'
import { deepToRgb, expandDeepRange, premultiplyDeep } from '../colour/deep-rows'
import { expandRange, isBt601, Matrix, setMatrix, toRgb } from '../colour/matrix-coefficients'
import { premultiply } from '../colour/premultiply'
import { Status } from '../status'
import { announceImage, announcePlane, drain, expectDeepRows, push } from './sink'
import { endTileRows, shapeTileRows, startTile, startTileRows, takeTileRow, tileRow } from './tile-rows'
import { AlphaKind, ChromaSampling, YUV_ROWS_AT_ONCE } from './yuv-format'

/** Rows that may come at once, before the host takes what was made of them. */
const MAX_ROWS_AT_ONCE: i32 = YUV_ROWS_AT_ONCE

/** The image that the host feeds, set by `openYuv`, and the rows that come next. */
@unmanaged
class YuvSource {
  /** Pixels of the image, and of a row that comes: those of a tile may be fewer. */
  imageColumns: i32
  columns: i32
  /** Rows that are to come: with a box, rows of its means. */
  left: i32
  /** The side of the box whose means are the image, of one that comes tile by tile. */
  box: i32
  /** Whether samples of colours are u16, 64ths of a level. */
  isDeep: bool
  sampling: ChromaSampling
  matrix: Matrix
  isFullRange: bool
  alphaKind: AlphaKind
  planes: i32
  /** A row of red, one of green and one of blue, `rgbStride` bytes apart. */
  rgb: usize
  rgbStride: usize
  /** Alpha of the rows that come next, and the bytes from row to row. */
  alphas: usize
  alphaStride: i32
}

const source: YuvSource = changetype<YuvSource>(memory.data(offsetof<YuvSource>(), 4))

/** Sets, before `openYuv`, whether samples of colours are u16, 64ths of a level: where colours are changed. */
export function deepenYuv(deep: bool): void {
  source.isDeep = deep
}

/**
 * Announces an image of 8 bits a sample, or of 64ths of a level. `feedYuv` takes its rows. One whose `side` is not 1 comes tile by tile, after `openTiles`:
 * the image is the means of boxes with this side.
 */
export function openYuv(
  width: i32,
  height: i32,
  chromaSampling: ChromaSampling,
  coefficients: Matrix,
  fullRange: bool,
  alpha: AlphaKind,
  side: i32,
): void {
  source.imageColumns = width
  source.columns = width
  source.box = side
  source.left = (height + source.box - 1) / source.box
  source.sampling = chromaSampling
  source.matrix = coefficients
  source.isFullRange = fullRange
  source.alphaKind = alpha
  const isGray = source.sampling == ChromaSampling.Monochrome
  const hasAlpha = alpha != AlphaKind.None
  setMatrix(source.matrix, source.isFullRange)
  const isConverted = hasAlpha || isGray || source.matrix == Matrix.Identity
  source.planes = isConverted ? (isGray ? 1 : 3) + i32(hasAlpha) : 0
  if (source.isDeep) expectDeepRows()
  if (isConverted) {
    source.rgbStride = ((<usize>width + ROW_SLACK + 15) & ~15) << (<usize>source.isDeep)
    source.rgb = allocate(3 * source.rgbStride)
    announceImage(isGray ? (hasAlpha ? Colour.GrayAlpha : Colour.Gray) : hasAlpha ? Colour.Rgba : Colour.Rgb)
  } else {
    // The planes go into the sink as they are.
    const ofBt601 = source.isFullRange ? Colour.YuvFull : Colour.YuvLimited
    announceImage(isBt601(source.matrix) && !source.isDeep ? ofBt601 : Colour.YuvMatrix)
  }
  for (let i = 0; i < planeCount(); i++) announce(i, height)
}

/** Planes that go into the sink. */
function planeCount(): i32 {
  return source.planes == 0 ? 3 : source.planes
}

/** Announces plane `i` of an image of `height` rows. */
function announce(i: i32, height: i32): void {
  const isChroma = source.planes == 0 && i > 0
  const isHalvedAcross = isChroma && source.sampling != ChromaSampling.Yuv444
  const isHalvedDown = isChroma && source.sampling == ChromaSampling.Yuv420
  shapeTileRows(
    i,
    isHalvedAcross,
    isHalvedDown,
    source.isDeep && !(source.alphaKind != AlphaKind.None && i == source.planes - 1),
  )
  // The boxes of chroma are half as wide where it has half the samples.
  const across = source.box > 1 ? source.box : isHalvedAcross ? 2 : 1
  const down = source.box > 1 ? source.box : isHalvedDown ? 2 : 1
  const spanAcross = <f64>source.imageColumns / <f64>across
  const spanDown = <f64>height / <f64>down
  const samples = (source.imageColumns + across - 1) / across
  announcePlane(i, samples, (height + down - 1) / down, spanAcross, spanDown, MAX_ROWS_AT_ONCE)
}

/** Prepares the tiles of the image, all of this size. */
export function openTiles(width: i32, height: i32): void {
  startTileRows(planeCount(), source.imageColumns, width, height, source.box)
}

/** Begins a tile `before` pixels from the left, of which `width` x `height` pixels are in the image: `feedYuv` takes its rows. */
export function openTile(before: i32, width: i32, height: i32): void {
  source.columns = width
  startTile(before / source.box, width, height)
}

/** Hands on `rows` rows of the row of tiles whose last one has come, from row `first` on. */
export function handOnTiles(first: i32, rows: i32): void {
  source.left -= rows
  for (let y = first; y < first + rows; y++) {
    for (let i = 0; i < planeCount(); i++) push(i, tileRow(i, y))
    drain()
  }
  if (source.left == 0) endTileRows()
}

/** Sets the alphas, 0 to 255, of the rows that `feedYuv` takes next. */
export function setAlphaRows(at: usize, stride: i32): void {
  source.alphas = at
  source.alphaStride = stride
}

/**
 * Takes the next `rows` rows, an even number or the last ones; at most YUV_ROWS_AT_ONCE where the host pulls rows. They are
 * planes of samples, after `setAlphaRows` where there is alpha; each must be readable for 64 bytes more. Rows may be changed
 * in place.
 */
export function feedYuv(y: usize, cb: usize, cr: usize, yStride: i32, chromaStride: i32, rows: i32): void {
  if (source.box == 1) source.left -= rows
  for (let row = 0; row < rows; row++) {
    const luma = y + <usize>row * yStride
    const chromaRow = <usize>(source.sampling == ChromaSampling.Yuv420 ? row >> 1 : row) * chromaStride
    const isRepeated = source.sampling == ChromaSampling.Yuv420 && (row & 1) == 1
    if (source.planes == 0) {
      take(0, luma)
      if (!isRepeated) {
        take(1, cb + chromaRow)
        take(2, cr + chromaRow)
      }
      if (source.sampling == ChromaSampling.Yuv420 && !isRepeated && row + 1 < rows) continue
    } else feedColours(luma, cb + chromaRow, cr + chromaRow, source.alphas + <usize>row * source.alphaStride)
    if (source.box == 1) drain()
  }
}

function take(i: i32, row: usize): void {
  if (source.box == 1) push(i, row)
  else takeTileRow(i, row)
}

/** `NeedsInput` until all rows came by `feedYuv`. */
export function stepYuv(): Status {
  return source.left > 0 ? Status.NeedsInput : Status.Ok
}

function feedColours(y: usize, cb: usize, cr: usize, alpha: usize): void {
  const hasAlpha = source.alphaKind != AlphaKind.None
  if (source.sampling == ChromaSampling.Monochrome) {
    expand(y)
    pushColour(0, y, alpha)
  } else if (source.matrix == Matrix.Identity) {
    expand(y)
    expand(cb)
    expand(cr)
    pushColour(0, cr, alpha)
    pushColour(1, y, alpha)
    pushColour(2, cb, alpha)
  } else {
    if (source.isDeep)
      deepToRgb(y, cb, cr, source.columns, source.sampling != ChromaSampling.Yuv444, source.rgb, source.rgbStride)
    else toRgb(y, cb, cr, source.columns, source.sampling != ChromaSampling.Yuv444, source.rgb, source.rgbStride)
    for (let i = 0; i < 3; i++) pushColour(i, source.rgb + <usize>i * source.rgbStride, alpha)
  }
  if (hasAlpha) take(source.planes - 1, alpha)
}

function expand(row: usize): void {
  if (source.isFullRange) return
  if (source.isDeep) expandDeepRange(row, source.columns)
  else expandRange(row, source.columns)
}

function pushColour(i: i32, row: usize, alpha: usize): void {
  if (source.alphaKind == AlphaKind.Straight) {
    if (source.isDeep) premultiplyDeep(row, alpha, source.columns)
    else premultiply(row, alpha, source.columns)
  }
  take(i, row)
}
