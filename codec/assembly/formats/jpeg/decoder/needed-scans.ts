// Selects the scans that must be decoded. A spectral band without a retained coefficient is skipped, unless a later
// scan refines it together with retained ones. Refinement (T.81 G.1.2.3) depends on which coefficients are not zero.

import { Status } from '../../../status'
import { findEndOfScan, findMarker, lengthOfSegment, Marker, standsAlone, u16At } from '../markers'
import { component } from './frame-header'
import { restart } from './restart'
import { readScan, scan, scannedIndex } from './scan'

const MAX_SCANS: i32 = 100
const INDEX: i32 = 0
const FIRST: i32 = 1
const LAST: i32 = 2
const SEVERAL: i32 = 255
/** For each scan: component, or SEVERAL; first and last coefficient. */
const SCANS: usize = memory.data(100 * 3)

/** The scans that were noted. */
@unmanaged
class Scans {
  count: i32
  /** Whether the scan that is noted has restart intervals. */
  hasIntervals: bool
}

const scans: Scans = changetype<Scans>(memory.data(offsetof<Scans>(), 4))

/** Notes all scans of a progressive file, the first of which has its header at `header`. More than 100 are refused. */
export function listScans(header: usize, end: usize): Status {
  scans.count = 0
  scans.hasIntervals = restart.interval > 0
  let payload = header
  while (payload != 0) {
    if (scans.count == MAX_SCANS) return Status.OverBudget
    const length = u16At(payload - 2)
    const status = readScan(payload, payload - 2 + length)
    if (status != Status.Ok) return status
    const note = SCANS + <usize>(3 * scans.count++)
    store<u8>(note, <u8>(scan.components == 1 ? scannedIndex(0) : SEVERAL))
    store<u8>(note, <u8>scan.from, 1)
    store<u8>(note, <u8>scan.to, 2)
    payload = nextHeader(payload - 2 + length, end)
  }
  return Status.Ok
}

/** Whether scan number `i` contributes to a retained coefficient. */
export function isNeeded(i: i32): bool {
  const index = field(i, INDEX)
  const first = field(i, FIRST)
  if (index == SEVERAL || first == 0) return true
  const lastRetained = component(index).lastRetained
  if (lastRetained == 0) return false
  if (first <= lastRetained) return true
  for (let later = i + 1; later < scans.count; later++) {
    if (field(later, INDEX) == index && field(later, FIRST) <= lastRetained && field(later, LAST) >= first) return true
  }
  return false
}

function field(number: i32, which: i32): i32 {
  return <i32>load<u8>(SCANS + <usize>(3 * number + which))
}

/** The payload of the next scan header after the data at `at`, 0 if there is none. Segments are those that `readSegments` reads. */
function nextHeader(at: usize, end: usize): usize {
  at = findEndOfScan(at, end, scans.hasIntervals)
  while (true) {
    at = findMarker(at, end)
    if (at + 4 > end) return 0
    const code = <i32>load<u8>(at, 1)
    if (code == Marker.Eoi) return 0
    if (standsAlone(code)) {
      at += 2
      continue
    }
    const length = lengthOfSegment(code, u16At(at + 2))
    if (length < 2 || at + 2 + length > end) return 0
    if (code == Marker.Sos) return at + 4
    if (code == Marker.Dri) scans.hasIntervals = u16At(at + 4) > 0
    at += 2 + length
  }
}
