// coeffs( ) and transform_type( ): AV1 specification, 5.11.39, 5.11.47, 5.11.48 and 8.3.2. Levels are dequantized as they are
// read (7.12.3).
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../tables/block'
import {
  COEFF_BASE_CDF,
  COEFF_BASE_EOB_CDF,
  COEFF_BR_CDF,
  DC_SIGN_CDF,
  EOB_EXTRA_CDF,
  EOB_PT_16_CDF,
  EOB_PT_32_CDF,
  EOB_PT_64_CDF,
  EOB_PT_128_CDF,
  EOB_PT_256_CDF,
  EOB_PT_512_CDF,
  EOB_PT_1024_CDF,
  TXB_SKIP_CDF,
} from '../tables/cdf'
import { DEFAULT_SCAN_AT, DEFAULT_SCANS, MCOL_SCAN_AT, MCOL_SCANS, MROW_SCAN_AT, MROW_SCANS } from '../tables/scan'
import {
  ADJUSTED_TX_SIZE,
  COEFF_BASE_CTX_OFFSET,
  TX_HEIGHT,
  TX_HEIGHT_LOG2,
  TX_SIZE_SQR,
  TX_SIZE_SQR_UP,
  TX_WIDTH,
  TX_WIDTH_LOG2,
} from '../tables/transform'
import { block } from './block'
import { startDequantization, storeLevel } from './dequantize'
import { frame } from './frame-header'
import { aboveDcs, aboveLevels, leftDcs, leftLevels } from './neighbours'
import { residualSize } from './residual-size'
import { subsamplingX, subsamplingY } from './sequence-header'
import { readBool, readLiteral, readLiteralBit, readSymbol } from './symbol-decoder'
import { tile } from './tile'
import { planeTxType, readTransformType, setTxType } from './transform-type'

const V_DCT: i32 = 10
const TX_CLASS_2D: i32 = 0
const TX_CLASS_HORIZ: i32 = 1
const TX_CLASS_VERT: i32 = 2

const NUM_BASE_LEVELS: i32 = 2
const COEFF_BASE_RANGE: i32 = 12
const SIG_COEF_CONTEXTS_2D: i32 = 26
/** Above it a level has a Golomb code. */
const GREATEST_CODED: i32 = NUM_BASE_LEVELS + COEFF_BASE_RANGE
const GREATEST_GOLOMB_LENGTH: i32 = 20

// Bytes from one CDF, context or type to the next: [txSzCtx][ptype][ctx].
const BASE_CTX: usize = 10
const BASE_TYPE: usize = 42 * BASE_CTX
const BR_TYPE: usize = 21 * BASE_CTX
const BASE_EOB_CTX: usize = 8
const BASE_EOB_TYPE: usize = 4 * BASE_EOB_CTX
const EXTRA_TYPE: usize = 9 * 6
const SKIP_SIZE: usize = 13 * 6

/** Levels up to 15 in raster order, a row of `LEVEL_STRIDE` bytes; beyond the block they are 0. */
const LEVEL_STRIDE: usize = 40
const LEVELS: usize = memory.data(40 * 40, 16)

/** The transform block whose coefficients are read. Positions and sizes are in units of 4 samples of its plane. */
@unmanaged
class TransformBlock {
  plane: i32
  txSz: i32
  txSzCtx: i32
  x4: i32
  y4: i32
  w4: i32
  h4: i32
  /** PlaneTxType */
  txType: i32
  /** The greatest row and column (units of 4) with a coefficient. */
  lastRow: i32
}

export const transform: TransformBlock = changetype<TransformBlock>(memory.data(offsetof<TransformBlock>(), 16))

/** Reads the coefficients of a transform block and dequantizes them; returns eob. */
export function readCoefficients(plane: i32, startX: i32, startY: i32, txSz: i32): i32 {
  const x4 = startX >> 2
  const y4 = startY >> 2
  const w4 = <i32>load<u8>(TX_WIDTH + txSz) >> 2
  const h4 = <i32>load<u8>(TX_HEIGHT + txSz) >> 2
  const txSzCtx = (<i32>load<u8>(TX_SIZE_SQR + txSz) + <i32>load<u8>(TX_SIZE_SQR_UP + txSz) + 1) >> 1
  transform.plane = plane
  transform.txSz = txSz
  transform.txSzCtx = txSzCtx
  transform.x4 = x4
  transform.y4 = y4
  transform.w4 = w4
  transform.h4 = h4
  const skipCtx = plane == 0 ? lumaSkipContext(x4, y4, w4, h4) : chromaSkipContext(plane, x4, y4, w4, h4)
  const isAllZero = readBool(tile.cdfs + TXB_SKIP_CDF + <usize>txSzCtx * SKIP_SIZE + skipCtx * 6) != 0
  if (isAllZero) {
    if (plane == 0) setTxType(x4, y4, w4, h4, 0)
    fillContexts(0, 0)
    return 0
  }
  if (plane == 0) readTransformType(x4, y4, txSz, w4, h4)
  transform.txType = planeTxType(plane, txSz, x4, y4)
  return readLevels(dcSignContext(plane, x4, y4, w4, h4))
}

