// The predictor transform, undone: WebP Lossless Bitstream Specification, 4.1.

import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { blocksOf } from '../blocks'
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
import { keepGreen, readSubImage, subImage } from './sub-image'

const BLACK: u32 = 0xff000000
/** Before a row its left neighbour may be read; behind it, three pixels more than it has may be written. */
const MARGIN: usize = 16

/** The transform of the image, and the row that is undone next. */
@unmanaged
class Predictor {
  width: i32
  bits: i32
  blocksAcross: i32
  /** The mode (u8) of each block. */
  modes: usize
  row: usize
  above: usize
  y: i32
}

const predictor: Predictor = changetype<Predictor>(memory.data(offsetof<Predictor>(), 4))

/** Reads the modes of an image of `columns` x `rows` pixels. */
export function readPredictor(columns: i32, rows: i32): Status {
  predictor.width = columns
  predictor.bits = readBits(3) + 2
  predictor.blocksAcross = blocksOf(columns, predictor.bits)
  const status = readSubImage(predictor.blocksAcross, blocksOf(rows, predictor.bits))
  if (status != Status.Ok) return status
  keepGreen()
  predictor.modes = subImage.pixels
  predictor.row = newRow()
  predictor.above = newRow()
  predictor.y = 0
  return Status.Ok
}

/** The next row of the image, of which `from` is the row of residues. It stays until the row after the next. */
export function undoPredictor(from: usize): usize {
  const last = predictor.above
  predictor.above = predictor.row
  predictor.row = last
  if (predictor.y == 0) {
    addFirst(from, BLACK)
    addLeft(from + 4, predictor.row + 4, (<usize>(predictor.width - 1)) << 2)
  } else {
    addFirst(from, load<u32>(predictor.above))
    // The row's first pixel is the one above and to the right of its last (4.1).
    store<u32>(predictor.above + ((<usize>predictor.width) << 2), load<u32>(predictor.row))
    const blockRow = predictor.modes + <usize>(predictor.y >> predictor.bits) * predictor.blocksAcross
    for (let x = 1, block = 0; x < predictor.width; block++) {
      const end = min(predictor.width, (block + 1) << predictor.bits)
      const at = (<usize>x) << 2
      addPrediction(
        load<u8>(blockRow + block) & 15,
        from + at,
        predictor.above + at,
        predictor.row + at,
        (<usize>(end - x)) << 2,
      )
      x = end
    }
  }
  predictor.y++
  return predictor.row
}

function newRow(): usize {
  return allocate(((<usize>predictor.width) << 2) + 2 * MARGIN) + MARGIN
}

function addFirst(from: usize, predicted: u32): void {
  const sum = i8x16.add(v128.load_zero<u32>(from), i32x4.splat(predicted))
  v128.store_lane<u32>(predictor.row, sum, 0)
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
