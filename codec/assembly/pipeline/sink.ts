// The output of all decoders. Rows of planes are resized by one resampler each, to an image, macroblock rows of YUV
// 4:2:0, or rows of RGBA on demand. A job is: to...(), announcePicture(), announcePlane() for each plane, push() and
// drain() for each row, finish(). Macroblock rows may have several sizes at once, with resamplers for each.

import { allocate } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { gridLevels, gridRow, setColourGrid } from '../colour/colour-grid'
import { isWithoutGains, setColourTransform, transformLevels, transformRow } from '../colour/colour-transform'
import { Colour, planesOf, rowToRgba } from '../colour/conversion'
import { deepRowToRgba, setDeepChange } from '../colour/deep-rows'
import { splitQuads, splitTriples } from '../colour/deinterleave'
import { startSrgbRows, toSrgbRow } from '../colour/pixels-to-srgb'
import { Status } from '../status'
import { AlphaPlane, newAlphaPlane } from './alpha-plane'
import { Axis, newAxis } from './lanczos'
import {
  chromaCapacity,
  handOnMacroblockRow,
  hasMacroblockRow,
  lumaCapacity,
  MacroblockRows,
  newMacroblockRows,
  TakeMacroblockRow,
  takeChroma,
  takeLuma,
} from './macroblock-rows'
import { copyUpright, mirrorsColumns, mirrorsRows, newUprightPlane } from './orientation'
import { addPixels, closePixelBox, newPixelBox } from './pixel-box'
import { finishedRow, isBoxed, newResampler, pushRow, repeatRow } from './resample'
import { handOnPair, newRgbaToYuv, takeRgbaRow } from './rgba-to-yuv'
import { isMade, MAX_PLANES, newTarget, resampler, setResampler, slowestPlane, Target } from './target'
import { fillTransparent } from './transparent-pixels'

/** The kind of output, the same for all targets of an image. */
const enum Output {
  Image = 0,
  MacroblockRows = 1,
  CodedRows = 2,
}

/** BT.601's ranges for 0 to 255. */
const LUMA_GAIN: f64 = 219.0 / 255.0
const LUMA_OFFSET: f64 = 16
const CHROMA_GAIN: f64 = 224.0 / 255.0
const CHROMA_MIDDLE: f64 = 128

/**
 * The most rows a plane may lag behind another of its image, in output rows: three samples enlarged fourfold, and
 * box.
 */
const MAX_LAG: i32 = 15

/** The addresses of the targets, 8 at most. */
const TARGETS: usize = memory.data(8 * 4, 4)

/** The image that comes, and what is wanted of it. */
@unmanaged
class Sink {
  targets: i32
  output: Output
  /** The most that is wanted, in coded orientation. */
  mostColumns: i32
  mostRows: i32
  colour: Colour
  /** 0 until `announceImage` was called. */
  planes: i32
  finished: bool
  /** Whether the colours are changed on their way out. */
  isTransformed: bool
  /** Whether rows of pixels are converted to sRGB before they are reduced. */
  isConvertedFirst: bool
  /** Whether samples of colours are u16, 64ths of a level. */
  isDeep: bool
  changeRow: (pixels: usize, count: i32) => void
  /** Consumers of the rows of the first target, and of the alphas for them. */
  takeRow: TakeMacroblockRow
  filling: AlphaPlane | null
  /** Whether an image that is not resized is wanted as it is. */
  isExact: bool
  /** Samples of a pixel, of rows that come as pixels. */
  pixelSamples: i32
  /** Whether blue comes first. */
  isReversed: bool
  /** A row of each sample, where some target needs them parted. */
  parted: usize
  partedBytes: usize
}

const sink: Sink = changetype<Sink>(memory.data(offsetof<Sink>(), 4))

/** Wants a whole RGBA image of `width` x `height` upright pixels: `image()` is its address after `finish()`. */
export function toImage(width: i32, height: i32, orientation: i32): void {
  const target = onlyTarget(Output.Image, width, height, orientation)
  const stride = width << 2
  const at = allocate(<usize>stride * height)
  target.upright = newUprightPlane(orientation, target.columns, target.rows, 4, at, stride)
}

/**
 * Wants YUV 4:2:0 in macroblock rows, 16 of luma and 8 of chroma, upright and padded (macroblock-rows.ts). They go to `take` as
 * they come; those of a rotated image are held, to be handed on by `handOnRow`. If the image has alpha, `alphaOf` is where
 * it is.
 */
