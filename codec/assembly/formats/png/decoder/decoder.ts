// PNG as a source of the sink. The host splits the chunks and returns the payloads of IDAT; here they become rows.
import { allocateZeroed } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { startSrgbRows } from '../../../colour/pixels-to-srgb'
import {
  announceImage,
  announcePixels,
  announcePlane,
  drain,
  expectChangedRows,
  expectDeepRows,
  isChanged,
  isConvertedFirst,
  keepsStraight,
  push,
  pushPixels,
  targetColumns,
  targetRows,
} from '../../../pipeline/sink'
import { Status } from '../../../status'
import { imageRow, passX, passXStep } from './adam7'
import { ColourType, header, keepPaletteStraight } from './header'
import { Inflated, inflate, inflater, startInflate } from './inflate'
import { addToCanvas, canvas, canvasRow, completeCanvas, startCanvas } from './interlace-canvas'
import { colourPlanes, makePixels, makePlanes, planeRow, planes, startPlanes } from './planes'
import { bytesOf, scanlines, startScanlines, takeScanline } from './scanlines'

/** Inflated bytes of a piece: larger ones save less than a hundredth of the time. */
const INFLATED_BYTES: usize = 64 * 1024

/** The progress of decoding. */
@unmanaged
class Decoder {
  /** The next row of the canvas to hand on. */
  canvasY: i32
  /** Of the piece that was inflated: what comes next, and how it ended. */
  inflatedAt: usize
  inflated: Inflated
  /** Rows that went on, and a row of nothing for those that a file lacks that is cut off. */
  done: i32
  nothing: usize
}

const decoder: Decoder = changetype<Decoder>(memory.data(offsetof<Decoder>(), 4))

/**
 * Announces the planes of the image whose header was read. `OverBudget` if it is interlaced and what must be collected of it
 * takes more than `canvasBudget` bytes.
 */
export function openPng(canvasBudget: usize): Status {
  decoder.canvasY = 0
  decoder.done = 0
  decoder.nothing = 0
  decoder.inflated = Inflated.NeedsInput
  startInflate(INFLATED_BYTES)
  decoder.inflatedAt = inflater.end
  startScanlines()
  const isSixteen = header.bitDepth == 16 && isChanged()
  // Bytes of colours that are multiplied by alpha would be coarser than what 16 bits keep.
  const isConverted = isConvertedFirst() && colourPlanes() == 3 && !(isSixteen && header.hasAlpha)
  const wantsDeep = isSixteen && !isConverted
  if (header.interlaced && !openCanvas(wantsDeep, canvasBudget)) return Status.OverBudget
  const isDeep = wantsDeep && (!header.interlaced || canvas.deepPlanes > 0)
  const isStraight = header.hasAlpha && keepsStraight(header.width, header.height)
  if (isStraight && header.colourType == ColourType.Palette) keepPaletteStraight()
  // Bytes of PQ or of linear light are too coarse: what is collected as bytes is changed to sRGB first. Where it is reduced to half,
  // the means of several pixels are less coarse, and all would be changed for few. What has no gains is converted first in any case.
  const isChangedFirst = isSixteen && !isDeep && (isConverted || <f64>header.width < 2 * targetColumns(0))
  startPlanes(header.width, isStraight, isDeep || isChangedFirst, isChangedFirst)
  // The sink converts rows of pixels, but not rows of planes.
  planes.isConverted = isConverted && (header.interlaced || isSixteen)
  if (planes.isConverted) startSrgbRows(header.width, planes.pixelSamples == 3 ? 3 : 4, false, header.hasAlpha)
  if (isDeep) expectDeepRows()
  else if (isChangedFirst || planes.isConverted) expectChangedRows()
  announceImage(meaning(isStraight))
  if (!header.interlaced) {
    if (planes.pixelSamples > 0) announcePixels(header.width, header.height, planes.pixelSamples, false)
    else
      for (let i = 0; i < planes.count; i++)
        announcePlane(i, header.width, header.height, header.width, header.height, 1)
    return Status.Ok
  }
  for (let i = 0; i < planes.count; i++) {
    announcePlane(i, canvas.columns, canvas.rows, <f64>header.width / canvas.box, <f64>header.height / canvas.box, 1)
  }
  return Status.Ok
}

