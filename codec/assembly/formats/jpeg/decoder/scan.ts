// The scan header (T.81 B.2.3), and the order of blocks in a scan (A.2).

import { Status } from '../../../status'
import {
  decodeArithmeticAc,
  decodeArithmeticDc,
  decodeArithmeticRetained,
  refineArithmeticAc,
  refineArithmeticDc,
  useAreas,
} from './arithmetic'
import { ranOut } from './bit-reader'
import { Component, coefficientsOf } from './component'
import { component, components, isArithmetic, isProgressive, mcusAcross, mcusDown } from './frame-header'
import { acTable, dcTable } from './huffman'
import { decodeAc, decodeDc, refineAc, refineDc } from './progressive'
import { writeSteps } from './quantization'
import { isScanOver, nextMcu } from './restart'
import { decodeRetained } from './sequential'

/** Data units of an MCU at most (B.2.3). */
const MCU_MAX_BLOCKS: i32 = 10
const INDICES: usize = memory.data(4)

/** The number of components of the scan; the frame's numbers of them: `scanned(i)`. */
export let scanComponents: i32 = 0
/** Spectral selection and successive approximation. */
export let scanFrom: i32 = 0
export let scanTo: i32 = 0
let scanHigh: i32 = 0
export let scanLow: i32 = 0

/** MCUs that were decoded from data, in all scans that every scale needs. */
export let mcusDecoded: f64 = 0

/** Forgets the scans of the image before. */
export function resetScans(): void {
  mcusDecoded = 0
}

/** Component `i` of the scan. */
export function scanned(i: i32): Component {
  return component(load<u8>(INDICES + <usize>i))
}

/** The frame's number of the scan's component `i`. */
export function scannedIndex(i: i32): i32 {
  return load<u8>(INDICES + <usize>i)
}

/**
 * Counts an MCU that was decoded, if the data sufficed. Bands of AC do not count: small scales skip them, and whether an image is
 * refused depends on no scale.
 */
export function countMcu(): void {
  if (!ranOut() && (!isProgressive || scanFrom == 0)) mcusDecoded++
}

/** Reads the payload of a scan header; the tables come later: `prepareScan`. */
export function readScan(at: usize, end: usize): Status {
  if (end - at < 6) return Status.Malformed
  const count = <i32>load<u8>(at)
  if (count < 1 || count > components || end - at != <usize>(4 + 2 * count)) return Status.Malformed
  let blocks = 0
  let seen = 0
  for (let i = 0; i < count; i++) {
    const id = <i32>load<u8>(at + <usize>(1 + 2 * i))
    let index = 0
    // Two components of the same name are taken in their order.
    while (index < components && (component(index).id != id || ((seen >> index) & 1) == 1)) index++
    if (index == components) return Status.Malformed
    seen |= 1 << index
    store<u8>(INDICES + <usize>i, <u8>index)
    blocks += component(index).h * component(index).v
  }
  if (count > 1 && blocks > MCU_MAX_BLOCKS) return Status.Malformed
  scanComponents = count
  scanFrom = load<u8>(end - 3)
  scanTo = load<u8>(end - 2)
  scanHigh = load<u8>(end - 1) >> 4
  scanLow = load<u8>(end - 1) & 15
  if (!isProgressive) return Status.Ok
  // G.1.1.1.1 and G.1.1.1.2: DC alone, or a band of one component; one bit more each time.
  if (scanTo > 63 || scanFrom > scanTo || scanLow > 13 || (scanHigh > 0 && scanLow != scanHigh - 1))
    return Status.Malformed
  return (scanFrom == 0 ? scanTo == 0 : count == 1) ? Status.Ok : Status.Malformed
}

/** Finds the tables that the scan, whose header is at `at`, refers to. */
export function prepareScan(at: usize, inverted: bool): Status {
  for (let i = 0; i < scanComponents; i++) {
    const c = scanned(i)
    const tables = <i32>load<u8>(at + <usize>(2 + 2 * i))
    if (c.steps == 0) {
      if (!writeSteps(c.quantization, inverted, c.roomForSteps)) return Status.Malformed
      c.steps = c.roomForSteps
    }
    if (isArithmetic) {
      if (!useAreas(c, tables >> 4, tables & 15)) return Status.Malformed
      continue
    }
    if (!isProgressive || (scanFrom == 0 && scanHigh == 0)) {
      c.dcTable = dcTable(tables >> 4)
      if (c.dcTable == 0) return Status.Malformed
    }
    if (!isProgressive || scanFrom > 0) {
      c.acTable = acTable(tables & 15, !isProgressive)
      if (c.acTable == 0) return Status.Malformed
    }
  }
  return Status.Ok
}

/** Decodes a scan into the retained coefficients of its components. */
export function decodeScan(): void {
  if (scanComponents == 1) {
    const c = scanned(0)
    for (let y = 0; y < c.blocksDown; y++) {
      const row = <usize>(y * c.paddedBlocksAcross)
      for (let x = 0; x < c.blocksAcross; x++) {
        if (nextMcu()) {
          decodeScanBlock(c, row + x)
          countMcu()
        } else if (isScanOver()) return
      }
    }
    return
  }
  for (let y = 0; y < mcusDown; y++) {
    for (let x = 0; x < mcusAcross; x++) {
      if (nextMcu()) {
        for (let i = 0; i < scanComponents; i++) decodeUnits(scanned(i), x, y)
        countMcu()
      } else if (isScanOver()) return
    }
  }
}

function decodeUnits(c: Component, x: i32, y: i32): void {
  for (let v = 0; v < c.v; v++) {
    const first = <usize>((y * c.v + v) * c.paddedBlocksAcross + x * c.h)
    for (let h = 0; h < c.h; h++) decodeScanBlock(c, first + h)
  }
}

function decodeScanBlock(c: Component, block: usize): void {
  if (isArithmetic) decodeArithmeticScanBlock(c, block)
  else if (!isProgressive) decodeRetained(c, coefficientsOf(c, block))
  else if (scanFrom == 0) {
    if (scanHigh == 0) decodeDc(c, block, scanLow)
    else refineDc(c, block, scanLow)
  } else if (scanHigh == 0) decodeAc(c, block, scanFrom, scanTo, scanLow)
  else refineAc(c, block, scanFrom, scanTo, scanLow)
}

function decodeArithmeticScanBlock(c: Component, block: usize): void {
  if (!isProgressive) decodeArithmeticRetained(c, coefficientsOf(c, block))
  else if (scanFrom == 0) {
    if (scanHigh == 0) decodeArithmeticDc(c, block, scanLow)
    else refineArithmeticDc(c, block, scanLow)
  } else if (scanHigh == 0) decodeArithmeticAc(c, block, scanFrom, scanTo, scanLow)
  else refineArithmeticAc(c, block, scanFrom, scanTo, scanLow)
}
