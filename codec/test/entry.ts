// Exports for the tests of codec/assembly/, compiled like the service's module: its parts, and helpers for tests. Names
// that several parts have are prefixed with the part's name.

import { Status } from '../assembly/status'
import { Colour, planesOf } from '../assembly/colour/conversion'
import { allocate } from '../assembly/arena/memory'
import { drain, finish as finishSink, handOnRow, nextCodedRow, announcePixels, announcePlane, push, pushPixels, announceImage, toMacroblockRows, toCodedRows } from '../assembly/pipeline/sink'

export { allocate, checkpoint, peakBytes, release, releaseBetween, reset } from '../assembly/arena/memory'
export { image, toImage } from '../assembly/pipeline/sink'

export { feedYuv, openYuv } from '../assembly/pipeline/yuv-source'

import { stepGif } from '../assembly/formats/gif/decoder/decoder'
export { openGif } from '../assembly/formats/gif/decoder/decoder'
import { startJpeg, stepJpeg } from '../assembly/formats/jpeg/decoder/decoder'
import { frame } from '../assembly/formats/jpeg/decoder/frame-header'
export { openJpeg } from '../assembly/formats/jpeg/decoder/decoder'
export { giveInput, inputRoom, inputRoomBytes } from '../assembly/formats/png/decoder/inflate'
export { openPng, stepPng } from '../assembly/formats/png/decoder/decoder'
export { readPngHeader } from '../assembly/formats/png/decoder/header'
export { updateCrc } from '../assembly/formats/png/decoder/crc'

import { rowBuffer } from '../assembly/formats/webp-lossy/decoder/row-buffer'
import { stepVp8 } from '../assembly/formats/webp-lossy/decoder/decoder'
export { openVp8, stepVp8 } from '../assembly/formats/webp-lossy/decoder/decoder'
import { macroblockRows } from '../assembly/formats/webp-lossy/decoder/macroblock-rows'
export {
  decodeRow as decodeVp8Row,
  moreRows as moreVp8Rows,
  startFrame as startVp8Frame,
} from '../assembly/formats/webp-lossy/decoder/macroblock-rows'
export { COEFF_UPDATE_PROBS as vp8UpdateProbs } from '../assembly/formats/webp-lossy/tables'
import { header as vp8Header } from '../assembly/formats/webp-lossy/decoder/frame-header'
export { readFrameHeader as readVp8Header } from '../assembly/formats/webp-lossy/decoder/frame-header'

import { stepVp8l } from '../assembly/formats/webp-lossless/decoder/decoder'
export { openVp8l } from '../assembly/formats/webp-lossless/decoder/decoder'
import { header } from '../assembly/formats/webp-lossless/decoder/header'
export { HEADER_BYTES as vp8lHeaderBytes, readVp8lHeader } from '../assembly/formats/webp-lossless/decoder/header'
import { image } from '../assembly/formats/webp-lossless/decoder/image'
export {
  decodeRow as decodeVp8lPixels,
  moreRows as moreVp8lPixels,
  startImage as startVp8lImage,
} from '../assembly/formats/webp-lossless/decoder/image'

import { alphaRows } from '../assembly/formats/webp-alpha/decoder/alpha-rows'
export { nextAlphaRow, openAlpha } from '../assembly/formats/webp-alpha/decoder/alpha-rows'
import { stepWebpAlpha } from '../assembly/formats/webp-alpha/decoder/decoder'
export { openWebpAlpha } from '../assembly/formats/webp-alpha/decoder/decoder'

import { finishWebp as stepWebpEnd, toWebp as wantWebp } from '../assembly/webp-outputs'
export { alphaBytes } from '../assembly/webp-outputs'
export { feedRgba, openRgba } from '../assembly/pipeline/rgba-source'
export { alphBytes, alphStart, encodeAlph } from '../assembly/formats/webp-alpha/encoder/encoder'

export { encodeVp8Row, fileBytes, fileStart, finishVp8Encoder, startVp8Encoder } from '../assembly/formats/webp-lossy/encoder/encoder'
export { chromaLineAbove, lumaLineAbove } from '../assembly/formats/webp-lossy/encoder/workspace'

