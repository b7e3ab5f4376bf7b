// Converts a finished row of any colour type and depth to a row of pixels where there are colours, else to rows of
// planes. Samples have 8 bits, or are 64ths of a level of 8 bits where there are 16 bits whose colours are changed, unless they
// are changed here. Colours are multiplied by alpha unless they are wanted as they are.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { Colour } from '../../../colour/conversion'
import { deepenSixteen, deepRowToRgba, premultiplyDeep } from '../../../colour/deep-rows'
import { splitPairs, splitQuads, splitTriples } from '../../../colour/deinterleave'
import { deepToSrgb, toSrgbRow } from '../../../colour/pixels-to-srgb'
import { premultiply, premultiplyPixels } from '../../../colour/premultiply'
import { ColourType, header, KEY, PALETTE } from './header'

/** The planes that pixels are made into, set by `startPlanes`. */
@unmanaged
class Planes {
  /** Planes of the image: colours, then alpha if there is one. */
  count: i32
  /** Samples of a pixel where there are colours: red, green, blue, and alpha or one of no meaning; 0 where there are none. */
  pixelSamples: i32
  /** The row of pixels that `makePixels` made. */
  pixels: usize
  samples: usize
  planeBytes: usize
  /** A byte for each sample, where a sample does not have one of its own; and pixels that are not those of the row. */
  bytes: usize
  made: usize
  isStraight: bool
  isDeep: bool
  /** Whether deep colours are changed to those of sRGB, in bytes. */
  isChanged: bool
  /** Whether colours are converted to sRGB here (`startSrgbRows`), before they are collected or reduced. */
  isConverted: bool
}

export const planes: Planes = changetype<Planes>(memory.data(offsetof<Planes>(), 4))

/** The row of plane `i` that `makePlanes` filled. */
export function planeRow(i: i32): usize {
  return planes.samples + <usize>i * planes.planeBytes
}

/** Returns the number of planes of colours of the image whose header was read. */
export function colourPlanes(): i32 {
  return header.colourType == ColourType.Gray || header.colourType == ColourType.GrayAlpha ? 1 : 3
}

/**
 * Prepares rows of at most `columns` pixels; `straight`: their colours are not multiplied by alpha. `deep`: samples of colours are
 * u16, 64ths of a level, and come in planes. `changed`: such are changed to bytes of sRGB.
 */
export function startPlanes(columns: i32, straight: bool, deep: bool, changed: bool): void {
  planes.isStraight = straight
  planes.isDeep = deep
  planes.isChanged = changed
  const colours = colourPlanes()
  planes.count = colours + i32(header.hasAlpha)
  planes.pixelSamples = colours == 1 || deep ? 0 : header.colourType == ColourType.Rgb && !header.hasAlpha ? 3 : 4
  planes.planeBytes = ((<usize>columns) << (<usize>deep)) + ROW_SLACK
  planes.samples = allocate(planes.planeBytes * 4)
  planes.bytes = header.bitDepth == 8 ? 0 : allocate(<usize>columns * header.channels + ROW_SLACK)
  planes.made = planes.pixelSamples == 4 || changed ? allocate(((<usize>columns) << 2) + ROW_SLACK) : 0
}

/** Makes `pixels` of the `columns` pixels at `row`. */
export function makePixels(row: usize, columns: i32): void {
  const samples = bytesOfSamples(row, columns)
  planes.pixels = planes.made
  if (header.colourType == ColourType.Palette) applyPalette(samples, columns)
  else if (header.colourType == ColourType.Rgb && header.hasAlpha)
    addAlpha(samples, header.bitDepth == 16 ? row : samples, columns)
  else if (header.colourType == ColourType.Rgba && !planes.isStraight) premultiplyPixels(samples, planes.made, columns)
  else planes.pixels = samples
}

/** Fills the planes' rows from the `columns` pixels of 16 bits at `row`, with 64ths of a level; alphas are bytes. */
function makeDeepPlanes(row: usize, columns: i32): void {
  const channels = header.channels
  const colours = min(channels, 3) - i32(header.colourType == ColourType.GrayAlpha)
  const step = (<usize>channels) << 1
  const alphas = planeRow(planes.count - 1)
  if (channels > colours) {
    reduce(row, columns * channels)
    for (let x = 0; x < columns; x++) store<u8>(alphas + x, load<u8>(planes.bytes + x * channels + colours))
  } else if (header.hasAlpha) {
    for (let x = 0; x < columns; x++) {
      store<u8>(alphas + x, header.hasKey && isKey(row + <usize>x * step, <i32>step) ? 0 : 255)
    }
  }
  for (let i = 0; i < colours; i++) {
    deepenSixteen(row + ((<usize>i) << 1), step, columns, planeRow(i))
    if (header.hasAlpha) premultiplyDeep(planeRow(i), alphas, columns)
  }
}

