// A lossless image, row by row: its transforms (WebP Lossless Bitstream Specification, 4), and a VP8L stream of them and its
// pixels.

import { allocate, allocateZeroed, bytesLeft } from '../../../arena/memory'
import { blocksOf } from '../blocks'
import { bitsPut, finishBits, putBits, shiftBits, startBits } from './bit-writer'
import {
  bundleRow,
  colours,
  indexBits,
  MAX_COLOURS,
  orderColours,
  startColours,
  writeDifferences,
} from './colour-table'
import { transformBlock } from './cross-colour'
import { prepareDistances } from './distance-codes'
import { addRow, finishPixels, putPixelsHead, rowOfPixels, startPixels, waitingBytes } from './pixel-coder'
import { imageBits, putBlockImage, putImage, startImages } from './pixel-image'
import { chooseMode, countMode, firstMode, isLearnt, predictRow, startModes, useLearntCosts } from './prediction'
import { copyCosts, countResidual, learnCosts, PREDICTED, startLearning, TRANSFORMED } from './residual-cost'
import { finishSurvey, startSurvey, survey, surveyRow } from './survey'

/** The transforms of an image. */
export const enum Coding {
  Direct = 0,
  LessGreen = 1,
  PredictedLessGreen = 2,
  Indexed = 3,
  Predicted = 4,
  /** In large blocks, with green subtracted if that seems better. */
  CoarselyPredicted = 5,
}

/** Transforms, by their numbers in the stream. */
const PREDICTOR: u32 = 0
const CROSS_COLOUR: u32 = 1
const SUBTRACT_GREEN: u32 = 2
const COLOUR_INDEXING: u32 = 3

const SIGNATURE: u32 = 0x2f
const SLACK: usize = 64
const DATA_ROOM: usize = 1 << 16
const HEAD_ROOM: usize = 1 << 12
/** Search distance of matches: where prediction leaves no repetitions, or there is less memory; and otherwise. */
const WINDOW: i32 = 1 << 18
const LARGE_WINDOW: i32 = 1 << 20
/** The large one needs 10 MB more, and the output may be as large as a lossy file. */
const MEMORY_OF_LARGE_WINDOW: usize = 44_000_000
/** The number of candidates; for indices, hashes cover 4. */
const COMPARED: i32 = 16
const MAX_CACHE: i32 = 10
/** Codings that only differ in whether green is subtracted. */
const UNPREDICTED: i32 = (1 << Coding.Direct) | (1 << Coding.LessGreen)
const PREDICTED_BOTH: i32 = (1 << Coding.Predicted) | (1 << Coding.PredictedLessGreen)
/**
 * A coding is tried whose estimate is at most so many times the smallest, and so many bits. Two that differ only in green are told
 * apart better by their estimates. Images of few pixels are tried more often, those of many less.
 */
const WORTH_TRYING: f32 = 1.15
const WORTH_TRYING_UNPREDICTED: f32 = 1.01
const WORTH_TRYING_PREDICTED: f32 = 1.06
const WORTH_TRYING_TINY: f32 = 1.3
const WORTH_TRYING_LARGE: f32 = 1.06
/** The estimates of large images that take more bits are sure enough. */
const SURE_BITS: f32 = 100_000
const WORTH_TRYING_BITS: f32 = 1200
/**
 * Of images up to MIDDLE_PIXELS, a coding is also tried that is estimated at this share of what the last try took, or less. Noise of few
 * colours repeats itself, so the survey expects copies, but none shortens it.
 */
const PROMISING: f32 = 0.4
const TINY_PIXELS: i32 = 1 << 12
/** Copies of two or three predicted pixels seldom pay where a pixel takes fewer bits on average. */
const CHEAP_BITS: f32 = 12
/** Blocks of prediction have 16 pixels a side beyond MIDDLE_PIXELS, 32 beyond LARGE_PIXELS, and 8 otherwise. */
const LARGE_PIXELS: i32 = 1 << 20
const MIDDLE_PIXELS: i32 = 1 << 18
/**
 * Large blocks have 64 pixels a side. They are tried in images up to MIDDLE_PIXELS that seem to take fewer bits than this for each
 * block of 8 pixels a side, but more than WORTH_TRYING_BITS. Modes that change break up patterns that repeat.
 */
const COARSE_BLOCK_BITS: i32 = 6
const COARSE_BITS: f32 = 32

