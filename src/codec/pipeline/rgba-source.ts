// Pixels that were decoded elsewhere as a source of the sink: RGBA, not multiplied by alpha, some rows at a time.
import { premultiply } from '../colour/premultiply'
import { allocate } from '../memory'
import { splitQuads } from '../colour/deinterleave'
import { drain, announcePlane, push, announcePicture } from './sink'
import { Colour } from '../colour/conversion'

/** What a vector may read or write beyond a row. */
const SLACK: usize = 64

let width: i32 = 0
let planeBytes: usize = 0
let planes: usize = 0

/** Announces a picture of RGBA pixels. `feedRgba` takes its rows; the sink's `finish` ends it. */
export function openRgba(columns: i32, rows: i32): void {
  width = columns
  planeBytes = <usize>columns + SLACK
  planes = allocate(planeBytes * 4)
  announcePicture(Colour.Rgba, columns, rows)
  for (let i = 0; i < 4; i++) announcePlane(i, columns, rows, columns, rows, 1)
}

/** Takes the next `rows` rows at `pixels`, which must be readable for 64 bytes more. */
export function feedRgba(pixels: usize, rows: i32): void {
  const alpha = planes + 3 * planeBytes
  for (let y = 0; y < rows; y++) {
    splitQuads(pixels + <usize>(y * width) * 4, width, planes, planes + planeBytes, planes + 2 * planeBytes, alpha)
    for (let i = 0; i < 3; i++) premultiply(planes + <usize>i * planeBytes, alpha, width)
    for (let i = 0; i < 4; i++) push(i, planes + <usize>i * planeBytes)
    drain()
  }
}