import { BoolDecoder, openPartition, ranOut, readBool } from '../assembly/formats/webp-lossy/decoder/bool-decoder'
import { addInverseDct } from '../assembly/formats/webp-lossy/decoder/inverse-transform'
import { finishPartition, makeRoom, partitionBytes, partitionStart, putBool, startPartition } from '../assembly/formats/webp-lossy/encoder/bool-encoder'
import { lumaQuantizer, setQuantizers } from '../assembly/formats/webp-lossy/encoder/quantizer'
import { AFTER_ZERO, END_OF_BLOCK, extraBitsOfLevel, prepareTokens, ROW_LENGTH, ROWS_PER_BAND, ROWS_PER_TYPE, TOKEN_BITS, tokenOfLevel, updateTokenBits } from '../assembly/formats/webp-lossy/encoder/tokens'
import { levelsLambda, startLevelCosts, updateLevelCosts, useSegment } from '../assembly/formats/webp-lossy/encoder/level-costs'
import { blockCost, LUMA_WEIGHTS, quantizeBlock } from '../assembly/formats/webp-lossy/encoder/trellis'
import { COEFF_BANDS, DEFAULT_COEFF_PROBS } from '../assembly/formats/webp-lossy/tables'
import { Axis, firstTap, lastTap, newAxis, writeWeights } from '../assembly/pipeline/lanczos'
import { BLOCK, clearBlock, prepareTransforms, transform } from '../assembly/formats/jpeg/decoder/idct'
import { NATURAL } from '../assembly/formats/jpeg/zigzag'

export {
  addLosslessRow,
  finishLossless,
  finishLosslessSurvey,
  nextLosslessCoding,
  startLossless,
  startLosslessSurvey,
  streamBytes,
  streamStart,
  surveyLosslessRow,
} from '../assembly/formats/webp-lossless/encoder/image'
export { predictRow as predictVp8lRow } from '../assembly/formats/webp-lossless/encoder/prediction'
export { codeLengths } from '../assembly/formats/webp-lossless/encoder/huffman'
export { codesOfLength as jpegCodesOfLength, makeCodes as makeJpegCodes } from '../assembly/formats/jpeg/encoder/huffman'
export { BLOCK as idctBlock } from '../assembly/formats/jpeg/decoder/idct'

/** Codes `count` decisions, [probability, bit] as bytes each, and returns how many are read back wrong; all where bytes are missing. */
export function misreadBools(decisions: usize, count: i32): i32 {
  startPartition()
  for (let i = 0; i < count; i++) {
    makeRoom(1)
    putBool(load<u8>(decisions + 2 * i), load<u8>(decisions + 2 * i + 1))
  }
  finishPartition()
  const d = changetype<BoolDecoder>(allocate(offsetof<BoolDecoder>()))
  openPartition(d, partitionStart(), partitionBytes())
  let wrong = 0
  for (let i = 0; i < count; i++) {
    if (readBool(d, load<u8>(decisions + 2 * i)) != load<u8>(decisions + 2 * i + 1)) wrong++
  }
  return ranOut(d) ? count : wrong
}

/** Writes `count` booleans of a partition, a byte each, over their probabilities. */
export function readVp8Bools(partition: usize, bytes: usize, probabilities: usize, count: i32): void {
  const d = changetype<BoolDecoder>(allocate(offsetof<BoolDecoder>()))
  openPartition(d, partition, bytes)
  for (let i = 0; i < count; i++) store<u8>(probabilities + i, <u8>readBool(d, load<u8>(probabilities + i)))
}

/** Bytes of the last partition. */
export function codedBytes(): usize {
  return partitionBytes()
}

/** Writes the weights of output `i` of a resize; returns first tap << 16 | how many. */
export function lanczosWeights(samples: i32, outputs: i32, i: i32, unity: i32, to: usize): i32 {
  const axis = newAxis(samples, samples, outputs, outputs, 0)
  writeWeights(axis, i, unity, to)
  return (firstTap(axis, i) << 16) | (lastTap(axis, i) - firstTap(axis, i) + 1)
}

/** Returns the number of samples that are averaged before Lanczos. */
export function lanczosBox(samples: i32, outputs: i32): i32 {
  return newAxis(samples, samples, outputs, outputs, 0).box
}

/** The inverse DCT of VP8 of i16[16] at `coefficients`, on a prediction of 128 everywhere: 16 bytes at `to`. */
export function vp8InverseDct(coefficients: usize, to: usize): void {
  v128.store(to, addInverseDct(i8x16.splat(-128), coefficients))
}

/** The inverse DCT of JPEG of the f32[64] at `idctBlock`, to 8 x 8 bytes at `to`. */
export function jpegInverseDct(to: usize): void {
  prepareTransforms(NATURAL)
  transform(0x88, 128 * 8, 8, 8, to, 8)
}

export function clearIdctBlock(): void {
  clearBlock()
}

