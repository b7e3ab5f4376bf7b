// Pixels that were decoded elsewhere as a source of the sink: RGBA, not multiplied by alpha, some rows at a time.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { Colour } from '../colour/conversion'
import { splitQuads } from '../colour/deinterleave'
import { Status } from '../status'
import { pushPremultiplied } from './rgb-rows'
import { announcePicture, announcePlane } from './sink'

let width: i32 = 0
/** Rows that are to come. */
let left: i32 = 0
let planeBytes: usize = 0
let planes: usize = 0

/** Announces a picture of RGBA pixels. `feedRgba` takes its rows. */
export function openRgba(columns: i32, rows: i32): void {
  width = columns
  left = rows
  planeBytes = <usize>columns + ROW_SLACK
  planes = allocate(planeBytes * 4)
  announcePicture(Colour.Rgba)
  for (let i = 0; i < 4; i++) announcePlane(i, columns, rows, columns, rows, 1)
}

/** Takes the next `rows` rows at `pixels`, which must be readable for 64 bytes more. */
export function feedRgba(pixels: usize, rows: i32): void {
  left -= rows
  const green = planes + planeBytes
  const blue = planes + 2 * planeBytes
  const alpha = planes + 3 * planeBytes
  for (let y = 0; y < rows; y++) {
    splitQuads(pixels + <usize>(y * width) * 4, width, planes, green, blue, alpha)
    pushPremultiplied(planes, green, blue, alpha, width)
  }
}

/** `NeedsInput` until all rows came by `feedRgba`. */
export function stepRgba(): Status {
  return left > 0 ? Status.NeedsInput : Status.Ok
}
