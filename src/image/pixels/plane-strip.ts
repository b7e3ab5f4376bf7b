import type { Av1Coding } from '../container/av1-sequence.ts'
import type { Core } from './core.ts'
import type { Frame } from './dav1d.ts'

type Chroma = Av1Coding['chroma']

/** Room in the core's memory for rows of a picture's planes, as `feedYuv` takes them. */
export interface PlaneStrip {
  chroma: Chroma
  rows: number
  yStride: number
  chromaStride: number
  y: number
  cb: number
  cr: number
}

/** A strip as high as `rows` and as wide as these frames side by side; `hold` gives memory. */
export function makeStrip(frame: Frame, columns: number, rows: number, hold: (bytes: number) => number): PlaneStrip {
  const { width, chroma } = frame
  // Rows of a single frame have the frame's own strides, so that all of them are copied at once.
  const yStride = columns === 1 ? frame.yStride : wholeVectors(width * columns)
  const chromaStride = columns === 1 ? frame.chromaStride : wholeVectors(chromaWidth(width, chroma) * columns)
  const chromaBytes = chromaStride * chromaRows(rows, chroma)
  const [y, cb, cr] = [hold(yStride * rows), hold(chromaBytes), hold(chromaBytes)]
  return { chroma, rows, yStride, chromaStride, y, cb, cr }
}

/** Copies `rows` rows of a frame, from an even one on, to the top of the strip, beside `column` frames to its left. */
export function copyRows(
  core: Core,
  strip: PlaneStrip,
  frame: Frame,
  from: number,
  rows: number,
  column: number,
): void {
  const { memory, chroma } = frame
  const target = new Uint8Array(core.memory.buffer)
  const copyPlane = (plane: number, stride: number, to: number, toStride: number, bytes: number, lines: number) => {
    if (stride === toStride && column === 0) target.set(memory.subarray(plane, plane + stride * lines), to)
    else {
      for (let y = 0; y < lines; y++) {
        const row = plane + y * stride
        target.set(memory.subarray(row, row + bytes), to + y * toStride + column * bytes)
      }
    }
  }
  const [columns, lines] = [chromaWidth(frame.width, chroma), chromaRows(rows, chroma)]
  const chromaAt = chromaRows(from, chroma) * frame.chromaStride
  copyPlane(frame.y + from * frame.yStride, frame.yStride, strip.y, strip.yStride, frame.width, rows)
  copyPlane(frame.cb + chromaAt, frame.chromaStride, strip.cb, strip.chromaStride, columns, lines)
  copyPlane(frame.cr + chromaAt, frame.chromaStride, strip.cr, strip.chromaStride, columns, lines)
}

/** Feeds rows of the strip, from an even one on, with the row of alpha that belongs to the first of them. */
export function feedRows(
  core: Core,
  { chroma, y, cb, cr, yStride, chromaStride }: PlaneStrip,
  from: number,
  rows: number,
  alpha: { at: number; stride: number },
): void {
  const chromaAt = chromaRows(from, chroma) * chromaStride
  core.feedYuv(y + from * yStride, cb + chromaAt, cr + chromaAt, yStride, chromaStride, alpha.at, alpha.stride, rows)
}

/** Whole vectors, so that a row's last one changes nothing of the next row. */
export function wholeVectors(bytes: number): number {
  return (bytes + 15) & ~15
}

function chromaWidth(width: number, chroma: Chroma): number {
  return chroma === '4:0:0' ? 0 : chroma === '4:4:4' ? width : (width + 1) >> 1
}

function chromaRows(rows: number, chroma: Chroma): number {
  return chroma === '4:0:0' ? 0 : chroma === '4:2:0' ? (rows + 1) >> 1 : rows
}