/** get_tx_class( ) */
function classOf(type: i32): i32 {
  if (type < V_DCT) return TX_CLASS_2D
  return (type & 1) == 0 ? TX_CLASS_VERT : TX_CLASS_HORIZ
}

/** get_scan( ) (5.11.41). */
function scanOf(txSz: i32, txClass: i32): usize {
  if (txClass == TX_CLASS_2D) return DEFAULT_SCANS + load<u16>(DEFAULT_SCAN_AT + (txSz << 1))
  if (txClass == TX_CLASS_VERT) return MROW_SCANS + load<u16>(MROW_SCAN_AT + (txSz << 1))
  return MCOL_SCANS + load<u16>(MCOL_SCAN_AT + (txSz << 1))
}

/** Reads the levels, then their signs; returns eob. */
function readLevels(dcSignCtx: usize): i32 {
  const txSz = transform.txSz
  const txSzCtx = transform.txSzCtx
  const ptype: usize = transform.plane > 0 ? 1 : 0
  const txClass = classOf(transform.txType)
  const scan = scanOf(txSz, txClass)
  const adjusted = load<u8>(ADJUSTED_TX_SIZE + txSz)
  const bwl = <i32>load<u8>(TX_WIDTH_LOG2 + adjusted)
  const height = <i32>load<u8>(TX_HEIGHT + adjusted)
  const sizes = <i32>load<u8>(TX_HEIGHT_LOG2 + adjusted) + bwl
  const eob = readEob(sizes - 4, txSzCtx, ptype, txClass)
  memory.fill(LEVELS, 0, LEVEL_STRIDE * <usize>(height + 5))

  const typeAt = <usize>(txSzCtx * 2) + ptype
  const baseCdfs = tile.cdfs + COEFF_BASE_CDF + typeAt * BASE_TYPE
  const brCdfs = tile.cdfs + COEFF_BR_CDF + (<usize>(min(txSzCtx, 3) * 2) + ptype) * BR_TYPE
  let c = eob - 1
  const eobCtx: usize = c == 0 ? 0 : c <= 1 << (sizes - 3) ? 1 : c <= 1 << (sizes - 2) ? 2 : 3
  const eobCdf = tile.cdfs + COEFF_BASE_EOB_CDF + typeAt * BASE_EOB_TYPE + eobCtx * BASE_EOB_CTX
  let pos = <i32>load<u16>(scan + ((<usize>c) << 1))
  storeCoded(pos, bwl, withRange(readSymbol(eobCdf, 3) + 1, pos, bwl, txClass, brCdfs))
  const offsets = COEFF_BASE_CTX_OFFSET + txSz * 25
  for (c--; c >= 0; c--) {
    pos = load<u16>(scan + ((<usize>c) << 1))
    const ctx = baseContext(pos, bwl, txClass, offsets)
    const level = readSymbol(baseCdfs + ctx * BASE_CTX, 4)
    if (level != 0) storeCoded(pos, bwl, withRange(level, pos, bwl, txClass, brCdfs))
  }
  readSigns(scan, bwl, eob, tile.cdfs + DC_SIGN_CDF + ptype * 18 + dcSignCtx * 6)
  return eob
}

function levelAt(pos: i32, bwl: i32): usize {
  const row = <usize>(pos >> bwl)
  return LEVELS + row * LEVEL_STRIDE + (pos - ((<i32>row) << bwl))
}

function storeCoded(pos: i32, bwl: i32, level: i32): void {
  store<u8>(levelAt(pos, bwl), <u8>level)
}

