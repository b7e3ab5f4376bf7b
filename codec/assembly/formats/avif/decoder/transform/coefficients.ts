// coeffs( ) and transform_type( ): AV1 specification, 5.11.39, 5.11.47, 5.11.48 and 8.3.2. Levels are dequantized as they are
// read (7.12.3).
import { fillFew } from '../../../../arena/few-bytes'
import { NUM_4X4_BLOCKS_HIGH, NUM_4X4_BLOCKS_WIDE } from '../../tables/block'
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
} from '../../tables/cdf'
import {
  ADJUSTED_TX_SIZE,
  TX_HEIGHT,
  TX_HEIGHT_LOG2,
  TX_SIZE_SQR,
  TX_SIZE_SQR_UP,
  TX_WIDTH,
  TX_WIDTH_LOG2,
} from '../../tables/transform'
import { block } from '../blocks/block'
import { aboveDcs, aboveLevels, leftDcs, leftLevels } from '../blocks/neighbours'
import { residualSize } from '../blocks/residual-size'
import {
  adaptQuaternary,
  nextWord,
  readBool,
  readLiteral,
  readLiteralBit,
  readSymbol,
  symbols,
} from '../blocks/symbol-decoder'
import { tile } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'
import { DEQUANT, dequantized, dequantizer, isNarrow, startDequantization, weighted } from './dequantize'
import { CELL_MASK, CONTEXT_BITS, positionsOf, TX_CLASS_2D, TX_CLASS_HORIZ, TX_CLASS_VERT } from './positions'
import { planeTxType, readTransformType, setTxType } from './transform-type'

const V_DCT: i32 = 10

const NUM_BASE_LEVELS: i32 = 2
const COEFF_BASE_RANGE: i32 = 12
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

/** Levels up to 15 in rows twice as wide as the transform, then the same up to 3. All are 0 between transform blocks. */
const LEVELS: usize = memory.data(2 * 2304, 16)
/** From a level to the same up to 3. */
const CLIPPED: usize = 2304
/** The positions of levels above 0 in the order that they were read. */
const CODED: usize = memory.data(2 * 1024 + 2, 4)

/** Contexts of coeff_base in one dimension follow those in two. */
const SIG_COEF_CONTEXTS_2D: usize = 26
/** Bytes to a CDF of coeff_base by the sum of five neighbours: ( sum + 1 ) >> 1, at most 4. */
const BASE_OF_MAGNITUDE: usize = memory.data<u8>([0, 10, 10, 20, 20, 30, 30, 40, 40, 40, 40, 40, 40, 40, 40, 40])

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
  /** From a row of cells to the next. */
  stride: i32
  /** Bits of a column of the coefficients, and of a row of them where they are stored in columns. */
  log2W: i32
  log2Column: i32
  /** No row and no column beyond these has a coefficient. */
  lastRow: i32
  lastColumn: i32
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
  const adjusted = load<u8>(ADJUSTED_TX_SIZE + txSz)
  transform.log2W = load<u8>(TX_WIDTH_LOG2 + adjusted)
  transform.stride = 2 << transform.log2W
  transform.log2Column = max(<i32>load<u8>(TX_HEIGHT_LOG2 + adjusted), 3)
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

/** Reads the levels from the last to the first, then their signs; returns eob. */
function readLevels(dcSignCtx: usize): i32 {
  const txSz = transform.txSz
  const txSzCtx = transform.txSzCtx
  const ptype: usize = transform.plane > 0 ? 1 : 0
  const txClass = classOf(transform.txType)
  const scan = positionsOf(txSz, txClass)
  const sizes = transform.log2W + <i32>load<u8>(TX_HEIGHT_LOG2 + load<u8>(ADJUSTED_TX_SIZE + txSz))
  const eob = readEob(sizes - 4, txSzCtx, ptype, txClass)
  const typeAt = <usize>(txSzCtx * 2) + ptype
  const c = eob - 1
  const eobCtx: usize = c == 0 ? 0 : c <= 1 << (sizes - 3) ? 1 : c <= 1 << (sizes - 2) ? 2 : 3
  const last = readSymbol(tile.cdfs + COEFF_BASE_EOB_CDF + typeAt * BASE_EOB_TYPE + eobCtx * BASE_EOB_CTX, 3) + 1
  const firstCtx: usize = txClass == TX_CLASS_2D ? 0 : SIG_COEF_CONTEXTS_2D
  const baseCdfs = tile.cdfs + COEFF_BASE_CDF + typeAt * BASE_TYPE + firstCtx * BASE_CTX
  const brCdfs = tile.cdfs + COEFF_BR_CDF + (<usize>(min(txSzCtx, 3) * 2) + ptype) * BR_TYPE
  const coded = readBaseLevels(scan, eob, last, txClass, baseCdfs, brCdfs)
  readSigns(coded, tile.cdfs + DC_SIGN_CDF + ptype * 18 + dcSignCtx * 6)
  return eob
}

