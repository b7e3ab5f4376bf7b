// Restart intervals (T.81 E.1.3, E.2.4, F.2.1.3.1): after each, a marker RSTm resets the predictions; m counts modulo 8.

import { findEndOfScan, Marker } from '../markers'
import { beginArithmetic } from './arithmetic'
import { beginBits, endOfData, nextMarker, ranOut, reader } from './bit-reader'
import { component, frame } from './frame-header'
import { resetEndOfBandRun } from './progressive'

/** The restart intervals of the scan. */
@unmanaged
class Restart {
  /** MCUs of an interval, 0 for none (B.2.4.4). */
  interval: i32
  expected: i32
  left: i32
  /** Whether a marker that is no RST has ended the scan's data. */
  isCut: bool
}

export const restart: Restart = changetype<Restart>(memory.data(offsetof<Restart>(), 4))

/** Sets the interval of a DRI marker. */
export function setRestartInterval(mcus: i32): void {
  restart.interval = mcus
}

/** Begins a scan's first interval, its data at `from`. */
export function beginIntervals(from: usize, to: usize): void {
  restart.expected = 0
  restart.isCut = false
  beginInterval(from, to)
}

/** Called before each MCU: begins a new interval where one is due. Returns whether there is data for the MCU. */
export function nextMcu(): bool {
  if (restart.interval > 0) {
    if (restart.left == 0 && !restart.isCut) resynchronize()
    restart.left--
  }
  return !ranOut()
}

/** Whether the data ran out and no interval can bring more. */
export function isScanOver(): bool {
  return ranOut() && (restart.interval == 0 || restart.isCut)
}

/** The address of the marker that ends the scan: the same whether its data was read or not. */
export function endOfScan(): usize {
  return findEndOfScan(reader.at, endOfData(), restart.interval > 0)
}

function beginInterval(from: usize, to: usize): void {
  beginBits(from, to)
  if (frame.isArithmetic) beginArithmetic(from, to)
  else resetEndOfBandRun()
  for (let i = 0; i < frame.components; i++) component(i).prediction = 0
  restart.left = restart.interval
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
      const ahead = (code - Marker.Rst0 - restart.expected) & 7
      if (ahead == 0 || (ahead >= 3 && ahead <= 5)) {
        at += 2
        break
      }
      if (ahead <= 2) break
    } else if (code >= Marker.Sof0) {
      restart.isCut = true
      break
    }
    beginBits(at + 2, end)
    at = nextMarker()
  }
  if (at >= end) restart.isCut = true
  restart.expected = (restart.expected + 1) & 7
  beginInterval(at, end)
}