let width: i32 = 0
let height: i32 = 0
let coding: Coding = Coding.Direct
/** Whether green is subtracted from red and blue. */
let isLessGreen = false
/** Whether pixels are predicted, by blocks. */
let isPredicted = false
let y: i32 = 0
/** The pixels of the row above and those of a row, or of a row of blocks, without gaps. */
let rows: usize = 0
/** Of rows into which vectors are written, one row beyond its end. */
let rowStride: usize = 0
let blockBits: i32 = 0
let blocksAcross: i32 = 0
/** u32[]: the mode << 8 of each block, and its element. */
let modes: usize = 0
let elements: usize = 0
let hasElements = false
let residuals: usize = 0

let start: usize = 0
let bytes: usize = 0

/** Begins a first look at an image with rows of `columns` pixels. */
export function startLosslessSurvey(columns: i32): void {
  width = columns
  y = 0
  bytes = 0
  rowStride = ((<usize>columns) << 2) + SLACK
  rows = allocateZeroed(2 * rowStride)
  startSurvey()
}

/** Takes a row of RGBA. */
export function surveyLosslessRow(rgba: usize): void {
  const row = rows + <usize>(y & 1) * rowStride
  const above = rows + <usize>(~y & 1) * rowStride
  toArgb(rgba, row)
  surveyRow(row, y == 0 ? 0 : above, width)
  y++
}

/** Ends the estimate. Returns the approximate number of bytes of the image; 0 for images of few colours, which need none. */
export function finishLosslessSurvey(): f64 {
  finishSurvey()
  return colours <= MAX_COLOURS
    ? 0
    : <f64>min(min(survey.directBits, survey.lessGreenBits), min(survey.predictedBits, survey.predictedLessGreenBits)) /
        8
}

/**
 * Returns the coding that seems the best of those that were not tried: a bit of `tried` is set for each that was. Returns one of
 * these where the others seem larger.
 */
export function nextLosslessCoding(tried: i32): i32 {
  if (tried == 0 && indexBits() < 8) return Coding.Indexed
  let smallest = f32.MAX_VALUE
  for (let i = 0; i <= Coding.CoarselyPredicted; i++) smallest = min(smallest, estimatedBits(i))
  let best = tried == 0 ? Coding.LessGreen : <Coding>ctz(tried)
  let least = f32.MAX_VALUE
  for (let i = 0; i <= Coding.CoarselyPredicted; i++) {
    const bits = estimatedBits(i)
    if ((tried & (1 << i)) != 0 || bits >= least) continue
    const promising: f32 = width * y > MIDDLE_PIXELS ? 0 : <f32>(bytes << 3) * PROMISING
    const most = max<f32>(worthTrying(i, tried, smallest) * smallest + WORTH_TRYING_BITS, promising)
    if (tried != 0 && bits > most) continue
    least = bits
    best = i
  }
  return best
}

/** Returns how many times the smallest estimate that of a coding may be that is tried after others. */
function worthTrying(by: Coding, tried: i32, smallest: f32): f32 {
  if (by == Coding.CoarselyPredicted) return 1
  if (width * y <= TINY_PIXELS) return WORTH_TRYING_TINY
  const isUnpredicted = by == Coding.Direct || by == Coding.LessGreen
  const alike = isUnpredicted ? UNPREDICTED : by == Coding.Indexed ? 0 : PREDICTED_BOTH
  const isAlike = (tried & alike) != 0
  if (width * y > MIDDLE_PIXELS && smallest > SURE_BITS) return isAlike ? 0 : WORTH_TRYING_LARGE
  if (!isAlike) return WORTH_TRYING
  return isUnpredicted ? WORTH_TRYING_UNPREDICTED : WORTH_TRYING_PREDICTED
}

function estimatedBits(by: Coding): f32 {
  switch (by) {
    case Coding.Direct:
      return survey.isGrey ? f32.MAX_VALUE : survey.directBits
    case Coding.LessGreen:
      return survey.lessGreenBits
    case Coding.Indexed:
      return colours <= MAX_COLOURS ? survey.indexedBits : f32.MAX_VALUE
    case Coding.Predicted:
      return survey.isGrey ? f32.MAX_VALUE : survey.predictedBits
    case Coding.CoarselyPredicted:
      return coarselyPredictedBits()
    default:
      return survey.predictedLessGreenBits
  }
}

/** Returns the estimate of the better prediction if large blocks may pay. Small blocks have the same estimate, and come first. */
function coarselyPredictedBits(): f32 {
  const bits = min(estimatedBits(Coding.Predicted), estimatedBits(Coding.PredictedLessGreen))
  const most = COARSE_BITS * <f32>(blocksOf(width, 3) * blocksOf(y, 3))
  const mayPay = width * y <= MIDDLE_PIXELS && bits > WORTH_TRYING_BITS && bits < most
  return mayPay ? bits : f32.MAX_VALUE
}

