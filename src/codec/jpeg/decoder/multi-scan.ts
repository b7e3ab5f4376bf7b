// A picture in several scans: the coefficients of the chosen scale are kept until the last of them has come.

import { mark, release } from '../../memory'
import { Status } from '../../status'
import { nextMarker } from './bit-reader'
import { allocateCoefficients, Component } from './component'
import { component, components, isProgressive, mcusDown } from './frame-header'
import { transform, transformFlat } from './idct'
import { loadKept, prepareKept } from './dequantize'
import { isNeeded } from './needed-scans'
import { beginIntervals } from './restart'
import { prepareScan, readScan, scanComponents, scanFrom, scanLow, scanned, scanTo, storeScan } from './scan'
import { readSegments, scanData, scanHeader } from './segments'
import { forgetAccuracy, isRough, noteAccuracy, smooth } from './block-smoothing'
import { pushStrips } from './mcu-rows'

/** The extent of a block of nothing but DC. */
const DC_ALONE: i32 = 0x11

/** The arena's end before and after the coefficients. */
let beforeCoefficients: usize = 0
let afterCoefficients: usize = 0

/** Decodes the scan that the segments stopped at and all that follow. */
export function storeScans(end: usize, inverted: bool): Status {
  beforeCoefficients = mark()
  for (let i = 0; i < components; i++) {
    allocateCoefficients(component(i), isProgressive)
    forgetAccuracy(component(i))
  }
  for (let number = 0; scanHeader != 0; number++) {
    let status = readScan(scanHeader, scanData)
    if (status == Status.Ok) status = prepareScan(scanHeader, inverted)
    if (status != Status.Ok) return status
    beginIntervals(scanData, end)
    if (!isProgressive || isNeeded(number)) storeScan()
    if (isProgressive) noteScan()
    status = readSegments(nextMarker(), end)
    if (status != Status.Ok) return status
  }
  afterCoefficients = mark()
  return Status.Ok
}

/** Hands on row `y` of MCUs, the next one; the last gives the coefficients back. */
export function storedRow(y: i32): void {
  for (let i = 0; i < components; i++) transformStored(component(i), y)
  pushStrips(y)
  // Unless the sink's consumer has taken memory of its own since.
  if (y == mcusDown - 1 && mark() == afterCoefficients) release(beforeCoefficients)
}

function noteScan(): void {
  for (let i = 0; i < scanComponents; i++) noteAccuracy(scanned(i), scanFrom, scanTo, scanLow)
}

/** A row of MCUs of one component, from its kept coefficients into its strip. */
function transformStored(c: Component, y: i32): void {
  prepareKept(c)
  const isEstimated = isProgressive && c.lastKept > 0 && isRough(c)
  const bytes = (<usize>(c.across * c.down)) << 1
  let at = c.coefficients + <usize>(y * c.v * c.storedAcross) * bytes
  for (let v = 0; v < c.v; v++) {
    let to = c.strip + <usize>(v * c.down) * c.stride
    for (let x = 0; x < c.storedAcross; x++, at += bytes, to += c.across) {
      let extent = loadKept(c, at)
      if (isEstimated && x < c.blocksAcross && y * c.v + v < c.blocksDown) extent = smooth(c, x, y * c.v + v, extent)
      if (extent <= DC_ALONE) transformFlat(c.level, c.down, to, c.stride)
      else transform(extent, c.level, c.across, c.down, to, c.stride)
    }
  }
}
