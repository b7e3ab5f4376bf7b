// The decoder as the host drives it: an image as rows of bytes, some at a time.

import { allocate } from '../../../arena/memory'
import { narrowRow, setNarrowing } from '../../../colour/narrow'
import { Status } from '../../../status'
import { decoder, findAv1, startAv1, stepAv1 as step } from './decode'
import { areRowsFree, ROWS_AT_ONCE, strideOfRows } from './filters/chain'
import { frame } from './frames/frame-header'
import { bitstream } from './frames/obu'
import { bitDepth, numPlanes, sequence, subsamplingX, subsamplingY } from './frames/sequence-header'

const MC_IDENTITY: u32 = 0
/** Bytes that a vector may write beyond a row. */
const SLACK: usize = 64

/** The rows of each plane: instead of the samples that they were made of, unless these are still read. */
const PLANES: StaticArray<usize> = [0, 0, 0]

/** The rows that the host may read, until it calls `stepAv1` again. */
@unmanaged
class ByteRows {
  isDirect: bool
  stride: usize
  chromaStride: usize
  /** The first row of luma that they hold, and the end of the last. */
  first: i32
  end: i32
  /** The second and third plane have their zero in the middle. */
  hasChroma: bool
}

const rows: ByteRows = changetype<ByteRows>(memory.data(offsetof<ByteRows>(), 4))

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
  const held = bitstream.neededBytes + (frame.allowIntrabc ? wholeBytes() : 0)
  if (held > 0 && held > <u64>limit) return Status.OverBudget
  startAv1(true, withFilters)
  narrowAv1(sequence.isFullRange, sequence.matrixCoefficients == MC_IDENTITY, false)
  rows.first = 0
  rows.end = 0
  if (decoder.isStarted) locateRows()
  return Status.Ok
}

/** Says where rows are, once the image is started. */
function locateRows(): void {
  rows.isDirect = areRowsFree()
  if (rows.isDirect) {
    rows.stride = strideOfRows(0)
    rows.chromaStride = strideOfRows(1)
    return
  }
  // Room for two bytes a sample.
  rows.stride = ((<usize>frame.upscaledWidth) << 1) + SLACK
  rows.chromaStride = ((<usize>av1ChromaColumns()) << 1) + SLACK
  PLANES[0] = allocate(rows.stride * ROWS_AT_ONCE)
  for (let plane = 1; plane < numPlanes; plane++)
    PLANES[plane] = allocate(rows.chromaStride * chromaRow(ROWS_AT_ONCE + 1))
}

/**
 * Says, before the first row, what is known better than from the headers: whether all values are used, and whether the planes
 * are RGB. `isDeep`: samples are u16, 64ths of a level, instead of bytes.
 */
export function narrowAv1(fullRange: bool, isRgb: bool, isDeep: bool): void {
  setNarrowing(bitDepth, fullRange, isDeep)
  rows.hasChroma = !isRgb
}

/** Decodes on. The rows of before are gone; those that are there now, if any, are between av1First() and av1End(). */
export function stepAv1(): Status {
  rows.first = rows.end
  const isWaiting = !decoder.isStarted
  const status = step(takeRow)
  if (isWaiting && decoder.isStarted) locateRows()
  return status
}

/** Bytes that the samples of all of the image take. */
function wholeBytes(): u64 {
  const samples = <u64>(frame.miCols << 2) * <u64>(frame.miRows << 2)
  return 2 * (samples + ((numPlanes > 1 ? 2 * samples : 0) >> (subsamplingX + subsamplingY)))
}

function takeRow(plane: i32, y: i32, row: usize): void {
  const isLuma = plane == 0
  const top = isLuma ? rows.first : chromaRow(rows.first)
  if (rows.isDirect && y == top) PLANES[plane] = row
  const to = PLANES[plane] + <usize>(y - top) * (isLuma ? rows.stride : rows.chromaStride)
  narrowRow(row, isLuma ? frame.upscaledWidth : av1ChromaColumns(), !isLuma && rows.hasChroma, to)
  if (isLuma) rows.end = y + 1
}

function chromaRow(y: i32): i32 {
  return y >> subsamplingY
}

/** The width of the image, in pixels. */
export function av1Width(): i32 {
  return frame.upscaledWidth
}

/** The height of the image, in pixels. */
export function av1Height(): i32 {
  return frame.height
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
  return (frame.upscaledWidth + subsamplingX) >> subsamplingX
}

/** The first row of luma that is there: an even one. */
export function av1First(): i32 {
  return rows.first
}

/** The row of luma after the last that is there. */
export function av1End(): i32 {
  return rows.end
}

/** Where row av1First() of plane `i` is; of chroma, the row that goes with it. */
export function av1Plane(i: i32): usize {
  return PLANES[i]
}

/** Bytes from row to row of luma. */
export function av1Stride(): usize {
  return rows.stride
}

/** Bytes from row to row of chroma. */
export function av1ChromaStride(): usize {
  return rows.chromaStride
}
