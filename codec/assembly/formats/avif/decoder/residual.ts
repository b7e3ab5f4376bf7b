// residual( ), transform_block( ) and transform_tree( ): AV1 specification, 5.11.34 to 5.11.36.

import { MAX_TX_SIZE_RECT, NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../tables/block'
import { TX_HEIGHT, TX_WIDTH } from '../tables/transform'
import { BLOCK_64X64, block, DC_PRED, UV_CFL_PRED } from './blocks/block'
import { setDecoded } from './blocks/block-decoded'
import { mapTransform, UNFILTERED_LEFT, UNFILTERED_TOP } from './blocks/block-map'
import { BLOCK_INVALID, residualSize } from './blocks/residual-size'
import { frame } from './frames/frame-header'
import { subsamplingX, subsamplingY } from './frames/sequence-header'
import { interTxSize } from './modes/tx-size'
import { intraBlock, setIntraBlock } from './prediction/intra-block'
import { predictChromaFromLuma } from './prediction/predict-cfl'
import { predictIntra } from './prediction/predict-intra'
import { predictPalette } from './prediction/predict-palette'
import { readCoefficients } from './transform/coefficients'
import { reconstruct } from './transform/reconstruct'

const TX_4X4: i32 = 0
const TX_32X32: i32 = 3
const TX_16X32: i32 = 9
const TX_32X16: i32 = 10
const TX_SIZES_ALL: i32 = 19

/** Predicts and reconstructs the block, 64x64 luma samples at a time; false if its size has no chroma. */
export function decodeResidual(): bool {
  const widthChunks = max(1, block.bw4 >> 4)
  const heightChunks = max(1, block.bh4 >> 4)
  const chunkSize = widthChunks > 1 || heightChunks > 1 ? BLOCK_64X64 : block.miSize
  const planes = block.hasChroma ? 3 : 1
  if (block.hasChroma && residualSize(block.miSize, 1) == BLOCK_INVALID) return false
  for (let chunkY = 0; chunkY < heightChunks; chunkY++) {
    for (let chunkX = 0; chunkX < widthChunks; chunkX++) {
      for (let plane = 0; plane < planes; plane++) decodeChunk(plane, chunkX << 4, chunkY << 4, chunkSize)
    }
  }
  return true
}

/** The transform blocks of a plane in the chunk `mi4X`, `mi4Y` (units of 4 luma samples) from the block's corner. */
function decodeChunk(plane: i32, mi4X: i32, mi4Y: i32, chunkSize: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const size = residualSize(chunkSize, plane)
  const num4x4W = <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + size)
  const num4x4H = <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + size)
  if (block.isInter && !block.lossless && plane == 0) {
    decodeTree((block.miCol + mi4X) << 2, (block.miRow + mi4Y) << 2, num4x4W << 2, num4x4H << 2)
    return
  }
  const txSz = block.lossless ? TX_4X4 : planeTxSize(plane)
  const stepX = <i32>load<u8>(TX_WIDTH + txSz) >> 2
  const stepY = <i32>load<u8>(TX_HEIGHT + txSz) >> 2
  const baseX = (block.miCol >> subX) << 2
  const baseY = (block.miRow >> subY) << 2
  const x0 = mi4X >> subX
  const y0 = mi4Y >> subY
  for (let y = y0; y < y0 + num4x4H; y += stepY) {
    for (let x = x0; x < x0 + num4x4W; x += stepX) decodeTransformBlock(plane, baseX, baseY, txSz, x, y)
  }
}

/** get_tx_size( ) (5.11.37) */
function planeTxSize(plane: i32): i32 {
  if (plane == 0) return block.txSize
  const uvTx = <i32>load<u8>(MAX_TX_SIZE_RECT + residualSize(block.miSize, plane))
  const w = load<u8>(TX_WIDTH + uvTx)
  const h = load<u8>(TX_HEIGHT + uvTx)
  if (w != 64 && h != 64) return uvTx
  if (w == 16) return TX_16X32
  return h == 16 ? TX_32X16 : TX_32X32
}

