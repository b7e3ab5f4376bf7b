// The transforms of an image, in the order in which they were made: WebP Lossless Bitstream Specification, chapter 4.
import { Status } from '../../../status'
import { blocksOf } from '../blocks'
import { readBits } from './bit-reader'
import { indexing, readColourIndexing, undoColourIndexing } from './colour-indexing'
import { readCrossColour, undoCrossColour } from './cross-colour'
import { readPredictor, undoPredictor } from './predictor'
import { startSubtractGreen, undoSubtractGreen } from './subtract-green'

const enum Transform {
  Predictor = 0,
  CrossColour = 1,
  SubtractGreen = 2,
  ColourIndexing = 3,
}

const MAX_TRANSFORMS: i32 = 4

/** The transforms of the image. */
@unmanaged
class Transforms {
  /** The columns that are coded: fewer than the image's where indices are bundled. */
  codedColumns: i32
  count: i32
}

export const transforms: Transforms = changetype<Transforms>(memory.data(offsetof<Transforms>(), 4))

/** u8[4]: the transforms. */
const SENT: usize = memory.data(MAX_TRANSFORMS)

/** Reads the transforms of an image of `columns` x `rows` pixels. A transform that comes twice is `Malformed`. */
export function readTransforms(columns: i32, rows: i32): Status {
  transforms.codedColumns = columns
  transforms.count = 0
  let seen = 0
  while (readBits(1) == 1) {
    const transform = readBits(2)
    if ((seen & (1 << transform)) != 0) return Status.Malformed
    seen |= 1 << transform
    store<u8>(SENT + transforms.count++, <u8>transform)
    const status = readTransform(transform, rows)
    if (status != Status.Ok) return status
  }
  return Status.Ok
}

/** The image's next row, of which `coded` is the coded one. It stays until the next. */
export function undoTransforms(coded: usize): usize {
  let row = coded
  for (let i = transforms.count - 1; i >= 0; i--) row = undo(load<u8>(SENT + i), row)
  return row
}

function readTransform(transform: i32, rows: i32): Status {
  if (transform == Transform.Predictor) return readPredictor(transforms.codedColumns, rows)
  if (transform == Transform.CrossColour) return readCrossColour(transforms.codedColumns, rows)
  if (transform == Transform.SubtractGreen) {
    startSubtractGreen(transforms.codedColumns)
    return Status.Ok
  }
  const status = readColourIndexing(transforms.codedColumns)
  transforms.codedColumns = blocksOf(transforms.codedColumns, indexing.bundleBits)
  return status
}

function undo(transform: i32, row: usize): usize {
  if (transform == Transform.Predictor) return undoPredictor(row)
  if (transform == Transform.CrossColour) return undoCrossColour(row)
  if (transform == Transform.SubtractGreen) return undoSubtractGreen(row)
  return undoColourIndexing(row)
}
