// PNG as a source of the sink. The host splits the chunks and inflates; here the inflated bytes become rows.
import { Colour } from '../../../colour/conversion'
import { announcePicture, announcePlane, drain, finish, push, targetColumns, targetRows } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { passX, passXStep, pictureRow } from './adam7'
import { ColourType, colourType, hasAlpha, height, interlaced, readPngHeader, width } from './header'
import { addToCanvas, box, canvasColumns, canvasRow, canvasRows, startCanvas } from './interlace-canvas'
import { makePlanes, planeCount, planeRow, startPlanes } from './planes'
import { badFilter, bytesOf, columns, complete, pass, row, startScanlines, takeScanline, y } from './scanlines'

/** The row of the canvas that is to go on next. */
let canvasY: i32 = 0

/**
 * Reads the payloads of IHDR, PLTE and tRNS (0 bytes: not there) and announces the planes. `OverBudget` if the picture is
 * interlaced and what must be collected of it takes more than `canvasBudget` bytes.
 */
export function openPng(
  ihdr: usize,
  ihdrBytes: i32,
  plte: usize,
  plteBytes: i32,
  trns: usize,
  trnsBytes: i32,
  canvasBudget: usize,
): Status {
  canvasY = 0
  const status = readPngHeader(ihdr, ihdrBytes, plte, plteBytes, trns, trnsBytes)
  if (status != Status.Ok) return status
  startScanlines()
  startPlanes(width)
  announcePicture(meaning(), width, height)
  if (!interlaced) {
    for (let i = 0; i < planeCount; i++) announcePlane(i, width, height, width, height, 1)
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
 * Takes the next `bytes` inflated bytes at `at`, which must be readable for 16 more. Bytes after the last row are
 * ignored, as libpng does.
 */
export function feedPng(at: usize, bytes: usize): Status {
  const end = at + bytes
  while (at < end && !complete) {
    at = takeScanline(at, end)
    if (badFilter) return Status.Malformed
    if (row != 0) takeRow()
  }
  return Status.Ok
}

/** The most bytes to feed at once where rows are pulled: one of them at most becomes complete. */
export function pngStepBytes(): usize {
  if (interlaced) return <usize>i32.MAX_VALUE
  return (1 + bytesOf(width)) * <usize>max<f64>(1, <f64>height / targetRows(0))
}

/** Whether all rows are there: what follows them is ignored. */
export function isPngComplete(): bool {
  return complete
}

/** Ends the picture; `Malformed` if rows are missing. */
export function finishPng(): Status {
  let status = Status.More
  while (status == Status.More) status = stepPng()
  return status
}

/**
 * After the last inflated bytes: hands on the next row of an interlaced picture, `More` until it was the last.
 * `Malformed` if rows are missing.
 */
export function stepPng(): Status {
  if (!complete) return Status.Malformed
  if (interlaced) {
    for (let i = 0; i < planeCount; i++) push(i, canvasRow(i, canvasY))
    drain()
    if (++canvasY < canvasRows) return Status.More
  }
  return finish()
}

function meaning(): Colour {
  if (colourType == ColourType.Gray || colourType == ColourType.GrayAlpha)
    return hasAlpha ? Colour.GrayAlpha : Colour.Gray
  return hasAlpha ? Colour.Rgba : Colour.Rgb
}

function takeRow(): void {
  makePlanes(row, columns)
  for (let i = 0; i < planeCount; i++) {
    if (interlaced) addToCanvas(i, planeRow(i), columns, passX(pass), passXStep(pass), pictureRow(pass, y))
    else push(i, planeRow(i))
  }
  if (!interlaced) drain()
}
