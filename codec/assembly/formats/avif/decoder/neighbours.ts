// Contexts for the blocks below and to the right: the rows and columns of two-dimensional arrays of the AV1
// specification (YModes, MiSizes ...) that are still read. Above, there is an entry for each 4 luma samples of the
// frame's width; to the left one for each of the superblock's height. Level and DC contexts have one for each 4 samples
// of a plane.
import { allocateZeroed } from '../../../arena/memory'
import { block } from './block'
import { subsamplingX, subsamplingY } from './sequence-header'

/** Entries to the left: a superblock of 128, and what a block may reach beyond it. */
const LEFT: usize = 64
/** Entries above beyond the frame. */
const BEYOND: usize = 64
const MASK: i32 = 31
/** Bytes of a palette: 8 u16 of luma, and 8 of U. */
const PALETTE_BYTES: usize = 32

export let aboveSizes: usize = 0
export let aboveModes: usize = 0
export let aboveUvModes: usize = 0
export let aboveSkips: usize = 0
export let aboveInters: usize = 0
export let aboveTxSizes: usize = 0
export let abovePaletteY: usize = 0
export let abovePaletteUV: usize = 0
let abovePalettes: usize = 0
export let aboveSegPreds: usize = 0
export let leftSizes: usize = 0
export let leftModes: usize = 0
export let leftUvModes: usize = 0
export let leftSkips: usize = 0
export let leftInters: usize = 0
export let leftTxSizes: usize = 0
export let leftPaletteY: usize = 0
export let leftPaletteUV: usize = 0
let leftPalettes: usize = 0
export let leftSegPreds: usize = 0

let entries: usize = 0
/** [plane][levels, DC categories] */
let aboveContexts: usize = 0
let leftContexts: usize = 0

/** Takes the memory for a frame of `miCols`. */
export function startNeighbours(miCols: i32): void {
  entries = <usize>miCols + BEYOND
  aboveSizes = allocateZeroed(entries)
  aboveModes = allocateZeroed(entries)
  aboveUvModes = allocateZeroed(entries)
  aboveSkips = allocateZeroed(entries)
  aboveInters = allocateZeroed(entries)
  aboveTxSizes = allocateZeroed(entries)
  abovePaletteY = allocateZeroed(entries)
  abovePaletteUV = allocateZeroed(entries)
  abovePalettes = allocateZeroed(entries * PALETTE_BYTES)
  aboveSegPreds = allocateZeroed(entries)
  aboveContexts = allocateZeroed(6 * entries)
  leftSizes = allocateZeroed(LEFT)
  leftModes = allocateZeroed(LEFT)
  leftUvModes = allocateZeroed(LEFT)
  leftSkips = allocateZeroed(LEFT)
  leftInters = allocateZeroed(LEFT)
  leftTxSizes = allocateZeroed(LEFT)
  leftPaletteY = allocateZeroed(LEFT)
  leftPaletteUV = allocateZeroed(LEFT)
  leftPalettes = allocateZeroed(LEFT * PALETTE_BYTES)
  leftSegPreds = allocateZeroed(LEFT)
  leftContexts = allocateZeroed(6 * LEFT)
}

/** clear_above_context( ) of the columns from `miColStart` up to `miColEnd` (5.11.2). */
export function clearAboveContext(miColStart: i32, miColEnd: i32): void {
  memory.fill(aboveSegPreds + miColStart, 0, miColEnd - miColStart)
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
  memory.fill(leftContexts, 0, 6 * LEFT)
  memory.fill(leftSegPreds, 0, LEFT)
}

/** AboveLevelContext[ plane ] from column `x4` on. */
export function aboveLevels(plane: i32, x4: i32): usize {
  return aboveContexts + <usize>(plane * 2) * entries + x4
}

/** AboveDcContext[ plane ] from column `x4` on. */
export function aboveDcs(plane: i32, x4: i32): usize {
  return aboveContexts + <usize>(plane * 2 + 1) * entries + x4
}

/** LeftLevelContext[ plane ] from row `y4` on. */
export function leftLevels(plane: i32, y4: i32): usize {
  return leftContexts + <usize>(plane * 2) * LEFT + (y4 & MASK)
}

/** LeftDcContext[ plane ] from row `y4` on. */
export function leftDcs(plane: i32, y4: i32): usize {
  return leftContexts + <usize>(plane * 2 + 1) * LEFT + (y4 & MASK)
}

/** The row of the superblock that the arrays to the left have an entry for. */
export function leftRow(miRow: i32): usize {
  return <usize>(miRow & MASK)
}

/** The palette above the block: u16[8] of a plane 0 or 1. */
export function palettesAbove(plane: i32, miCol: i32): usize {
  return abovePalettes + <usize>miCol * PALETTE_BYTES + ((<usize>plane) << 4)
}

/** The palette to the left. */
export function palettesLeft(plane: i32, miRow: i32): usize {
  return leftPalettes + leftRow(miRow) * PALETTE_BYTES + ((<usize>plane) << 4)
}

/** Writes the block's entries for later neighbours. Call it after decoding, because the block itself reads the old entries. */
export function tellBlock(): void {
  const x = <usize>block.miCol
  const y = leftRow(block.miRow)
  const w = <usize>block.bw4
  const h = <usize>block.bh4
  memory.fill(aboveModes + x, <u8>block.yMode, w)
  memory.fill(leftModes + y, <u8>block.yMode, h)
  memory.fill(aboveSizes + x, <u8>block.miSize, w)
  memory.fill(leftSizes + y, <u8>block.miSize, h)
  memory.fill(aboveSkips + x, <u8>block.skip, w)
  memory.fill(leftSkips + y, <u8>block.skip, h)
  memory.fill(aboveInters + x, <u8>block.isInter, w)
  memory.fill(leftInters + y, <u8>block.isInter, h)
  memory.fill(abovePaletteY + x, <u8>block.paletteSizeY, w)
  memory.fill(leftPaletteY + y, <u8>block.paletteSizeY, h)
  memory.fill(abovePaletteUV + x, <u8>block.paletteSizeUV, w)
  memory.fill(leftPaletteUV + y, <u8>block.paletteSizeUV, h)
  if (block.hasChroma) tellUvMode(x, y, w, h)
}

/** UVModes, with an entry for each 4 chroma samples. */
function tellUvMode(x: usize, y: usize, w: usize, h: usize): void {
  const columns = (w + subsamplingX) >> subsamplingX
  const rows = (h + subsamplingY) >> subsamplingY
  memory.fill(aboveUvModes + (x >> subsamplingX), <u8>block.uvMode, columns)
  memory.fill(leftUvModes + (y >> subsamplingY), <u8>block.uvMode, rows)
}