export function toMacroblockRows(width: i32, height: i32, orientation: i32, take: TakeMacroblockRow): MacroblockRows {
  const target = onlyTarget(Output.MacroblockRows, width, height, orientation)
  sink.takeRow = take
  return startMacroblockRows(target, width, height, false)
}

/** Wants macroblock rows that are held until `handOnRow` hands them on. */
export function toHeldRows(width: i32, height: i32, orientation: i32): MacroblockRows {
  const target = onlyTarget(Output.MacroblockRows, width, height, orientation)
  sink.takeRow = holdRow
  return startMacroblockRows(target, width, height, true)
}

/** After `toMacroblockRows`: wants those of another size as well, which are held; 8 targets in all. Returns its number. */
export function alsoToMacroblockRows(width: i32, height: i32, orientation: i32): i32 {
  const target = addTarget(width, height, orientation)
  startMacroblockRows(target, width, height, true)
  return sink.targets - 1
}

/**
 * Wants RGBA rows in coded orientation, from the top. `nextCodedRow` returns them; all available rows must be taken before more
 * are pushed.
 */
export function toCodedRows(width: i32, height: i32): void {
  onlyTarget(Output.CodedRows, width, height, 1)
}

/** Writes the next row that `toCodedRows` wanted at `to`; false if it was not pushed yet, or if there is none. */
export function nextCodedRow(to: usize): bool {
  const target = targetAt(0)
  if (sink.planes == 0 || target.done == target.rows) return false
  while (!isMade(target, sink.planes, target.done)) {
    if (!sink.finished) return false
    const box = target.pixelBox
    if (box != null && box.collected > 0) closePixelBox(box)
    else repeatRow(resampler(target, slowestPlane(target, sink.planes)))
  }
  rowOfPlanes(target, target.done++, to)
  return true
}

/**
 * Wants the RGBA of target `i` as well, where its image does not come as YUV: `heldPixels` is its address after `finish()`.
 */
export function holdPixels(i: i32): void {
  targetAt(i).holdsPixels = true
}

/** The upright RGBA of target `i`, rows without gaps, readable for 64 bytes more; 0 if none is held. */
export function heldPixels(i: i32): usize {
  const upright = targetAt(i).upright
  return upright == null ? 0 : upright.at
}

/** Hands the next macroblock row of target `i` to `take`, of what is held and complete; false if there is none. */
export function handOnRow(i: i32, take: TakeMacroblockRow): bool {
  const target = targetAt(i)
  const rows = target.macroblocks
  if (rows == null || !hasMacroblockRow(rows)) return false
  handOn(target, rows, take)
  return true
}

/** Restarts handing on the rows of target `i`, which is held. */
export function rewindRows(i: i32): void {
  const rows = targetAt(i).macroblocks
  if (rows != null) rows.mbRow = 0
}

/** The alphas of target `i`; null if all its pixels are opaque. */
export function alphaOf(i: i32): AlphaPlane | null {
  const alpha = targetAt(i).alpha
  return alpha != null && !alpha.isOpaque ? alpha : null
}

/** Whether the image that `toImage` wanted has all its rows. */
export function isComplete(): bool {
  return targetAt(0).done == targetAt(0).rows
}

/** The image that `toImage` wanted: RGBA, rows without gaps. */
export function image(): usize {
  return heldPixels(0)
}

/** Says how the colours of the image to come are made those of sRGB: by the table that `setColourTransform` describes. */
export function transformColours(table: usize): void {
  setColourTransform(table)
  sink.isTransformed = true
  sink.isConvertedFirst = isWithoutGains()
  sink.changeRow = transformRow
  setDeepChange(transformLevels)
}

/** Transforms the colours of the image to come by a grid, as `setColourGrid` describes it. */
export function transformColoursByGrid(grid: usize): void {
  setColourGrid(grid)
  sink.isTransformed = true
  sink.isConvertedFirst = false
  sink.changeRow = gridRow
  setDeepChange(gridLevels)
}

/** Whether rows of pixels are converted to sRGB before they are reduced: colours without gains, as browsers do. */
export function isConvertedFirst(): bool {
  return sink.isConvertedFirst
}

/** Whether the colours of the image to come are changed. */
export function isChanged(): bool {
  return sink.isTransformed
}

/** Says, before `announceImage`, that the samples of its colours are u16, 64ths of a level. They are changed; alphas are bytes. */
export function expectDeepRows(): void {
  sink.isDeep = true
}

