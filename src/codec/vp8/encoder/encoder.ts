// A VP8 key frame in a WebP file, made from bands of pixels (one row of macroblocks each) as they come: `startEncoder`,
// `encodeBand` for every band from the top, `finishEncoder`. One picture at a time; its memory is the arena's.
import { Status } from '../../status'
import { updateBitRates } from './average-rates'
import { startFlagRow, startFlags } from './blocks'
import { buildFile, FIRST_PARTITION_LIMIT, fileBytes, fileStart } from './webp-file'
import { codeMacroblock } from './macroblock'
import { prepareModeBits } from './mode-rates'
import { modeBytes, startModeRow, startModes } from './modes'
import { CODED_PROBS, GUESSED_PROBS, guessProbabilities } from './probabilities'
import { filterLevel, quantizerIndex } from './quality'
import { setQuantizers } from './quantizer'
import { updatePrices } from './trellis'
import { flushTokens, probabilitiesChosen, startTokens } from './token-buffer'
import { clearTokenCounts, prepareTokens, priceTokens } from './tokens'
import { startPixelRow, startPixels } from './workspace'

/** Greatest width and height of a VP8 frame (RFC 6386 §9.1). */
export const MAX_SIDE: i32 = 16383

/** The most bytes of coefficients that wait for their probabilities. */
const STORE_LIMIT: i32 = 4 << 20
/** The store also takes the file's head in the end: room for the header, and a macroblock's modes take far less. */
const STORE_BYTES_PER_MACROBLOCK: i32 = 400
const STORE_BYTES_FOR_HEADER: i32 = 4096

let width: i32 = 0
let height: i32 = 0
let columns: i32 = 0
let rows: i32 = 0
let index: i32 = 0
let nextRow: i32 = 0
let pricesSettled = false

/**
 * Prepares for a picture of a width and height of 1..16383 pixels (otherwise `OverBudget`), at a quality of 0..100
 * (quality.ts).
 */
export function startEncoder(pictureWidth: i32, pictureHeight: i32, quality: i32): Status {
  rows = 0
  if (pictureWidth < 1 || pictureWidth > MAX_SIDE || pictureHeight < 1 || pictureHeight > MAX_SIDE) {
    return Status.OverBudget
  }
  width = pictureWidth
  height = pictureHeight
  columns = (width + 15) >> 4
  rows = (height + 15) >> 4
  index = quantizerIndex(quality)
  nextRow = 0
  pricesSettled = false
  prepareTokens()
  prepareModeBits()
  setQuantizers(index)
  clearTokenCounts()
  startPixels(columns)
  startFlags(columns)
  startModes(columns, rows)
  const room = min(<i64>STORE_LIMIT, <i64>columns * rows * STORE_BYTES_PER_MACROBLOCK)
  startTokens((<usize>room + STORE_BYTES_FOR_HEADER + 15) & ~15)
  return Status.Ok
}

/**
 * Codes a band (a `TakeBand` of bands.ts): 16 lines of Y at `y`, `stride` bytes apart, 8 of U and of V, `chromaStride`
 * apart, BT.601 in video range. All lines are filled up to whole macroblocks right of and below the picture (by repeating
 * its last pixels: what is there is coded, but not seen). A band that is not the next one is ignored.
 */
export function encodeBand(band: i32, y: usize, u: usize, v: usize, stride: i32, chromaStride: i32): void {
  if (band != nextRow || band >= rows) return
  const row = nextRow++
  settlePrices()
  startPixelRow(row == 0)
  startFlagRow()
  startModeRow()
  // Subblock modes are given up where they would outgrow the first partition, a fair share of it for every row.
  const share = (<u64>FIRST_PARTITION_LIMIT * 15 * (row + 1)) / (16 * rows)
  for (let column = 0; column < columns; column++) {
    const subblocks = modeBytes() < <u32>share
    codeMacroblock(column, row, column == columns - 1, y, u, v, stride, chromaStride, subblocks)
    y += 16
    u += 8
    v += 8
  }
}

/** Lets decisions of the next row follow what the tokens so far have shown. */
function settlePrices(): void {
  if (pricesSettled) return
  pricesSettled = probabilitiesChosen()
  guessProbabilities()
  priceTokens(pricesSettled ? CODED_PROBS : GUESSED_PROBS)
  updateBitRates()
  updatePrices()
}

/**
 * Ends the picture. `Ok`: the file, a whole WebP file, is at `fileStart()`, `fileBytes()` long. `NoPixels`: bands are
 * missing. `OverBudget`: the modes do not fit the frame's first partition, which takes some 200 megapixels.
 */
export function finishEncoder(): Status {
  if (rows == 0 || nextRow < rows) return Status.NoPixels
  flushTokens()
  const built = buildFile(width, height, index, filterLevel(index))
  rows = 0
  return built ? Status.Ok : Status.OverBudget
}

export { fileBytes, fileStart }