/** Whether green is subtracted where blocks are large. */
function isCoarseLessGreen(): bool {
  return estimatedBits(Coding.PredictedLessGreen) < estimatedBits(Coding.Predicted)
}

/** Begins an image of `columns` x `rows` pixels, those that the survey saw. */
export function startLossless(columns: i32, lines: i32, by: i32): void {
  width = columns
  height = lines
  coding = by
  y = 0
  const isCoarse = coding == Coding.CoarselyPredicted
  isLessGreen = coding == Coding.LessGreen || coding == Coding.PredictedLessGreen || (isCoarse && isCoarseLessGreen())
  isPredicted = coding == Coding.Predicted || coding == Coding.PredictedLessGreen || isCoarse
  prepareDistances()
  let codedColumns = columns
  if (coding == Coding.Indexed) {
    startColours()
    startImages()
    orderColours(true)
    const sortedBits = tableBits()
    orderColours(false)
    if (sortedBits < tableBits()) orderColours(true)
    const bundled = 8 / indexBits()
    codedColumns = (columns + bundled - 1) / bundled
  }
  blockBits = isCoarse && columns * lines <= MIDDLE_PIXELS ? COARSE_BLOCK_BITS : bitsOfBlocks()
  blocksAcross = blocksOf(columns, blockBits)
  const rowsHeld = isPredicted ? (1 << blockBits) + 1 : 1
  rows = allocateZeroed(((<usize>(columns * rowsHeld)) << 2) + SLACK)
  if (isPredicted) {
    const blocks = (<usize>(blocksAcross * blocksOf(lines, blockBits))) << 2
    modes = allocate(blocks)
    elements = allocate(blocks)
    hasElements = false
    rowStride = ((<usize>columns) << 2) + SLACK
    residuals = allocate(rowStride << blockBits)
    startLearning()
    startModes()
  }
  const isIndexed = coding == Coding.Indexed
  const window = isPredicted || bytesLeft() < MEMORY_OF_LARGE_WINDOW ? WINDOW : LARGE_WINDOW
  startPixels(codedColumns, lines, window, isIndexed || isCheap() ? 4 : 2, COMPARED, mostCacheBits())
  startBits(DATA_ROOM)
}

/** The pixels of an image of one colour take no bits if there is no cache. */
function mostCacheBits(): i32 {
  return coding == Coding.Indexed && colours == 1 ? 0 : MAX_CACHE
}

/** Whether the predicted pixels take so few bits that copies of two or three seldom pay. */
function isCheap(): bool {
  return isPredicted && estimatedBits(coding) < CHEAP_BITS * <f32>(width * height)
}

/** Returns the binary logarithm of the side of blocks for the size of the image. */
function bitsOfBlocks(): i32 {
  return width * height > LARGE_PIXELS ? 5 : width * height > MIDDLE_PIXELS ? 4 : 3
}

/** Returns about how many bits the table takes in its present order. */
function tableBits(): f32 {
  const differences = allocate((<usize>colours) << 2)
  writeDifferences(differences)
  return imageBits(differences, colours, colours)
}

/** Takes the next row of RGBA. */
export function addLosslessRow(rgba: usize): void {
  if (isPredicted) addToBlocks(rgba)
  else {
    toArgb(rgba, rows)
    if (isLessGreen) subtractGreen(rows)
    const to = rowOfPixels()
    if (coding == Coding.Indexed) bundleRow(rows, width, to)
    else memory.copy(to, rows, (<usize>width) << 2)
    addRow()
  }
  y++
}

/** About how many bytes the pixels take that were added so far, at the least. */
export function losslessBytes(): usize {
  return (bitsPut() >> 3) + waitingBytes()
}

/** Ends the stream: it is at `streamStart()`, `streamBytes()` long. */
export function finishLossless(): void {
  finishPixels()
  const dataBits = bitsPut()
  const data = finishBits()
  startBits(HEAD_ROOM)
  putHead()
  const headBits = bitsPut()
  const head = finishBits()
  const headBytes = headBits >> 3
  bytes = (headBits + dataBits + 7) >> 3
  const rest = <i32>(headBits & 7)
  shiftBits(data, bytes - headBytes, rest)
  if (rest > 0) store<u8>(data, load<u8>(data) | load<u8>(head + headBytes))
  // Before the data lies what was needed for it, with more room than any head takes that was made of it.
  start = data - headBytes
  memory.copy(start, head, headBytes)
}

/** Address of the stream that was made last. */
export function streamStart(): usize {
  return start
}

/** Length of the output in bytes. */
export function streamBytes(): usize {
  return bytes
}

