// An image in one sequential scan: each row of MCUs goes to the sink as soon as it is decoded.

import { Status } from '../../../status'
import { decodeArithmeticBlock } from './arithmetic'
import { Component } from './component'
import { frame } from './frame-header'
import { BLOCK, clearBlock, extentTo, transform, transformFlat } from './idct'
import { pushMcuRow } from './mcu-rows'
import { beginIntervals, nextMcu } from './restart'
import { countMcu, prepareScan, scan, scanned } from './scan'
import { segments } from './segments'
import { decodeBlock } from './sequential'

/** Begins the scan that the segments stopped at, whose data ends at `end` at the latest. */
export function beginSingleScan(end: usize, inverted: bool): Status {
  const status = prepareScan(segments.scanHeader, inverted)
  if (status != Status.Ok) return status
  clearBlock()
  beginIntervals(segments.scanData, end)
  return Status.Ok
}

/** Decodes row `y` of MCUs, the next one. */
export function decodeMcuRow(y: i32): void {
  for (let x = 0; x < frame.mcusAcross; x++) {
    const hasData = nextMcu()
    for (let i = 0; i < scan.components; i++) decodeUnits(scanned(i), x, hasData)
    if (hasData) countMcu()
  }
  pushMcuRow(y)
}

// @ts-ignore: decorator
@inline
function decode(c: Component): i32 {
  return frame.isArithmetic ? decodeArithmeticBlock(c) : decodeBlock(c)
}

/** The blocks of one component in an MCU; mid grey where there is no data. */
function decodeUnits(c: Component, x: i32, hasData: bool): void {
  for (let v = 0; v < c.v; v++) {
    let to = c.samples + <usize>(v * c.scaledHeight) * c.stride + <usize>(x * c.h * c.scaledWidth)
    for (let h = 0; h < c.h; h++, to += c.scaledWidth) {
      const last = hasData ? decode(c) : 0
      if (last == 0) {
        transformFlat(c.level, c.scaledHeight, to, c.stride)
        store<f32>(BLOCK, 0)
      } else {
        transform(extentTo(last), c.level, c.scaledWidth, c.scaledHeight, to, c.stride)
        clearBlock()
      }
    }
  }
}
