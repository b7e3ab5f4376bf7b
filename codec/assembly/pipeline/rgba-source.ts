// Pixels that were decoded elsewhere as a source of the sink: RGBA, not multiplied by alpha, some rows at a time.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { Colour } from '../colour/conversion'
import { premultiplyPixels } from '../colour/premultiply'
import { Status } from '../status'
import { announceImage, announcePixels, pushPixels } from './sink'

/** The image that the host feeds. */
@unmanaged
class RgbaSource {
  width: i32
  /** Rows that are to come. */
  left: i32
  /** A row whose colours are multiplied by alpha. */
  premultiplied: usize
}

const source: RgbaSource = changetype<RgbaSource>(memory.data(offsetof<RgbaSource>(), 4))

/** Announces an image of RGBA pixels. `feedRgba` takes its rows. */
export function openRgba(columns: i32, rows: i32): void {
  source.width = columns
  source.left = rows
  source.premultiplied = allocate(((<usize>columns) << 2) + ROW_SLACK)
  announceImage(Colour.Rgba)
  announcePixels(columns, rows, 4, false)
}

/** Takes the next `rows` rows at `pixels`, which must be readable for 64 bytes more. */
export function feedRgba(pixels: usize, rows: i32): void {
  source.left -= rows
  for (let y = 0; y < rows; y++) {
    premultiplyPixels(pixels + <usize>(y * source.width) * 4, source.premultiplied, source.width)
    pushPixels(source.premultiplied)
  }
}

/** `NeedsInput` until all rows came by `feedRgba`. */
export function stepRgba(): Status {
  return source.left > 0 ? Status.NeedsInput : Status.Ok
}
