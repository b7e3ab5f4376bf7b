// The decoder as the host drives it: an image as rows of bytes, some at a time.

import { allocate } from '../../../arena/memory'
import { narrowRow, setNarrowing } from '../../../colour/narrow'
import { Status } from '../../../status'
import { areRowsFree, ROWS_AT_ONCE, strideOfRows } from './chain'
import { findAv1, isStarted, startAv1, stepAv1 as step } from './decode'
import { allowIntrabc, frameHeight, miCols, miRows, upscaledWidth } from './frame-header'
import { neededBytes } from './obu'
import { bitDepth, numPlanes, sequence, subsamplingX, subsamplingY } from './sequence-header'

const MC_IDENTITY: u32 = 0
/** Bytes that a vector may write beyond a row. */
const SLACK: usize = 64

/** The rows of each plane: instead of the samples that they were made of, unless these are still read. */
const PLANES: StaticArray<usize> = [0, 0, 0]
let isDirect = false
let stride: usize = 0
let chromaStride: usize = 0
/** The first row of luma that they hold, and the end of the last. */
let first: i32 = 0
let end: i32 = 0
/** The second and third plane have their zero in the middle. */
let hasChroma = true

/**
 * Reads the headers of the image in `bytes` bytes at `from`, the data of an AVIF item. It decodes an operating point
 * (`a1op`, else 0) and the spatial layer `layer` (`lsel`), or the highest where that is 255. `OverBudget` where whole
 * frames must be stored, for prediction or intra block copies, and take more than `limit` bytes. Filters may be left out
 * (`startAv1`) of an image that is made much smaller.
 */
export function openAv1(
  from: usize,
  bytes: usize,
  limit: usize,
  operatingPoint: i32,
  layer: u32,
  withFilters: bool,
): Status {
  const status = findAv1(from, bytes, operatingPoint, layer)
  if (status != Status.Ok) return status
  const held = neededBytes + (allowIntrabc ? wholeBytes() : 0)
  if (held > 0 && held > <u64>limit) return Status.OverBudget
  startAv1(true, withFilters)
  narrowAv1(sequence.isFullRange, sequence.matrixCoefficients == MC_IDENTITY, false)
  first = 0
  end = 0
  if (isStarted) locateRows()
  return Status.Ok
}

/** Says where rows are, once the image is started. */
function locateRows(): void {
  isDirect = areRowsFree()
  if (isDirect) {
    stride = strideOfRows(0)
    chromaStride = strideOfRows(1)
    return
  }
  // Room for two bytes a sample.
  stride = ((<usize>upscaledWidth) << 1) + SLACK
  chromaStride = ((<usize>av1ChromaColumns()) << 1) + SLACK
  PLANES[0] = allocate(stride * ROWS_AT_ONCE)
  for (let plane = 1; plane < numPlanes; plane++) PLANES[plane] = allocate(chromaStride * chromaRow(ROWS_AT_ONCE + 1))
}

/**
 * Says, before the first row, what is known better than from the headers: whether all values are used, and whether the planes
 * are RGB. `isDeep`: samples are u16, 64ths of a level, instead of bytes.
 */
export function narrowAv1(fullRange: bool, isRgb: bool, isDeep: bool): void {
  setNarrowing(bitDepth, fullRange, isDeep)
  hasChroma = !isRgb
}

/** Decodes on. The rows of before are gone; those that are there now, if any, are between av1First() and av1End(). */
export function stepAv1(): Status {
  first = end
  const isWaiting = !isStarted
  const status = step(takeRow)
  if (isWaiting && isStarted) locateRows()
  return status
}

/** Bytes that the samples of all of the image take. */
function wholeBytes(): u64 {
  const samples = <u64>(miCols << 2) * <u64>(miRows << 2)
  return 2 * (samples + ((numPlanes > 1 ? 2 * samples : 0) >> (subsamplingX + subsamplingY)))
}

function takeRow(plane: i32, y: i32, row: usize): void {
  const isLuma = plane == 0
  const top = isLuma ? first : chromaRow(first)
  if (isDirect && y == top) PLANES[plane] = row
  const to = PLANES[plane] + <usize>(y - top) * (isLuma ? stride : chromaStride)
  narrowRow(row, isLuma ? upscaledWidth : av1ChromaColumns(), !isLuma && hasChroma, to)
  if (isLuma) end = y + 1
}

function chromaRow(y: i32): i32 {
  return y >> subsamplingY
}

/** The width of the image, in pixels. */
export function av1Width(): i32 {
  return upscaledWidth
}

/** The height of the image, in pixels. */
export function av1Height(): i32 {
  return frameHeight
}

/** Bits of a sample. */
export function av1Depth(): i32 {
  return bitDepth
}

/** The chroma sampling (a ChromaSampling). */
export function av1Sampling(): i32 {
  return numPlanes == 1 ? 0 : subsamplingX == 0 ? 3 : subsamplingY == 0 ? 2 : 1
}

/** ColourPrimaries, TransferCharacteristics and MatrixCoefficients of ITU-T H.273, a byte each from the lowest on. */
export function av1Colours(): u32 {
  return sequence.colourPrimaries | (sequence.transferCharacteristics << 8) | (sequence.matrixCoefficients << 16)
}

/** Whether samples use all values (color_range). */
export function av1IsFullRange(): bool {
  return sequence.isFullRange
}

/** Samples of chroma in a row. */
function av1ChromaColumns(): i32 {
  return (upscaledWidth + subsamplingX) >> subsamplingX
}

/** The first row of luma that is there: an even one. */
export function av1First(): i32 {
  return first
}

/** The row of luma after the last that is there. */
export function av1End(): i32 {
  return end
}

/** Where row av1First() of plane `i` is; of chroma, the row that goes with it. */
export function av1Plane(i: i32): usize {
  return PLANES[i]
}

/** Bytes from row to row of luma. */
export function av1Stride(): usize {
  return stride
}

/** Bytes from row to row of chroma. */
export function av1ChromaStride(): usize {
  return chromaStride
}
