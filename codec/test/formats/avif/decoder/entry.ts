// Exports for the tests of the AV1 decoder, compiled by itself.
import { allocate } from '../../../../assembly/arena/memory'
import { at } from '../../../../assembly/formats/avif/decoder/transform/butterfly'
import { findAv1, startAv1, stepAv1 as step } from '../../../../assembly/formats/avif/decoder/decode'
import { ABOVE, LEFT } from '../../../../assembly/formats/avif/decoder/prediction/edge'
import { frame } from '../../../../assembly/formats/avif/decoder/frames/frame-header'
import { bitDepth, numPlanes, subsamplingX, subsamplingY } from '../../../../assembly/formats/avif/decoder/frames/sequence-header'
import { initSymbol, resumeSymbols, SymbolDecoder } from '../../../../assembly/formats/avif/decoder/blocks/symbol-decoder'

export { allocate, peakBytes, reset } from '../../../../assembly/arena/memory'

/** The planes that were gathered, u16, one after the other without gaps. */
const PLANES: StaticArray<usize> = [0, 0, 0]
let isGathering = false

export function openAv1(from: usize, bytes: usize, wantsGrain: bool): i32 {
  isGathering = false
  const status = findAv1(from, bytes, 0, 0xff)
  if (status == 0) startAv1(wantsGrain, true)
  return status
}

/** Wants whole planes. Returns the address of the first. */
export function gather(): usize {
  for (let plane = 0; plane < numPlanes; plane++) PLANES[plane] = allocate(2 * <usize>columns(plane) * rows(plane) + 64)
  isGathering = true
  return PLANES[0]
}

export function stepAv1(): i32 {
  return step(takeRow)
}

export function planeAt(plane: i32): usize {
  return PLANES[plane]
}

export function columns(plane: i32): i32 {
  return plane == 0 ? frame.upscaledWidth : (frame.upscaledWidth + subsamplingX) >> subsamplingX
}

export function rows(plane: i32): i32 {
  return plane == 0 ? frame.height : (frame.height + subsamplingY) >> subsamplingY
}

export function planes(): i32 {
  return numPlanes
}

export function depth(): i32 {
  return bitDepth
}

function takeRow(plane: i32, y: i32, row: usize): void {
  if (!isGathering) return
  const bytes = <usize>columns(plane) << 1
  memory.copy(PLANES[plane] + bytes * y, row, bytes)
}

// The symbol decoder.

const decoder = changetype<SymbolDecoder>(memory.data(offsetof<SymbolDecoder>(), 8))

/** Starts reading symbols from `length` bytes at `from`. */
export function startSymbols(from: usize, length: usize): void {
  initSymbol(decoder, from, length)
  resumeSymbols(decoder, false)
}

export { readBool, readLiteral, readSymbol, readUniform } from '../../../../assembly/formats/avif/decoder/blocks/symbol-decoder'

// Transforms of four columns at once: number i of column j is the i32 at transformAt + 16 * i + 4 * j.

export function transformAt(): usize {
  return at(0)
}

export { inverseTransform } from '../../../../assembly/formats/avif/decoder/transform/inverse-transform'

// Prediction from edges of u16: entry i of an edge is at its address + 2 * i, from -1 on.

export function aboveRow(): usize {
  return ABOVE
}

export function leftColumn(): usize {
  return LEFT
}

export { predictDc } from '../../../../assembly/formats/avif/decoder/prediction/predict-dc'
export { predictPaeth } from '../../../../assembly/formats/avif/decoder/prediction/predict-paeth'
export { predictSmooth } from '../../../../assembly/formats/avif/decoder/prediction/predict-smooth'

// Motion over more frames or fewer.

export { projectVector } from '../../../../assembly/formats/avif/decoder/frames/order-hints'

// Prediction from other frames.

