// palette_tokens( ): AV1 specification, 5.11.49 and 5.11.50.
import { PALETTE_SIZE_2_UV_COLOR_CDF, PALETTE_SIZE_2_Y_COLOR_CDF } from '../../tables/cdf'
import { PALETTE_COLOR_CONTEXT } from '../../tables/prediction'
import { block } from '../blocks/block'
import { readSymbol, readUniform } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'

const STRIDE: usize = 64
/** ColorMapY and ColorMapUV: u8[64][64] each. */
const COLOR_MAPS: usize = memory.data(2 * 64 * 64)
const PALETTE_COLORS: i32 = 8
const PALETTE_NUM_NEIGHBORS: i32 = 3
const CONTEXTS: usize = 5
const ORDER: usize = memory.data(8)
const SCORES: usize = memory.data(8)

/** Address of the colour at (`row`, `col`) of the block, in a plane's samples; rows are 64 bytes. */
export function colorMapAt(isChroma: bool, row: i32, col: i32): usize {
  return COLOR_MAPS + (isChroma ? STRIDE * STRIDE : 0) + <usize>row * STRIDE + col
}

/** Reads which colour of its palette each sample of the block has. */
export function readPaletteTokens(): void {
  const width = block.bw4 << 2
  const height = block.bh4 << 2
  const onscreenWidth = min(width, (frame.miCols - block.miCol) << 2)
  const onscreenHeight = min(height, (frame.miRows - block.miRow) << 2)
  if (block.paletteSizeY > 0) {
    const cdfs = colorCdfs(PALETTE_SIZE_2_Y_COLOR_CDF, block.paletteSizeY)
    readMap(COLOR_MAPS, block.paletteSizeY, cdfs, onscreenWidth, onscreenHeight)
    extendMap(COLOR_MAPS, onscreenWidth, onscreenHeight, width, height)
  }
  if (block.paletteSizeUV == 0) return
  const map = colorMapAt(true, 0, 0)
  const cdfs = colorCdfs(PALETTE_SIZE_2_UV_COLOR_CDF, block.paletteSizeUV)
  // Chroma of a block of 4 luma samples belongs to two of them.
  const moreX = width >> subsamplingX < 4 ? 2 : 0
  const moreY = height >> subsamplingY < 4 ? 2 : 0
  const shownWidth = (onscreenWidth >> subsamplingX) + moreX
  const shownHeight = (onscreenHeight >> subsamplingY) + moreY
  readMap(map, block.paletteSizeUV, cdfs, shownWidth, shownHeight)
  extendMap(map, shownWidth, shownHeight, (width >> subsamplingX) + moreX, (height >> subsamplingY) + moreY)
}

/** CDFs of palettes of n colours follow those of n - 1, each of CONTEXTS CDFs of n + 1 numbers. */
function colorCdfs(first: usize, colors: i32): usize {
  let at = first
  for (let n = 2; n < colors; n++) at += CONTEXTS * ((<usize>(n + 1)) << 1)
  return tile.cdfs + at
}

/** The colours in diagonals from the upper right. */
function readMap(map: usize, colors: i32, cdfs: usize, width: i32, height: i32): void {
  store<u8>(map, <u8>readUniform(colors))
  for (let i = 1; i < height + width - 1; i++) {
    for (let j = min(i, width - 1); j >= max(0, i - height + 1); j--) {
      const at = map + <usize>(i - j) * STRIDE + j
      const hash = orderColors(at, i - j, j, colors)
      const ctx = <usize>load<i8>(PALETTE_COLOR_CONTEXT + hash)
      const symbol = readSymbol(cdfs + ctx * ((<usize>(colors + 1)) << 1), colors)
      store<u8>(at, load<u8>(ORDER + symbol))
    }
  }
}

function extendMap(map: usize, shownWidth: i32, shownHeight: i32, width: i32, height: i32): void {
  for (let y = 0; y < shownHeight; y++) {
    const row = map + <usize>y * STRIDE
    memory.fill(row + shownWidth, load<u8>(row + (shownWidth - 1)), width - shownWidth)
  }
  const last = map + <usize>(shownHeight - 1) * STRIDE
  for (let y = shownHeight; y < height; y++) memory.copy(map + <usize>y * STRIDE, last, width)
}

/** get_palette_color_context( ): sorts ColorOrder and returns ColorContextHash. */
function orderColors(at: usize, r: i32, c: i32, n: i32): usize {
  store<u64>(ORDER, 0x0706050403020100)
  store<u64>(SCORES, 0)
  if (c > 0) score(load<u8>(at - 1), 2)
  if (r > 0 && c > 0) score(load<u8>(at - STRIDE - 1), 1)
  if (r > 0) score(load<u8>(at - STRIDE), 2)
  for (let i = 0; i < PALETTE_NUM_NEIGHBORS; i++) {
    let best = i
    for (let j = i + 1; j < n; j++) if (load<u8>(SCORES + j) > load<u8>(SCORES + best)) best = j
    if (best != i) moveUp(best, i)
  }
  // Palette_Color_Hash_Multipliers
  return <usize>load<u8>(SCORES) + 2 * <usize>load<u8>(SCORES, 1) + 2 * <usize>load<u8>(SCORES, 2)
}

function score(color: usize, points: u32): void {
  const at = SCORES + (color & (PALETTE_COLORS - 1))
  store<u8>(at, <u8>(load<u8>(at) + points))
}

/** Moves entry `from` up to `to`, those between down by one. */
function moveUp(from: usize, to: usize): void {
  const points = load<u8>(SCORES + from)
  const color = load<u8>(ORDER + from)
  memory.copy(SCORES + to + 1, SCORES + to, from - to)
  memory.copy(ORDER + to + 1, ORDER + to, from - to)
  store<u8>(SCORES + to, points)
  store<u8>(ORDER + to, color)
}
