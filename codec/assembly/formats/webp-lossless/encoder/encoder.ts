// A lossless stream without its header whose pixels are green alone: WebP Lossless Bitstream Specification, 7.3; as the
// ALPH chunk has it.
import { allocate } from '../../../arena/memory'
import { bitsPut, finishBits, putBits, shiftBits, startBits } from './bit-writer'
import {
  blockBits,
  blockRowCount,
  encodeBlockRows,
  groupCount,
  groupLengths,
  groupOfBlockRow,
  startBlockRows,
} from './block-rows'
import { prepareDistances } from './distance-codes'
import { putGroup } from './prefix-group'
import { putSubImage } from './sub-image'

/** Bytes that a group's codes may take, and all else that comes before the pixels. */
const MAX_GROUP_BYTES: usize = 304
const MAX_HEAD_BYTES: usize = 2048
const DATA_ROOM: usize = 1 << 16
const COLOUR_INDEXING: u32 = 3

let start: usize = 0
let bytes: usize = 0

/** Address of the stream that `encodeGreenImage` made last; as many bytes before it as its `room` are free. */
export function streamStart(): usize {
  return start
}

/** Length of the output in bytes. */
export function streamBytes(): usize {
  return bytes
}

/**
 * Makes the stream of an image of the bytes at `data`, `columns` x `rows` as coded, readable for 16 bytes more. They
 * are the green of all pixels or, if `colours` is not 0, bundled indices to a table of `colours` greens (u8) at
 * `table`.
 */
export function encodeGreenImage(data: usize, columns: i32, rows: i32, table: usize, colours: i32, room: usize): void {
  prepareDistances()
  startBlockRows(data, columns, rows)
  const headRoom = MAX_HEAD_BYTES + <usize>blockRowCount() * MAX_GROUP_BYTES
  startBits(DATA_ROOM, room + headRoom)
  encodeBlockRows()
  const dataBits = bitsPut()
  const pixels = finishBits()

  startBits(headRoom)
  putHead(columns, table, colours)
  const headBits = bitsPut()
  const head = finishBits()
  const rest = headBits & 7
  const headBytes = headBits >> 3
  bytes = (headBits + dataBits + 7) >> 3
  shiftBits(pixels, bytes - headBytes, <i32>rest)
  if (rest > 0) store<u8>(pixels, load<u8>(pixels) | load<u8>(head + headBytes))
  start = pixels - headBytes
  memory.copy(start, head, headBytes)
}

/** All before the pixels' bits. */
function putHead(columns: i32, table: usize, colours: i32): void {
  if (colours > 0) {
    putBits(1, 1)
    putBits(COLOUR_INDEXING, 2)
    putBits(colours - 1, 8)
    putSubImage(differences(table, colours), colours)
  }
  putBits(0, 1) // no more transforms
  putBits(0, 1) // no colour cache
  putBits(groupCount() > 1 ? 1 : 0, 1)
  if (groupCount() > 1) {
    putBits(blockBits() - 2, 3)
    putEntropyImage((columns + (1 << blockBits()) - 1) >> blockBits())
  }
  for (let group = 0; group < groupCount(); group++) putGroup(groupLengths(group))
}

/** Sends which group each tile has (6.2.2): all of a block row the same. */
function putEntropyImage(columns: i32): void {
  const image = allocate(<usize>columns * blockRowCount())
  for (let row = 0; row < blockRowCount(); row++) {
    memory.fill(image + row * columns, <u8>groupOfBlockRow(row), columns)
  }
  putSubImage(image, columns * blockRowCount())
}

/** A colour table is sent as the differences of its colours (4.4). */
function differences(table: usize, colours: i32): usize {
  const coded = allocate(colours)
  let before = 0
  for (let i = 0; i < colours; i++) {
    const colour = load<u8>(table + i)
    store<u8>(coded + i, colour - <u8>before)
    before = colour
  }
  return coded
}
