// Pixels that were decoded elsewhere as a source of the sink: RGBA, not multiplied by alpha, some rows at a time.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { Colour } from '../colour/conversion'
import { premultiplyPixels } from '../colour/premultiply'
import { Status } from '../status'
import { announceImage, announcePixels, pushPixels } from './sink'

let width: i32 = 0
/** Rows that are to come. */
let left: i32 = 0
/** A row whose colours are multiplied by alpha. */
let premultiplied: usize = 0

/** Announces an image of RGBA pixels. `feedRgba` takes its rows. */
export function openRgba(columns: i32, rows: i32): void {
  width = columns
  left = rows
  premultiplied = allocate(((<usize>columns) << 2) + ROW_SLACK)
  announceImage(Colour.Rgba)
  announcePixels(columns, rows, 4, false)
}

/** Takes the next `rows` rows at `pixels`, which must be readable for 64 bytes more. */
export function feedRgba(pixels: usize, rows: i32): void {
  left -= rows
  for (let y = 0; y < rows; y++) {
    premultiplyPixels(pixels + <usize>(y * width) * 4, premultiplied, width)
    pushPixels(premultiplied)
  }
}

/** `NeedsInput` until all rows came by `feedRgba`. */
export function stepRgba(): Status {
  return left > 0 ? Status.NeedsInput : Status.Ok
}
