// An interlaced image cannot be streamed row by row: its first pass reaches down to the last rows. The mean of a box
// does not depend on the order of its pixels. All passes are therefore added up in a canvas that is already reduced
// as far as the wanted size allows. For a thumbnail that is a few megabytes whatever the image's size; at full size
// it is a byte a sample. Samples that are 64ths of a level (deep-rows.ts) have two.
import { allocate, allocateZeroed } from '../../../arena/memory'
import { deepMean } from '../../../pipeline/resample'
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

/** Sums of 64ths of a level over a box of this side still fit into 32 bits. */
const MAX_DEEP_BOX: i32 = 512

/** Rows of bytes by which resizing needs more memory where samples are 64ths of a level. */
const DEEP_ROWS: i32 = 64

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
  /** Planes whose samples are u16, 64ths of a level. Those of the others, which follow, are bytes. */
  deepPlanes: i32
  /** Bytes from a plane to the next. */
  planeBytes: usize
  /** [plane][row][column]: samples if `box` is 1, otherwise u32 sums. */
  samples: usize
  mean: usize
  /** Whether pixels are missing whose blocks others fill. */
  isPartial: bool
}

export const canvas: Canvas = changetype<Canvas>(memory.data(offsetof<Canvas>(), 4))

/**
 * Prepares a canvas for `planes` planes of `fullWidth` x `fullHeight` samples that are wanted `scale` times smaller; it
 * keeps twice that size. False if it takes more than `budget` bytes. The first `deepPlanes` planes are u16, 64ths of a level,
 * unless they need more than bytes do and more than two thirds of the budget: encoders may need the rest. If so, or if the budget
 * does not suffice, all samples are bytes, and `canvas.deepPlanes` is 0.
 */
export function startCanvas(
  fullWidth: i32,
  fullHeight: i32,
  planes: i32,
  deepPlanes: i32,
  scale: f64,
  budget: usize,
): bool {
  canvas.width = fullWidth
  canvas.height = fullHeight
  canvas.isPartial = false
  if (deepPlanes > 0) {
    setBox(scale, MAX_DEEP_BOX)
    canvas.deepPlanes = deepPlanes
    const more = <u64>DEEP_ROWS * canvas.columns * deepPlanes
    const most = canvas.box == 1 ? budget - budget / 3 : budget
    if (canvasBytes(planes) + more <= most) return allocateCanvas(planes)
  }
  setBox(scale, MAX_BOX)
  canvas.deepPlanes = 0
  return canvasBytes(planes) <= budget && allocateCanvas(planes)
}

function setBox(scale: f64, most: i32): void {
  canvas.box = max(1, min(most, <i32>(scale / 2)))
  canvas.columns = (canvas.width + canvas.box - 1) / canvas.box
  canvas.rows = (canvas.height + canvas.box - 1) / canvas.box
}

function canvasBytes(planes: i32): u64 {
  return <u64>canvas.columns * canvas.rows * (canvas.box == 1 ? planes + canvas.deepPlanes : planes << 2)
}

function allocateCanvas(planes: i32): bool {
  canvas.planeBytes = <usize>canvas.columns * canvas.rows * bytesOfSample(0)
  canvas.samples = allocateZeroed(<usize>canvasBytes(planes) + SLACK)
  canvas.mean = allocate(((<usize>canvas.columns) << 1) + SLACK)
  return true
}

function bytesOfSample(plane: i32): usize {
  if (canvas.box > 1) return 4
  return plane < canvas.deepPlanes ? 2 : 1
}

/** The address of row `y` of plane `plane` of the canvas. */
function rowAt(plane: i32, y: i32): usize {
  return canvas.samples + <usize>plane * canvas.planeBytes + <usize>y * canvas.columns * bytesOfSample(plane)
}

/** Adds a row of `count` samples of plane `plane`: columns `x`, `x + xStep` ... of row `y` of the image. */
export function addToCanvas(plane: i32, row: usize, count: i32, x: i32, xStep: i32, y: i32): void {
  if (plane < canvas.deepPlanes) addSamples<u16>(plane, row, count, x, xStep, y)
  else addSamples<u8>(plane, row, count, x, xStep, y)
}

function addSamples<T>(plane: i32, row: usize, count: i32, x: i32, xStep: i32, y: i32): void {
  const box = canvas.box
  const end = row + <usize>count * sizeof<T>()
  if (box == 1) {
    let at = rowAt(plane, y) + <usize>x * sizeof<T>()
    for (; row < end; row += sizeof<T>(), at += <usize>xStep * sizeof<T>()) store<T>(at, load<T>(row))
    return
  }
  let at = rowAt(plane, y / box) + ((<usize>(x / box)) << 2)
  let within = x % box
  for (; row < end; row += sizeof<T>()) {
    store<u32>(at, load<u32>(at) + <u32>load<T>(row))
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
        if (plane < canvas.deepPlanes) completeRow<u16>(rowAt(plane, imageRow(pass, i)), pass, back)
        else completeRow<u8>(rowAt(plane, imageRow(pass, i)), pass, back)
      }
    }
  }
}

/** Fills the columns of a pass in the row at `row` with the samples `back` before them. */
function completeRow<T>(row: usize, pass: i32, back: i32): void {
  for (let x = passX(pass); x < canvas.width; x += passXStep(pass)) {
    const at = row + <usize>x * sizeof<T>()
    store<T>(at, load<T>(at - <usize>back * sizeof<T>()))
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

/** Writes the mean of what came of a box; of a box of which nothing came, that of the one with the pixel that fills its first. */
function writePartialMean(plane: i32, x: i32, y: i32): void {
  for (let side = 1; side <= 8; side <<= 1) {
    const column = ((x * canvas.box) & -side) / canvas.box
    const row = ((y * canvas.box) & -side) / canvas.box
    const count = <u32>pixelsIn(column, row)
    if (count > 0) return writeMean(plane, x, load<u32>(rowAt(plane, row) + ((<usize>column) << 2)), count)
  }
  writeMean(plane, x, 0, 1)
}

/** Writes the mean of `count` samples as that of column `x`. Deep ones are rounded as those of rows that are not collected. */
function writeMean(plane: i32, x: i32, sum: u32, count: u32): void {
  if (plane < canvas.deepPlanes) store<u16>(canvas.mean + ((<usize>x) << 1), deepMean(sum, count))
  else store<u8>(canvas.mean + x, <u8>((sum + (count >> 1)) / count))
}

/** Row `y` of plane `plane` of the canvas, once all passes are in; it is valid until the next call. */
export function canvasRow(plane: i32, y: i32): usize {
  if (canvas.box == 1) return rowAt(plane, y)
  if (canvas.isPartial) {
    for (let x = 0; x < canvas.columns; x++) writePartialMean(plane, x, y)
    return canvas.mean
  }
  const sums = rowAt(plane, y)
  const lines = min(canvas.box, canvas.height - y * canvas.box)
  for (let x = 0; x < canvas.columns; x++) {
    const count = <u32>(min(canvas.box, canvas.width - x * canvas.box) * lines)
    writeMean(plane, x, load<u32>(sums + ((<usize>x) << 2)), count)
  }
  return canvas.mean
}