import { startMasks } from '../../../../assembly/formats/avif/decoder/prediction/blend-masks'
import { startBits } from '../../../../assembly/formats/avif/decoder/frames/bits'
import { block } from '../../../../assembly/formats/avif/decoder/blocks/block'
import { predictBlock, rounding, setPart, startBlockInter } from '../../../../assembly/formats/avif/decoder/prediction/block-inter'
import { interParams, readInterParams, readPrimaryReference, readReferenceModes, readReferences, referenceOf } from '../../../../assembly/formats/avif/decoder/frames/inter-params'
import { newReference, setSlot, slot, startSamples } from '../../../../assembly/formats/avif/decoder/frames/references'
import { warpBlock } from '../../../../assembly/formats/avif/decoder/prediction/warp'
import { readSequenceHeader } from '../../../../assembly/formats/avif/decoder/frames/sequence-header'

export { makeDifferenceMask, makeIntraMask, makeWedgeMask, maskAt } from '../../../../assembly/formats/avif/decoder/prediction/blend-masks'
export { predRow, setRounding } from '../../../../assembly/formats/avif/decoder/prediction/block-inter'
export { relativeDistance } from '../../../../assembly/formats/avif/decoder/frames/order-hints'
export { setupShear } from '../../../../assembly/formats/avif/decoder/prediction/warp'
export { II_WEIGHTS_1D as iiWeights, SUBPEL_FILTERS as subpelFilters, WEDGE_CODEBOOK as wedgeCodebook, WEDGE_MASTERS as wedgeMasters } from '../../../../assembly/formats/avif/tables/inter'

export function interRound0(): i32 {
  return rounding.round0
}

export function interRound1(): i32 {
  return rounding.round1
}

export function interPostRound(): i32 {
  return rounding.postRound
}

export function skipModePresent(): bool {
  return interParams.skipModePresent
}

export function skipModeFrame0(): i32 {
  return interParams.skipModeFrame0
}

export function skipModeFrame1(): i32 {
  return interParams.skipModeFrame1
}

/** Takes a sequence header, and the memory of predictions. */
export function startSequence(from: usize, bytes: usize): i32 {
  const status = readSequenceHeader(from, from + bytes, 0)
  startBlockInter()
  startMasks()
  return status
}

/** Puts a frame into slot `i`. Returns the address for its samples of luma. */
export function putFrame(i: i32, width: i32, height: i32, hint: i32): usize {
  const r = newReference()
  r.upscaledWidth = width
  r.frameHeight = height
  r.orderHint = hint
  startSamples(r)
  setSlot(i, r)
  return r.plane0
}

/** Reads what the header of a frame of this size and order hint says of others; false if it cannot be predicted from them. */
export function readInterHeader(from: usize, bytes: usize, hint: i32, width: i32, height: i32): bool {
  startBits(from, from + bytes)
  readPrimaryReference(false, false, hint)
  if (!readReferences() || !readInterParams(true, width, height)) return false
  readReferenceModes()
  return true
}

/** ref_frame_idx of a reference frame. */
export function slotOf(refFrame: i32): i32 {
  let i = 0
  while (slot(i) != referenceOf(refFrame)) i++
  return i
}

/** Predicts luma of a block; the result is at `predRow`. */
export function predictLuma(x: i32, y: i32, w: i32, h: i32, row: i32, col: i32, filterRows: i32, filterColumns: i32): void {
  setPart(0, x, y, w, h)
  predictBlock(0, 1, row, col, filterRows, filterColumns)
}

/** Predicts luma of a block by a warp that is valid. */
export function warpLuma(params: usize, x: i32, y: i32, w: i32, h: i32): void {
  setPart(0, x, y, w, h)
  warpBlock(0, referenceOf(1), params)
}

/** Sets the masks of a block. */
export function setMasks(wedgeIndex: i32, wedgeSign: i32, maskType: i32, interintraMode: i32): void {
  block.wedgeIndex = wedgeIndex
  block.wedgeSign = wedgeSign
  block.maskType = maskType
  block.interintraMode = interintraMode
}
