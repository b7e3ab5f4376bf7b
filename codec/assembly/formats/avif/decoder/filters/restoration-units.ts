// read_lr( ) and read_lr_unit( ): AV1 specification, 5.11.57 and 5.11.58.
import { allocateZeroed } from '../../../../arena/memory'
import { RESTORATION_TYPE_CDF, USE_SGRPROJ_CDF, USE_WIENER_CDF } from '../../tables/cdf'
import { SGR_PARAMS } from '../../tables/filters'
import { readBool, readLiteral, readLiteralBit, readSymbol, readUniform } from '../blocks/symbol-decoder'
import { sgrReference, tile, wienerReference } from '../blocks/tile'
import { frame } from '../frames/frame-header'
import {
  countUnits,
  frameRestorationType,
  RESTORE_NONE,
  RESTORE_SGRPROJ,
  RESTORE_WIENER,
  restorationSize,
} from '../frames/restoration-params'
import { numPlanes, sequence, subsamplingX, subsamplingY } from '../frames/sequence-header'

const SUPERRES_NUM: i32 = 8
const SGRPROJ_PARAMS_BITS: i32 = 4
const SGRPROJ_PRJ_SUBEXP_K: i32 = 4
const SGRPROJ_PRJ_BITS: i32 = 7

/** Wiener_Taps_Min, -_Max and -_K; Sgrproj_Xqd_Min and -_Max. */
const WIENER_MIN: usize = memory.data<i8>([-5, -23, -17])
const WIENER_MAX: usize = memory.data<i8>([10, 8, 46])
const XQD_MIN: usize = memory.data<i8>([-96, -32])
const XQD_MAX: usize = memory.data<i8>([31, 95])

/**
 * A unit: its type, u8; the set of a self-guided filter, u8; then coefficients, i8. They are those of the vertical
 * and the horizontal Wiener filter, or both weights of the self-guided one.
 */
const UNIT_BYTES: usize = 8
const UNITS: StaticArray<usize> = [0, 0, 0]
const UNIT_ROWS: StaticArray<i32> = [0, 0, 0]
const UNIT_COLS: StaticArray<i32> = [0, 0, 0]

/** Takes the memory for the units of the frame. */
export function startRestorationUnits(): void {
  for (let plane = 0; plane < numPlanes; plane++) {
    if (frameRestorationType(plane) == RESTORE_NONE) continue
    const subX = plane > 0 ? subsamplingX : 0
    const subY = plane > 0 ? subsamplingY : 0
    const size = restorationSize(plane)
    UNIT_ROWS[plane] = countUnits(size, (frame.height + subY) >> subY)
    UNIT_COLS[plane] = countUnits(size, (frame.upscaledWidth + subX) >> subX)
    UNITS[plane] = allocateZeroed(<usize>UNIT_ROWS[plane] * UNIT_COLS[plane] * UNIT_BYTES)
  }
}

/** Units across a plane. */
export function unitColumns(plane: i32): i32 {
  return UNIT_COLS[plane]
}

/** Units down a plane. */
export function unitRows(plane: i32): i32 {
  return UNIT_ROWS[plane]
}

/** Address of a unit. */
export function unitAt(plane: i32, row: i32, col: i32): usize {
  return UNITS[plane] + <usize>(row * UNIT_COLS[plane] + col) * UNIT_BYTES
}

/** restoration_type of a unit. */
export function unitType(unit: usize): i32 {
  return load<u8>(unit)
}

/** lr_sgr_set */
export function unitSet(unit: usize): i32 {
  return load<u8>(unit, 1)
}

/** LrWiener of pass 0 (vertical) or 1, or LrSgrXqd as pass 0. */
export function unitCoefficient(unit: usize, pass: i32, i: i32): i32 {
  return load<i8>(unit + <usize>(2 + pass * 3 + i))
}

