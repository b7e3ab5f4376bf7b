// An image of AV1, a superblock row at a time: AV1 specification, 5.11.1 and 5.11.2. The frames that it is predicted from, as the
// upper layers of a layered image are, are decoded before it and kept. Not here: large scale tiles (annex D).
import { checkpoint, release } from '../../../arena/memory'
import { Status } from '../../../status'
import { BLOCK_64X64, BLOCK_128X128 } from './blocks/block'
import { clearBlockDecodedFlags } from './blocks/block-decoded'
import { startBlockMap } from './blocks/block-map'
import { clearAboveContext, clearLeftContext, startNeighbours } from './blocks/neighbours'
import { newTile, resumeTile, startTile, suspendTile, Tile } from './blocks/tile'
import { handOn, isDone, makeRoom, ROWS_ABOVE, startChain, takeSuperblockRow } from './filters/chain'
import { readRestorationUnits, startRestorationUnits } from './filters/restoration-units'
import { startFrame, startSuperblockRow } from './frames/frame'
import { frame } from './frames/frame-header'
import { describeFrame, refreshReferences } from './frames/frame-record'
import {
  bitstream,
  findFrame,
  isNeeded,
  needsOthers,
  nextFrame,
  rewindFrames,
  tileBytes,
  tileStart,
} from './frames/obu'
import { TakeRow } from './frames/planes'
import { quantization } from './frames/quantization-params'
import { Reference, startSamples, storeRow } from './frames/references'
import { sequence } from './frames/sequence-header'
import { colStart, rowStart, tileInfo } from './frames/tile-info'
import { startCdefIndices } from './modes/deltas'
import { clearInterRows, startInterMap } from './modes/inter-map'
import { keepCdfs, startInterFrame, startKeeping, startLoneFrame } from './modes/keep'
import { decodePartition } from './partition'
import { startPredictInter } from './prediction/predict-inter'
import { startDequant } from './transform/dequantize'
import { startTurns } from './transform/narrow-butterfly'

/** Rows below a superblock row for CDEF's marks. */
const ROWS_BELOW: i32 = 8

/** The tile of each column. */
const TILES: usize = memory.data(4 * 64, 4)

/** The progress of decoding: of the image, or of a frame that it is predicted from. */
@unmanaged
class Decoder {
  /** Whether the image itself is being decoded, and not a frame that it is predicted from. */
  isStarted: bool
  isFrameStarted: bool
  wantsGrain: bool
  wantsFilters: bool
  tileRow: i32
  miRow: i32
  /** The frame that is decoded first, and where the arena ended before it. */
  reference: Reference
  arenaEnd: usize
}

export const decoder: Decoder = changetype<Decoder>(memory.data(offsetof<Decoder>(), 4))

/** Finds the image of `bytes` bytes at `from` (the data of an AVIF item): of an operating point, and of a layer (`findFrame`). */
export function findAv1(from: usize, bytes: usize, point: i32, layer: u32): Status {
  return findFrame(from, bytes, point, layer)
}

/**
 * Prepares to decode the image that was found. Without its filters (deblocking, CDEF and restoration) it is the same but for the
 * pixels themselves: within a frame, only unfiltered ones are predicted from.
 */
export function startAv1(withGrain: bool, withFilters: bool): void {
  decoder.wantsGrain = withGrain
  decoder.wantsFilters = withFilters
  decoder.isStarted = !needsOthers()
  decoder.isFrameStarted = false
  if (decoder.isStarted) startImage(false, withGrain, withFilters)
  else rewindFrames()
}

/** Prepares to decode the frame whose header was read last. */
function startImage(isAmongOthers: bool, withGrain: bool, withFilters: bool): void {
  const side = sideOfSuperblocks()
  const rows = frame.allowIntrabc ? (((frame.miRows << 2) + side - 1) / side) * side : side
  startNeighbours(frame.miCols)
  startBlockMap(frame.miCols, side >> 1)
  startCdefIndices()
  startRestorationUnits()
  if (isAmongOthers) startInterFrame()
  else startLoneFrame()
  if (!frame.isIntra) startPredictInter()
  if (frame.allowIntrabc) startInterMap()
  startFrame(frame.miCols << 2, rows + ROWS_ABOVE + ROWS_BELOW, ROWS_ABOVE)
  for (let i = 0; i < tileInfo.tileCols; i++) store<u32>(TILES + ((<usize>i) << 2), <u32>changetype<usize>(newTile()))
  startDequant()
  startTurns()
  startChain(withGrain, withFilters)
  decoder.tileRow = 0
  decoder.miRow = 0
}

