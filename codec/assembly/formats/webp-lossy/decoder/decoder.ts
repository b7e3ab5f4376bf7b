// A VP8 key frame as a source of the sink: three planes, chroma at half resolution.
import { Colour } from '../../../colour/conversion'
import { announceImage, announcePlane, drain, push, targetColumns, targetRows } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { header, readFrameHeader } from './frame-header'
import { decodeRow, macroblockRows, moreRows, startFrame } from './macroblock-rows'
import { PENDING_ROWS, rowBuffer } from './row-buffer'

/**
 * From these scales down, of luma and of chroma, the loop filter is omitted. It moves pixels next to block edges by a few levels, which
 * the mean of 16 samples and more hides. It also softens what is there: without it, photographs are nearer to their originals.
 */
const UNFILTERED_LUMA: f64 = 5
const UNFILTERED_CHROMA: f64 = 4

/**
 * Reads the headers of the key frame of `bytes` bytes at `frame` (the payload of a "VP8 " chunk) and announces the planes.
 */
export function openVp8(frame: usize, bytes: usize): Status {
  const status = readFrameHeader(frame, bytes)
  if (status != Status.Ok) return status
  const chromaColumns = (header.width + 1) >> 1
  const chromaRows = (header.height + 1) >> 1
  announceImage(Colour.YuvLimited)
  announcePlane(0, header.width, header.height, header.width, header.height, 16 + PENDING_ROWS)
  announcePlane(1, chromaColumns, chromaRows, <f64>header.width / 2, <f64>header.height / 2, 8 + PENDING_ROWS)
  announcePlane(2, chromaColumns, chromaRows, <f64>header.width / 2, <f64>header.height / 2, 8 + PENDING_ROWS)
  startFrame(isFiltered())
  return Status.Ok
}

/** Whether the loop filter shows in the image announced to the sink. Chroma is at half resolution, and its target in plane 1. */
export function isFiltered(): bool {
  const luma = min(<f64>header.width / targetColumns(0), <f64>header.height / targetRows(0))
  const chroma = min(<f64>header.width / targetColumns(1), <f64>header.height / targetRows(1)) / 2
  return luma < UNFILTERED_LUMA || chroma < UNFILTERED_CHROMA
}

/** Decodes the next row of macroblocks into the sink; `More` until it was the last. */
export function stepVp8(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  for (let i = 0; i < macroblockRows.readyRows; i++) push(0, macroblockRows.readyY + <usize>i * rowBuffer.stride)
  for (let i = 0; i < macroblockRows.readyChromaRows; i++) {
    push(1, macroblockRows.readyU + <usize>i * rowBuffer.chromaStride)
    push(2, macroblockRows.readyV + <usize>i * rowBuffer.chromaStride)
  }
  drain()
  return moreRows() ? Status.More : Status.Ok
}