function putHead(): void {
  putBits(SIGNATURE, 8)
  putBits(width - 1, 14)
  putBits(height - 1, 14)
  putBits(survey.hasAlpha ? 1 : 0, 1)
  putBits(0, 3) // version
  if (coding == Coding.Indexed) {
    putTransform(COLOUR_INDEXING)
    putBits(colours - 1, 8)
    const differences = allocate((<usize>colours) << 2)
    writeDifferences(differences)
    putImage(differences, colours, colours)
  } else if (coding != Coding.Direct) {
    if (isLessGreen) putTransform(SUBTRACT_GREEN)
    if (isPredicted) {
      putBlocks(PREDICTOR, modes)
      if (hasElements) putBlocks(CROSS_COLOUR, elements)
    }
  }
  putBits(0, 1) // no more transforms
  putPixelsHead()
}

function putTransform(kind: u32): void {
  putBits(1, 1)
  putBits(kind, 2)
}

function putBlocks(kind: u32, image: usize): void {
  putTransform(kind)
  putBlockImage(image, blockBits, width, height)
}

/** Collects a row, and codes the row of blocks that it ends. */
function addToBlocks(rgba: usize): void {
  const stride = (<usize>width) << 2
  const line = y & ((1 << blockBits) - 1)
  const row = rows + stride * (line + 1)
  toArgb(rgba, row)
  if (isLessGreen) subtractGreen(row)
  if (line + 1 < 1 << blockBits && y + 1 < height) return
  codeBlocks(y - line, line + 1)
  memory.copy(rows, row, stride)
}

function codeBlocks(from: i32, lines: i32): void {
  const stride = (<usize>width) << 2
  const side = 1 << blockBits
  if (from == 0) {
    // Chosen twice: the first time tells the costs.
    predictBlocks(from, lines)
    learnCosts(PREDICTED)
    useLearntCosts()
  }
  predictBlocks(from, lines)
  learnCosts(PREDICTED)
  let index = (<usize>((from >> blockBits) * blocksAcross)) << 2
  let element: u32 = 0
  if (from == 0) copyCosts(TRANSFORMED, PREDICTED)
  for (let x = 0; x < width; x += side, index += 4) {
    const columns = min(side, width - x)
    const above = from == 0 ? 0 : load<u32>(elements + index - ((<usize>blocksAcross) << 2))
    element = transformBlock(residuals + ((<usize>x) << 2), rowStride, columns, lines, element, above)
    store<u32>(elements + index, element)
    if (element != 0) hasElements = true
  }
  learnCosts(TRANSFORMED)
  for (let line = 0; line < lines; line++) {
    memory.copy(rowOfPixels(), residuals + <usize>line * rowStride, stride)
    addRow()
  }
}

/** Chooses the modes of a row of blocks, and writes the residuals. */
function predictBlocks(from: i32, lines: i32): void {
  const stride = (<usize>width) << 2
  const side = 1 << blockBits
  let index = (<usize>((from >> blockBits) * blocksAcross)) << 2
  let mode = firstMode()
  for (let x = 0; x < width; x += side, index += 4) {
    const columns = min(side, width - x)
    const block = rows + stride + ((<usize>x) << 2)
    mode = chooseMode(block, stride, columns, lines, x, from, mode)
    store<u32>(modes + index, (<u32>mode) << 8)
    if (isLearnt) countMode(mode)
    const to = residuals + ((<usize>x) << 2)
    for (let line = 0; line < lines; line++) {
      const row = block + <usize>line * stride
      predictRow(mode, row, stride, columns, x == 0, from + line == 0, to + <usize>line * rowStride)
      for (let i = 0; i < columns; i++)
        countResidual(PREDICTED, load<u32>(to + <usize>line * rowStride + ((<usize>i) << 2)))
    }
  }
}

/** RGBA as ARGB: red and blue change places. */
function toArgb(rgba: usize, to: usize): void {
  for (let x: usize = 0; x < (<usize>width) << 2; x += 16) {
    const pixels = v128.load(rgba + x)
    v128.store(to + x, v128.shuffle<i8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15))
  }
}

function subtractGreen(row: usize): void {
  const mask = i32x4.splat(0x00ff00ff)
  for (let x: usize = 0; x < (<usize>width) << 2; x += 16) {
    const pixels = v128.load(row + x)
    const green = v128.and(i16x8.shr_u(pixels, 8), i32x4.splat(0xff))
    const greens = v128.and(v128.or(green, i32x4.shl(green, 16)), mask)
    v128.store(row + x, i8x16.sub(pixels, greens))
  }
}
