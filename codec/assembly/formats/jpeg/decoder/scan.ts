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
import { component, frame } from './frame-header'
import { acTable, dcTable } from './huffman'
import { decodeAc, decodeDc, refineAc, refineDc } from './progressive'
import { writeSteps } from './quantization'
import { isScanOver, nextMcu } from './restart'
import { decodeRetained } from './sequential'

/** Data units of an MCU at most (B.2.3). */
const MCU_MAX_BLOCKS: i32 = 10
const INDICES: usize = memory.data(4)

/** The scan header that was read last (T.81 B.2.3). */
@unmanaged
class Scan {
  /** The number of components of the scan; the frame's numbers of them: `scanned(i)`. */
  components: i32
  /** Spectral selection and successive approximation. */
  from: i32
  to: i32
  high: i32
  low: i32
  /** MCUs that were decoded from data, in all scans that every scale needs. */
  mcusDecoded: f64
}

export const scan: Scan = changetype<Scan>(memory.data(offsetof<Scan>(), 8))

/** Forgets the scans of the image before. */
export function resetScans(): void {
  scan.mcusDecoded = 0
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
  if (!ranOut() && (!frame.isProgressive || scan.from == 0)) scan.mcusDecoded++
}

/** Reads the payload of a scan header; the tables come later: `prepareScan`. */
export function readScan(at: usize, end: usize): Status {
  if (end - at < 6) return Status.Malformed
  const count = <i32>load<u8>(at)
  if (count < 1 || count > frame.components || end - at != <usize>(4 + 2 * count)) return Status.Malformed
  let blocks = 0
  let seen = 0
  for (let i = 0; i < count; i++) {
    const id = <i32>load<u8>(at + <usize>(1 + 2 * i))
    let index = 0
    // Two components of the same name are taken in their order.
    while (index < frame.components && (component(index).id != id || ((seen >> index) & 1) == 1)) index++
    if (index == frame.components) return Status.Malformed
    seen |= 1 << index
    store<u8>(INDICES + <usize>i, <u8>index)
    blocks += component(index).h * component(index).v
  }
  if (count > 1 && blocks > MCU_MAX_BLOCKS) return Status.Malformed
  scan.components = count
  scan.from = load<u8>(end - 3)
  scan.to = load<u8>(end - 2)
  scan.high = load<u8>(end - 1) >> 4
  scan.low = load<u8>(end - 1) & 15
  if (!frame.isProgressive) return Status.Ok
  // G.1.1.1.1 and G.1.1.1.2: DC alone, or a band of one component; one bit more each time.
  if (scan.to > 63 || scan.from > scan.to || scan.low > 13 || (scan.high > 0 && scan.low != scan.high - 1))
    return Status.Malformed
  return (scan.from == 0 ? scan.to == 0 : count == 1) ? Status.Ok : Status.Malformed
}

/** Finds the tables that the scan, whose header is at `at`, refers to. */
export function prepareScan(at: usize, inverted: bool): Status {
  for (let i = 0; i < scan.components; i++) {
    const c = scanned(i)
    const tables = <i32>load<u8>(at + <usize>(2 + 2 * i))
    if (c.steps == 0) {
      if (!writeSteps(c.quantization, inverted, c.roomForSteps)) return Status.Malformed
      c.steps = c.roomForSteps
    }
    if (frame.isArithmetic) {
      if (!useAreas(c, tables >> 4, tables & 15)) return Status.Malformed
      continue
    }
    if (!frame.isProgressive || (scan.from == 0 && scan.high == 0)) {
      c.dcTable = dcTable(tables >> 4)
      if (c.dcTable == 0) return Status.Malformed
    }
    if (!frame.isProgressive || scan.from > 0) {
      c.acTable = acTable(tables & 15, !frame.isProgressive)
      if (c.acTable == 0) return Status.Malformed
    }
  }
  return Status.Ok
}

/** Decodes a scan into the retained coefficients of its components. */
export function decodeScan(): void {
  if (scan.components == 1) {
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
  for (let y = 0; y < frame.mcusDown; y++) {
    for (let x = 0; x < frame.mcusAcross; x++) {
      if (nextMcu()) {
        for (let i = 0; i < scan.components; i++) decodeUnits(scanned(i), x, y)
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
  if (frame.isArithmetic) decodeArithmeticScanBlock(c, block)
  else if (!frame.isProgressive) decodeRetained(c, coefficientsOf(c, block))
  else if (scan.from == 0) {
    if (scan.high == 0) decodeDc(c, block, scan.low)
    else refineDc(c, block, scan.low)
  } else if (scan.high == 0) decodeAc(c, block, scan.from, scan.to, scan.low)
  else refineAc(c, block, scan.from, scan.to, scan.low)
}

function decodeArithmeticScanBlock(c: Component, block: usize): void {
  if (!frame.isProgressive) decodeArithmeticRetained(c, coefficientsOf(c, block))
  else if (scan.from == 0) {
    if (scan.high == 0) decodeArithmeticDc(c, block, scan.low)
    else refineArithmeticDc(c, block, scan.low)
  } else if (scan.high == 0) decodeArithmeticAc(c, block, scan.from, scan.to, scan.low)
  else refineArithmeticAc(c, block, scan.from, scan.to, scan.low)
}
