// The rows of an ALPH chunk: WebP Container Specification, "Alpha".
import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Status } from '../../../status'
import { decodeRow, image, startImage } from '../../webp-lossless/decoder/image'
import { AlphaFilter, unfilterRow } from './unfilter'

const enum Compression {
  None = 0,
  Lossless = 1,
}

/** The payload that `openAlpha` opened, and its rows. */
@unmanaged
class AlphaRows {
  /** The row that `nextAlphaRow` gave last: a byte each, readable for 64 more. */
  row: usize
  width: i32
  filter: AlphaFilter
  compression: Compression
  /** The next row of a chunk that is not compressed. */
  raw: usize
  /** The row above, 0 before the first, and the other of the two buffers. */
  above: usize
  spare: usize
}

export const alphaRows: AlphaRows = changetype<AlphaRows>(memory.data(offsetof<AlphaRows>(), 4))

/**
 * Opens the payload of an ALPH chunk, `bytes` bytes at `data`, of an image of `columns` x `rows` pixels. How the
 * alphas were reduced before (preprocessing) and the reserved bits do not matter.
 */
export function openAlpha(data: usize, bytes: usize, columns: i32, rows: i32): Status {
  if (bytes < 1) return Status.Malformed
  const info = <i32>load<u8>(data)
  const method = info & 3
  alphaRows.width = columns
  alphaRows.filter = (info >> 2) & 3
  alphaRows.row = 0
  alphaRows.above = allocate(<usize>columns + ROW_SLACK)
  alphaRows.spare = allocate(<usize>columns + ROW_SLACK)
  if (method > Compression.Lossless) return Status.Malformed
  alphaRows.compression = method
  if (alphaRows.compression == Compression.Lossless) return startImage(data + 1, bytes - 1, columns, rows)
  alphaRows.raw = data + 1
  return bytes - 1 < <usize>columns * rows ? Status.Malformed : Status.Ok
}

/** Decodes the next row: `alphaRows.row`. Only as many rows as the image has may be asked for. */
export function nextAlphaRow(): Status {
  const last = alphaRows.row
  const row = alphaRows.spare
  if (alphaRows.compression == Compression.Lossless) {
    const status = decodeRow()
    if (status != Status.Ok) return status
    takeGreen(row)
  } else {
    memory.copy(row, alphaRows.raw, alphaRows.width)
    alphaRows.raw += alphaRows.width
  }
  unfilterRow(alphaRows.filter, row, last, alphaRows.width)
  alphaRows.spare = alphaRows.above
  alphaRows.above = row
  alphaRows.row = row
  return Status.Ok
}

/** A lossless stream holds the alphas in its green channel. */
function takeGreen(to: usize): void {
  const width = alphaRows.width
  for (let x = 0; x < width; x += 8) {
    const at = image.pixels + ((<usize>x) << 2)
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
