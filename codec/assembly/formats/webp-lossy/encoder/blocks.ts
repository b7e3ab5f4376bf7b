// The 25 coded blocks of a macroblock, in coding order (RFC 6386 §13): 0 is Y2, 1..16 Y, 17..20 U, 21..24 V. The
// flags of the neighbours' coded blocks are the contexts of first coefficients (§13.3).
import { allocate } from '../../../arena/memory'
import { addBlock } from './token-buffer'

export const Y2_BLOCK: i32 = 0
export const FIRST_Y_BLOCK: i32 = 1
export const FIRST_U_BLOCK: i32 = 17

const levels: usize = memory.data(25 * 32, 16)
const counts: usize = memory.data(25)
const contexts: usize = memory.data(25)

/** Coded flags of a macroblock's sides: 4 of Y, 2 of U, 2 of V, 1 of Y2. */
const FLAGS: usize = 16
/** Samples of V follow those of U. */
const CHROMA_FLAGS: usize = 4
const Y2_FLAG: usize = 8

let aboveRow: usize = 0
let above: usize = 0
const left: usize = memory.data(16, 16)

/** Allocates and clears the flags above a row of `columns` macroblocks. */
export function startFlags(columns: i32): void {
  aboveRow = allocate(<usize>columns * FLAGS)
  memory.fill(aboveRow, 0, <usize>columns * FLAGS)
}

/** Clears the flags to the left of a row. */
export function startFlagRow(): void {
  memory.fill(left, 0, FLAGS)
}

/** Uses the flags above a column. */
export function enterFlagColumn(column: i32): void {
  above = aboveRow + <usize>column * FLAGS
}

/** Address of a block's levels, 16 x i16 in zigzag order. */
// @ts-ignore: decorator
@inline
export function blockLevels(block: i32): usize {
  return levels + 32 * block
}

/** The context of the Y block at a row and column of 4x4 blocks: the number of coded neighbours, 0..2. */
// @ts-ignore: decorator
@inline
export function lumaContext(row: i32, column: i32): i32 {
  return <i32>load<u8>(above + column) + <i32>load<u8>(left + row)
}

/** The context of a block of U (`plane` 0) or V (1). */
// @ts-ignore: decorator
@inline
export function chromaContext(plane: i32, row: i32, column: i32): i32 {
  const flags = CHROMA_FLAGS + 2 * plane
  return <i32>load<u8>(above + flags + column) + <i32>load<u8>(left + flags + row)
}

/** The context of the Y2 block. */
// @ts-ignore: decorator
@inline
export function y2Context(): i32 {
  return <i32>load<u8>(above + Y2_FLAG) + <i32>load<u8>(left + Y2_FLAG)
}

/** Stores a Y block's context and number of coefficients, and sets its flag. */
// @ts-ignore: decorator
@inline
export function setLumaBlock(row: i32, column: i32, context: i32, count: i32): void {
  setBlock(FIRST_Y_BLOCK + 4 * row + column, context, count)
  store<u8>(above + column, count > 0 ? 1 : 0)
  store<u8>(left + row, count > 0 ? 1 : 0)
}

/** Stores those of a block of U (`plane` 0) or V (1). */
// @ts-ignore: decorator
@inline
export function setChromaBlock(plane: i32, row: i32, column: i32, context: i32, count: i32): void {
  setBlock(FIRST_U_BLOCK + 4 * plane + 2 * row + column, context, count)
  const flags = CHROMA_FLAGS + 2 * plane
  store<u8>(above + flags + column, count > 0 ? 1 : 0)
  store<u8>(left + flags + row, count > 0 ? 1 : 0)
}

/** Stores those of the Y2 block. */
// @ts-ignore: decorator
@inline
export function setY2Block(context: i32, count: i32): void {
  setBlock(Y2_BLOCK, context, count)
  store<u8>(above + Y2_FLAG, count > 0 ? 1 : 0)
  store<u8>(left + Y2_FLAG, count > 0 ? 1 : 0)
}

// @ts-ignore: decorator
@inline
function setBlock(block: i32, context: i32, count: i32): void {
  store<u8>(contexts + block, <u8>context)
  store<u8>(counts + block, <u8>count)
}

let savedAbove: u32 = 0
let savedLeft: u32 = 0

/** Saves the flags of luma before subblock modes are tried. */
export function saveLumaFlags(): void {
  savedAbove = load<u32>(above)
  savedLeft = load<u32>(left)
}

/** Restores the flags that were saved. */
export function restoreLumaFlags(): void {
  store<u32>(above, savedAbove)
  store<u32>(left, savedLeft)
}

/** Whether no block of the macroblock has a coefficient. */
export function nothingCoded(hasY2: bool): bool {
  for (let block = hasY2 ? Y2_BLOCK : FIRST_Y_BLOCK; block < 25; block++)
    if (load<u8>(counts + block) != 0) return false
  return true
}

/** Adds the macroblock's blocks to the tokens. A macroblock of B_PRED has no Y2. */
export function addBlocks(hasY2: bool): void {
  if (hasY2) add(Y2_BLOCK, 1)
  for (let block = FIRST_Y_BLOCK; block < FIRST_U_BLOCK; block++) add(block, hasY2 ? 0 : 3)
  for (let block = FIRST_U_BLOCK; block < 25; block++) add(block, 2)
}

// @ts-ignore: decorator
@inline
function add(block: i32, type: i32): void {
  addBlock(blockLevels(block), load<u8>(counts + block), type, load<u8>(contexts + block))
}
