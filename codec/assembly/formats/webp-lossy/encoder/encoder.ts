// A VP8 key frame in a WebP file, made from macroblock rows as they come: `startVp8Encoder`,
// `encodeVp8Row` for every one from the top, `finishVp8Encoder`. One image at a time; its memory is the arena's.
import { Status } from '../../../status'
import { updateAverageRates } from './average-rates'
import { startFlagRow, startFlags } from './blocks'
import { startLevelCosts, updateLevelCosts } from './level-costs'
import { codeMacroblock, source } from './macroblock'
import { prepareModeRates } from './mode-rates'
import { modeBytes, startModeRow, startModes } from './modes'
import { quantizerIndex } from './quality'
import { startSegments } from './segments'
import { areProbabilitiesChosen, flushTokens, startTokens } from './token-buffer'
import { CODED_PROBS, ESTIMATED_PROBS, estimateProbabilities } from './token-probabilities'
import { clearTokenCounts, prepareTokens, updateTokenBits } from './tokens'
import { FIRST_PARTITION_LIMIT, fileBytes, fileStart, writeWebpFile } from './webp-file'
import { startPixelRow, startPixels } from './workspace'

/** Greatest width and height of a VP8 frame (RFC 6386 §9.1). */
const MAX_SIDE: i32 = 16383

/** The buffer of coefficients that wait for their probabilities. In the end, the head of the file takes its place. */
const TOKEN_BUFFER_MAX_BYTES: i32 = 4 << 20
const TOKEN_BUFFER_BYTES_PER_MACROBLOCK: i32 = 400
const TOKEN_BUFFER_BYTES_FOR_HEADER: i32 = 4096

let width: i32 = 0
let height: i32 = 0
let columns: i32 = 0
let rows: i32 = 0
let nextRow: i32 = 0
let areRatesFinal = false

/**
 * Prepares for an image of a width and height of 1..16383 pixels (otherwise `OverBudget`), at a quality of 0..100
 * (quality.ts).
 */
export function startVp8Encoder(imageWidth: i32, imageHeight: i32, quality: i32): Status {
  rows = 0
  if (imageWidth < 1 || imageWidth > MAX_SIDE || imageHeight < 1 || imageHeight > MAX_SIDE) {
    return Status.OverBudget
  }
  width = imageWidth
  height = imageHeight
  columns = (width + 15) >> 4
  rows = (height + 15) >> 4
  nextRow = 0
  areRatesFinal = false
  prepareTokens()
  prepareModeRates()
  startSegments(quantizerIndex(quality))
  startLevelCosts()
  clearTokenCounts()
  startPixels(columns)
  startFlags(columns)
  startModes(columns, rows)
  const room = min(<i64>TOKEN_BUFFER_MAX_BYTES, <i64>columns * rows * TOKEN_BUFFER_BYTES_PER_MACROBLOCK)
  startTokens((<usize>room + TOKEN_BUFFER_BYTES_FOR_HEADER + 15) & ~15)
  return Status.Ok
}

/**
 * Codes a macroblock row (a `TakeMacroblockRow`): 16 lines of Y at `y`, `stride` bytes apart, 8 of U and of V,
 * `chromaStride` apart, BT.601 in limited range. Right of and below the image, macroblocks are filled by repeating its last
 * pixels. A row that is not the next one is ignored.
 */
export function encodeVp8Row(mbRow: i32, y: usize, u: usize, v: usize, stride: i32, chromaStride: i32): void {
  if (mbRow != nextRow || mbRow >= rows) return
  const row = nextRow++
  updateRates()
  startPixelRow(row == 0)
  startFlagRow()
  startModeRow()
  // Each row may fill its share of the first partition with subblock modes, and has none beyond that.
  const share = (<u64>FIRST_PARTITION_LIMIT * 15 * (row + 1)) / (16 * rows)
  source.y = y
  source.u = u
  source.v = v
  source.stride = stride
  source.chromaStride = chromaStride
  for (let column = 0; column < columns; column++) {
    const subblocks = modeBytes() < <u32>share
    codeMacroblock(column, row, column == columns - 1, subblocks)
    source.y += 16
    source.u += 8
    source.v += 8
  }
}

/** Updates the rates, by which the next row's modes and levels are chosen, from the tokens so far. */
function updateRates(): void {
  if (areRatesFinal) return
  areRatesFinal = areProbabilitiesChosen()
  estimateProbabilities()
  updateTokenBits(areRatesFinal ? CODED_PROBS : ESTIMATED_PROBS)
  updateAverageRates()
  updateLevelCosts()
}

/**
 * Ends the image. `Ok`: the file, a whole WebP file, is at `fileStart()`, `fileBytes()` long. `NoPixels`: rows are
 * missing. `OverBudget`: the modes do not fit the frame's first partition, which takes some 200 megapixels.
 */
export function finishVp8Encoder(): Status {
  if (rows == 0 || nextRow < rows) return Status.NoPixels
  flushTokens()
  const built = writeWebpFile(width, height)
  rows = 0
  return built ? Status.Ok : Status.OverBudget
}

export { fileBytes, fileStart }
