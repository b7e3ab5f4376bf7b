// An image in several scans: the coefficients that the chosen scale needs are held until the last scan was read.

import { checkpoint, release } from '../../../arena/memory'
import { Status } from '../../../status'
import { forgetAccuracy, needsSmoothing, noteAccuracy, smoothBlock } from './block-smoothing'
import { allocateCoefficients, allocateNonzero, Component } from './component'
import { dequantizeBlock, prepareDequantization } from './dequantize'
import { component, frame } from './frame-header'
import { transform, transformFlat } from './idct'
import { pushMcuRow } from './mcu-rows'
import { isNeeded } from './needed-scans'
import { beginIntervals, endOfScan } from './restart'
import { decodeScan, prepareScan, readScan, scan, scanned } from './scan'
import { readSegments, segments } from './segments'

/** The extent of a block of nothing but DC. */
const DC_ONLY: i32 = 0x11

/** The arena's end before and after the coefficients. */
/** The arena's end before and after the coefficients. */
@unmanaged
class ArenaEnds {
  before: usize
  after: usize
}

const arenaEnds: ArenaEnds = changetype<ArenaEnds>(memory.data(offsetof<ArenaEnds>(), 4))

/** Decodes the scan that the segments stopped at and all that follow. */
export function readScans(end: usize, inverted: bool): Status {
  arenaEnds.before = checkpoint()
  for (let i = 0; i < frame.components; i++) {
    allocateCoefficients(component(i))
    forgetAccuracy(component(i))
  }
  arenaEnds.after = checkpoint()
  for (let i = 0; i < frame.components; i++) allocateNonzero(component(i), frame.isProgressive)
  for (let number = 0; segments.scanHeader != 0; number++) {
    let status = readScan(segments.scanHeader, segments.scanData)
    if (status == Status.Ok) status = prepareScan(segments.scanHeader, inverted)
    if (status != Status.Ok) return status
    beginIntervals(segments.scanData, end)
    if (!frame.isProgressive || isNeeded(number)) decodeScan()
    if (frame.isProgressive) noteScan()
    status = readSegments(endOfScan(), end)
    if (status != Status.Ok) return status
  }
  // The list of non-zero coefficients is not needed after refinement. At half size it is a fifth of the memory, which
  // the encoder can now use.
  release(arenaEnds.after)
  return Status.Ok
}

/** Hands on row `y` of MCUs, the next one. The last one frees the coefficients. */
export function transformMcuRow(y: i32): void {
  for (let i = 0; i < frame.components; i++) transformComponent(component(i), y)
  pushMcuRow(y)
  // Unless the sink's consumer has taken memory of its own since.
  if (y == frame.mcusDown - 1 && checkpoint() == arenaEnds.after) release(arenaEnds.before)
}

function noteScan(): void {
  for (let i = 0; i < scan.components; i++) noteAccuracy(scanned(i), scan.from, scan.to, scan.low)
}

/** A row of MCUs of one component, from its retained coefficients to samples. */
function transformComponent(c: Component, y: i32): void {
  prepareDequantization(c)
  const isEstimated = frame.isProgressive && c.lastRetained > 0 && needsSmoothing(c)
  const bytes = (<usize>(c.scaledWidth * c.scaledHeight)) << 1
  let at = c.coefficients + <usize>(y * c.v * c.paddedBlocksAcross) * bytes
  for (let v = 0; v < c.v; v++) {
    let to = c.samples + <usize>(v * c.scaledHeight) * c.stride
    for (let x = 0; x < c.paddedBlocksAcross; x++, at += bytes, to += c.scaledWidth) {
      let extent = dequantizeBlock(c, at)
      if (isEstimated && x < c.blocksAcross && y * c.v + v < c.blocksDown)
        extent = smoothBlock(c, x, y * c.v + v, extent)
      if (extent <= DC_ONLY) transformFlat(c.level, c.scaledHeight, to, c.stride)
      else transform(extent, c.level, c.scaledWidth, c.scaledHeight, to, c.stride)
    }
  }
}
