// An interlaced image cannot be streamed row by row: its first pass reaches down to the last rows. The mean of a box
// does not depend on the order of its pixels. All passes are therefore added up in a canvas that is already reduced
// as far as the wanted size allows. For a thumbnail that is a few megabytes whatever the image's size; at full size
// it is a byte a sample.
import { allocate, allocateZeroed } from '../../../arena/memory'
import {
  ADAM7_PASSES,
  columnsToFiller,
  imageRow,
  passColumnsBefore,
  passRows,
  passRowsBefore,
  passX,
  passXStep,
  rowsToFiller,
} from './adam7'
import { finishedRows } from './scanlines'

/** Bytes that may be read beyond a row. */
const SLACK: usize = 16

/** Sums of bytes over a box of this side still fit into 32 bits. */
const MAX_BOX: i32 = 4096

/** The canvas of an interlaced image. */
@unmanaged
class Canvas {
  /** Side of the box whose mean is a sample of the canvas. */
  box: i32
  /** The canvas's size in samples; boxes at the right and the bottom may be narrower. */
  columns: i32
  rows: i32
  width: i32
  height: i32
  planeBytes: usize
  /** [plane][row][column]: u8 samples if `box` is 1, otherwise u32 sums. */
  samples: usize
  mean: usize
  /** Whether pixels are missing whose blocks others fill. */
  isPartial: bool
}

export const canvas: Canvas = changetype<Canvas>(memory.data(offsetof<Canvas>(), 4))

/**
 * Prepares a canvas for `planes` planes of `fullWidth` x `fullHeight` samples that are wanted `scale` times smaller; it
 * keeps twice that size. False if it takes more than `budget` bytes.
 */
export function startCanvas(fullWidth: i32, fullHeight: i32, planes: i32, scale: f64, budget: usize): bool {
  canvas.width = fullWidth
  canvas.height = fullHeight
  canvas.box = max(1, min(MAX_BOX, <i32>(scale / 2)))
  canvas.columns = (canvas.width + canvas.box - 1) / canvas.box
  canvas.rows = (canvas.height + canvas.box - 1) / canvas.box
  const total = <u64>canvas.columns * canvas.rows * planes * (canvas.box == 1 ? 1 : 4)
  if (total > budget) return false
  canvas.planeBytes = <usize>total / planes
  canvas.samples = allocateZeroed(<usize>total + SLACK)
  canvas.mean = allocate(<usize>canvas.columns + SLACK)
  canvas.isPartial = false
  return true
}

/** Adds a row of `count` samples of plane `plane`: columns `x`, `x + xStep` ... of row `y` of the image. */
export function addToCanvas(plane: i32, row: usize, count: i32, x: i32, xStep: i32, y: i32): void {
  const box = canvas.box
  let at = canvas.samples + <usize>plane * canvas.planeBytes
  if (box == 1) {
    at += <usize>y * canvas.columns + x
    for (let i = 0; i < count; i++, at += xStep) store<u8>(at, load<u8>(row + i))
    return
  }
  at += (<usize>(y / box) * canvas.columns + x / box) << 2
  let within = x % box
  for (let i = 0; i < count; i++) {
    store<u32>(at, load<u32>(at) + load<u8>(row + i))
    for (within += xStep; within >= box; within -= box) at += 4
  }
}

/**
 * Fills in what a file that is cut lacks, with pixels of earlier passes: each fills the block that later passes would refine.
 * Blocks that the first pass lacks stay empty.
 */
export function completeCanvas(planes: i32): void {
  canvas.isPartial = true
  if (canvas.box > 1) return
  for (let pass = 1; pass < ADAM7_PASSES; pass++) {
    const back = rowsToFiller(pass) > 0 ? rowsToFiller(pass) * canvas.columns : columnsToFiller(pass)
    for (let i = finishedRows(pass); i < passRows(pass, canvas.height); i++) {
      for (let plane = 0; plane < planes; plane++) {
        const row = canvas.samples + <usize>plane * canvas.planeBytes + <usize>imageRow(pass, i) * canvas.columns
        for (let x = passX(pass); x < canvas.width; x += passXStep(pass)) store<u8>(row + x, load<u8>(row + x - back))
      }
    }
  }
}

/** Returns the number of pixels in the box at (`x`, `y`) that the file has. */
function pixelsIn(x: i32, y: i32): i32 {
  let sum = 0
  for (let pass = 0; pass < ADAM7_PASSES; pass++) {
    const finished = finishedRows(pass)
    const right = min(canvas.width, (x + 1) * canvas.box)
    const bottom = min(canvas.height, (y + 1) * canvas.box)
    const columns = passColumnsBefore(pass, right) - passColumnsBefore(pass, x * canvas.box)
    sum += columns * (min(finished, passRowsBefore(pass, bottom)) - min(finished, passRowsBefore(pass, y * canvas.box)))
  }
  return sum
}

/** The mean of what came of a box; of a box of which nothing came, that of the one with the pixel that fills its first. */
function partialMean(sums: usize, x: i32, y: i32): u8 {
  for (let side = 1; side <= 8; side <<= 1) {
    const column = ((x * canvas.box) & -side) / canvas.box
    const row = ((y * canvas.box) & -side) / canvas.box
    const count = <u32>pixelsIn(column, row)
    if (count == 0) continue
    return <u8>((load<u32>(sums + ((<usize>row * canvas.columns + column) << 2)) + (count >> 1)) / count)
  }
  return 0
}

/** Row `y` of plane `plane` of the canvas, once all passes are in; it is valid until the next call. */
export function canvasRow(plane: i32, y: i32): usize {
  const mean = canvas.mean
  const at = canvas.samples + <usize>plane * canvas.planeBytes
  if (canvas.box == 1) return at + <usize>y * canvas.columns
  if (canvas.isPartial) {
    for (let x = 0; x < canvas.columns; x++) store<u8>(mean + x, partialMean(at, x, y))
    return mean
  }
  const sums = at + ((<usize>y * canvas.columns) << 2)
  const lines = min(canvas.box, canvas.height - y * canvas.box)
  for (let x = 0; x < canvas.columns; x++) {
    const count = <u32>(min(canvas.box, canvas.width - x * canvas.box) * lines)
    store<u8>(mean + x, <u8>((load<u32>(sums + (x << 2)) + (count >> 1)) / count))
  }
  return mean
}