/** Says, before `announceImage`, that the decoder changes the colours of its rows (`deepRowToRgba`). */
export function expectChangedRows(): void {
  sink.isTransformed = false
  sink.isConvertedFirst = false
}

/** Wants the pixels of an image that is not resized exactly as they are, those too that are wholly transparent. */
export function wantExact(): void {
  sink.isExact = true
}

/** Whether colours are not to be multiplied by alpha, of an image of so many pixels. */
export function keepsStraight(across: i32, down: i32): bool {
  return sink.isExact && !sink.isTransformed && across == sink.mostColumns && down == sink.mostRows
}

/** Sets the meaning of the next planes. */
export function announceImage(meaning: Colour): void {
  sink.colour = meaning
  sink.planes = planesOf(meaning)
  for (let i = 0; i < sink.targets; i++) prepareRows(targetAt(i))
}

/** Returns the maximum width of plane `i` after resizing, in samples before rounding. */
export function targetColumns(i: i32): f64 {
  return <f64>sink.mostColumns * shareOf(i)
}

/** Returns the maximum height of plane `i` after resizing, in samples before rounding. */
export function targetRows(i: i32): f64 {
  return <f64>sink.mostRows * shareOf(i)
}

/**
 * Announces plane `i`: `samples` x `lines` samples will be pushed, of which the image spans `across` x `down`,
 * at most `rowsAtOnce` rows of it between two drains.
 */
export function announcePlane(i: i32, samples: i32, lines: i32, across: f64, down: f64, rowsAtOnce: i32): void {
  const halved = isHalved(i)
  const waiting = sink.output == Output.MacroblockRows ? 16 : 1
  const isChroma = i > 0 && (sink.colour == Colour.YuvFull || sink.colour == Colour.YuvLimited)
  const isAlpha = (sink.colour == Colour.GrayAlpha && i == 1) || (sink.colour == Colour.Rgba && i == 3)
  let gain: f64 = 1
  let offset: f64 = 0
  if (keepsYuv() && sink.colour != Colour.YuvLimited) {
    gain = isChroma ? CHROMA_GAIN : LUMA_GAIN
    offset = isChroma ? CHROMA_MIDDLE * (1 - gain) : LUMA_OFFSET
  }
  for (let t = 0; t < sink.targets; t++) {
    const target = targetAt(t)
    const x = axis(samples, across, target.columns, halved, mirrorsColumns(target.orientation))
    const y = axis(lines, down, target.rows, halved, mirrorsRows(target.orientation))
    const arriving = <i32>Math.ceil((<f64>rowsAtOnce * <f64>target.rows * shareOf(i)) / down) + 1
    let rowsHeld = 1
    while (rowsHeld < arriving + waiting + (rowsAtOnce > 1 ? MAX_LAG : 0)) rowsHeld <<= 1
    setResampler(target, i, newResampler(x, y, gain, offset, rowsHeld, (x.outputs + 3) & ~3, sink.isDeep && !isAlpha))
  }
}

/**
 * Announces an image of `width` x `height` pixels whose rows are pushed as they are (`pushPixels`). Its 3 or 4
 * samples are red, green, blue and alpha, or blue first where they are `reversed`. A fourth that has no plane is
 * skipped.
 */
export function announcePixels(width: i32, height: i32, samples: i32, reversed: bool): void {
  for (let i = 0; i < sink.planes; i++) announcePlane(i, width, height, width, height, 1)
  sink.pixelSamples = samples
  sink.isReversed = reversed
  if (sink.isConvertedFirst) {
    startSrgbRows(width, samples, reversed, sink.planes == 4)
    sink.isTransformed = false
  }
  sink.partedBytes = <usize>width + ROW_SLACK
  sink.parted = 0
  for (let t = 0; t < sink.targets; t++) {
    const target = targetAt(t)
    const red = resampler(target, 0)
    const blue = resampler(target, 2)
    const alpha = sink.planes == 4 ? resampler(target, 3) : null
    if (isBoxed(red)) {
      const green = resampler(target, 1)
      target.pixelBox = newPixelBox(reversed ? blue : red, green, reversed ? red : blue, alpha, samples)
    } else {
      target.pixelBox = null
      if (sink.parted == 0) sink.parted = allocate(sink.partedBytes * 4)
    }
  }
}

