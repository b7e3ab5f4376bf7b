import type { Av1Coding } from '../container/av1-sequence.ts'
import type { Core } from './core.ts'
import type { YuvPicture } from './dav1d.ts'

type Chroma = Av1Coding['chroma']

/** Room in the core's memory for rows of a picture's planes, as `feedYuv` takes them. */
export interface PlaneBuffer {
  chroma: Chroma
  rows: number
  yStride: number
  chromaStride: number
  y: number
  cb: number
  cr: number
}

/** A buffer as high as `rows` and as wide as these pictures side by side; `hold` gives memory. */
export function makePlaneBuffer(
  picture: YuvPicture,
  columns: number,
  rows: number,
  hold: (bytes: number) => number,
): PlaneBuffer {
  const { width, chroma } = picture
  // Rows of a single picture have the picture's own strides, so that all of them are copied at once.
  const yStride = columns === 1 ? picture.yStride : wholeVectors(width * columns)
  const chromaStride = columns === 1 ? picture.chromaStride : wholeVectors(chromaWidth(width, chroma) * columns)
  const chromaBytes = chromaStride * chromaRows(rows, chroma)
  const [y, cb, cr] = [hold(yStride * rows), hold(chromaBytes), hold(chromaBytes)]
  return { chroma, rows, yStride, chromaStride, y, cb, cr }
}

/** Copies `rows` rows of a picture, from an even one on, to the top of the buffer, beside `column` pictures to its left. */
export function copyRows(
  core: Core,
  buffer: PlaneBuffer,
  picture: YuvPicture,
  from: number,
  rows: number,
  column: number,
): void {
  const { memory, chroma } = picture
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
  const [columns, lines] = [chromaWidth(picture.width, chroma), chromaRows(rows, chroma)]
  const chromaAt = chromaRows(from, chroma) * picture.chromaStride
  copyPlane(picture.y + from * picture.yStride, picture.yStride, buffer.y, buffer.yStride, picture.width, rows)
  copyPlane(picture.cb + chromaAt, picture.chromaStride, buffer.cb, buffer.chromaStride, columns, lines)
  copyPlane(picture.cr + chromaAt, picture.chromaStride, buffer.cr, buffer.chromaStride, columns, lines)
}

/** Feeds rows of the buffer, from an even one on, with the row of alpha that belongs to the first of them. */
export function feedRows(
  core: Core,
  { chroma, y, cb, cr, yStride, chromaStride }: PlaneBuffer,
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
