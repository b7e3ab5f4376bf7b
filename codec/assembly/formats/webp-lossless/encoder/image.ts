// A lossless image, row by row: its transforms (WebP Lossless Bitstream Specification, 4), and a VP8L stream of them and its
// pixels.
import { allocate, allocateZeroed } from '../../../arena/memory'
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
import { putImage } from './pixel-image'
import { chooseMode, firstMode, predictRow } from './prediction'
import { directBits, finishSurvey, hasAlpha, lessGreenBits, predictedBits, startSurvey, surveyRow } from './survey'

/** The transforms of an image. */
export const enum Coding {
  Direct = 0,
  LessGreen = 1,
  Predicted = 2,
  Indexed = 3,
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
/** Search distance of matches, and the number of candidates; for indices, hashes cover 4. */
const WINDOW: i32 = 1 << 19
const COMPARED: i32 = 32
const MAX_CACHE: i32 = 10
/** Blocks of prediction have 16 pixels a side, or 32 of large images. */
const LARGE_PIXELS: i32 = 1 << 20

let width: i32 = 0
let height: i32 = 0
let coding: Coding = Coding.Direct
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
  return colours <= MAX_COLOURS ? 0 : <f64>min(directBits, min(lessGreenBits, predictedBits)) / 8
}

/** The coding that seems the best of those that were not tried: a bit of `tried` is set for each that was. */
export function nextLosslessCoding(tried: i32): i32 {
  if (colours <= MAX_COLOURS && (tried & (1 << Coding.Indexed)) == 0) return Coding.Indexed
  let best = Coding.Direct
  let least = f32.MAX_VALUE
  for (let i = 0; i < 3; i++) {
    const bits = i == 0 ? directBits : i == 1 ? lessGreenBits : predictedBits
    if ((tried & (1 << i)) != 0 || bits >= least) continue
    least = bits
    best = i
  }
  return best
}

/** Begins an image of `columns` x `rows` pixels, those that the survey saw. */
export function startLossless(columns: i32, lines: i32, by: i32): void {
  width = columns
  height = lines
  coding = by
  y = 0
  prepareDistances()
  let codedColumns = columns
  if (coding == Coding.Indexed) {
    startColours()
    orderColours()
    const bundled = 8 / indexBits()
    codedColumns = (columns + bundled - 1) / bundled
  }
  blockBits = columns * lines > LARGE_PIXELS ? 5 : 4
  blocksAcross = (columns + (1 << blockBits) - 1) >> blockBits
  const rowsHeld = coding == Coding.Predicted ? (1 << blockBits) + 1 : 1
  rows = allocateZeroed(((<usize>(columns * rowsHeld)) << 2) + SLACK)
  if (coding == Coding.Predicted) {
    const blocks = (<usize>(blocksAcross * ((lines + (1 << blockBits) - 1) >> blockBits))) << 2
    modes = allocate(blocks)
    elements = allocate(blocks)
    hasElements = false
    rowStride = ((<usize>columns) << 2) + SLACK
    residuals = allocate(rowStride << blockBits)
  }
  const isIndexed = coding == Coding.Indexed
  startPixels(codedColumns, lines, WINDOW, isIndexed ? 4 : 2, COMPARED, MAX_CACHE)
  startBits(DATA_ROOM)
}

/** Takes the next row of RGBA. */
export function addLosslessRow(rgba: usize): void {
  if (coding == Coding.Predicted) addToBlocks(rgba)
  else {
    toArgb(rgba, rows)
    if (coding == Coding.LessGreen) subtractGreen(rows)
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
  putBits(hasAlpha ? 1 : 0, 1)
  putBits(0, 3) // version
  if (coding == Coding.Indexed) {
    putTransform(COLOUR_INDEXING)
    putBits(colours - 1, 8)
    const differences = allocate((<usize>colours) << 2)
    writeDifferences(differences)
    putImage(differences, colours, colours)
  } else if (coding != Coding.Direct) {
    putTransform(SUBTRACT_GREEN)
    if (coding == Coding.Predicted) {
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
  putBits(blockBits - 2, 3)
  putImage(image, blocksAcross, blocksAcross * ((height + (1 << blockBits) - 1) >> blockBits))
}

/** Collects a row, and codes the row of blocks that it ends. */
function addToBlocks(rgba: usize): void {
  const stride = (<usize>width) << 2
  const line = y & ((1 << blockBits) - 1)
  const row = rows + stride * (line + 1)
  toArgb(rgba, row)
  subtractGreen(row)
  if (line + 1 < 1 << blockBits && y + 1 < height) return
  codeBlocks(y - line, line + 1)
  memory.copy(rows, row, stride)
}

function codeBlocks(from: i32, lines: i32): void {
  const stride = (<usize>width) << 2
  const side = 1 << blockBits
  let index = (<usize>((from >> blockBits) * blocksAcross)) << 2
  let mode = firstMode()
  for (let x = 0; x < width; x += side, index += 4) {
    const columns = min(side, width - x)
    const block = rows + stride + ((<usize>x) << 2)
    mode = chooseMode(block, stride, columns, lines, x, from, mode)
    store<u32>(modes + index, (<u32>mode) << 8)
    const to = residuals + ((<usize>x) << 2)
    for (let line = 0; line < lines; line++) {
      const row = block + <usize>line * stride
      predictRow(mode, row, stride, columns, x == 0, from + line == 0, to + <usize>line * rowStride)
    }
    const element = transformBlock(to, rowStride, columns, lines)
    store<u32>(elements + index, element)
    if (element != 0) hasElements = true
  }
  for (let line = 0; line < lines; line++) {
    memory.copy(rowOfPixels(), residuals + <usize>line * rowStride, stride)
    addRow()
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
