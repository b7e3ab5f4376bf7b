// A VP8 key frame as a source of the sink: three planes, chroma at half resolution.
import { Colour } from '../../../colour/conversion'
import { announceImage, announcePlane, drain, push, targetColumns, targetRows } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { height, readFrameHeader, width } from './frame-header'
import { decodeRow, moreRows, readyChromaRows, readyRows, readyU, readyV, readyY, startFrame } from './macroblock-rows'
import { chromaStride, PENDING_ROWS, stride } from './row-buffer'

/**
 * From this scale down, the loop filter is omitted: it moves pixels next to block edges by a few levels, which the
 * mean of 64 pixels and more hides.
 */
export const UNFILTERED_FROM: f64 = 8

/**
 * Reads the headers of the key frame of `bytes` bytes at `frame` (the payload of a "VP8 " chunk) and announces the planes.
 */
export function openVp8(frame: usize, bytes: usize): Status {
  const status = readFrameHeader(frame, bytes)
  if (status != Status.Ok) return status
  const chromaColumns = (width + 1) >> 1
  const chromaRows = (height + 1) >> 1
  announceImage(Colour.YuvLimited)
  announcePlane(0, width, height, width, height, 16 + PENDING_ROWS)
  announcePlane(1, chromaColumns, chromaRows, <f64>width / 2, <f64>height / 2, 8 + PENDING_ROWS)
  announcePlane(2, chromaColumns, chromaRows, <f64>width / 2, <f64>height / 2, 8 + PENDING_ROWS)
  const scale = min(<f64>width / targetColumns(0), <f64>height / targetRows(0))
  startFrame(scale < UNFILTERED_FROM)
  return Status.Ok
}

/** Decodes the next row of macroblocks into the sink; `More` until it was the last. */
export function stepVp8(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  for (let i = 0; i < readyRows; i++) push(0, readyY + <usize>i * stride)
  for (let i = 0; i < readyChromaRows; i++) {
    push(1, readyU + <usize>i * chromaStride)
    push(2, readyV + <usize>i * chromaStride)
  }
  drain()
  return moreRows() ? Status.More : Status.Ok
}