let trellisCost: i32 = 0
let bruteCost: i32 = 0
let statedCost: i32 = 0
const bruteLevels: usize = memory.data(32)

/** Quantizes a block of luma by the trellis: i16[16] in natural order, in the layout of one half of a pair. Returns what it costs. */
export function costOfTrellis(index: i32, half: usize, levels: usize): i32 {
  prepareTokens()
  updateTokenBits(DEFAULT_COEFF_PROBS)
  startLevelCosts()
  setQuantizers(0, index)
  updateLevelCosts()
  useSegment(0)
  const magnitudes = allocate(32)
  for (let n = 0; n < 16; n++) store<i16>(magnitudes + 2 * n, load<i16>(half + naturalAt(n)))
  quantizeBlock(half, LUMA_WITH_DC, 0, levels)
  statedCost = blockCost
  trellisCost = costOfLevels(magnitudes, levels)
  bruteCost = i32.MAX_VALUE
  memory.fill(bruteLevels, 0, 32)
  tryLevels(magnitudes, 0)
  return trellisCost
}

/** The cost of the same block as the trellis states it, for comparisons of modes. */
export function costByTrellis(): i32 {
  return statedCost
}

/** The least that any levels cost of the same block whose first four coefficients may be anything up to the nearest. */
export function costOfBruteForce(): i32 {
  return bruteCost
}

const LUMA_WITH_DC: i32 = 3
const ZIGZAG: usize = memory.data<u8>([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15])

function naturalAt(n: i32): usize {
  const natural = <i32>load<u8>(ZIGZAG + n)
  return <usize>((natural & 3) * 16 + (natural >> 2) * 2)
}

function tryLevels(coefficients: usize, n: i32): void {
  if (n == 4) {
    bruteCost = min(bruteCost, costOfLevels(coefficients, bruteLevels))
    return
  }
  const value = <i32>load<i16>(coefficients + 2 * n)
  const step = n == 0 ? lumaQuantizer.dcStep : lumaQuantizer.acStep
  const most = (abs(value) + step) / step
  for (let level = 0; level <= most; level++) {
    store<i16>(bruteLevels + 2 * n, <i16>(value < 0 ? -level : level))
    tryLevels(coefficients, n + 1)
  }
}

/** Weighted squared error, less that of nothing, and lambda times the bits of the tokens (RFC 6386, 13). */
function costOfLevels(coefficients: usize, levels: usize): i32 {
  let last = -1
  for (let n = 0; n < 16; n++) if (load<i16>(levels + 2 * n) != 0) last = n
  let cost = 0
  let context = 0
  for (let n = 0; n <= last; n++) {
    const row = LUMA_WITH_DC * ROWS_PER_TYPE + <i32>load<u8>(COEFF_BANDS + n) * ROWS_PER_BAND + context
    const level = abs(<i32>load<i16>(levels + 2 * n))
    cost += costOf(<i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + tokenOfLevel(level))) + extraBitsOfLevel(level))
    const value = level * (n == 0 ? lumaQuantizer.dcStep : lumaQuantizer.acStep)
    cost += (value * (value - 2 * abs(<i32>load<i16>(coefficients + 2 * n))) * load<i32>(LUMA_WEIGHTS + 4 * n)) >> 6
    context = level == 0 ? AFTER_ZERO : min(level, 2)
  }
  if (last == 15) return cost
  const row = LUMA_WITH_DC * ROWS_PER_TYPE + <i32>load<u8>(COEFF_BANDS + last + 1) * ROWS_PER_BAND + context
  return cost + costOf(<i32>load<u16>(TOKEN_BITS + 2 * (row * ROW_LENGTH + END_OF_BLOCK)))
}

function costOf(bits: i32): i32 {
  return <i32>((levelsLambda(lumaQuantizer) * <f32>bits) / 256)
}

/** Ends what a decoder has delivered, and hands on what is held of it. */
export function finish(): Status {
  const status = finishSink()
  while (yPlane != 0 && handOnRow(0, gatherMacroblockRow)) continue
  return status
}

export function toWebp(columns: i32, rows: i32, orientation: i32, quality: i32): void {
  yPlane = 0
  wantWebp(columns, rows, orientation, quality)
}

export function finishWebp(): Status {
  let status = stepWebpEnd()
  while (status == Status.More) status = stepWebpEnd()
  return status
}

/** All steps of a decoder that was opened. */
function decode(step: () => Status): Status {
  let status = Status.More
  while (status == Status.More) status = step()
  return status == Status.Ok ? finish() : status
}