/**
 * Takes the next row of pixels, readable for 64 bytes more, and hands on what is complete. Colours are multiplied by alpha,
 * unless they are wanted straight.
 */
export function pushPixels(pixels: usize): void {
  const row = sink.isConvertedFirst ? toSrgbRow(pixels, resampler(targetAt(0), 0).across.samples) : pixels
  if (sink.parted != 0) part(row)
  for (let t = 0; t < sink.targets; t++) {
    const target = targetAt(t)
    const box = target.pixelBox
    if (box != null) addPixels(box, row)
    else for (let i = 0; i < sink.planes; i++) pushRow(resampler(target, i), sink.parted + <usize>i * sink.partedBytes)
  }
  drain()
}

/** Parts a row of pixels into one of each plane. */
function part(row: usize): void {
  const columns = resampler(targetAt(0), 0).across.samples
  const first = sink.isReversed ? sink.parted + 2 * sink.partedBytes : sink.parted
  const third = sink.isReversed ? sink.parted : sink.parted + 2 * sink.partedBytes
  if (sink.pixelSamples == 3) splitTriples(row, columns, first, sink.parted + sink.partedBytes, third)
  else splitQuads(row, columns, first, sink.parted + sink.partedBytes, third, sink.parted + 3 * sink.partedBytes)
}

/** Takes the next row of plane `i`. */
export function push(i: i32, row: usize): void {
  for (let t = 0; t < sink.targets; t++) pushRow(resampler(targetAt(t), i), row)
}

/** Hands on every row that all planes have; to be called when rows of all planes were pushed. */
export function drain(): void {
  if (sink.output == Output.CodedRows) return
  for (let t = 0; t < sink.targets; t++) drainTo(targetAt(t))
}

/** Completes the image. Missing rows repeat the last one; `nextCodedRow` repeats it for coded rows. */
export function finish(): Status {
  sink.finished = true
  for (let t = 0; t < sink.targets && sink.output != Output.CodedRows; t++) {
    const target = targetAt(t)
    const box = target.pixelBox
    if (box != null && box.collected > 0) closePixelBox(box)
    for (let last = slowestPlane(target, sink.planes); last >= 0; last = slowestPlane(target, sink.planes)) {
      repeatRow(resampler(target, last))
      drainTo(target)
    }
  }
  return Status.Ok
}

/** The target of an image that has no other yet. */
function onlyTarget(wanted: Output, width: i32, height: i32, orientation: i32): Target {
  sink.output = wanted
  sink.targets = sink.mostColumns = sink.mostRows = 0
  sink.planes = 0
  sink.finished = false
  sink.isTransformed = false
  sink.isConvertedFirst = false
  sink.isDeep = false
  sink.isExact = false
  return addTarget(width, height, orientation)
}

function addTarget(width: i32, height: i32, orientation: i32): Target {
  const target = newTarget(width, height, orientation)
  store<u32>(TARGETS + ((<usize>sink.targets) << 2), <u32>changetype<usize>(target))
  sink.targets++
  sink.mostColumns = max(sink.mostColumns, target.columns)
  sink.mostRows = max(sink.mostRows, target.rows)
  return target
}

function startMacroblockRows(target: Target, width: i32, height: i32, held: bool): MacroblockRows {
  const rows = newMacroblockRows(width, height, target.orientation, held)
  target.macroblocks = rows
  return rows
}

function targetAt(i: i32): Target {
  return changetype<Target>(<usize>load<u32>(TARGETS + ((<usize>i) << 2)))
}

/** Makes room for what a target's rows become. */
function prepareRows(target: Target): void {
  memory.fill(target.resamplers, 0, MAX_PLANES * 4)
  if (sink.output == Output.CodedRows) return
  if (!keepsYuv()) {
    target.pixels = allocate((<usize>target.columns) << 2)
    const rows = target.macroblocks
    if (rows == null) return
    const hasAlpha = sink.colour == Colour.GrayAlpha || sink.colour == Colour.Rgba
    target.alpha = hasAlpha ? newAlphaPlane(target.columns, target.rows, target.orientation) : null
    // Rows that nothing takes are read as they are held, each sample of chroma for its four pixels.
    target.fromRgba = newRgbaToYuv(rows, target.alpha, sink.takeRow != ignoreRow)
    if (!target.holdsPixels) return
    const stride = rows.width << 2
    const at = allocate(<usize>stride * rows.height + ROW_SLACK)
    target.upright = newUprightPlane(target.orientation, target.columns, target.rows, 4, at, stride)
  } else if (sink.planes == 1) {
    target.neutralChroma = allocate(target.columns)
    memory.fill(target.neutralChroma, <u8>CHROMA_MIDDLE, target.columns)
  }
}

