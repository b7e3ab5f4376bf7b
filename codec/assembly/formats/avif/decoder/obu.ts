// Open bitstream units: AV1 specification, 5.3 to 5.11. Finds the frame to show, those that it needs, and their tiles.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { alignedPosition, hasOverrun, readBits, readFlag, startBits } from './bits'
import { existingFrame, readFrameHeader, showFrame } from './frame-header'
import { describeFrame, frameBytes, predecessors, refreshByExisting, refreshReferences } from './frame-record'
import { clearReferences, isValid, slot } from './references'
import { readSequenceHeader, sequence } from './sequence-header'
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

/** Any spatial layer, as `lsel` says it (ISO/IEC 23008-12). */
const ANY_LAYER: u32 = 0xff
/** Frames of an image that are looked at: a bit each. */
const MOST_FRAMES: i32 = 32

// The data to read.
let dataStart: usize = 0
let dataEnd: usize = 0
let operatingPoint: i32 = 0
let wantedLayer: u32 = ANY_LAYER

// The read position.
let next: usize = 0
let hasSequence = false
let awaitsTiles = false

/** The number of the frame that was read last, from 1 on. */
export let frameNumber: i32 = 0
/** The number of the frame that is the image. */
export let targetFrame: i32 = 0
/** Memory for its reference frames. */
export let neededBytes: u64 = 0

/** By number: what a frame is predicted from, a bit each from number 1 on, and what it takes. */
const PREDECESSORS: usize = memory.data(4 * 33, 4)
const FRAME_BYTES: usize = memory.data(8 * 33, 8)
let neededFrames: u32 = 0

/**
 * Reads the headers of the frame to be shown from `bytes` bytes at `from`, and finds its tiles. It is the frame of
 * the operating point's spatial layer `layer`, or of the highest. Where that one is incomplete, it is the last shown
 * before it.
 */
export function findFrame(from: usize, bytes: usize, point: i32, layer: u32): Status {
  dataStart = from
  dataEnd = from + bytes
  operatingPoint = point
  wantedLayer = layer
  const status = findTargetFrame()
  if (targetFrame == 0) return status == Status.Ok ? Status.Malformed : status
  rewindFrames()
  for (;;) {
    const status = nextFrame()
    if (status != Status.Ok) return status
    if (existingFrame >= 0) continue
    store<u32>(PREDECESSORS + (frameNumber << 2), predecessors())
    store<u64>(FRAME_BYTES + (frameNumber << 3), frameBytes())
    if (frameNumber == targetFrame) break
    refreshReferences(describeFrame(frameNumber))
  }
  neededFrames = load<u32>(PREDECESSORS + (targetFrame << 2))
  neededBytes = 0
  for (let i = targetFrame - 1; i > 0; i--) {
    if (!isNeeded(i)) continue
    neededFrames |= load<u32>(PREDECESSORS + (i << 2))
    neededBytes += load<u64>(FRAME_BYTES + (i << 3))
  }
  return Status.Ok
}

/** Whether the image is predicted from a frame, directly or not. */
export function isNeeded(number: i32): bool {
  return ((neededFrames >> (number - 1)) & 1) != 0
}

/** Whether the image is predicted from others. */
export function needsOthers(): bool {
  return neededFrames != 0
}

/** Begins again with the first frame. */
export function rewindFrames(): void {
  next = dataStart
  hasSequence = false
  awaitsTiles = false
  frameNumber = 0
  clearReferences()
}

/** Finds pictureNumber, 0 if there is none; why it is not looked for further. */
function findTargetFrame(): Status {
  targetFrame = 0
  rewindFrames()
  while (frameNumber < MOST_FRAMES) {
    const status = nextFrame()
    if (status != Status.Ok) return status
    const isExisting = existingFrame >= 0
    if (isExisting || showFrame) {
      targetFrame = isExisting ? slot(existingFrame).number : frameNumber
      if (isWanted()) break
    }
    if (!isExisting) refreshReferences(describeFrame(frameNumber))
  }
  return Status.Ok
}

/** Whether a frame that is shown is the one that is looked for. */
function isWanted(): bool {
  if (wantedLayer != ANY_LAYER) return spatialId == wantedLayer
  const layers = sequence.operatingPointIdc >> 8
  return layers == 0 || spatialId == <u32>(31 - clz<u32>(layers))
}

/** Reads units up to the end of the next frame that is whole, or shows one that was there before (existingFrame). */
export function nextFrame(): Status {
  while (next < dataEnd && readUnit(next, dataEnd)) {
    next = payloadEnd
    if (isDropped()) continue
    if (type == OBU_SEQUENCE_HEADER) {
      const status = readSequenceHeader(payload, payloadEnd, operatingPoint)
      if (status != Status.Ok) return status
      hasSequence = true
    } else if (isFrameHeader() && !awaitsTiles) {
      if (!hasSequence) return Status.Malformed
      const status = readHeader()
      if (status != Status.Ok || existingFrame >= 0) return status
      awaitsTiles = true
      if (type == OBU_FRAME && !readTileGroup(alignedPosition())) return Status.Malformed
    } else if (type == OBU_TILE_GROUP && awaitsTiles && !readTileGroup(payload)) return Status.Malformed
    if (!awaitsTiles || tilesFound < tileCols * tileRows) continue
    awaitsTiles = false
    frameNumber++
    return Status.Ok
  }
  return Status.Malformed
}

/** Reads a frame header, and makes room for its tiles. */
function readHeader(): Status {
  startBits(payload, payloadEnd)
  const status = readFrameHeader(temporalId, spatialId)
  if (status != Status.Ok) return status
  if (existingFrame >= 0) {
    if (!isValid(existingFrame)) return Status.Malformed
    refreshByExisting(slot(existingFrame))
    return Status.Ok
  }
  tilesFound = 0
  tiles = allocate((<usize>(tileCols * tileRows)) << 3)
  return Status.Ok
}

function isFrameHeader(): bool {
  return type == OBU_FRAME || type == OBU_FRAME_HEADER
}

/** drop_obu( ): the unit is of a layer that is not in the operating point, or out of its bounds. */
function isDropped(): bool {
  if (type == OBU_SEQUENCE_HEADER || sequence.operatingPointIdc == 0 || !hasExtension) return false
  return (
    ((sequence.operatingPointIdc >> temporalId) & 1) == 0 || ((sequence.operatingPointIdc >> (spatialId + 8)) & 1) == 0
  )
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
