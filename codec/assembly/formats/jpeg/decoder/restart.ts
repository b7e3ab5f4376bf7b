// Restart intervals (T.81 E.1.3, E.2.4, F.2.1.3.1): after each, a marker RSTm resets the predictions; m counts modulo 8.

import { findEndOfScan, Marker } from '../markers'
import { beginArithmetic } from './arithmetic'
import { beginBits, endOfData, nextMarker, ranOut, at as readTo } from './bit-reader'
import { component, components, isArithmetic } from './frame-header'
import { resetEndOfBandRun } from './progressive'

/** MCUs of an interval, 0 for none (B.2.4.4). */
export let restartInterval: i32 = 0
let expected: i32 = 0
let left: i32 = 0
/** Whether a marker that is no RST has ended the scan's data. */
let isCut: bool = false

/** Sets the interval of a DRI marker. */
export function setRestartInterval(mcus: i32): void {
  restartInterval = mcus
}

/** Begins a scan's first interval, its data at `from`. */
export function beginIntervals(from: usize, to: usize): void {
  expected = 0
  isCut = false
  beginInterval(from, to)
}

/** Called before each MCU: begins a new interval where one is due. Returns whether there is data for the MCU. */
export function nextMcu(): bool {
  if (restartInterval > 0) {
    if (left == 0 && !isCut) resynchronize()
    left--
  }
  return !ranOut()
}

/** Whether the data ran out and no interval can bring more. */
export function isScanOver(): bool {
  return ranOut() && (restartInterval == 0 || isCut)
}

/** The address of the marker that ends the scan: the same whether its data was read or not. */
export function endOfScan(): usize {
  return findEndOfScan(readTo, endOfData(), restartInterval > 0)
}

function beginInterval(from: usize, to: usize): void {
  beginBits(from, to)
  if (isArithmetic) beginArithmetic(from, to)
  else resetEndOfBandRun()
  for (let i = 0; i < components; i++) component(i).prediction = 0
  left = restartInterval
}

/**
 * Continues after the marker that is due. T.81 leaves the handling of any other marker open. An RST one or two
 * intervals ahead means that ours is lost, and the interval stays empty. One that is one or two behind came too late
 * and is skipped. A marker that is no RST ends the data. Any other RST is taken for ours, badly written.
 */
function resynchronize(): void {
  const end = endOfData()
  let at = nextMarker()
  while (at < end) {
    const code = <i32>load<u8>(at, 1)
    if (code >= Marker.Rst0 && code <= Marker.Rst7) {
      const ahead = (code - Marker.Rst0 - expected) & 7
      if (ahead == 0 || (ahead >= 3 && ahead <= 5)) {
        at += 2
        break
      }
      if (ahead <= 2) break
    } else if (code >= Marker.Sof0) {
      isCut = true
      break
    }
    beginBits(at + 2, end)
    at = nextMarker()
  }
  if (at >= end) isCut = true
  expected = (expected + 1) & 7
  beginInterval(at, end)
}