function sideOfSuperblocks(): i32 {
  return sequence.use128x128 ? 128 : 64
}

/** Returns the next rows to `take` or, if they need it, decodes the next superblock row; `More` until all rows were given. */
export function stepAv1(take: TakeRow): Status {
  if (!decoder.isStarted) return stepOthers()
  return stepFrame(take)
}

function stepFrame(take: TakeRow): Status {
  if (!handOn(take)) {
    if (decoder.miRow >= frame.miRows || !decodeSuperblockRow()) return Status.Malformed
  }
  return isDone() ? Status.Ok : Status.More
}

/** Decodes a piece of the frames that the image is predicted from, and then starts it. */
function stepOthers(): Status {
  if (!decoder.isFrameStarted) return startNextFrame()
  const status = stepFrame(storeRow)
  if (status != Status.Ok) return status
  decoder.isFrameStarted = false
  release(decoder.arenaEnd)
  refreshReferences(decoder.reference)
  return Status.More
}

function startNextFrame(): Status {
  const status = nextFrame()
  if (status != Status.Ok) return status
  if (frame.existingFrame >= 0) return Status.More
  if (bitstream.frameNumber == bitstream.targetFrame) {
    startKeeping(changetype<Reference>(0))
    decoder.isStarted = true
    startImage(true, decoder.wantsGrain, decoder.wantsFilters)
    return Status.More
  }
  decoder.reference = describeFrame(bitstream.frameNumber)
  if (!isNeeded(bitstream.frameNumber)) {
    refreshReferences(decoder.reference)
    return Status.More
  }
  startSamples(decoder.reference)
  startKeeping(decoder.reference)
  decoder.arenaEnd = checkpoint()
  decoder.isFrameStarted = true
  startImage(true, false, true)
  return Status.More
}

function decodeSuperblockRow(): bool {
  const side4 = sideOfSuperblocks() >> 2
  makeRoom()
  startSuperblockRow(decoder.miRow << 2)
  if (decoder.miRow == rowStart(decoder.tileRow)) startTileRow()
  if (frame.allowIntrabc || !frame.isIntra) clearInterRows(decoder.miRow, side4)
  for (let i = 0; i < tileInfo.tileCols; i++) if (!decodeRowOfTile(tileOf(i), side4)) return false
  decoder.miRow = min(decoder.miRow + side4, frame.miRows)
  takeSuperblockRow(decoder.miRow << 2)
  if (decoder.miRow < rowStart(decoder.tileRow + 1)) return true
  for (let i = 0; i < tileInfo.tileCols; i++) keepCdfs(decoder.tileRow * tileInfo.tileCols + i, tileOf(i).cdfs)
  decoder.tileRow++
  return true
}

function tileOf(column: i32): Tile {
  return changetype<Tile>(<usize>load<u32>(TILES + ((<usize>column) << 2)))
}

function startTileRow(): void {
  for (let i = 0; i < tileInfo.tileCols; i++) {
    const t = tileOf(i)
    const number = decoder.tileRow * tileInfo.tileCols + i
    startTile(t, tileStart(number), tileBytes(number))
    t.miColStart = colStart(i)
    t.miColEnd = colStart(i + 1)
    t.miRowStart = rowStart(decoder.tileRow)
    t.miRowEnd = rowStart(decoder.tileRow + 1)
    clearAboveContext(t.miColStart, t.miColEnd)
  }
}

/** The superblocks of a row in a tile. */
function decodeRowOfTile(t: Tile, side4: i32): bool {
  resumeTile(t)
  clearLeftContext()
  const size = sequence.use128x128 ? BLOCK_128X128 : BLOCK_64X64
  for (let c = t.miColStart; c < t.miColEnd; c += side4) {
    t.readDeltas = quantization.deltaQPresent
    clearBlockDecodedFlags(decoder.miRow, c)
    readRestorationUnits(decoder.miRow, c)
    if (!decodePartition(decoder.miRow, c, size)) return false
  }
  suspendTile(t)
  return true
}