/** transform_tree( ) */
function decodeTree(startX: i32, startY: i32, w: i32, h: i32): void {
  if (startX >= frame.miCols << 2 || startY >= frame.miRows << 2) return
  const lumaTxSz = interTxSize(startY >> 2, startX >> 2)
  if (w <= <i32>load<u8>(TX_WIDTH + lumaTxSz) && h <= <i32>load<u8>(TX_HEIGHT + lumaTxSz)) {
    decodeTransformBlock(0, startX, startY, findTxSize(w, h), 0, 0)
    return
  }
  const partW = w >= h ? w >> 1 : w
  const partH = h >= w ? h >> 1 : h
  for (let y = 0; y < h; y += partH) {
    for (let x = 0; x < w; x += partW) decodeTree(startX + x, startY + y, partW, partH)
  }
}

/** find_tx_size( ) */
function findTxSize(w: i32, h: i32): i32 {
  for (let txSz = 0; txSz < TX_SIZES_ALL; txSz++) {
    if (<i32>load<u8>(TX_WIDTH + txSz) == w && <i32>load<u8>(TX_HEIGHT + txSz) == h) return txSz
  }
  return TX_4X4
}

/** transform_block( ): `x` and `y` are in units of 4 samples from the block's corner at (`baseX`, `baseY`). */
function decodeTransformBlock(plane: i32, baseX: i32, baseY: i32, txSz: i32, x: i32, y: i32): void {
  const startX = baseX + (x << 2)
  const startY = baseY + (y << 2)
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  if (startX >= (frame.miCols << 2) >> subX || startY >= (frame.miRows << 2) >> subY) return
  const stepX = <i32>load<u8>(TX_WIDTH + txSz) >> 2
  const stepY = <i32>load<u8>(TX_HEIGHT + txSz) >> 2
  if (!block.isInter) {
    predict(plane, startX, startY, txSz, x, y)
    if (plane == 0) {
      block.maxLumaW = startX + (stepX << 2)
      block.maxLumaH = startY + (stepY << 2)
    }
  }
  if (!block.skip && readCoefficients(plane, startX, startY, txSz) > 0) reconstruct(plane, startX, startY, txSz)
  const row = startY >> 2
  const col = startX >> 2
  const shownW = min(stepX, ((frame.miCols - 1) >> subX) + 1 - col)
  const shownH = min(stepY, ((frame.miRows - 1) >> subY) + 1 - row)
  const edges = unfilteredEdges(row - (block.miRow >> subY), col - (block.miCol >> subX))
  mapTransform(plane, row, col, shownW, shownH, txSz | edges)
  setDecoded(plane, row, col, stepX, stepY)
}

/** The edges of a transform block that are not filtered: those inside a block without residual (applyFilter, 7.14.2). */
function unfilteredEdges(row: i32, col: i32): i32 {
  if (!block.skip || !block.isInter) return 0
  return (col > 0 ? UNFILTERED_LEFT : 0) | (row > 0 ? UNFILTERED_TOP : 0)
}

/** Predicts the transform block at (`startX`, `startY`); `x` and `y` are its offset in the block, in units of 4 samples. */
function predict(plane: i32, startX: i32, startY: i32, txSz: i32, x: i32, y: i32): void {
  if ((plane == 0 ? block.paletteSizeY : block.paletteSizeUV) > 0) {
    predictPalette(plane, startX, startY, x, y, txSz)
    return
  }
  const isCfl = plane > 0 && block.uvMode == UV_CFL_PRED
  const mode = plane == 0 ? block.yMode : isCfl ? DC_PRED : block.uvMode
  setIntraBlock(plane, startX, startY, load<u8>(TX_WIDTH + txSz), load<u8>(TX_HEIGHT + txSz), mode)
  intraBlock.haveLeft = (plane == 0 ? block.availL : block.availLChroma) || x > 0
  intraBlock.haveAbove = (plane == 0 ? block.availU : block.availUChroma) || y > 0
  predictIntra()
  if (isCfl) predictChromaFromLuma(plane, startX, startY, txSz)
}
