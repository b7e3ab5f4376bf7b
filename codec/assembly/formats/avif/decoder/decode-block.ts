// decode_block( ): AV1 specification, 5.11.5.
import { fillFew } from '../../../arena/few-bytes'
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../tables/block'
import { block, GLOBAL_GLOBALMV, GLOBALMV, NEARESTMV } from './blocks/block'
import { mapBlock } from './blocks/block-map'
import { aboveDcs, aboveLevels, leftDcs, leftLevels, tellBlock } from './blocks/neighbours'
import { ranOut } from './blocks/symbol-decoder'
import { deltaLf, isInside } from './blocks/tile'
import { frame } from './frames/frame-header'
import { levelOf, loopFilter } from './frames/loop-filter-params'
import { numPlanes, subsamplingX, subsamplingY } from './frames/sequence-header'
import { readInterFrameModeInfo } from './modes/inter-info'
import { mapInter } from './modes/inter-map'
import { keepBlock } from './modes/keep'
import { readModeInfo } from './modes/mode-info'
import { readPaletteTokens } from './modes/palette-tokens'
import { readBlockTxSize } from './modes/tx-size'
import { predictInter } from './prediction/predict-inter'
import { predictIntrabc } from './prediction/predict-intrabc'
import { decodeResidual } from './residual'

/** Decodes the block of size `subSize` at (`r`, `c`) into the frame; false if the data are wrong or have ended long ago. */
export function decodeBlock(r: i32, c: i32, subSize: i32): bool {
  locate(r, c, subSize)
  if (!(frame.isIntra ? readModeInfo() : readInterFrameModeInfo())) return false
  readPaletteTokens()
  readBlockTxSize()
  if (block.skip) resetBlockContext()
  if (frame.allowIntrabc || !frame.isIntra) mapInter()
  if (block.isInter) {
    if (frame.isIntra) predictIntrabc()
    else predictInter()
  }
  if (!decodeResidual()) return false
  tellBlock()
  const w = min(block.bw4, frame.miCols - c)
  const h = min(block.bh4, frame.miRows - r)
  mapBlock(r, c, w, h, block.skip, block.segmentId, filterLevels())
  keepBlock()
  return !ranOut()
}

function locate(r: i32, c: i32, size: i32): void {
  const bw4 = <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + size)
  const bh4 = <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + size)
  block.miRow = r
  block.miCol = c
  block.miSize = size
  block.bw4 = bw4
  block.bh4 = bh4
  const isPaired = (bh4 == 1 && subsamplingY == 1 && (r & 1) == 0) || (bw4 == 1 && subsamplingX == 1 && (c & 1) == 0)
  block.hasChroma = numPlanes > 1 && !isPaired
  block.availU = isInside(r - 1, c)
  block.availL = isInside(r, c - 1)
  block.availUChroma = block.hasChroma && isInside(r - (subsamplingY == 1 && bh4 == 1 ? 2 : 1), c)
  block.availLChroma = block.hasChroma && isInside(r, c - (subsamplingX == 1 && bw4 == 1 ? 2 : 1))
}

/** reset_block_context( ) */
function resetBlockContext(): void {
  const planes = block.hasChroma ? 3 : 1
  for (let plane = 0; plane < planes; plane++) {
    const subX = plane > 0 ? subsamplingX : 0
    const subY = plane > 0 ? subsamplingY : 0
    const x = block.miCol >> subX
    const y = block.miRow >> subY
    const w = ((block.miCol + block.bw4 - 1) >> subX) - x + 1
    const h = ((block.miRow + block.bh4 - 1) >> subY) - y + 1
    fillFew(aboveLevels(plane, x), 0, w)
    fillFew(aboveDcs(plane, x), 0, w)
    fillFew(leftLevels(plane, y), 0, h)
    fillFew(leftDcs(plane, y), 0, h)
  }
}

/** The four filter levels of the block, a byte each. */
function filterLevels(): u32 {
  let levels: u32 = 0
  const mode = block.yMode
  const modeType = mode >= NEARESTMV && mode != GLOBALMV && mode != GLOBAL_GLOBALMV ? 1 : 0
  for (let i = 0; i < 4; i++) {
    const level = levelOf(block.segmentId, i, deltaLf(loopFilter.deltaLfMulti ? i : 0), block.refFrame0, modeType)
    levels |= (<u32>level) << (i << 3)
  }
  return levels
}
