// The predictor transform, undone: WebP Lossless Bitstream Specification, 4.1.
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { readBits } from './bit-reader'
import {
  addBlack,
  addGradient,
  addHalfGradient,
  addLeft,
  addMean,
  addMeanOfFour,
  addMeanOfLeft,
  addMeanOfThree,
  addOther,
  addSelected,
} from './predictors'
import { blocksOf, keepGreen, readSubImage, subImage } from './sub-image'

const BLACK: u32 = 0xff000000
/** Before a row its left neighbour may be read; behind it, three pixels more than it has may be written. */
const MARGIN: usize = 16

let width: i32 = 0
let bits: i32 = 0
let blocksAcross: i32 = 0
/** The mode (u8) of each block. */
let modes: usize = 0
let row: usize = 0
let above: usize = 0
let y: i32 = 0

/** Reads the modes of an image of `columns` x `rows` pixels. */
export function readPredictor(columns: i32, rows: i32): Status {
  width = columns
  bits = readBits(3) + 2
  blocksAcross = blocksOf(columns, bits)
  const status = readSubImage(blocksAcross, blocksOf(rows, bits))
  if (status != Status.Ok) return status
  keepGreen()
  modes = subImage
  row = newRow()
  above = newRow()
  y = 0
  return Status.Ok
}

/** The next row of the image, of which `from` is the row of residues. It stays until the row after the next. */
export function undoPredictor(from: usize): usize {
  const last = above
  above = row
  row = last
  if (y == 0) {
    addFirst(from, BLACK)
    addLeft(from + 4, row + 4, (<usize>(width - 1)) << 2)
  } else {
    addFirst(from, load<u32>(above))
    // The row's first pixel is the one above and to the right of its last (4.1).
    store<u32>(above + ((<usize>width) << 2), load<u32>(row))
    const blockRow = modes + <usize>(y >> bits) * blocksAcross
    for (let x = 1, block = 0; x < width; block++) {
      const end = min(width, (block + 1) << bits)
      const at = (<usize>x) << 2
      addPrediction(load<u8>(blockRow + block) & 15, from + at, above + at, row + at, (<usize>(end - x)) << 2)
      x = end
    }
  }
  y++
  return row
}

function newRow(): usize {
  return allocate(((<usize>width) << 2) + 2 * MARGIN) + MARGIN
}

function addFirst(from: usize, predicted: u32): void {
  const sum = i8x16.add(v128.load_zero<u32>(from), i32x4.splat(predicted))
  v128.store_lane<u32>(row, sum, 0)
}

function addPrediction(mode: i32, from: usize, above: usize, to: usize, bytes: usize): void {
  if (mode == 1) addLeft(from, to, bytes)
  else if (mode == 2) addOther(from, above, to, bytes)
  else if (mode == 3) addOther(from, above + 4, to, bytes)
  else if (mode == 4) addOther(from, above - 4, to, bytes)
  else if (mode == 5) addMeanOfThree(from, above, to, bytes)
  else if (mode == 6) addMeanOfLeft(from, above - 4, to, bytes)
  else if (mode == 7) addMeanOfLeft(from, above, to, bytes)
  else if (mode == 8) addMean(from, above - 4, above, to, bytes)
  else if (mode == 9) addMean(from, above, above + 4, to, bytes)
  else if (mode == 10) addMeanOfFour(from, above, to, bytes)
  else if (mode == 11) addSelected(from, above, to, bytes)
  else if (mode == 12) addGradient(from, above, to, bytes)
  else if (mode == 13) addHalfGradient(from, above, to, bytes)
  else addBlack(from, to, bytes)
}
