// What the tests of codec/assembly/ may call, compiled as the service's module is: the parts by themselves, and what only tests
// want of them. Names that several parts have are exported with the part's name before them.

import { Status } from '../../codec/assembly/status'
import { Colour, planesOf } from '../../codec/assembly/colour/conversion'
import { allocate } from '../../codec/assembly/arena/memory'
import { drain, finish, nextCodedRow, announcePlane, push, announcePicture, toMacroblockRows, toCodedRows } from '../../codec/assembly/pipeline/sink'

export { allocate, peakBytes, reset } from '../../codec/assembly/arena/memory'
export { finish, picture, toPicture } from '../../codec/assembly/pipeline/sink'

export { feedYuv, openYuv } from '../../codec/assembly/pipeline/yuv-source'

import { stepGif } from '../../codec/assembly/formats/gif/decoder/decoder'
export { openGif } from '../../codec/assembly/formats/gif/decoder/decoder'
import { startJpeg, stepJpeg } from '../../codec/assembly/formats/jpeg/decoder/decoder'
import { height as framedRows, width as framedColumns } from '../../codec/assembly/formats/jpeg/decoder/frame-header'
export { openJpeg } from '../../codec/assembly/formats/jpeg/decoder/decoder'
export { giveInput, inputRoom, inputRoomBytes } from '../../codec/assembly/formats/png/decoder/inflate'
export { openPng, stepPng } from '../../codec/assembly/formats/png/decoder/decoder'

export { chromaStride as vp8ChromaStride, stride as vp8Stride } from '../../codec/assembly/formats/webp-lossy/decoder/row-buffer'
import { stepVp8 } from '../../codec/assembly/formats/webp-lossy/decoder/decoder'
export { openVp8 } from '../../codec/assembly/formats/webp-lossy/decoder/decoder'
export {
  decodeRow as decodeVp8Row,
  moreRows as moreVp8Rows,
  readyChromaRows as vp8ReadyChromaRows,
  readyRows as vp8ReadyRows,
  readyU as vp8ReadyU,
  readyV as vp8ReadyV,
  readyY as vp8ReadyY,
  startFrame as startVp8Frame,
} from '../../codec/assembly/formats/webp-lossy/decoder/macroblock-rows'
export { height as vp8Height, readFrameHeader as readVp8Header, width as vp8Width } from '../../codec/assembly/formats/webp-lossy/decoder/frame-header'

import { stepVp8l } from '../../codec/assembly/formats/webp-lossless/decoder/decoder'
export { openVp8l } from '../../codec/assembly/formats/webp-lossless/decoder/decoder'
export {
  HEADER_BYTES as vp8lHeaderBytes,
  hasAlpha as vp8lHasAlpha,
  height as vp8lHeight,
  readVp8lHeader,
  width as vp8lWidth,
} from '../../codec/assembly/formats/webp-lossless/decoder/header'
export {
  decodeRow as decodeVp8lPixels,
  moreRows as moreVp8lPixels,
  pixels as vp8lPixels,
  startImage as startVp8lImage,
} from '../../codec/assembly/formats/webp-lossless/decoder/image'

export { alphaRow, nextAlphaRow, openAlpha } from '../../codec/assembly/formats/webp-alpha/decoder/alpha-rows'
import { stepWebpAlpha } from '../../codec/assembly/formats/webp-alpha/decoder/decoder'
export { openWebpAlpha } from '../../codec/assembly/formats/webp-alpha/decoder/decoder'

export { alphaBytes, finishWebp, toWebp } from '../../codec/assembly/index'
export { feedRgba, openRgba } from '../../codec/assembly/pipeline/rgba-source'
export { alphBytes, alphStart, encodeAlph } from '../../codec/assembly/formats/webp-alpha/encoder/encoder'

export { encodeVp8Row, fileBytes, fileStart, finishVp8Encoder, startVp8Encoder } from '../../codec/assembly/formats/webp-lossy/encoder/encoder'
export { chromaLineAbove, lumaLineAbove } from '../../codec/assembly/formats/webp-lossy/encoder/workspace'

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

export function jpegWidth(): i32 {
  return framedColumns
}

export function jpegHeight(): i32 {
  return framedRows
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

/** Wants macroblock rows gathered into whole padded planes of Y, then U, then V; answers their address. */
export function toPlanes(width: i32, height: i32, orientation: i32): usize {
  const luma = <usize>((width + 15) & ~15) * ((height + 15) & ~15)
  yPlane = allocate(luma + luma / 2)
  uPlane = yPlane + luma
  vPlane = uPlane + luma / 4
  mbRows = 0
  toMacroblockRows(width, height, orientation, gatherMacroblockRow)
  return yPlane
}

/** How many macroblock rows were taken. */
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

/** Wants rows of RGBA gathered into a whole picture; answers its address. */
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
  announcePicture(colour, width, height)
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

function gatherRows(): void {
  while (nextCodedRow(gathered + gatheredRows * gatheredRowBytes)) gatheredRows++
}