/** eob_pt_*, eob_extra and eob_extra_bit. */
function readEob(eobMultisize: i32, txSzCtx: i32, ptype: usize, txClass: i32): i32 {
  const ctx: usize = txClass == TX_CLASS_2D ? 0 : 1
  const cdfs = tile.cdfs
  const n = eobMultisize + 5
  const bytes = (<usize>(n + 1)) << 1
  let cdf: usize = 0
  if (eobMultisize == 0) cdf = EOB_PT_16_CDF
  else if (eobMultisize == 1) cdf = EOB_PT_32_CDF
  else if (eobMultisize == 2) cdf = EOB_PT_64_CDF
  else if (eobMultisize == 3) cdf = EOB_PT_128_CDF
  else if (eobMultisize == 4) cdf = EOB_PT_256_CDF
  else if (eobMultisize == 5) cdf = EOB_PT_512_CDF
  else cdf = EOB_PT_1024_CDF
  cdf += eobMultisize < 5 ? (ptype * 2 + ctx) * bytes : ptype * bytes
  const eobPt = readSymbol(cdfs + cdf, n) + 1
  if (eobPt < 3) return eobPt
  let eob = (1 << (eobPt - 2)) + 1
  const extraCdf = cdfs + EOB_EXTRA_CDF + (<usize>(txSzCtx * 2) + ptype) * EXTRA_TYPE + (eobPt - 3) * 6
  if (readBool(extraCdf) != 0) eob += 1 << (eobPt - 3)
  return eob + readLiteral(eobPt - 3)
}

/** Returns the level whose base is `base`: coeff_br follows for large ones. */
function withRange(base: i32, pos: i32, bwl: i32, txClass: i32, brCdfs: usize): i32 {
  if (base <= NUM_BASE_LEVELS) return base
  const cdf = brCdfs + rangeContext(pos, bwl, txClass) * BASE_CTX
  let level = base
  for (let i = 0; i < 4; i++) {
    const more = readSymbol(cdf, 4)
    level += more
    if (more < 3) break
  }
  return level
}

/** The context of coeff_base. */
function baseContext(pos: i32, bwl: i32, txClass: i32, offsets: usize): usize {
  const row = pos >> bwl
  const col = pos - (row << bwl)
  const at = LEVELS + <usize>row * LEVEL_STRIDE + col
  let mag = least3(load<u8>(at, 1)) + least3(load<u8>(at + LEVEL_STRIDE))
  if (txClass == TX_CLASS_2D) {
    mag += least3(load<u8>(at + LEVEL_STRIDE, 1)) + least3(load<u8>(at, 2)) + least3(load<u8>(at + 2 * LEVEL_STRIDE))
    if (pos == 0) return 0
    return min((mag + 1) >> 1, 4) + load<u8>(offsets + (min(row, 4) * 5 + min(col, 4)))
  }
  if (txClass == TX_CLASS_HORIZ) mag += least3(load<u8>(at, 2)) + least3(load<u8>(at, 3)) + least3(load<u8>(at, 4))
  else {
    mag += least3(load<u8>(at + 2 * LEVEL_STRIDE)) + least3(load<u8>(at + 3 * LEVEL_STRIDE))
    mag += least3(load<u8>(at + 4 * LEVEL_STRIDE))
  }
  const idx = txClass == TX_CLASS_VERT ? row : col
  return min((mag + 1) >> 1, 4) + SIG_COEF_CONTEXTS_2D + 5 * min(idx, 2)
}

function least3(level: i32): i32 {
  return min(level, 3)
}

/** The context of coeff_br. */
function rangeContext(pos: i32, bwl: i32, txClass: i32): usize {
  const row = pos >> bwl
  const col = pos - (row << bwl)
  const at = LEVELS + <usize>row * LEVEL_STRIDE + col
  let mag = <i32>load<u8>(at, 1) + <i32>load<u8>(at + LEVEL_STRIDE)
  let isLowFrequency = false
  if (txClass == TX_CLASS_2D) {
    mag += load<u8>(at + LEVEL_STRIDE, 1)
    isLowFrequency = row < 2 && col < 2
  } else if (txClass == TX_CLASS_HORIZ) {
    mag += load<u8>(at, 2)
    isLowFrequency = col == 0
  } else {
    mag += load<u8>(at + 2 * LEVEL_STRIDE)
    isLowFrequency = row == 0
  }
  mag = min((mag + 1) >> 1, 6)
  if (pos == 0) return mag
  return mag + (isLowFrequency ? 7 : 14)
}

