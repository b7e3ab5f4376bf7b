// PNG as a source of the sink. The host splits the chunks and returns the payloads of IDAT; here they become rows.
import { allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import {
  announceImage,
  announcePixels,
  announcePlane,
  drain,
  expectDeepRows,
  isChanged,
  keepsStraight,
  push,
  pushPixels,
  targetColumns,
  targetRows,
} from '../../../pipeline/sink'
import { Status } from '../../../status'
import { imageRow, passX, passXStep } from './adam7'
import {
  bitDepth,
  ColourType,
  colourType,
  hasAlpha,
  height,
  interlaced,
  isCut,
  keepPaletteStraight,
  width,
} from './header'
import { Inflated, inflate, inflatedEnd, inflatedStart, startInflate } from './inflate'
import { addToCanvas, box, canvasColumns, canvasRow, canvasRows, completeCanvas, startCanvas } from './interlace-canvas'
import { makePixels, makePlanes, pixelSamples, pixels, planeCount, planeRow, startPlanes } from './planes'
import { badFilter, bytesOf, columns, complete, pass, row, startScanlines, takeScanline, y } from './scanlines'

/** Inflated bytes of a piece: larger ones save less than a hundredth of the time. */
const INFLATED_BYTES: usize = 64 * 1024

/** The next row of the canvas to hand on. */
let canvasY: i32 = 0
/** Of the piece that was inflated: what comes next, and how it ended. */
let inflatedAt: usize = 0
let inflated: Inflated = Inflated.Output
/** Rows that went on, and a row of nothing for those that a file lacks that is cut off. */
let done: i32 = 0
let nothing: usize = 0

/**
 * Announces the planes of the image whose header was read. `OverBudget` if it is interlaced and what must be collected of it
 * takes more than `canvasBudget` bytes.
 */
export function openPng(canvasBudget: usize): Status {
  canvasY = 0
  done = 0
  nothing = 0
  inflated = Inflated.NeedsInput
  startInflate(INFLATED_BYTES)
  inflatedAt = inflatedEnd
  startScanlines()
  const isStraight = hasAlpha && keepsStraight(width, height)
  if (isStraight && colourType == ColourType.Palette) keepPaletteStraight()
  const isDeep = bitDepth == 16 && isChanged() && !interlaced
  startPlanes(width, isStraight, isDeep)
  if (isDeep) expectDeepRows()
  announceImage(meaning(isStraight))
  if (!interlaced) {
    if (pixelSamples > 0) announcePixels(width, height, pixelSamples, false)
    else for (let i = 0; i < planeCount; i++) announcePlane(i, width, height, width, height, 1)
    return Status.Ok
  }
  const scale = min(<f64>width / targetColumns(0), <f64>height / targetRows(0))
  if (!startCanvas(width, height, planeCount, scale, canvasBudget)) return Status.OverBudget
  for (let i = 0; i < planeCount; i++) {
    announcePlane(i, canvasColumns, canvasRows, <f64>width / box, <f64>height / box, 1)
  }
  return Status.Ok
}

/**
 * Hands on the next rows, few enough to complete at most one output row. Returns `More` until the last rows, and
 * `NeedsInput` where more of the IDAT chunks is needed (`inputRoom`, `giveInput`). `Malformed` if rows are missing of
 * a file that is not cut.
 */
export function stepPng(): Status {
  if (complete) return interlaced ? handOnCanvasRow() : Status.Ok
  if (inflatedAt == inflatedEnd) {
    if (inflated == Inflated.NeedsInput) {
      inflated = Inflated.Output
      return Status.NeedsInput
    }
    if (inflated != Inflated.Output) return isCut ? stepAfterCut() : Status.Malformed
    inflated = inflate()
    inflatedAt = inflatedStart
  }
  const end = inflatedEnd - inflatedAt > stepBytes() ? inflatedAt + stepBytes() : inflatedEnd
  while (inflatedAt < end && !complete) {
    inflatedAt = takeScanline(inflatedAt, end)
    if (badFilter) return Status.Malformed
    if (row != 0) takeRow()
  }
  return Status.More
}

/** Inflated bytes that make one wanted row at most. */
function stepBytes(): usize {
  if (interlaced) return <usize>i32.MAX_VALUE
  return (1 + bytesOf(width)) * <usize>max<f64>(1, <f64>height / targetRows(0))
}

function handOnCanvasRow(): Status {
  for (let i = 0; i < planeCount; i++) push(i, canvasRow(i, canvasY))
  drain()
  return ++canvasY < canvasRows ? Status.More : Status.Ok
}

/** Hands on a row that is missing. */
function stepAfterCut(): Status {
  if (done == 0) return Status.NoPixels
  if (interlaced) {
    if (canvasY == 0) completeCanvas(planeCount)
    return handOnCanvasRow()
  }
  if (nothing == 0) nothing = allocateZeroed(((<usize>width) << 2) + ROW_SLACK)
  if (pixelSamples > 0) {
    pushPixels(nothing)
  } else {
    for (let i = 0; i < planeCount; i++) push(i, nothing)
    drain()
  }
  return ++done < height ? Status.More : Status.Ok
}

function meaning(isStraight: bool): Colour {
  if (colourType == ColourType.Gray || colourType == ColourType.GrayAlpha) {
    return isStraight ? Colour.StraightGrayAlpha : hasAlpha ? Colour.GrayAlpha : Colour.Gray
  }
  return isStraight ? Colour.StraightRgba : hasAlpha ? Colour.Rgba : Colour.Rgb
}

function takeRow(): void {
  done++
  if (!interlaced && pixelSamples > 0) {
    makePixels(row, columns)
    pushPixels(pixels)
    return
  }
  makePlanes(row, columns)
  for (let i = 0; i < planeCount; i++) {
    if (interlaced) addToCanvas(i, planeRow(i), columns, passX(pass), passXStep(pass), imageRow(pass, y))
    else push(i, planeRow(i))
  }
  if (!interlaced) drain()
}
