// read_block_tx_size( ): AV1 specification, 5.11.15 to 5.11.17 and 8.3.2.
import { fillFew } from '../../../../arena/few-bytes'
import { MAX_TX_DEPTH, MAX_TX_SIZE_RECT, NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../../tables/block'
import { TX_8X8_CDF, TX_16X16_CDF, TX_32X32_CDF, TX_64X64_CDF, TXFM_SPLIT_CDF } from '../../tables/cdf'
import { SPLIT_TX_SIZE, TX_HEIGHT, TX_SIZE_SQR_UP, TX_WIDTH } from '../../tables/transform'
import { BLOCK_4X4, block } from '../blocks/block'
import { aboveBlocks, leftBlocks, leftRow } from '../blocks/neighbours'
import { readBool, readSymbol } from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'

const TX_4X4: i32 = 0
const TX_SIZES: i32 = 5
const MAX_VARTX_DEPTH: i32 = 2

/** InterTxSizes of the superblock: u8[32][32]. */
const INTER_TX_SIZES: usize = memory.data(32 * 32)

/** InterTxSizes[ row ][ col ] */
export function interTxSize(row: i32, col: i32): i32 {
  return load<u8>(INTER_TX_SIZES + (((row & 31) << 5) + (col & 31)))
}

/** Reads the size, or for a block that is copied the sizes, of the block's transforms. */
export function readBlockTxSize(): void {
  const largest = <i32>load<u8>(MAX_TX_SIZE_RECT + block.miSize)
  if (frame.txModeSelect && block.miSize > BLOCK_4X4 && block.isInter && !block.skip && !block.lossless) {
    readTxTree(largest)
    return
  }
  readTxSize(largest, !block.skip || !block.isInter)
  fillFew(aboveBlocks.txSizes + block.miCol, block.txSize, block.bw4)
  fillFew(leftBlocks.txSizes + leftRow(block.miRow), block.txSize, block.bh4)
  if (!block.isInter) return
  for (let y = 0; y < block.bh4; y++) {
    fillFew(INTER_TX_SIZES + ((((block.miRow + y) & 31) << 5) + (block.miCol & 31)), block.txSize, block.bw4)
  }
}

/** read_tx_size( ) */
function readTxSize(largest: i32, allowSelect: bool): void {
  block.txSize = TX_4X4
  if (block.lossless) return
  block.txSize = largest
  if (block.miSize == BLOCK_4X4 || !allowSelect || !frame.txModeSelect) return
  const maxTxDepth = load<u8>(MAX_TX_DEPTH + block.miSize)
  const ctx = depthContext(largest)
  let depth = 0
  if (maxTxDepth == 4) depth = readSymbol(tile.cdfs + TX_64X64_CDF + ctx * 8, 3)
  else if (maxTxDepth == 3) depth = readSymbol(tile.cdfs + TX_32X32_CDF + ctx * 8, 3)
  else if (maxTxDepth == 2) depth = readSymbol(tile.cdfs + TX_16X16_CDF + ctx * 8, 3)
  else depth = readBool(tile.cdfs + TX_8X8_CDF + ctx * 6)
  for (let i = 0; i < depth; i++) block.txSize = load<u8>(SPLIT_TX_SIZE + block.txSize)
}

function depthContext(largest: i32): usize {
  const x = <usize>block.miCol
  const y = leftRow(block.miRow)
  let aboveW = 0
  let leftH = 0
  if (block.availU) {
    aboveW = load<u8>(aboveBlocks.inters + x) != 0 ? blockWidth(load<u8>(aboveBlocks.sizes + x)) : aboveTxWidth(x)
  }
  if (block.availL) {
    leftH = load<u8>(leftBlocks.inters + y) != 0 ? blockHeight(load<u8>(leftBlocks.sizes + y)) : leftTxHeight(y)
  }
  const above: usize = aboveW >= <i32>load<u8>(TX_WIDTH + largest) ? 1 : 0
  return above + (leftH >= <i32>load<u8>(TX_HEIGHT + largest) ? 1 : 0)
}

function blockWidth(size: i32): i32 {
  return (<i32>load<u8>(NUM_4X4_BLOCKS_WIDE + size)) << 2
}

function blockHeight(size: i32): i32 {
  return (<i32>load<u8>(NUM_4X4_BLOCKS_HIGH + size)) << 2
}

function aboveTxWidth(x: usize): i32 {
  return load<u8>(TX_WIDTH + load<u8>(aboveBlocks.txSizes + x))
}

function leftTxHeight(y: usize): i32 {
  return load<u8>(TX_HEIGHT + load<u8>(leftBlocks.txSizes + y))
}

/** The transform sizes of a copied block: read_var_tx_size( ) over it. */
function readTxTree(largest: i32): void {
  const w4 = <i32>load<u8>(TX_WIDTH + largest) >> 2
  const h4 = <i32>load<u8>(TX_HEIGHT + largest) >> 2
  for (let row = block.miRow; row < block.miRow + block.bh4; row += h4) {
    for (let col = block.miCol; col < block.miCol + block.bw4; col += w4) readVarTxSize(row, col, largest, 0)
  }
}

function readVarTxSize(row: i32, col: i32, txSize: i32, depth: i32): void {
  if (row >= frame.miRows || col >= frame.miCols) return
  const w4 = <i32>load<u8>(TX_WIDTH + txSize) >> 2
  const h4 = <i32>load<u8>(TX_HEIGHT + txSize) >> 2
  if (txSize != TX_4X4 && depth < MAX_VARTX_DEPTH && readBool(splitCdf(row, col, txSize)) != 0) {
    const sub = <i32>load<u8>(SPLIT_TX_SIZE + txSize)
    const stepW = <i32>load<u8>(TX_WIDTH + sub) >> 2
    const stepH = <i32>load<u8>(TX_HEIGHT + sub) >> 2
    for (let i = 0; i < h4; i += stepH) {
      for (let j = 0; j < w4; j += stepW) readVarTxSize(row + i, col + j, sub, depth + 1)
    }
    return
  }
  for (let i = 0; i < h4; i++) fillFew(INTER_TX_SIZES + ((((row + i) & 31) << 5) + (col & 31)), txSize, w4)
  fillFew(aboveBlocks.txSizes + col, txSize, w4)
  fillFew(leftBlocks.txSizes + leftRow(row), txSize, h4)
  block.txSize = txSize
}

/** The CDF of txfm_split. */
function splitCdf(row: i32, col: i32, txSize: i32): usize {
  const above = splitWidthAbove(row, col) < <i32>load<u8>(TX_WIDTH + txSize) ? 1 : 0
  const left = splitHeightLeft(row, col) < <i32>load<u8>(TX_HEIGHT + txSize) ? 1 : 0
  // find_tx_size( size, size ) of the longer side, at most 64.
  const maxTxSz = min(4, 31 - clz<i32>(max(block.bw4, block.bh4)))
  const isSmaller = <i32>load<u8>(TX_SIZE_SQR_UP + txSize) != maxTxSz ? 1 : 0
  const ctx = isSmaller * 3 + (TX_SIZES - 1 - maxTxSz) * 6 + above + left
  return tile.cdfs + TXFM_SPLIT_CDF + ctx * 6
}

/** get_above_tx_width( ) */
function splitWidthAbove(row: i32, col: i32): i32 {
  const x = <usize>col
  if (row == block.miRow) {
    if (!block.availU) return 64
    if (load<u8>(aboveBlocks.skips + x) != 0 && load<u8>(aboveBlocks.inters + x) != 0)
      return blockWidth(load<u8>(aboveBlocks.sizes + x))
  }
  return aboveTxWidth(x)
}

/** get_left_tx_height( ) */
function splitHeightLeft(row: i32, col: i32): i32 {
  const y = leftRow(row)
  if (col == block.miCol) {
    if (!block.availL) return 64
    if (load<u8>(leftBlocks.skips + y) != 0 && load<u8>(leftBlocks.inters + y) != 0)
      return blockHeight(load<u8>(leftBlocks.sizes + y))
  }
  return leftTxHeight(y)
}