/** Prepares the canvas of an interlaced image, whose colours are 64ths of a level if `deep` and if that fits `budget` bytes. */
function openCanvas(deep: bool, budget: usize): bool {
  const colours = colourPlanes()
  const scale = min(<f64>header.width / targetColumns(0), <f64>header.height / targetRows(0))
  return startCanvas(header.width, header.height, colours + i32(header.hasAlpha), deep ? colours : 0, scale, budget)
}

/**
 * Hands on the next rows, few enough to complete at most one output row. Returns `More` until the last rows, and
 * `NeedsInput` where more of the IDAT chunks is needed (`inputRoom`, `giveInput`). `Malformed` if rows are missing of
 * a file that is not cut.
 */
export function stepPng(): Status {
  if (scanlines.complete) return header.interlaced ? handOnCanvasRow() : Status.Ok
  if (decoder.inflatedAt == inflater.end) {
    if (decoder.inflated == Inflated.NeedsInput) {
      decoder.inflated = Inflated.Output
      return Status.NeedsInput
    }
    if (decoder.inflated != Inflated.Output) return header.isCut ? stepAfterCut() : Status.Malformed
    decoder.inflated = inflate()
    decoder.inflatedAt = inflater.start
  }
  const end = inflater.end - decoder.inflatedAt > stepBytes() ? decoder.inflatedAt + stepBytes() : inflater.end
  while (decoder.inflatedAt < end && !scanlines.complete) {
    decoder.inflatedAt = takeScanline(decoder.inflatedAt, end)
    if (scanlines.badFilter) return Status.Malformed
    if (scanlines.row != 0) takeRow()
  }
  return Status.More
}

/** Inflated bytes that make one wanted row at most. */
function stepBytes(): usize {
  if (header.interlaced) return <usize>i32.MAX_VALUE
  return (1 + bytesOf(header.width)) * <usize>max<f64>(1, <f64>header.height / targetRows(0))
}

function handOnCanvasRow(): Status {
  for (let i = 0; i < planes.count; i++) push(i, canvasRow(i, decoder.canvasY))
  drain()
  return ++decoder.canvasY < canvas.rows ? Status.More : Status.Ok
}

/** Hands on a row that is missing. */
function stepAfterCut(): Status {
  if (decoder.done == 0) return Status.NoPixels
  if (header.interlaced) {
    if (decoder.canvasY == 0) completeCanvas(planes.count)
    return handOnCanvasRow()
  }
  if (decoder.nothing == 0) decoder.nothing = allocateZeroed(((<usize>header.width) << 2) + ROW_SLACK)
  if (planes.pixelSamples > 0) {
    pushPixels(decoder.nothing)
  } else {
    for (let i = 0; i < planes.count; i++) push(i, decoder.nothing)
    drain()
  }
  return ++decoder.done < header.height ? Status.More : Status.Ok
}

function meaning(isStraight: bool): Colour {
  if (header.colourType == ColourType.Gray || header.colourType == ColourType.GrayAlpha) {
    return isStraight ? Colour.StraightGrayAlpha : header.hasAlpha ? Colour.GrayAlpha : Colour.Gray
  }
  return isStraight ? Colour.StraightRgba : header.hasAlpha ? Colour.Rgba : Colour.Rgb
}

function takeRow(): void {
  decoder.done++
  if (!header.interlaced && planes.pixelSamples > 0) {
    makePixels(scanlines.row, scanlines.columns)
    pushPixels(planes.pixels)
    return
  }
  makePlanes(scanlines.row, scanlines.columns)
  for (let i = 0; i < planes.count; i++) {
    if (header.interlaced)
      addToCanvas(
        i,
        planeRow(i),
        scanlines.columns,
        passX(scanlines.pass),
        passXStep(scanlines.pass),
        imageRow(scanlines.pass, scanlines.y),
      )
    else push(i, planeRow(i))
  }
  if (!header.interlaced) drain()
}
