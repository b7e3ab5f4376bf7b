// What all decoders deliver to: rows of planes go in, resized by one resampler each; out come a picture, macroblock rows of
// YUV 4:2:0, or rows of RGBA on demand. A job is: to...(), announcePicture(), announcePlane() for each plane, push() and
// drain() for each row, finish().

import { allocate } from '../arena/memory'
import { setColourTransform, transformRow } from '../colour/colour-transform'
import { Colour, planesOf, rowToRgba } from '../colour/conversion'
import { Status } from '../status'
import { clearAlphaPlane } from './alpha-plane'
import { Axis, newAxis } from './lanczos'
import {
  chromaCapacity,
  chromaTaken,
  flushMacroblockRows,
  lumaCapacity,
  lumaTaken,
  startMacroblockRows,
  TakeMacroblockRow,
  takeChroma,
  takeLuma,
} from './macroblock-rows'
import { isTransposed, mirrorsColumns, mirrorsRows, placeRow } from './orientation'
import { finishedRow, newResampler, pushRow, Resampler, repeatRow } from './resample'
import { startRgbaToYuv, takeRgbaRow } from './rgba-to-yuv'
import { fillTransparent } from './transparent-pixels'

const enum Output {
  Picture = 0,
  MacroblockRows = 1,
  CodedRows = 2,
}

/** BT.601's ranges for 0 to 255. */
const LUMA_GAIN: f64 = 219.0 / 255.0
const LUMA_OFFSET: f64 = 16
const CHROMA_GAIN: f64 = 224.0 / 255.0
const CHROMA_MIDDLE: f64 = 128

/**
 * The most rows a plane may lag behind another of its picture, in output rows: three samples enlarged fourfold, and
 * box.
 */
const MAX_LAG: i32 = 15

const RESAMPLERS: usize = memory.data(4 * 4, 4)

let output: Output = Output.Picture
let orientation: i32 = 1
// What is wanted, in coded orientation.
let columns: i32 = 0
let rows: i32 = 0
let colour: Colour = Colour.Gray
/** 0 until `source` was called. */
let planes: i32 = 0
let done: i32 = 0
let finished = false
// One RGBA row; and the chroma of a picture that has none.
let pixels: usize = 0
let neutralChroma: usize = 0
let upright: usize = 0
let uprightStride: i32 = 0
let takeMacroblockRow: TakeMacroblockRow = ignoreMacroblockRow
/** Whether the colours are changed on their way out. */
let isTransformed = false

/** Wants a whole RGBA picture of `width` x `height` upright pixels: `picture()` is its address after `finish()`. */
export function toPicture(width: i32, height: i32, exifOrientation: i32): void {
  prepareOutput(Output.Picture, width, height, exifOrientation)
  uprightStride = width << 2
  upright = allocate(<usize>uprightStride * height)
}

/**
 * Wants YUV 4:2:0 in macroblock rows, 16 of luma and 8 of chroma, upright and padded (macroblock-rows.ts). If the
 * picture has alpha, `alphaPlane()` is where it is after `finish()`.
 */
export function toMacroblockRows(width: i32, height: i32, exifOrientation: i32, take: TakeMacroblockRow): void {
  prepareOutput(Output.MacroblockRows, width, height, exifOrientation)
  takeMacroblockRow = take
  startMacroblockRows(width, height, exifOrientation)
  clearAlphaPlane()
}

/**
 * Wants RGBA rows in coded orientation, from the top: `nextCodedRow` gives them. Those that it can give must have been taken
 * before more are pushed.
 */
export function toCodedRows(width: i32, height: i32): void {
  prepareOutput(Output.CodedRows, width, height, 1)
}

/** Writes the next row that `toCodedRows` wanted at `to`; false if it was not pushed yet, or if there is none. */
export function nextCodedRow(to: usize): bool {
  if (planes == 0 || done == rows) return false
  while (!isMade(done)) {
    if (!finished) return false
    repeatRow(resampler(slowestPlane()))
  }
  rowOfPlanes(done++, to)
  return true
}

/** Whether the picture that `toPicture` wanted has all its rows. */
export function isComplete(): bool {
  return done == rows
}

/** The picture that `toPicture` wanted: RGBA, rows without gaps. */
export function picture(): usize {
  return upright
}

/** Says how the colours of the picture to come are made those of sRGB: by the table that `setColourTransform` describes. */
export function transformColours(table: usize): void {
  setColourTransform(table)
  isTransformed = true
}

/** Tells what the planes to come mean. */
export function announcePicture(meaning: Colour): void {
  colour = meaning
  planes = planesOf(meaning)
  memory.fill(RESAMPLERS, 0, 16)
  if (output == Output.CodedRows) return
  if (output != Output.MacroblockRows || !keepsYuv()) {
    pixels = allocate((<usize>columns) << 2)
    const hasAlpha = colour == Colour.GrayAlpha || colour == Colour.Rgba
    if (output == Output.MacroblockRows) startRgbaToYuv(columns, rows, orientation, hasAlpha)
  } else if (planes == 1) {
    neutralChroma = allocate(columns)
    memory.fill(neutralChroma, <u8>CHROMA_MIDDLE, columns)
  }
}

/** How many samples across plane `i` will be resized to, before rounding. */
export function targetColumns(i: i32): f64 {
  return <f64>columns * (isHalved(i) ? 0.5 : 1)
}

/** How many samples down plane `i` will be resized to, before rounding. */
export function targetRows(i: i32): f64 {
  return <f64>rows * (isHalved(i) ? 0.5 : 1)
}

/**
 * Announces plane `i`: `samples` x `lines` samples will be pushed, of which the picture spans `across` x `down`,
 * at most `rowsAtOnce` rows of it between two drains.
 */
