// Stores reference frames while they are decoded, and loads the state of a frame that is predicted from them: AV1
// specification, 7.20, 7.21 and 8.2.4.
import { allocate, allocateZeroed } from '../../../../arena/memory'
import { block } from '../blocks/block'
import { CDF_BYTES, clearCounters, initCdfs, setInitialCdfs, WHOLE_CDF_BYTES } from '../blocks/cdfs'
import { frame } from '../frames/frame-header'
import { interParams } from '../frames/inter-params'
import { quantization } from '../frames/quantization-params'
import { Reference } from '../frames/references'
import { segmentation } from '../frames/segmentation'
import { tileInfo } from '../frames/tile-info'
import { startInterMap } from './inter-map'
import { estimateMotion, keepMotion, newMotion } from './motion-field'

/** The retained frame; null if there is none. */
let storedFrame: Reference = changetype<Reference>(0)
/** PrevSegmentIds; 0 if all are 0. */
let previousSegments: usize = 0

/** Allocates the next frame if it is to be retained; sets null otherwise. */
export function startKeeping(r: Reference): void {
  storedFrame = r
  if (changetype<usize>(r) == 0) return
  r.cdfs = allocate(WHOLE_CDF_BYTES)
  r.motion = newMotion()
  if (segmentation.enabled) r.segments = allocateZeroed(<usize>(frame.miCols * frame.miRows))
}

/** Takes what the frame needs of those that it is predicted from. */
export function startInterFrame(): void {
  const previous = changetype<usize>(interParams.primaryReference)
  setInitialCdfs(previous != 0 ? interParams.primaryReference.cdfs : 0, WHOLE_CDF_BYTES)
  const isAlike =
    previous != 0 &&
    interParams.primaryReference.miCols == frame.miCols &&
    interParams.primaryReference.miRows == frame.miRows
  previousSegments = isAlike ? interParams.primaryReference.segments : 0
  if (changetype<usize>(storedFrame) != 0) {
    initCdfs(storedFrame.cdfs, quantization.baseQIdx)
    const isSame = segmentation.enabled && !segmentation.updateMap && previousSegments != 0
    if (isSame) memory.copy(storedFrame.segments, previousSegments, frame.miCols * frame.miRows)
  }
  if (frame.isIntra) return
  startInterMap()
  if (interParams.useRefFrameMvs) estimateMotion()
}

/** Prepares for a frame that is coded alone. */
export function startLoneFrame(): void {
  storedFrame = changetype<Reference>(0)
  setInitialCdfs(0, CDF_BYTES)
}

/** exit_symbol( ): the CDFs of a tile at its end. */
export function keepCdfs(tileNumber: i32, cdfs: usize): void {
  if (
    changetype<usize>(storedFrame) == 0 ||
    frame.disableFrameEndUpdateCdf ||
    tileNumber != tileInfo.contextUpdateTileId
  )
    return
  memory.copy(storedFrame.cdfs, cdfs, WHOLE_CDF_BYTES)
  clearCounters(storedFrame.cdfs)
}

/** Keeps what is known of the block. */
export function keepBlock(): void {
  if (changetype<usize>(storedFrame) == 0) return
  if (storedFrame.motion != 0) keepMotion(storedFrame.motion)
  if (storedFrame.segments == 0 || !segmentation.updateMap) return
  const w = min(block.bw4, frame.miCols - block.miCol)
  for (let row = block.miRow; row < min(frame.miRows, block.miRow + block.bh4); row++) {
    memory.fill(storedFrame.segments + <usize>(row * frame.miCols + block.miCol), <u8>block.segmentId, w)
  }
}

/** get_segment_id( ) (5.11.21). */
export function previousSegmentId(): i32 {
  if (previousSegments == 0) return 0
  let least = 7
  for (let row = block.miRow; row < min(frame.miRows, block.miRow + block.bh4); row++) {
    for (let col = block.miCol; col < min(frame.miCols, block.miCol + block.bw4); col++) {
      least = min(least, <i32>load<u8>(previousSegments + <usize>(row * frame.miCols + col)))
    }
  }
  return least
}
