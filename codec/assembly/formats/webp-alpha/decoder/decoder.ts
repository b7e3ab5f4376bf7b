// A lossy WebP with alpha as a source of the sink: the rows of its VP8 frame and of its ALPH chunk together. Colours
// must be multiplied by alpha before they are resized, so they become RGB at full resolution first.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { bt601ToRgb } from '../../../colour/bt601-to-rgb'
import { Colour } from '../../../colour/conversion'
import { pushPremultiplied } from '../../../pipeline/rgb-rows'
import { announceImage, announcePlane } from '../../../pipeline/sink'
import { Status } from '../../../status'
import { isFiltered } from '../../webp-lossy/decoder/decoder'
import { header, readFrameHeader } from '../../webp-lossy/decoder/frame-header'
import { decodeRow, macroblockRows, moreRows, startFrame } from '../../webp-lossy/decoder/macroblock-rows'
import { rowBuffer } from '../../webp-lossy/decoder/row-buffer'
import { alphaRows, nextAlphaRow, openAlpha } from './alpha-rows'

/** The loop filter holds back as many rows of chroma as of luma, so some luma comes before its chroma. */
const MAX_WAITING: i32 = 3

/** Rows that a row of macroblocks can bring. */
const MAX_ROWS: i32 = 16 + MAX_WAITING
const PLANES: i32 = 4

/** Progress, and the rows that wait for their alpha. */
@unmanaged
class Decoder {
  red: usize
  green: usize
  blue: usize
  rowBytes: usize
  /** Rows that were decoded, and rows that went on into the sink. */
  lumaRows: i32
  chromaRows: i32
  done: i32
  /** The luma rows from `done` to `lumaRows`. */
  waiting: usize
}

const decoder: Decoder = changetype<Decoder>(memory.data(offsetof<Decoder>(), 4))

/**
 * Reads the headers of the key frame, `frameBytes` bytes at `frame` (the payload of a "VP8 " chunk). Reads those of
 * the `alphaBytes` bytes at `alpha` (of the "ALPH" chunk) too, and announces the planes.
 */
export function openWebpAlpha(frame: usize, frameBytes: usize, alpha: usize, alphaBytes: usize): Status {
  const status = readFrameHeader(frame, frameBytes)
  if (status != Status.Ok) return status
  decoder.rowBytes = <usize>header.width + ROW_SLACK
  decoder.red = allocate(decoder.rowBytes)
  decoder.green = allocate(decoder.rowBytes)
  decoder.blue = allocate(decoder.rowBytes)
  decoder.waiting = allocate(decoder.rowBytes * MAX_WAITING)
  decoder.lumaRows = 0
  decoder.chromaRows = 0
  decoder.done = 0
  announceImage(Colour.Rgba)
  for (let i = 0; i < PLANES; i++) announcePlane(i, header.width, header.height, header.width, header.height, MAX_ROWS)
  startFrame(isFiltered())
  return openAlpha(alpha, alphaBytes, header.width, header.height)
}

/** Decodes the next macroblock row, and its alphas, into the sink; `More` until it was the last. */
export function stepWebpAlpha(): Status {
  const status = decodeRow()
  if (status != Status.Ok) return status
  const firstLuma = decoder.lumaRows
  const firstChroma = decoder.chromaRows
  decoder.lumaRows += macroblockRows.readyRows
  decoder.chromaRows += macroblockRows.readyChromaRows
  const end = min(decoder.lumaRows, 2 * decoder.chromaRows)
  const firstWaiting = decoder.done
  for (; decoder.done < end; decoder.done++) {
    const isWaiting = decoder.done < firstLuma
    const y = isWaiting
      ? decoder.waiting + <usize>(decoder.done - firstWaiting) * decoder.rowBytes
      : macroblockRows.readyY + <usize>(decoder.done - firstLuma) * rowBuffer.stride
    const offset = <usize>((decoder.done >> 1) - firstChroma) * rowBuffer.chromaStride
    const rowStatus = pushRow(y, macroblockRows.readyU + offset, macroblockRows.readyV + offset)
    if (rowStatus != Status.Ok) return rowStatus
  }
  for (let y = decoder.done; y < decoder.lumaRows; y++) {
    memory.copy(
      decoder.waiting + <usize>(y - decoder.done) * decoder.rowBytes,
      macroblockRows.readyY + <usize>(y - firstLuma) * rowBuffer.stride,
      header.width,
    )
  }
  return moreRows() ? Status.More : Status.Ok
}

function pushRow(y: usize, u: usize, v: usize): Status {
  const status = nextAlphaRow()
  if (status != Status.Ok) return status
  bt601ToRgb(y, u, v, header.width, decoder.red, decoder.green, decoder.blue)
  pushPremultiplied(decoder.red, decoder.green, decoder.blue, alphaRows.row, header.width)
  return Status.Ok
}