/** Reads the units that begin in the superblock at (`r`, `c`). */
export function readRestorationUnits(r: i32, c: i32): void {
  if (frame.allowIntrabc) return
  const side = sequence.use128x128 ? 32 : 16
  for (let plane = 0; plane < numPlanes; plane++) {
    if (frameRestorationType(plane) == RESTORE_NONE) continue
    const subX = plane > 0 ? subsamplingX : 0
    const subY = plane > 0 ? subsamplingY : 0
    const size = restorationSize(plane)
    const isScaled = frame.width != frame.upscaledWidth
    const numerator = (4 >> subX) * (isScaled ? frame.superresDenom : 1)
    const denominator = size * (isScaled ? SUPERRES_NUM : 1)
    const rowEnd = min(unitRows(plane), divideUp((r + side) * (4 >> subY), size))
    const colEnd = min(unitColumns(plane), divideUp((c + side) * numerator, denominator))
    for (let row = divideUp(r * (4 >> subY), size); row < rowEnd; row++) {
      for (let col = divideUp(c * numerator, denominator); col < colEnd; col++) readUnit(plane, unitAt(plane, row, col))
    }
  }
}

function divideUp(a: i32, b: i32): i32 {
  return (a + b - 1) / b
}

function readUnit(plane: i32, unit: usize): void {
  const type = readType(frameRestorationType(plane))
  store<u8>(unit, <u8>type)
  if (type == RESTORE_WIENER) readWiener(plane, unit)
  else if (type == RESTORE_SGRPROJ) readSgrproj(plane, unit)
}

function readType(frameType: i32): i32 {
  const cdfs = tile.cdfs
  if (frameType == RESTORE_WIENER) return readBool(cdfs + USE_WIENER_CDF) != 0 ? RESTORE_WIENER : RESTORE_NONE
  if (frameType == RESTORE_SGRPROJ) return readBool(cdfs + USE_SGRPROJ_CDF) != 0 ? RESTORE_SGRPROJ : RESTORE_NONE
  return readSymbol(cdfs + RESTORATION_TYPE_CDF, 3)
}

function readWiener(plane: i32, unit: usize): void {
  for (let pass = 0; pass < 2; pass++) {
    const first = plane > 0 ? 1 : 0
    const to = unit + <usize>(2 + pass * 3)
    if (plane > 0) store<i8>(to, 0)
    for (let j = first; j < 3; j++) {
      const reference = wienerReference(plane, pass) + j
      const least = <i32>load<i8>(WIENER_MIN + j)
      const most = <i32>load<i8>(WIENER_MAX + j)
      const v = readSignedSubexp(least, most + 1, j + 1, load<i8>(reference))
      store<i8>(to + j, <i8>v)
      store<i8>(reference, <i8>v)
    }
  }
}

function readSgrproj(plane: i32, unit: usize): void {
  const set = readLiteral(SGRPROJ_PARAMS_BITS)
  const reference = sgrReference(plane)
  store<u8>(unit, <u8>set, 1)
  for (let i = 0; i < 2; i++) {
    const radius = load<u8>(SGR_PARAMS + ((set << 2) + i * 2))
    const least = <i32>load<i8>(XQD_MIN + i)
    const most = <i32>load<i8>(XQD_MAX + i)
    let v = 0
    if (radius > 0) v = readSignedSubexp(least, most + 1, SGRPROJ_PRJ_SUBEXP_K, load<i8>(reference + i))
    else if (i == 1) v = max(least, min(most, (1 << SGRPROJ_PRJ_BITS) - <i32>load<i8>(reference)))
    store<i8>(unit + <usize>(2 + i), <i8>v)
    store<i8>(reference + i, <i8>v)
  }
}

/** decode_signed_subexp_with_ref_bool( ) */
function readSignedSubexp(low: i32, high: i32, k: i32, r: i32): i32 {
  const mx = high - low
  const ref = r - low
  const v = readSubexp(mx, k)
  if (ref << 1 <= mx) return inverseRecenter(ref, v) + low
  return mx - 1 - inverseRecenter(mx - 1 - ref, v) + low
}

/** decode_subexp_bool( ) */
function readSubexp(numSyms: i32, k: i32): i32 {
  let mk = 0
  let i = 0
  let bits = k
  while (numSyms > mk + (3 << bits)) {
    if (readLiteralBit() == 0) return readLiteral(bits) + mk
    mk += 1 << bits
    bits = k + i++
  }
  return readUniform(numSyms - mk) + mk
}

/** inverse_recenter( ) (5.9.29) */
function inverseRecenter(r: i32, v: i32): i32 {
  if (v > 2 * r) return v
  return (v & 1) != 0 ? r - ((v + 1) >> 1) : r + (v >> 1)
}
