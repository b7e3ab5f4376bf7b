// Contexts for the blocks below and to the right: the rows and columns of two-dimensional arrays of the AV1
// specification (YModes, MiSizes ...) that are still read. Above, there is an entry for each 4 luma samples of the
// frame's width; to the left one for each of the superblock's height. Level and DC contexts have one for each 4 samples
// of a plane.
import { fillFew } from '../../../../arena/few-bytes'
import { allocateZeroed } from '../../../../arena/memory'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'
import { block } from './block'

/** Entries to the left: a superblock of 128, and what a block may reach beyond it. */
const LEFT: usize = 64
/** Entries above beyond the frame. */
const BEYOND: usize = 64
const MASK: i32 = 31
/** Bytes of a palette: 8 u16 of luma, and 8 of U. */
const PALETTE_BYTES: usize = 32

/** Addresses of the arrays that have an entry for each 4 luma samples of the blocks on one side. */
@unmanaged
class Neighbours {
  sizes: usize
  modes: usize
  uvModes: usize
  skips: usize
  inters: usize
  txSizes: usize
  paletteY: usize
  paletteUV: usize
  palettes: usize
  segPreds: usize
  /** [plane][levels, DC categories] */
  contexts: usize
}

/** Above, across the frame. */
export const aboveBlocks: Neighbours = changetype<Neighbours>(memory.data(offsetof<Neighbours>(), 4))
/** To the left, down a superblock. */
export const leftBlocks: Neighbours = changetype<Neighbours>(memory.data(offsetof<Neighbours>(), 4))

let entries: usize = 0

/** Takes the memory for a frame of `miCols`. */
export function startNeighbours(miCols: i32): void {
  entries = <usize>miCols + BEYOND
  startSide(aboveBlocks, entries)
  startSide(leftBlocks, LEFT)
}

function startSide(side: Neighbours, count: usize): void {
  side.sizes = allocateZeroed(count)
  side.modes = allocateZeroed(count)
  side.uvModes = allocateZeroed(count)
  side.skips = allocateZeroed(count)
  side.inters = allocateZeroed(count)
  side.txSizes = allocateZeroed(count)
  side.paletteY = allocateZeroed(count)
  side.paletteUV = allocateZeroed(count)
  side.palettes = allocateZeroed(count * PALETTE_BYTES)
  side.segPreds = allocateZeroed(count)
  side.contexts = allocateZeroed(6 * count)
}

/** clear_above_context( ) of the columns from `miColStart` up to `miColEnd` (5.11.2). */
export function clearAboveContext(miColStart: i32, miColEnd: i32): void {
  memory.fill(aboveBlocks.segPreds + miColStart, 0, miColEnd - miColStart)
  for (let plane = 0; plane < 3; plane++) {
    const shift = plane > 0 ? subsamplingX : 0
    const from = miColStart >> shift
    const length = <usize>((miColEnd + shift) >> shift) - from
    memory.fill(aboveLevels(plane, from), 0, length)
    memory.fill(aboveDcs(plane, from), 0, length)
  }
}

/** clear_left_context( ) */
export function clearLeftContext(): void {
  memory.fill(leftBlocks.contexts, 0, 6 * LEFT)
  memory.fill(leftBlocks.segPreds, 0, LEFT)
}

/** AboveLevelContext[ plane ] from column `x4` on. */
export function aboveLevels(plane: i32, x4: i32): usize {
  return aboveBlocks.contexts + <usize>(plane * 2) * entries + x4
}

/** AboveDcContext[ plane ] from column `x4` on. */
export function aboveDcs(plane: i32, x4: i32): usize {
  return aboveBlocks.contexts + <usize>(plane * 2 + 1) * entries + x4
}

/** LeftLevelContext[ plane ] from row `y4` on. */
export function leftLevels(plane: i32, y4: i32): usize {
  return leftBlocks.contexts + <usize>(plane * 2) * LEFT + (y4 & MASK)
}

/** LeftDcContext[ plane ] from row `y4` on. */
export function leftDcs(plane: i32, y4: i32): usize {
  return leftBlocks.contexts + <usize>(plane * 2 + 1) * LEFT + (y4 & MASK)
}

/** The row of the superblock that the arrays to the left have an entry for. */
export function leftRow(miRow: i32): usize {
  return <usize>(miRow & MASK)
}

/** The palette above the block: u16[8] of a plane 0 or 1. */
export function palettesAbove(plane: i32, miCol: i32): usize {
  return aboveBlocks.palettes + <usize>miCol * PALETTE_BYTES + ((<usize>plane) << 4)
}

/** The palette to the left. */
export function palettesLeft(plane: i32, miRow: i32): usize {
  return leftBlocks.palettes + leftRow(miRow) * PALETTE_BYTES + ((<usize>plane) << 4)
}

/** Writes the block's entries for later neighbours. Call it after decoding, because the block itself reads the old entries. */
export function tellBlock(): void {
  const x = <usize>block.miCol
  const y = leftRow(block.miRow)
  const w = block.bw4
  const h = block.bh4
  fillFew(aboveBlocks.modes + x, block.yMode, w)
  fillFew(leftBlocks.modes + y, block.yMode, h)
  fillFew(aboveBlocks.sizes + x, block.miSize, w)
  fillFew(leftBlocks.sizes + y, block.miSize, h)
  fillFew(aboveBlocks.skips + x, <i32>block.skip, w)
  fillFew(leftBlocks.skips + y, <i32>block.skip, h)
  fillFew(aboveBlocks.inters + x, <i32>block.isInter, w)
  fillFew(leftBlocks.inters + y, <i32>block.isInter, h)
  fillFew(aboveBlocks.paletteY + x, block.paletteSizeY, w)
  fillFew(leftBlocks.paletteY + y, block.paletteSizeY, h)
  fillFew(aboveBlocks.paletteUV + x, block.paletteSizeUV, w)
  fillFew(leftBlocks.paletteUV + y, block.paletteSizeUV, h)
  if (block.hasChroma) tellUvMode(x, y, w, h)
}

/** UVModes, with an entry for each 4 chroma samples. */
function tellUvMode(x: usize, y: usize, w: i32, h: i32): void {
  const columns = (w + subsamplingX) >> subsamplingX
  const rows = (h + subsamplingY) >> subsamplingY
  fillFew(aboveBlocks.uvModes + (x >> subsamplingX), block.uvMode, columns)
  fillFew(leftBlocks.uvModes + (y >> subsamplingY), block.uvMode, rows)
}
