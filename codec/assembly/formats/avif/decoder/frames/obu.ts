// Open bitstream units: AV1 specification, 5.3 to 5.11. Finds the frame to show, those that it needs, and their tiles.
import { allocate } from '../../../../arena/memory'
import { Status } from '../../../../status'
import { alignedPosition, hasOverrun, readBits, readFlag, startBits } from './bits'
import { frame, readFrameHeader } from './frame-header'
import { describeFrame, frameBytes, predecessors, refreshByExisting, refreshReferences } from './frame-record'
import { clearReferences, isValid, slot } from './references'
import { readSequenceHeader, sequence } from './sequence-header'
import { tileInfo } from './tile-info'

const OBU_SEQUENCE_HEADER: u32 = 1
const OBU_FRAME_HEADER: u32 = 3
const OBU_TILE_GROUP: u32 = 4
const OBU_FRAME: u32 = 6
const MAX_LEB128_BYTES: i32 = 8

/** The open bitstream unit that was read last. */
@unmanaged
class Unit {
  type: u32
  temporalId: u32
  spatialId: u32
  hasExtension: bool
  payload: usize
  payloadEnd: usize
}

const unit: Unit = changetype<Unit>(memory.data(offsetof<Unit>(), 4))

/** The data of the image, the position of the reader, and the frame to be decoded. */
@unmanaged
class Bitstream {
  start: usize
  end: usize
  operatingPoint: i32
  wantedLayer: u32
  /** The read position. */
  next: usize
  hasSequence: bool
  awaitsTiles: bool
  /** Addresses and lengths of the tiles, u32 each. */
  tiles: usize
  tilesFound: i32
  /** The number of the frame that was read last, from 1 on. */
  frameNumber: i32
  /** The number of the frame that is the image. */
  targetFrame: i32
  neededFrames: u32
  /** Memory for its reference frames. */
  neededBytes: u64
}

export const bitstream: Bitstream = changetype<Bitstream>(memory.data(offsetof<Bitstream>(), 8))

/** Address of the data of a tile. */
export function tileStart(i: i32): usize {
  return <usize>load<u32>(bitstream.tiles + ((<usize>i) << 3))
}

/** Bytes of a tile. */
export function tileBytes(i: i32): usize {
  return <usize>load<u32>(bitstream.tiles + ((<usize>i) << 3), 4)
}

/** Any spatial layer, as `lsel` says it (ISO/IEC 23008-12). */
const ANY_LAYER: u32 = 0xff
/** Frames of an image that are looked at: a bit each. */
const MOST_FRAMES: i32 = 32

/** By number: what a frame is predicted from, a bit each from number 1 on, and what it takes. */
const PREDECESSORS: usize = memory.data(4 * 33, 4)
const FRAME_BYTES: usize = memory.data(8 * 33, 8)

/**
 * Reads the headers of the frame to be shown from `bytes` bytes at `from`, and finds its tiles. It is the frame of
 * the operating point's spatial layer `layer`, or of the highest. Where that one is incomplete, it is the last shown
 * before it.
 */
export function findFrame(from: usize, bytes: usize, point: i32, layer: u32): Status {
  bitstream.start = from
  bitstream.end = from + bytes
  bitstream.operatingPoint = point
  bitstream.wantedLayer = layer
  const status = findTargetFrame()
  if (bitstream.targetFrame == 0) return status == Status.Ok ? Status.Malformed : status
  rewindFrames()
  for (;;) {
    const status = nextFrame()
    if (status != Status.Ok) return status
    if (frame.existingFrame >= 0) continue
    store<u32>(PREDECESSORS + (bitstream.frameNumber << 2), predecessors())
    store<u64>(FRAME_BYTES + (bitstream.frameNumber << 3), frameBytes())
    if (bitstream.frameNumber == bitstream.targetFrame) break
    refreshReferences(describeFrame(bitstream.frameNumber))
  }
  bitstream.neededFrames = load<u32>(PREDECESSORS + (bitstream.targetFrame << 2))
  bitstream.neededBytes = 0
  for (let i = bitstream.targetFrame - 1; i > 0; i--) {
    if (!isNeeded(i)) continue
    bitstream.neededFrames |= load<u32>(PREDECESSORS + (i << 2))
    bitstream.neededBytes += load<u64>(FRAME_BYTES + (i << 3))
  }
  return Status.Ok
}

/** Whether the image is predicted from a frame, directly or not. */
export function isNeeded(number: i32): bool {
  return ((bitstream.neededFrames >> (number - 1)) & 1) != 0
}

/** Whether the image is predicted from others. */
export function needsOthers(): bool {
  return bitstream.neededFrames != 0
}

/** Begins again with the first frame. */
export function rewindFrames(): void {
  bitstream.next = bitstream.start
  bitstream.hasSequence = false
  bitstream.awaitsTiles = false
  bitstream.frameNumber = 0
  clearReferences()
}

/** Finds the number of the frame to show, 0 if there is none. Returns why the search ended. */
function findTargetFrame(): Status {
  bitstream.targetFrame = 0
  rewindFrames()
  while (bitstream.frameNumber < MOST_FRAMES) {
    const status = nextFrame()
    if (status != Status.Ok) return status
    const isExisting = frame.existingFrame >= 0
    if (isExisting || frame.showFrame) {
      bitstream.targetFrame = isExisting ? slot(frame.existingFrame).number : bitstream.frameNumber
      if (isWanted()) break
    }
    if (!isExisting) refreshReferences(describeFrame(bitstream.frameNumber))
  }
  return Status.Ok
}