/**
 * Reads coeff_base and coeff_br of all positions; `last` is the level of the last one but for its coeff_br. The positions of
 * levels above 0 are put into CODED; returns the end of those. The decoder's state is in local variables meanwhile.
 */
function readBaseLevels(scan: usize, eob: i32, last: i32, txClass: i32, baseCdfs: usize, brCdfs: usize): usize {
  const adapts = symbols.adapts
  const stride = transform.stride
  let window = symbols.window
  let range = symbols.range
  let bits = symbols.bits
  let coded = CODED
  let next = scan + ((<usize>(eob - 1)) << 1)
  let position = <u32>load<u16>(next)
  let at = LEVELS + (position & CELL_MASK)
  let level: u32 = last
  let symbol: u32 = last
  let cdf: usize = 0
  let more = 4
  for (;;) {
    if (symbol == 3 && more != 0) {
      if (more == 4) cdf = brCdfs + rangeContext(at, stride, txClass, position)
      more--
    } else {
      store<u8>(at, <u8>level)
      store<u8>(at, <u8>min<u32>(level, 3), CLIPPED)
      store<u16>(coded, position)
      coded += level != 0 ? 2 : 0
      if (next == scan) break
      next -= 2
      position = load<u16>(next)
      at = LEVELS + (position & CELL_MASK)
      cdf = baseCdfs + baseContext(at, stride, txClass, position)
      level = 0
      more = 4
    }
    // read_symbol( ) of four symbols, without branches on its value.
    const r = range >> 8
    const value = <u32>(window >> 48)
    const c0 = ((r * (<u32>load<u16>(cdf) >> 6)) >> 1) + 12
    const c1 = ((r * (<u32>load<u16>(cdf, 2) >> 6)) >> 1) + 8
    const c2 = ((r * (<u32>load<u16>(cdf, 4) >> 6)) >> 1) + 4
    symbol = ((value - c0) >> 31) + ((value - c1) >> 31) + ((value - c2) >> 31)
    const few = select<u32>(range - c0, c0 - c1, value >= c0)
    const many = select<u32>(c1 - c2, c2, value >= c2)
    const left = select<u32>(few, many, value >= c1)
    const below = select<u32>(select<u32>(c0, c1, value >= c0), select<u32>(c2, 0, value >= c2), value >= c1)
    const shift = <i32>clz<u32>(left) - 16
    range = left << shift
    window = (window - ((<u64>below) << 48)) << shift
    bits -= shift
    if (bits < 0) {
      window |= nextWord() << (16 - bits)
      bits += 32
    }
    if (adapts) adaptQuaternary(cdf, symbol)
    level += symbol
  }
  symbols.window = window
  symbols.range = range
  symbols.bits = bits
  return coded
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

/** Bytes from the first CDF of coeff_base to that of the position, whose level is stored at `at`. */
// @ts-ignore: decorator
@inline
function baseContext(at: usize, stride: usize, txClass: i32, position: u32): usize {
  const below = at + stride
  let mag = <usize>load<u8>(at, CLIPPED + 1) + <usize>load<u8>(below, CLIPPED)
  if (txClass == TX_CLASS_2D) {
    if (at == LEVELS) return 0
    mag +=
      <usize>load<u8>(below, CLIPPED + 1) + <usize>load<u8>(at, CLIPPED + 2) + <usize>load<u8>(below + stride, CLIPPED)
  } else if (txClass == TX_CLASS_HORIZ) {
    mag += <usize>load<u8>(at, CLIPPED + 2) + <usize>load<u8>(at, CLIPPED + 3) + <usize>load<u8>(at, CLIPPED + 4)
  } else {
    mag += <usize>load<u8>(below + stride, CLIPPED) + <usize>load<u8>(below + 2 * stride, CLIPPED)
    mag += <usize>load<u8>(below + 3 * stride, CLIPPED)
  }
  return <usize>load<u8>(BASE_OF_MAGNITUDE + mag) + <usize>(position >> CONTEXT_BITS) * BASE_CTX
}

/** Bytes from the first CDF of coeff_br to that of the position, whose level is stored at `at`. */
// @ts-ignore: decorator
@inline
function rangeContext(at: usize, stride: usize, txClass: i32, position: u32): usize {
  const cell = <usize>(position & CELL_MASK)
  let mag = <usize>load<u8>(at, 1) + <usize>load<u8>(at + stride)
  let isLowFrequency = false
  if (txClass == TX_CLASS_2D) {
    mag += load<u8>(at + stride, 1)
    isLowFrequency = (cell & ~(1 | stride)) == 0
  } else if (txClass == TX_CLASS_HORIZ) {
    mag += load<u8>(at, 2)
    isLowFrequency = (cell & (stride - 1)) == 0
  } else {
    mag += load<u8>(at + 2 * stride)
    isLowFrequency = cell < stride
  }
  mag = min<usize>((mag + 1) >> 1, 6)
  return (cell == 0 ? mag : mag + (isLowFrequency ? 7 : 14)) * BASE_CTX
}

/** Signs and Golomb codes, from the first coefficient on; then the contexts for blocks to come. */
function readSigns(coded: usize, dcSignCdf: usize): void {
  startDequantization(transform.plane, transform.txSz, transform.txType)
  const isDense = isNarrow()
  let rest = coded
  let dcLevel: u32 = 0
  let dcCategory = 0
  if ((load<u16>(coded - 2) & CELL_MASK) == 0) {
    rest -= 2
    dcLevel = takeLevel(LEVELS)
    const isNegative = readBool(dcSignCdf)
    if (dcLevel > <u32>GREATEST_CODED) dcLevel = readGolomb()
    if (dcLevel > 0) dcCategory = 2 - isNegative
    storeCoefficient(isDense, 0, dcLevel, dequantizer.dcQ, isNegative)
  }
  const culLevel = dcLevel + readOtherSigns(rest, isDense)
  fillContexts(min<u32>(63, culLevel), dcCategory)
}

/**
 * Reads signs of the positions below `coded` but the first one, with the decoder's state in local variables; returns the sum of the
 * levels.
 */
function readOtherSigns(coded: usize, isDense: bool): u32 {
  const acQ = dequantizer.acQ
  let window = symbols.window
  let range = symbols.range
  let bits = symbols.bits
  let sum: u32 = 0
  let cells: u32 = 0
  while (coded > CODED) {
    coded -= 2
    const cell = <u32>load<u16>(coded) & CELL_MASK
    let level = takeLevel(LEVELS + cell)
    // L(1)
    const value = <u32>(window >> 48)
    const half = ((range >> 8) << 7) + 4
    const negative = (value - half) >> 31
    const shift = <i32>clz<u32>(select<u32>(range - half, half, value >= half)) - 16
    window = (window - ((<u64>select<u32>(half, 0, value >= half)) << 48)) << shift
    range = select<u32>(range - half, half, value >= half) << shift
    bits -= shift
    if (bits < 0) {
      window |= nextWord() << (16 - bits)
      bits += 32
    }
    if (level > <u32>GREATEST_CODED) {
      symbols.window = window
      symbols.range = range
      symbols.bits = bits
      level = readGolomb()
      window = symbols.window
      range = symbols.range
      bits = symbols.bits
    }
    sum += level
    cells |= cell
    storeCoefficient(isDense, cell, level, acQ, negative)
  }
  symbols.window = window
  symbols.range = range
  symbols.bits = bits
  transform.lastRow = <i32>(cells >> (transform.log2W + 1))
  transform.lastColumn = cells & (transform.stride - 1)
  return sum
}

/** Returns a level that was read, and sets it to 0 for the next transform block. */
// @ts-ignore: decorator
@inline
function takeLevel(at: usize): u32 {
  const level = <u32>load<u8>(at)
  store<u8>(at, 0)
  store<u8>(at, 0, CLIPPED)
  return level
}

// @ts-ignore: decorator
@inline
function storeCoefficient(isDense: bool, cell: u32, level: u32, q: u32, negative: i32): void {
  const log2W = transform.log2W
  const row = cell >> (log2W + 1)
  const column = cell & ((1 << log2W) - 1)
  const coefficient = dequantized(level, weighted(q, (row << log2W) + column), negative)
  if (isDense) store<i16>(DEQUANT + ((<usize>((column << transform.log2Column) + row)) << 1), coefficient)
  else store<i32>(DEQUANT + ((<usize>((row << log2W) + column)) << 2), coefficient)
}

/** golomb_length_bit and golomb_data_bit: a level above the greatest that is coded otherwise. */
function readGolomb(): u32 {
  let length = 1
  while (readLiteralBit() == 0) if (++length > GREATEST_GOLOMB_LENGTH) break
  return (((1 << (length - 1)) | readLiteral(length - 1)) + GREATEST_CODED) & 0xfffff
}

function fillContexts(culLevel: i32, dcCategory: i32): void {
  const plane = transform.plane
  fillFew(aboveLevels(plane, transform.x4), culLevel, transform.w4)
  fillFew(aboveDcs(plane, transform.x4), dcCategory, transform.w4)
  fillFew(leftLevels(plane, transform.y4), culLevel, transform.h4)
  fillFew(leftDcs(plane, transform.y4), dcCategory, transform.h4)
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
