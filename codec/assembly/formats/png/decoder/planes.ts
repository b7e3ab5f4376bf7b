// A finished row of any colour type and depth becomes rows of planes, 8 bits a sample, colours multiplied by alpha unless they are
// wanted as they are.

import { allocate } from '../../../arena/memory'
import { ROW_SLACK } from '../../../arena/row-slack'
import { splitPairs, splitQuads, splitTriples } from '../../../colour/deinterleave'
import { premultiply } from '../../../colour/premultiply'
import { bitDepth, ColourType, channels, colourType, hasAlpha, hasKey, isCut, KEY, PALETTE } from './header'

/** Planes of the picture: colours, then alpha if there is one. */
export let planeCount: i32 = 0
let planes: usize = 0
let planeBytes: usize = 0
/** A byte for each sample, where a sample does not have one of its own. */
let bytes: usize = 0
let isStraight = false

/** The row of plane `i` that `makePlanes` filled. */
export function planeRow(i: i32): usize {
  return planes + <usize>i * planeBytes
}

/** Prepares rows of at most `columns` pixels; `straight`: their colours are not multiplied by alpha. */
export function startPlanes(columns: i32, straight: bool): void {
  isStraight = straight
  const colours = colourType == ColourType.Gray || colourType == ColourType.GrayAlpha ? 1 : 3
  planeCount = hasAlpha ? colours + 1 : colours
  planeBytes = <usize>columns + ROW_SLACK
  planes = allocate(planeBytes * 4)
  bytes = bitDepth == 8 ? 0 : allocate(<usize>columns * channels + ROW_SLACK)
}

/** Fills the planes' rows from the `columns` pixels at `row`. */
export function makePlanes(row: usize, columns: i32): void {
  let samples = row
  if (bitDepth < 8) {
    unpack(row, columns)
    samples = bytes
  }
  if (hasKey) compareWithKey(bitDepth == 16 ? row : samples, columns)
  if (bitDepth == 16) {
    reduce(row, columns * channels)
    samples = bytes
  }
  if (colourType == ColourType.Palette) lookUp(samples, columns)
  else if (colourType == ColourType.Gray) scale(samples, columns)
  else if (colourType == ColourType.GrayAlpha) splitPairs(samples, columns, planeRow(0), planeRow(1))
  else if (colourType == ColourType.Rgb) splitTriples(samples, columns, planeRow(0), planeRow(1), planeRow(2))
  else splitQuads(samples, columns, planeRow(0), planeRow(1), planeRow(2), planeRow(3))
  const isOpaque = colourType == ColourType.Gray || colourType == ColourType.Rgb
  if (isCut && isOpaque && !hasKey) memory.fill(planeRow(planeCount - 1), 255, columns)
  else if (hasAlpha && !isStraight && colourType != ColourType.Palette) {
    for (let i = 0; i < planeCount - 1; i++) premultiply(planeRow(i), planeRow(planeCount - 1), columns)
  }
}

/** Samples of 1, 2 or 4 bits, the first in the highest bits of a byte (7.2). */
function unpack(row: usize, columns: i32): void {
  const mask = (1 << bitDepth) - 1
  for (let x = 0, bit = 0; x < columns; x++, bit += bitDepth) {
    const shift = 8 - bitDepth - (bit & 7)
    store<u8>(bytes + x, <u8>((<i32>load<u8>(row + (bit >> 3)) >> shift) & mask))
  }
}

/** 16 bits to 8, rounded: 65535 is 257 times 255 (13.12). */
function reduce(row: usize, count: i32): void {
  for (let i = 0; i < count; i++) {
    const sample = <u32>bswap<u16>(load<u16>(row + 2 * i))
    store<u8>(bytes + i, <u8>((sample * 255 + 32895) >> 16))
  }
}

/** Gray samples of any depth up to 8 to 0..255. */
function scale(samples: usize, columns: i32): void {
  const to = planeRow(0)
  if (bitDepth >= 8) {
    memory.copy(to, samples, columns)
    return
  }
  const factor = 255 / ((1 << bitDepth) - 1)
  for (let x = 0; x < columns; x++) store<u8>(to + x, <u8>(<i32>load<u8>(samples + x) * factor))
}

function lookUp(samples: usize, columns: i32): void {
  for (let i = 0; i < planeCount; i++) {
    const to = planeRow(i)
    const table = PALETTE + (i << 8)
    for (let x = 0; x < columns; x++) store<u8>(to + x, load<u8>(table + load<u8>(samples + x)))
  }
}

/** tRNS: a pixel that equals the key, sample by sample and bit by bit, is transparent, all others are opaque. */
function compareWithKey(pixels: usize, columns: i32): void {
  const step = bitDepth == 16 ? channels * 2 : channels
  const alpha = planeRow(planeCount - 1)
  for (let x = 0; x < columns; x++, pixels += step) {
    let different = 0
    for (let i = 0; i < step; i++) different |= load<u8>(pixels + i) ^ load<u8>(KEY + i)
    store<u8>(alpha + x, different ? 255 : 0)
  }
}
