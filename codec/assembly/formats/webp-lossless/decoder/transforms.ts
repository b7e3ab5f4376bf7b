// The transforms of an image, in the order in which they were made: WebP Lossless Bitstream Specification, chapter 4.
import { Status } from '../../../status'
import { readBits } from './bit-reader'
import { bundleBits, readColourIndexing, undoColourIndexing } from './colour-indexing'
import { readCrossColour, undoCrossColour } from './cross-colour'
import { readPredictor, undoPredictor } from './predictor'
import { blocksOf } from './sub-image'
import { startSubtractGreen, undoSubtractGreen } from './subtract-green'

const enum Transform {
  Predictor = 0,
  CrossColour = 1,
  SubtractGreen = 2,
  ColourIndexing = 3,
}

const MAX_TRANSFORMS: i32 = 4

/** The columns that are coded: fewer than the image's where indices are bundled. */
export let codedColumns: i32 = 0

/** u8[4]: the transforms. */
const SENT: usize = memory.data(MAX_TRANSFORMS)
let count: i32 = 0

/** Reads the transforms of an image of `columns` x `rows` pixels. A transform that comes twice is `Malformed`. */
export function readTransforms(columns: i32, rows: i32): Status {
  codedColumns = columns
  count = 0
  let seen = 0
  while (readBits(1) == 1) {
    const transform = readBits(2)
    if ((seen & (1 << transform)) != 0) return Status.Malformed
    seen |= 1 << transform
    store<u8>(SENT + count++, <u8>transform)
    const status = readTransform(transform, rows)
    if (status != Status.Ok) return status
  }
  return Status.Ok
}

/** The image's next row, of which `coded` is the coded one. It stays until the next. */
export function undoTransforms(coded: usize): usize {
  let row = coded
  for (let i = count - 1; i >= 0; i--) row = undo(load<u8>(SENT + i), row)
  return row
}

function readTransform(transform: i32, rows: i32): Status {
  if (transform == Transform.Predictor) return readPredictor(codedColumns, rows)
  if (transform == Transform.CrossColour) return readCrossColour(codedColumns, rows)
  if (transform == Transform.SubtractGreen) {
    startSubtractGreen(codedColumns)
    return Status.Ok
  }
  const status = readColourIndexing(codedColumns)
  codedColumns = blocksOf(codedColumns, bundleBits)
  return status
}

function undo(transform: i32, row: usize): usize {
  if (transform == Transform.Predictor) return undoPredictor(row)
  if (transform == Transform.CrossColour) return undoCrossColour(row)
  if (transform == Transform.SubtractGreen) return undoSubtractGreen(row)
  return undoColourIndexing(row)
}