/** Whether a frame that is shown is the one that is looked for. */
function isWanted(): bool {
  if (bitstream.wantedLayer != ANY_LAYER) return unit.spatialId == bitstream.wantedLayer
  const layers = sequence.operatingPointIdc >> 8
  return layers == 0 || unit.spatialId == <u32>(31 - clz<u32>(layers))
}

/** Reads units up to the end of the next frame that is whole, or shows one that was there before (existingFrame). */
export function nextFrame(): Status {
  while (bitstream.next < bitstream.end && readUnit(bitstream.next, bitstream.end)) {
    bitstream.next = unit.payloadEnd
    if (isDropped()) continue
    if (unit.type == OBU_SEQUENCE_HEADER) {
      const status = readSequenceHeader(unit.payload, unit.payloadEnd, bitstream.operatingPoint)
      if (status != Status.Ok) return status
      bitstream.hasSequence = true
    } else if (isFrameHeader() && !bitstream.awaitsTiles) {
      if (!bitstream.hasSequence) return Status.Malformed
      const status = readHeader()
      if (status != Status.Ok || frame.existingFrame >= 0) return status
      bitstream.awaitsTiles = true
      if (unit.type == OBU_FRAME && !readTileGroup(alignedPosition())) return Status.Malformed
    } else if (unit.type == OBU_TILE_GROUP && bitstream.awaitsTiles && !readTileGroup(unit.payload))
      return Status.Malformed
    if (!bitstream.awaitsTiles || bitstream.tilesFound < tileInfo.tileCols * tileInfo.tileRows) continue
    bitstream.awaitsTiles = false
    bitstream.frameNumber++
    return Status.Ok
  }
  return Status.Malformed
}

/** Reads a frame header, and makes room for its tiles. */
function readHeader(): Status {
  startBits(unit.payload, unit.payloadEnd)
  const status = readFrameHeader(unit.temporalId, unit.spatialId)
  if (status != Status.Ok) return status
  if (frame.existingFrame >= 0) {
    if (!isValid(frame.existingFrame)) return Status.Malformed
    refreshByExisting(slot(frame.existingFrame))
    return Status.Ok
  }
  bitstream.tilesFound = 0
  bitstream.tiles = allocate((<usize>(tileInfo.tileCols * tileInfo.tileRows)) << 3)
  return Status.Ok
}

function isFrameHeader(): bool {
  return unit.type == OBU_FRAME || unit.type == OBU_FRAME_HEADER
}

/** drop_obu( ): the unit is of a layer that is not in the operating point, or out of its bounds. */
function isDropped(): bool {
  if (unit.type == OBU_SEQUENCE_HEADER || sequence.operatingPointIdc == 0 || !unit.hasExtension) return false
  return (
    ((sequence.operatingPointIdc >> unit.temporalId) & 1) == 0 ||
    ((sequence.operatingPointIdc >> (unit.spatialId + 8)) & 1) == 0
  )
}

/** obu_header( ) and obu_size; false if the unit ends beyond `end`. */
function readUnit(at: usize, end: usize): bool {
  startBits(at, end)
  readFlag()
  unit.type = readBits(4)
  unit.hasExtension = readFlag()
  const hasSize = readFlag()
  readFlag()
  unit.temporalId = unit.hasExtension ? readBits(3) : 0
  unit.spatialId = unit.hasExtension ? readBits(2) : 0
  if (unit.hasExtension) readBits(3)
  const size = hasSize ? readLeb128() : <u64>end - alignedPosition()
  unit.payload = alignedPosition()
  if (hasOverrun() || size > <u64>end - unit.payload) return false
  unit.payloadEnd = unit.payload + <usize>size
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
  const count = tileInfo.tileCols * tileInfo.tileRows
  startBits(from, unit.payloadEnd)
  let first = 0
  let last = count - 1
  if (count > 1 && readFlag()) {
    first = <i32>readBits(tileInfo.tileColsLog2 + tileInfo.tileRowsLog2)
    last = <i32>readBits(tileInfo.tileColsLog2 + tileInfo.tileRowsLog2)
  }
  if (first != bitstream.tilesFound || last < first || last >= count || hasOverrun()) return false
  let at = alignedPosition()
  for (let i = first; i <= last; i++) {
    let length = unit.payloadEnd - at
    if (i < last) {
      if (at + tileInfo.tileSizeBytes > unit.payloadEnd) return false
      length = littleEndian(at) + 1
      at += tileInfo.tileSizeBytes
    }
    if (length == 0 || length > unit.payloadEnd - at) return false
    store<u32>(bitstream.tiles + ((<usize>i) << 3), <u32>at)
    store<u32>(bitstream.tiles + ((<usize>i) << 3), <u32>length, 4)
    at += length
  }
  bitstream.tilesFound = last + 1
  return true
}

/** le( TileSizeBytes ) */
function littleEndian(at: usize): usize {
  let value: usize = 0
  for (let i = 0; i < tileInfo.tileSizeBytes; i++) value |= (<usize>load<u8>(at + i)) << (i << 3)
  return value
}
