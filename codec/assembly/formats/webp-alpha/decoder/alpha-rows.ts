// The rows of an ALPH chunk: WebP Container Specification, "Alpha".
import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Status } from '../../../status'
import { decodeRow, pixels, startImage } from '../../webp-lossless/decoder/image'
import { AlphaFilter, unfilterRow } from './unfilter'

const enum Compression {
  None = 0,
  Lossless = 1,
}

/** The row that `nextAlphaRow` gave last: a byte each, readable for 64 more. */
export let alphaRow: usize = 0

let width: i32 = 0
let filter: AlphaFilter = AlphaFilter.None
let compression: Compression = Compression.None
/** The next row of a chunk that is not compressed. */
let raw: usize = 0
/** The row above, 0 before the first, and the other of the two buffers. */
let above: usize = 0
let spare: usize = 0

/**
 * Opens the payload of an ALPH chunk, `bytes` bytes at `data`, of an image of `columns` x `rows` pixels. How the
 * alphas were reduced before (preprocessing) and the reserved bits do not matter.
 */
export function openAlpha(data: usize, bytes: usize, columns: i32, rows: i32): Status {
  if (bytes < 1) return Status.Malformed
  const info = <i32>load<u8>(data)
  const method = info & 3
  width = columns
  filter = (info >> 2) & 3
  alphaRow = 0
  above = allocate(<usize>columns + ROW_SLACK)
  spare = allocate(<usize>columns + ROW_SLACK)
  if (method > Compression.Lossless) return Status.Malformed
  compression = method
  if (compression == Compression.Lossless) return startImage(data + 1, bytes - 1, columns, rows)
  raw = data + 1
  return bytes - 1 < <usize>columns * rows ? Status.Malformed : Status.Ok
}

/** Decodes the next row: `alphaRow`. Only as many rows as the image has may be asked for. */
export function nextAlphaRow(): Status {
  const last = alphaRow
  const row = spare
  if (compression == Compression.Lossless) {
    const status = decodeRow()
    if (status != Status.Ok) return status
    takeGreen(row)
  } else {
    memory.copy(row, raw, width)
    raw += width
  }
  unfilterRow(filter, row, last, width)
  spare = above
  above = row
  alphaRow = row
  return Status.Ok
}

/** A lossless stream holds the alphas in its green channel. */
function takeGreen(to: usize): void {
  for (let x = 0; x < width; x += 8) {
    const at = pixels + ((<usize>x) << 2)
    const greens = v128.shuffle<i8>(
      v128.load(at),
      v128.load(at, 16),
      1,
      5,
      9,
      13,
      17,
      21,
      25,
      29,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
    )
    v128.store64_lane(to + x, greens, 0)
  }
}
