// palette_mode_info( ): AV1 specification, 5.11.46.
import { MI_HEIGHT_LOG2, MI_WIDTH_LOG2 } from '../../tables/block'
import { PALETTE_UV_MODE_CDF, PALETTE_UV_SIZE_CDF, PALETTE_Y_MODE_CDF, PALETTE_Y_SIZE_CDF } from '../../tables/cdf'
import { block, DC_PRED } from '../blocks/block'
import { aboveBlocks, leftBlocks, leftRow, palettesAbove, palettesLeft } from '../blocks/neighbours'
import { readBool, readLiteral, readLiteralBit, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { bitDepth } from '../frames/sequence-header'

/** palette_colors_y, _u and _v: u16[8] each. */
const COLORS: usize = memory.data(3 * 16, 16)
/** PaletteCache, u16[16]. */
const CACHE: usize = memory.data(2 * 16, 16)
const CDF_BYTES_2: usize = 6
const CDF_BYTES_7: usize = 16

/** Address of the palette of a plane, u16[8]. */
export function paletteColors(plane: i32): usize {
  return COLORS + ((<usize>plane) << 4)
}

function color(plane: i32, i: i32): i32 {
  return load<u16>(COLORS + ((<usize>((plane << 3) + i)) << 1))
}

function setColor(plane: i32, i: i32, value: i32): void {
  store<u16>(COLORS + ((<usize>((plane << 3) + i)) << 1), <u16>value)
}

/** Reads the palettes of the block, if it has any, and stores them for its neighbours. */
export function readPaletteModeInfo(): void {
  const sizeCtx = <usize>load<u8>(MI_WIDTH_LOG2 + block.miSize) + load<u8>(MI_HEIGHT_LOG2 + block.miSize) - 2
  if (block.yMode == DC_PRED && readBool(tile.cdfs + lumaModeCdf(sizeCtx)) != 0) {
    block.paletteSizeY = readSymbol(tile.cdfs + PALETTE_Y_SIZE_CDF + sizeCtx * CDF_BYTES_7, 7) + 2
    readSortedColors(0, block.paletteSizeY, 1)
    tellPalette(0)
  }
  if (!block.hasChroma || block.uvMode != DC_PRED) return
  const ctx: usize = block.paletteSizeY > 0 ? 1 : 0
  if (readBool(tile.cdfs + PALETTE_UV_MODE_CDF + ctx * CDF_BYTES_2) == 0) return
  block.paletteSizeUV = readSymbol(tile.cdfs + PALETTE_UV_SIZE_CDF + sizeCtx * CDF_BYTES_7, 7) + 2
  readSortedColors(1, block.paletteSizeUV, 0)
  tellPalette(1)
  readColorsV(block.paletteSizeUV)
}

function lumaModeCdf(sizeCtx: usize): usize {
  let ctx: usize = 0
  if (block.availU && load<u8>(aboveBlocks.paletteY + block.miCol) > 0) ctx++
  if (block.availL && load<u8>(leftBlocks.paletteY + leftRow(block.miRow)) > 0) ctx++
  return PALETTE_Y_MODE_CDF + (sizeCtx * 3 + ctx) * CDF_BYTES_2
}

/** PaletteColors, for neighbours to come. */
function tellPalette(plane: i32): void {
  const colors = v128.load(paletteColors(plane))
  for (let x = 0; x < block.bw4; x++) v128.store(palettesAbove(plane, block.miCol + x), colors)
  for (let y = 0; y < block.bh4; y++) v128.store(palettesLeft(plane, block.miRow + y), colors)
}

/** The colours of Y or U: some of the cache's, and others by what they are above the one before, at least `least`. */
function readSortedColors(plane: i32, size: i32, least: i32): void {
  const cached = fillCache(plane)
  let idx = 0
  for (let i = 0; i < cached && idx < size; i++) {
    if (readLiteralBit() != 0) setColor(plane, idx++, load<u16>(CACHE + ((<usize>i) << 1)))
  }
  if (idx < size) setColor(plane, idx++, readLiteral(bitDepth))
  let bits = 0
  if (idx < size) bits = bitDepth - 3 + readLiteral(2)
  const top = (1 << bitDepth) - 1
  while (idx < size) {
    const value = min(top, color(plane, idx - 1) + readLiteral(bits) + least)
    setColor(plane, idx++, value)
    bits = min(bits, ceilLog2(top + 1 - value - least))
  }
  sort(plane, size)
}

/** CeilLog2( ) (4.7). */
function ceilLog2(x: i32): i32 {
  return x < 2 ? 0 : 32 - clz<i32>(x - 1)
}

function sort(plane: i32, size: i32): void {
  for (let i = 1; i < size; i++) {
    const value = color(plane, i)
    let j = i
    for (; j > 0 && color(plane, j - 1) > value; j--) setColor(plane, j, color(plane, j - 1))
    setColor(plane, j, value)
  }
}

function readColorsV(size: i32): void {
  if (readLiteralBit() == 0) {
    for (let i = 0; i < size; i++) setColor(2, i, readLiteral(bitDepth))
    return
  }
  const bits = bitDepth - 4 + readLiteral(2)
  const range = 1 << bitDepth
  setColor(2, 0, readLiteral(bitDepth))
  for (let i = 1; i < size; i++) {
    let delta = readLiteral(bits)
    if (delta != 0 && readLiteralBit() != 0) delta = -delta
    let value = color(2, i - 1) + delta
    if (value < 0) value += range
    if (value >= range) value -= range
    setColor(2, i, max(0, min(range - 1, value)))
  }
}

/** get_palette_cache( ): the colours of both neighbours in ascending order, each once; returns their number. */
function fillCache(plane: i32): i32 {
  const aboveSizes = plane == 0 ? aboveBlocks.paletteY : aboveBlocks.paletteUV
  const leftSizes = plane == 0 ? leftBlocks.paletteY : leftBlocks.paletteUV
  const isBelow = ((block.miRow << 2) & 63) != 0 && block.availU
  const aboveN: i32 = isBelow ? load<u8>(aboveSizes + block.miCol) : 0
  const leftN: i32 = block.availL ? load<u8>(leftSizes + leftRow(block.miRow)) : 0
  const above = palettesAbove(plane, block.miCol)
  const left = palettesLeft(plane, block.miRow)
  let i = 0
  let j = 0
  let n = 0
  while (i < aboveN || j < leftN) {
    const aboveC: i32 = i < aboveN ? load<u16>(above + ((<usize>i) << 1)) : i32.MAX_VALUE
    const leftC: i32 = j < leftN ? load<u16>(left + ((<usize>j) << 1)) : i32.MAX_VALUE
    const value = min(aboveC, leftC)
    if (aboveC == value) i++
    if (leftC == value) j++
    const to = CACHE + ((<usize>n) << 1)
    if (n > 0 && value == <i32>load<u16>(to - 2)) continue
    store<u16>(to, <u16>value)
    n++
  }
  return n
}
