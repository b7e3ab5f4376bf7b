// One macroblock: its modes decided and its blocks coded.
import { B_PRED } from '../tables'
import { addBlocks, enterFlagColumn, nothingCoded, restoreLumaFlags, saveLumaFlags } from './blocks'
import { chooseChroma, codeChroma } from './chroma'
import { useSegment } from './level-costs'
import { codeLuma4 } from './luma4'
import { chooseLuma16, codeLuma16, luma16Cost } from './luma16'
import { lumaModeRate } from './mode-rates'
import { addModes, enterModeColumn } from './modes'
import { lumaLambda } from './quantizer'
import { chooseSegment } from './segments'
import { enterColumn, leaveColumn } from './workspace'

/** Addresses of the next macroblock's first pixel in each plane, and the bytes from line to line. */
@unmanaged
class SourcePixels {
  y: usize
  u: usize
  v: usize
  stride: usize
  chromaStride: usize
}

export const source: SourcePixels = changetype<SourcePixels>(memory.data(5 * 4, 4))

/** Codes the macroblock of `source` at a column and row. Subblock modes are tried only if `subblocks`. */
export function codeMacroblock(column: i32, row: i32, lastColumn: bool, subblocks: bool): void {
  const y = source.y
  const u = source.u
  const v = source.v
  const stride = source.stride
  const chromaStride = source.chromaStride
  const segment = chooseSegment(y, stride)
  useSegment(segment)
  enterColumn(column, lastColumn, row == 0)
  enterFlagColumn(column)
  enterModeColumn(column)
  let lumaMode = chooseLuma16(y, stride)
  saveLumaFlags()
  const modeCost = lumaLambda * (<f32>lumaModeRate(B_PRED) / 256)
  if (subblocks && codeLuma4(y, stride, modeCost, luma16Cost)) {
    lumaMode = B_PRED
  } else {
    restoreLumaFlags()
    codeLuma16(lumaMode, y, stride)
  }
  const chromaMode = chooseChroma(u, v, chromaStride)
  codeChroma(chromaMode, u, v, chromaStride)
  const hasY2 = lumaMode != B_PRED
  const skip = nothingCoded(hasY2)
  if (!skip) addBlocks(hasY2)
  addModes(segment, lumaMode, chromaMode, skip)
  leaveColumn(column)
}
