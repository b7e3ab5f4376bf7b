// Upright rows of RGBA, pulled one by one while a decoder is driven step by step, as pictures that are joined need them.
// What is only mirrored streams; any other orientation needs the last coded rows or columns first, and is held at the size
// wanted.

import { limitedYuvToRgba } from '../colour/conversion'
import { isComplete, nextCodedRow, picture, toCodedRows, toMacroblockRows, toPicture } from './sink'

let width: i32 = 0
let height: i32 = 0
let orientation: i32 = 1
let isPlanar = false
/** The row to be given next, of a picture that is held. */
let y: i32 = 0
// The planes of a picture that is held as YUV 4:2:0; 0 until it is complete.
let luma: usize = 0
let blue: usize = 0
let red: usize = 0
let lumaStride: usize = 0
let chromaStride: usize = 0

/**
 * Wants the rows of a picture of `columns` x `rows` upright pixels. One that must be held takes 4 bytes a pixel, or
 * 1.5 if `planar`: as YUV 4:2:0, without alpha.
 */
export function toUprightRows(columns: i32, rows: i32, exifOrientation: i32, planar: bool): void {
  width = columns
  height = rows
  orientation = exifOrientation
  isPlanar = planar
  y = 0
  luma = 0
  if (orientation <= 2) toCodedRows(width, height)
  else if (planar) toMacroblockRows(width, height, orientation, keepPlanes)
  else toPicture(width, height, orientation)
}

/** Writes the next row at `to`; false if it needs another step of the decoder, or if there is none. */
export function nextUprightRow(to: usize): bool {
  if (orientation <= 2) {
    if (!nextCodedRow(to)) return false
    if (orientation == 2) mirror(to)
    return true
  }
  if (y == height || !(isPlanar ? luma != 0 : isComplete())) return false
  if (isPlanar) joinPlanes(to)
  else memory.copy(to, picture() + ((<usize>y * width) << 2), (<usize>width) << 2)
  y++
  return true
}

/** The macroblock rows of a rotated picture lie in whole planes, the first of them at the top. */
function keepPlanes(mbRow: i32, yRows: usize, u: usize, v: usize, yStride: i32, uvStride: i32): void {
  if (mbRow > 0) return
  luma = yRows
  blue = u
  red = v
  lumaStride = yStride
  chromaStride = uvStride
}

/** Each sample of chroma stands for the 2 x 2 pixels that it was made of: an encoder makes the same of them again. */
function joinPlanes(to: usize): void {
  const row = luma + <usize>y * lumaStride
  const chroma = <usize>(y >> 1) * chromaStride
  for (let x: usize = 0; x < <usize>width; x++) {
    const half = chroma + (x >> 1)
    store<u32>(to + (x << 2), limitedYuvToRgba(load<u8>(row + x), load<u8>(blue + half), load<u8>(red + half)))
  }
}

function mirror(row: usize): void {
  let end = row + ((<usize>(width - 1)) << 2)
  for (; row < end; row += 4, end -= 4) {
    const pixel = load<u32>(row)
    store<u32>(row, load<u32>(end))
    store<u32>(end, pixel)
  }
}