/** Signs and Golomb codes, from the first coefficient on; then the contexts for blocks to come. */
function readSigns(scan: usize, bwl: i32, eob: i32, dcSignCdf: usize): void {
  startDequantization(transform.plane, transform.txSz, transform.txType)
  let culLevel = 0
  let dcCategory = 0
  let greatest = 0
  for (let c = 0; c < eob; c++) {
    const pos = <i32>load<u16>(scan + ((<usize>c) << 1))
    let level = <i32>load<u8>(levelAt(pos, bwl))
    if (level == 0) continue
    const isNegative = (c == 0 ? readBool(dcSignCdf) : readLiteralBit()) != 0
    if (level > GREATEST_CODED) level = (readGolomb() + GREATEST_CODED) & 0xfffff
    if (pos == 0 && level > 0) dcCategory = isNegative ? 1 : 2
    culLevel = min(63, culLevel + level)
    greatest = max(greatest, pos)
    storeLevel(pos, level, isNegative)
  }
  transform.lastRow = greatest >> bwl
  fillContexts(culLevel, dcCategory)
}

/** golomb_length_bit and golomb_data_bit: at least 1. */
function readGolomb(): i32 {
  let length = 1
  while (readLiteralBit() == 0) if (++length > GREATEST_GOLOMB_LENGTH) break
  return (1 << (length - 1)) | readLiteral(length - 1)
}

function fillContexts(culLevel: i32, dcCategory: i32): void {
  const plane = transform.plane
  memory.fill(aboveLevels(plane, transform.x4), <u8>culLevel, transform.w4)
  memory.fill(aboveDcs(plane, transform.x4), <u8>dcCategory, transform.w4)
  memory.fill(leftLevels(plane, transform.y4), <u8>culLevel, transform.h4)
  memory.fill(leftDcs(plane, transform.y4), <u8>dcCategory, transform.h4)
}

/** Returns the number of the `w4` entries from `x4` on that are in the frame. */
function shownColumns(plane: i32, x4: i32, w4: i32): i32 {
  return min(w4, (plane > 0 ? frame.miCols >> subsamplingX : frame.miCols) - x4)
}

function shownRows(plane: i32, y4: i32, h4: i32): i32 {
  return min(h4, (plane > 0 ? frame.miRows >> subsamplingY : frame.miRows) - y4)
}

function greatest(at: usize, count: i32): i32 {
  let value = 0
  for (let i = 0; i < count; i++) value = max(value, <i32>load<u8>(at + i))
  return value
}

/** The context of all_zero in luma. */
function lumaSkipContext(x4: i32, y4: i32, w4: i32, h4: i32): usize {
  if (block.bw4 == w4 && block.bh4 == h4) return 0
  const top = greatest(aboveLevels(0, x4), shownColumns(0, x4, w4))
  const left = greatest(leftLevels(0, y4), shownRows(0, y4, h4))
  const more = max(top, left)
  if (more == 0) return 1
  const less = min(top, left)
  if (less == 0) return more > 3 ? 3 : 2
  if (more <= 3) return 4
  return less <= 3 ? 5 : 6
}

/** The context of all_zero in chroma. */
function chromaSkipContext(plane: i32, x4: i32, y4: i32, w4: i32, h4: i32): usize {
  const columns = shownColumns(plane, x4, w4)
  const rows = shownRows(plane, y4, h4)
  const above = greatest(aboveLevels(plane, x4), columns) | greatest(aboveDcs(plane, x4), columns)
  const left = greatest(leftLevels(plane, y4), rows) | greatest(leftDcs(plane, y4), rows)
  const size = residualSize(block.miSize, plane)
  const isPart = <i32>load<u8>(NUM_4X4_BLOCKS_WIDE + size) * <i32>load<u8>(NUM_4X4_BLOCKS_HIGH + size) > w4 * h4
  return (above != 0 ? 1 : 0) + (left != 0 ? 1 : 0) + (isPart ? 10 : 7)
}

/** The context of dc_sign. */
function dcSignContext(plane: i32, x4: i32, y4: i32, w4: i32, h4: i32): usize {
  const sum =
    signs(aboveDcs(plane, x4), shownColumns(plane, x4, w4)) + signs(leftDcs(plane, y4), shownRows(plane, y4, h4))
  return sum < 0 ? 1 : sum > 0 ? 2 : 0
}

function signs(at: usize, count: i32): i32 {
  let sum = 0
  for (let i = 0; i < count; i++) {
    const category = load<u8>(at + i)
    if (category == 1) sum--
    else if (category == 2) sum++
  }
  return sum
}