/** Makes bytes of sRGB of the rows that `makeDeepPlanes` filled. A grey stays one. */
function changeDeepPlanes(columns: i32): void {
  const made = planes.made
  const isGray = colourPlanes() == 1
  const colour = isGray
    ? header.hasAlpha
      ? Colour.GrayAlpha
      : Colour.Gray
    : header.hasAlpha
      ? Colour.Rgba
      : Colour.Rgb
  if (planes.isConverted) deepToSrgb(planeRow(0), planeRow(1), planeRow(2), columns, made)
  else deepRowToRgba(colour, planeRow(0), planeRow(1), planeRow(2), planeRow(3), columns, made)
  if (header.hasAlpha) premultiplyPixels(made, made, columns)
  if (isGray) splitQuads(made, columns, planeRow(0), planeRow(2), planeRow(3), planeRow(1))
  else splitQuads(made, columns, planeRow(0), planeRow(1), planeRow(2), planeRow(3))
}

/** Fills the planes' rows from the `columns` pixels at `row`. */
export function makePlanes(row: usize, columns: i32): void {
  if (planes.isDeep) {
    makeDeepPlanes(row, columns)
    if (planes.isChanged) changeDeepPlanes(columns)
    return
  }
  if (planes.pixelSamples != 0) {
    makePixels(row, columns)
    const pixels = planes.isConverted ? toSrgbRow(planes.pixels, columns) : planes.pixels
    if (planes.pixelSamples == 3) splitTriples(pixels, columns, planeRow(0), planeRow(1), planeRow(2))
    else splitQuads(pixels, columns, planeRow(0), planeRow(1), planeRow(2), planeRow(3))
    return
  }
  const samples = bytesOfSamples(row, columns)
  if (header.hasKey) compareWithKey(header.bitDepth == 16 ? row : samples, columns)
  if (header.colourType == ColourType.Gray) scale(samples, columns)
  else splitPairs(samples, columns, planeRow(0), planeRow(1))
  if (header.isCut && header.colourType == ColourType.Gray && !header.hasKey) memory.fill(planeRow(1), 255, columns)
  else if (header.hasAlpha && !planes.isStraight) premultiply(planeRow(0), planeRow(1), columns)
}

/** The samples of a row, a byte each. */
function bytesOfSamples(row: usize, columns: i32): usize {
  if (header.bitDepth == 8) return row
  if (header.bitDepth == 16) reduce(row, columns * header.channels)
  else unpack(row, columns)
  return planes.bytes
}

/** Samples of 1, 2 or 4 bits, the first in the highest bits of a byte (7.2). */
function unpack(row: usize, columns: i32): void {
  const bitDepth = header.bitDepth
  const bytes = planes.bytes
  const mask = (1 << bitDepth) - 1
  for (let x = 0, bit = 0; x < columns; x++, bit += bitDepth) {
    const shift = 8 - bitDepth - (bit & 7)
    store<u8>(bytes + x, <u8>((<i32>load<u8>(row + (bit >> 3)) >> shift) & mask))
  }
}

/** 16 bits to 8, rounded: 65535 is 257 times 255 (13.12). */
function reduce(row: usize, count: i32): void {
  const bytes = planes.bytes
  for (let i = 0; i < count; i++) {
    const sample = <u32>bswap<u16>(load<u16>(row + 2 * i))
    store<u8>(bytes + i, <u8>((sample * 255 + 32895) >> 16))
  }
}

/** Gray samples of any depth up to 8 to 0..255. */
function scale(samples: usize, columns: i32): void {
  const to = planeRow(0)
  if (header.bitDepth >= 8) {
    memory.copy(to, samples, columns)
    return
  }
  const factor = 255 / ((1 << header.bitDepth) - 1)
  for (let x = 0; x < columns; x++) store<u8>(to + x, <u8>(<i32>load<u8>(samples + x) * factor))
}

function applyPalette(samples: usize, columns: i32): void {
  const made = planes.made
  for (let x: usize = 0; x < <usize>columns; x++) {
    store<u32>(made + (x << 2), load<u32>(PALETTE + ((<usize>load<u8>(samples + x)) << 2)))
  }
}

/** Makes pixels of three samples at `samples` such of four; those of the file are at `row`, which may have two bytes a sample. */
function addAlpha(samples: usize, row: usize, columns: i32): void {
  const hasKey = header.hasKey
  const made = planes.made
  const isStraight = planes.isStraight
  const step = header.bitDepth == 16 ? 6 : 3
  for (let x: usize = 0; x < <usize>columns; x++, samples += 3, row += step) {
    const colours = load<u32>(samples) & 0xffffff
    const isClear = hasKey && isKey(row, step)
    store<u32>(made + (x << 2), isClear ? (isStraight ? colours : 0) : colours | 0xff000000)
  }
}

/** tRNS: a gray pixel that equals the key is transparent, all others are opaque. */
function compareWithKey(samples: usize, columns: i32): void {
  const step = header.bitDepth == 16 ? 2 : 1
  const alpha = planeRow(1)
  for (let x = 0; x < columns; x++, samples += step) store<u8>(alpha + x, isKey(samples, step) ? 0 : 255)
}

/** Whether the `step` bytes of a pixel are those of the key. */
function isKey(pixel: usize, step: i32): bool {
  for (let i = 0; i < step; i++) if (load<u8>(pixel + i) != load<u8>(KEY + i)) return false
  return true
}