export function decodeGif(): Status {
  return decode(stepGif)
}

export function decodeJpeg(oversampling: f64, limit: f64): Status {
  const status = startJpeg(oversampling, limit)
  return status == Status.Ok ? decode(stepJpeg) : status
}

export function vp8Width(): i32 {
  return vp8Header.width
}

export function vp8Height(): i32 {
  return vp8Header.height
}

export function vp8Stride(): usize {
  return rowBuffer.stride
}

export function vp8ChromaStride(): usize {
  return rowBuffer.chromaStride
}

export function vp8ReadyY(): usize {
  return macroblockRows.readyY
}

export function vp8ReadyU(): usize {
  return macroblockRows.readyU
}

export function vp8ReadyV(): usize {
  return macroblockRows.readyV
}

export function vp8ReadyRows(): i32 {
  return macroblockRows.readyRows
}

export function vp8ReadyChromaRows(): i32 {
  return macroblockRows.readyChromaRows
}

export function vp8lWidth(): i32 {
  return header.width
}

export function vp8lHeight(): i32 {
  return header.height
}

export function vp8lHasAlpha(): bool {
  return header.hasAlpha
}

export function vp8lPixels(): usize {
  return image.pixels
}

export function alphaRow(): usize {
  return alphaRows.row
}

export function jpegWidth(): i32 {
  return frame.width
}

export function jpegHeight(): i32 {
  return frame.height
}

export function decodeVp8(): Status {
  return decode(stepVp8)
}

export function decodeVp8l(): Status {
  return decode(stepVp8l)
}

export function decodeWebpAlpha(): Status {
  return decode(stepWebpAlpha)
}

let yPlane: usize = 0
let uPlane: usize = 0
let vPlane: usize = 0
let mbRows: i32 = 0

/** Wants macroblock rows gathered into whole padded planes of Y, then U, then V. Returns their address. */
export function toPlanes(width: i32, height: i32, orientation: i32): usize {
  const luma = <usize>((width + 15) & ~15) * ((height + 15) & ~15)
  yPlane = allocate(luma + luma / 2)
  uPlane = yPlane + luma
  vPlane = uPlane + luma / 4
  mbRows = 0
  toMacroblockRows(width, height, orientation, gatherMacroblockRow)
  return yPlane
}

/** Returns the number of macroblock rows that were taken. */
export function macroblockRowsTaken(): i32 {
  return mbRows
}

function gatherMacroblockRow(mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  if (mbRow != mbRows++) unreachable()
  memory.copy(yPlane + <usize>(mbRow * 16 * yStride), y, 16 * yStride)
  memory.copy(uPlane + <usize>(mbRow * 8 * uvStride), u, 8 * uvStride)
  memory.copy(vPlane + <usize>(mbRow * 8 * uvStride), v, 8 * uvStride)
}

let gathered: usize = 0
let gatheredRowBytes: usize = 0
let gatheredRows: usize = 0

/** Wants rows of RGBA gathered into a whole image. Returns its address. */
export function toGatheredRows(width: i32, height: i32): usize {
  gatheredRowBytes = <usize>(4 * width)
  gathered = allocate(gatheredRowBytes * height)
  gatheredRows = 0
  toCodedRows(width, height)
  return gathered
}

/**
 * Pushes the first `given` rows of planes that lie one row of each after the other at `rows`, and finishes; the alpha
 * kinds already multiplied.
 */
export function feedPlanes(colour: Colour, rows: usize, width: i32, height: i32, given: i32): i32 {
  const planes = planesOf(colour)
  announceImage(colour)
  for (let i = 0; i < planes; i++) announcePlane(i, width, height, width, height, 1)
  for (let y = 0; y < given; y++) {
    for (let i = 0; i < planes; i++) push(i, rows + <usize>((y * planes + i) * width))
    drain()
    gatherRows()
  }
  const status = finish()
  gatherRows()
  return status
}

/** Feeds rows of pixels of `samples` samples, blue before red where they are `reversed`. */
export function feedPixels(colour: Colour, pixels: usize, width: i32, height: i32, given: i32, samples: i32, reversed: bool): i32 {
  announceImage(colour)
  announcePixels(width, height, samples, reversed)
  for (let y = 0; y < given; y++) pushPixels(pixels + <usize>(y * width * samples))
  return finishSink()
}

function gatherRows(): void {
  while (nextCodedRow(gathered + gatheredRows * gatheredRowBytes)) gatheredRows++
}