/** Whether the planes become macroblock rows as YUV, without passing through RGB. */
function keepsYuv(): bool {
  if (sink.output != Output.MacroblockRows || sink.isTransformed) return false
  return sink.colour == Colour.YuvFull || sink.colour == Colour.YuvLimited || sink.colour == Colour.Gray
}

function isHalved(i: i32): bool {
  return i > 0 && keepsYuv()
}

function shareOf(i: i32): f64 {
  return isHalved(i) ? 0.5 : 1
}

function axis(samples: i32, span: f64, outputs: i32, halved: bool, mirrored: bool): Axis {
  if (!halved) return newAxis(samples, span, outputs, outputs, 0)
  // Mirrored, the pairs of an odd row begin one pixel before it.
  const origin: f64 = mirrored && (outputs & 1) == 1 ? -0.5 : 0
  return newAxis(samples, span, (outputs + 1) >> 1, <f64>outputs / 2, origin)
}

function drainTo(target: Target): void {
  const rows = target.macroblocks
  if (rows != null && keepsYuv()) drainYuv(target, rows)
  else while (target.done < target.rows && isMade(target, sink.planes, target.done)) drainRgba(target, target.done++)
}

function drainYuv(target: Target, rows: MacroblockRows): void {
  const y = resampler(target, 0)
  while (true) {
    while (rows.lumaTaken < min(lumaCapacity(rows), y.made)) takeLuma(rows, finishedRow(y, rows.lumaTaken))
    if (sink.planes == 1) {
      const neutral = target.neutralChroma
      while (rows.chromaTaken < chromaCapacity(rows)) takeChroma(rows, neutral, neutral)
    } else {
      const u = resampler(target, 1)
      const v = resampler(target, 2)
      while (rows.chromaTaken < min(chromaCapacity(rows), min(u.made, v.made))) {
        takeChroma(rows, finishedRow(u, rows.chromaTaken), finishedRow(v, rows.chromaTaken))
      }
    }
    if (rows.isHeld || !hasMacroblockRow(rows)) return
    handOn(target, rows, sink.takeRow)
  }
}

function drainRgba(target: Target, y: i32): void {
  const pixels = target.pixels
  rowOfPlanes(target, y, pixels)
  const toYuv = target.fromRgba
  const rows = target.macroblocks
  const upright = target.upright
  if (upright != null) copyUpright(upright, pixels, y)
  if (toYuv == null || rows == null) return
  takeRgbaRow(toYuv, pixels, y)
  while (handOnPair(toYuv)) if (!rows.isHeld && hasMacroblockRow(rows)) handOn(target, rows, sink.takeRow)
}

function handOn(target: Target, rows: MacroblockRows, take: TakeMacroblockRow): void {
  sink.filling = target.alpha
  sink.takeRow = take
  handOnMacroblockRow(rows, sink.filling == null ? take : fillAndTake)
}

function fillAndTake(mbRow: i32, y: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  const alpha = sink.filling
  if (alpha != null) fillTransparent(alpha, mbRow, y, u, v, yStride, uvStride)
  sink.takeRow(mbRow, y, u, v, yStride, uvStride)
}

function rowOfPlanes(target: Target, y: i32, to: usize): void {
  const a = planeRow(target, 0, y)
  const b = planeRow(target, 1, y)
  if (sink.isDeep)
    return deepRowToRgba(sink.colour, a, b, planeRow(target, 2, y), planeRow(target, 3, y), target.columns, to)
  rowToRgba(sink.colour, a, b, planeRow(target, 2, y), planeRow(target, 3, y), target.columns, to)
  if (sink.isTransformed) sink.changeRow(to, target.columns)
}

function planeRow(target: Target, i: i32, y: i32): usize {
  return i < sink.planes ? finishedRow(resampler(target, i), y) : 0
}

/** Takes no rows: they are read where they are held. */
export function ignoreRow(_mbRow: i32, _y: usize, _u: usize, _v: usize, _yStride: i32, _uvStride: i32): void {}

/** Takes no rows, for they are held until they are handed on. */
function holdRow(_mbRow: i32, _y: usize, _u: usize, _v: usize, _yStride: i32, _uvStride: i32): void {}