export function announcePlane(i: i32, samples: i32, lines: i32, across: f64, down: f64, rowsAtOnce: i32): void {
  const halved = isHalved(i)
  const x = axis(samples, across, columns, halved, mirrorsColumns(orientation))
  const y = axis(lines, down, rows, halved, mirrorsRows(orientation))
  const arriving = <i32>Math.ceil((<f64>rowsAtOnce * targetRows(i)) / down) + 1
  const waiting = output == Output.MacroblockRows ? 16 : 1
  let rowsHeld = 1
  while (rowsHeld < arriving + waiting + (rowsAtOnce > 1 ? MAX_LAG : 0)) rowsHeld <<= 1
  const isChroma = i > 0 && (colour == Colour.YuvFull || colour == Colour.YuvLimited)
  let gain: f64 = 1
  let offset: f64 = 0
  if (output == Output.MacroblockRows && keepsYuv() && colour != Colour.YuvLimited) {
    gain = isChroma ? CHROMA_GAIN : LUMA_GAIN
    offset = isChroma ? CHROMA_MIDDLE * (1 - gain) : LUMA_OFFSET
  }
  const resampler = newResampler(x, y, gain, offset, rowsHeld, (x.outputs + 3) & ~3)
  store<u32>(RESAMPLERS + ((<usize>i) << 2), <u32>changetype<usize>(resampler))
}

/** Takes the next row of plane `i`. */
export function push(i: i32, row: usize): void {
  pushRow(resampler(i), row)
}

/** Hands on every row that all planes have; to be called when rows of all planes were pushed. */
export function drain(): void {
  if (output == Output.CodedRows) return
  if (output == Output.MacroblockRows && keepsYuv()) drainYuv()
  else while (done < rows && isMade(done)) drainRgba(done++)
}

/** Completes the picture; rows that were not pushed repeat the last one, for `nextCodedRow` when it comes to them. */
export function finish(): Status {
  finished = true
  while (output != Output.CodedRows) {
    const last = slowestPlane()
    if (last < 0) return Status.Ok
    repeatRow(resampler(last))
    drain()
  }
  return Status.Ok
}

/**
 * The plane that is furthest from its end, -1 if all have come to it: so that no plane runs ahead of the rows that the
 * others hold.
 */
function slowestPlane(): i32 {
  let found = -1
  let least: f64 = 1
  for (let i = 0; i < planes; i++) {
    const made = <f64>resampler(i).made / <f64>resampler(i).down.outputs
    if (made < least) {
      least = made
      found = i
    }
  }
  return found
}

function prepareOutput(wanted: Output, width: i32, height: i32, exifOrientation: i32): void {
  output = wanted
  orientation = exifOrientation
  planes = 0
  done = 0
  finished = false
  isTransformed = false
  columns = isTransposed(orientation) ? height : width
  rows = isTransposed(orientation) ? width : height
}

/** Whether the planes are resized as YUV, without passing through RGB. */
function keepsYuv(): bool {
  return !isTransformed && (colour == Colour.YuvFull || colour == Colour.YuvLimited || colour == Colour.Gray)
}

function isHalved(i: i32): bool {
  return i > 0 && output == Output.MacroblockRows && keepsYuv()
}

function axis(samples: i32, span: f64, outputs: i32, halved: bool, mirrored: bool): Axis {
  if (!halved) return newAxis(samples, span, outputs, outputs, 0)
  // Mirrored, the pairs of an odd row begin one pixel before it.
  const origin: f64 = mirrored && (outputs & 1) == 1 ? -0.5 : 0
  return newAxis(samples, span, (outputs + 1) >> 1, <f64>outputs / 2, origin)
}

function resampler(i: i32): Resampler {
  return changetype<Resampler>(<usize>load<u32>(RESAMPLERS + ((<usize>i) << 2)))
}

function isMade(y: i32): bool {
  for (let i = 0; i < planes; i++) if (resampler(i).made <= y) return false
  return true
}

function drainYuv(): void {
  const y = resampler(0)
  while (true) {
    while (lumaTaken() < min(lumaCapacity(), y.made)) takeLuma(finishedRow(y, lumaTaken()))
    if (planes == 1) {
      while (chromaTaken() < chromaCapacity()) takeChroma(neutralChroma, neutralChroma)
    } else {
      const u = resampler(1)
      const v = resampler(2)
      while (chromaTaken() < min(chromaCapacity(), min(u.made, v.made))) {
        takeChroma(finishedRow(u, chromaTaken()), finishedRow(v, chromaTaken()))
      }
    }
    if (!flushMacroblockRows(takeMacroblockRow)) return
  }
}

function drainRgba(y: i32): void {
  rowOfPlanes(y, pixels)
  if (output == Output.Picture) placeRow(orientation, pixels, y, columns, rows, 2, upright, uprightStride)
  else {
    takeRgbaRow(pixels, y)
    flushMacroblockRows(fillAndTake)
  }
}

function fillAndTake(mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  fillTransparent(mbRow, y, u, v, yStride, uvStride)
  takeMacroblockRow(mbRow, y, u, v, yStride, uvStride)
}

function rowOfPlanes(y: i32, to: usize): void {
  rowToRgba(colour, planeRow(0, y), planeRow(1, y), planeRow(2, y), planeRow(3, y), columns, to)
  if (isTransformed) transformRow(to, columns)
}

function planeRow(i: i32, y: i32): usize {
  return i < planes ? finishedRow(resampler(i), y) : 0
}

function ignoreMacroblockRow(_band: i32, _y: usize, _u: usize, _v: usize, _yStride: i32, _uvStride: i32): void {}
