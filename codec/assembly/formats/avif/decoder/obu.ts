// Open bitstream units: AV1 specification, 5.3 to 5.11. Finds the frame to decode and its tiles.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { alignedPosition, hasOverrun, readBits, readFlag, startBits } from './bits'
import { isCodedAlone, readFrameHeader } from './frame-header'
import { operatingPointIdc, readSequenceHeader } from './sequence-header'
import { tileCols, tileColsLog2, tileRows, tileRowsLog2, tileSizeBytes } from './tile-info'

const OBU_SEQUENCE_HEADER: u32 = 1
const OBU_FRAME_HEADER: u32 = 3
const OBU_TILE_GROUP: u32 = 4
const OBU_FRAME: u32 = 6
const MAX_LEB128_BYTES: i32 = 8

/** Addresses and lengths of the tiles, u32 each. */
let tiles: usize = 0
let tilesFound: i32 = 0

// The unit that was read last.
let type: u32 = 0
let temporalId: u32 = 0
let spatialId: u32 = 0
let payload: usize = 0
let payloadEnd: usize = 0

/** Address of the data of a tile. */
export function tileStart(i: i32): usize {
  return <usize>load<u32>(tiles + ((<usize>i) << 3))
}

/** Bytes of a tile. */
export function tileBytes(i: i32): usize {
  return <usize>load<u32>(tiles + ((<usize>i) << 3), 4)
}

/**
 * Reads the headers of the last whole frame in `bytes` bytes at `from` that is coded alone, and finds its tiles. `Unsupported`
 * if there is no such frame.
 */
export function findFrame(from: usize, bytes: usize): Status {
  failure = Status.Malformed
  const last = walk(from, from + bytes, i32.MAX_VALUE)
  if (last == 0) return failure
  return walk(from, from + bytes, last) == last ? Status.Ok : Status.Malformed
}

/** Why there is no whole frame, as far as is known. */
let failure: Status = Status.Malformed

/**
 * Reads units up to the end of frame number `wanted`, counted from 1 among those that are coded alone; gives the number of the
 * last one that is whole.
 */
function walk(from: usize, end: usize, wanted: i32): i32 {
  let hasSequence = false
  let seen = 0
  let whole = 0
  let awaitsTiles = false
  // What follows a frame that is there does not matter.
  for (let at = from; at < end && whole < wanted && readUnit(at, end); at = payloadEnd) {
    if (isDropped()) continue
    if (type == OBU_SEQUENCE_HEADER) {
      const status = readSequenceHeader(payload, payloadEnd)
      failure = status == Status.Ok ? Status.Malformed : status
      if (status != Status.Ok) return whole
      hasSequence = true
    } else if (isFrameHeader() && !awaitsTiles) {
      if (!hasSequence || !readHeader()) return whole
      awaitsTiles = isCodedAlone
      if (isCodedAlone) seen++
      if (isCodedAlone && type == OBU_FRAME && !readTileGroup(alignedPosition())) return whole
    } else if (type == OBU_TILE_GROUP && awaitsTiles && !readTileGroup(payload)) return whole
    if (!awaitsTiles || tilesFound < tileCols * tileRows) continue
    whole = seen
    awaitsTiles = false
  }
  return whole
}

/** Reads a frame header, and makes room for its tiles. */
function readHeader(): bool {
  startBits(payload, payloadEnd)
  const status = readFrameHeader(temporalId, spatialId)
  failure = status == Status.Ok && !isCodedAlone ? Status.Unsupported : Status.Malformed
  if (status != Status.Ok) return false
  tilesFound = 0
  if (isCodedAlone) tiles = allocate((<usize>(tileCols * tileRows)) << 3)
  return true
}

function isFrameHeader(): bool {
  return type == OBU_FRAME || type == OBU_FRAME_HEADER
}

/** drop_obu( ): the unit is of a layer that is not in the operating point, or out of its bounds. */
function isDropped(): bool {
  if (type == OBU_SEQUENCE_HEADER || operatingPointIdc == 0 || !hasExtension) return false
  return ((operatingPointIdc >> temporalId) & 1) == 0 || ((operatingPointIdc >> (spatialId + 8)) & 1) == 0
}

let hasExtension = false

/** obu_header( ) and obu_size; false if the unit ends beyond `end`. */
function readUnit(at: usize, end: usize): bool {
  startBits(at, end)
  readFlag()
  type = readBits(4)
  hasExtension = readFlag()
  const hasSize = readFlag()
  readFlag()
  temporalId = hasExtension ? readBits(3) : 0
  spatialId = hasExtension ? readBits(2) : 0
  if (hasExtension) readBits(3)
  const size = hasSize ? readLeb128() : <u64>end - alignedPosition()
  payload = alignedPosition()
  if (hasOverrun() || size > <u64>end - payload) return false
  payloadEnd = payload + <usize>size
  return true
}

/** leb128() (4.10.5). */
function readLeb128(): u64 {
  let value: u64 = 0
  for (let i = 0; i < MAX_LEB128_BYTES; i++) {
    const byte = <u64>readBits(8)
    value |= (byte & 0x7f) << (i * 7)
    if ((byte & 0x80) == 0) break
  }
  return value
}

/** tile_group_obu( ): notes where its tiles are; false if they are not those that should follow. */
function readTileGroup(from: usize): bool {
  const count = tileCols * tileRows
  startBits(from, payloadEnd)
  let first = 0
  let last = count - 1
  if (count > 1 && readFlag()) {
    first = <i32>readBits(tileColsLog2 + tileRowsLog2)
    last = <i32>readBits(tileColsLog2 + tileRowsLog2)
  }
  if (first != tilesFound || last < first || last >= count || hasOverrun()) return false
  let at = alignedPosition()
  for (let i = first; i <= last; i++) {
    let length = payloadEnd - at
    if (i < last) {
      if (at + tileSizeBytes > payloadEnd) return false
      length = littleEndian(at) + 1
      at += tileSizeBytes
    }
    if (length == 0 || length > payloadEnd - at) return false
    store<u32>(tiles + ((<usize>i) << 3), <u32>at)
    store<u32>(tiles + ((<usize>i) << 3), <u32>length, 4)
    at += length
  }
  tilesFound = last + 1
  return true
}

/** le( TileSizeBytes ) */
function littleEndian(at: usize): usize {
  let value: usize = 0
  for (let i = 0; i < tileSizeBytes; i++) value |= (<usize>load<u8>(at + i)) << (i << 3)
  return value
}
