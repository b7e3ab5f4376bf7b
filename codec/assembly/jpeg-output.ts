// A JPEG of one of several outputs whose samples are held (webp-outputs.ts): baseline, YCbCr 4:2:0. It can be made again at a
// lower quality. Colours can be changed on their way, since those of the other outputs are not.

import { gridRow, setColourGrid } from './colour/colour-grid'
import { setColourTransform, transformRow } from './colour/colour-transform'
import { limitedYuvToRgba } from './colour/conversion'
import { addJpegRow, encodeJpegRows, finishJpegEncoder, startJpegEncoder } from './formats/jpeg/encoder/encoder'
import { inputRow } from './pipeline/input-rows'
import { alphaOf, handOnRow, rewindRows } from './pipeline/sink'
import { Status } from './status'
import { freeEncoder } from './webp-outputs'

const MACROBLOCK_ROWS: i32 = 16

/** The JPEG that is made, and the macroblock row that it is made of. */
@unmanaged
class JpegOutput {
  target: i32
  columns: i32
  rows: i32
  /** The next row of the image, and the samples of the macroblock row that it is in. */
  row: i32
  luma: usize
  blue: usize
  red: usize
  lumaStride: i32
  chromaStride: i32
  changeRow: ((pixels: usize, count: i32) => void) | null
}

const jpeg: JpegOutput = changetype<JpegOutput>(memory.data(offsetof<JpegOutput>(), 4))

/** Whether output `i` has no transparency: a JPEG can show it. To be asked when the image is decoded. */
export function isOpaque(i: i32): bool {
  return alphaOf(i) == null
}

/** Changes the colours of the next JPEGs by a table as `setColourTransform` describes it; 0 for none. */
export function changeJpegColours(table: usize): void {
  jpeg.changeRow = null
  if (table == 0) return
  setColourTransform(table)
  jpeg.changeRow = transformRow
}

/** Changes the colours of the next JPEGs by a grid, as `setColourGrid` describes it. */
export function changeJpegColoursByGrid(grid: usize): void {
  setColourGrid(grid)
  jpeg.changeRow = gridRow
}

/** Begins the JPEG of output `i`, of `width` x `height` pixels, at a quality of 1 to 100. `OverBudget` above 65535 pixels a side. */
export function startJpegOutput(i: i32, width: i32, height: i32, quality: i32): Status {
  freeEncoder()
  jpeg.target = i
  jpeg.columns = width
  jpeg.rows = height
  jpeg.row = 0
  rewindRows(i)
  return startJpegEncoder(width, height, quality)
}

/** Continues: `More` until all is written. Take the output after each call. */
export function stepJpegOutput(): Status {
  if (encodeJpegRows()) return Status.More
  if (jpeg.row == jpeg.rows) return finishJpegEncoder() ? Status.More : Status.Ok
  if ((jpeg.row & (MACROBLOCK_ROWS - 1)) == 0) handOnRow(jpeg.target, takeSamples)
  const end = min(jpeg.rows, jpeg.row + MACROBLOCK_ROWS - (jpeg.row & (MACROBLOCK_ROWS - 1)))
  while (jpeg.row < end) {
    fillInputRow(jpeg.row & (MACROBLOCK_ROWS - 1))
    addJpegRow()
    jpeg.row++
    if (encodeJpegRows()) break
  }
  return Status.More
}

/** Notes where the samples of a macroblock row are. */
function takeSamples(_mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  jpeg.luma = y
  jpeg.blue = u
  jpeg.red = v
  jpeg.lumaStride = yStride
  jpeg.chromaStride = uvStride
}

/** Converts row `y` of the macroblock row. Each sample of chroma becomes 2 x 2 pixels, of which the encoder takes the mean. */
function fillInputRow(y: i32): void {
  const chroma = <usize>(y >> 1) * jpeg.chromaStride
  const ys = jpeg.luma + <usize>y * jpeg.lumaStride
  const to = inputRow()
  const blue = jpeg.blue
  const red = jpeg.red
  const columns = <usize>jpeg.columns
  for (let x: usize = 0; x < columns; x++) {
    const at = chroma + (x >> 1)
    store<u32>(to + (x << 2), limitedYuvToRgba(load<u8>(ys + x), load<u8>(blue + at), load<u8>(red + at)))
  }
  const change = jpeg.changeRow
  if (change != null) change(to, jpeg.columns)
}
