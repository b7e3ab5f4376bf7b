// Upright rows of RGBA, pulled one by one while a decoder is driven step by step, as images that are joined need them.
// What is only mirrored streams; any other orientation needs the last coded rows or columns first, and is held at the size
// wanted.

import { limitedYuvToRgba } from '../colour/conversion'
import { hasMacroblockRow, MacroblockRows } from './macroblock-rows'
import { ignoreRow, image, isComplete, nextCodedRow, toCodedRows, toImage, toMacroblockRows } from './sink'

/** The rows that are wanted. */
@unmanaged
class UprightRows {
  width: i32
  height: i32
  orientation: i32
  /** The row to be given next, of an image that is held. */
  y: i32
  /** The planes of an image that is held as YUV 4:2:0. */
  planes: MacroblockRows | null
}

const uprightRows: UprightRows = changetype<UprightRows>(memory.data(offsetof<UprightRows>(), 4))

/**
 * Wants the rows of an image of `columns` x `rows` upright pixels. One that must be held takes 4 bytes a pixel, or
 * 1.5 if `planar`: as YUV 4:2:0, without alpha.
 */
export function toUprightRows(columns: i32, rows: i32, exifOrientation: i32, planar: bool): void {
  uprightRows.width = columns
  uprightRows.height = rows
  uprightRows.orientation = exifOrientation
  uprightRows.y = 0
  uprightRows.planes = null
  if (uprightRows.orientation <= 2) toCodedRows(uprightRows.width, uprightRows.height)
  else if (planar)
    uprightRows.planes = toMacroblockRows(uprightRows.width, uprightRows.height, uprightRows.orientation, ignoreRow)
  else toImage(uprightRows.width, uprightRows.height, uprightRows.orientation)
}

/** Writes the next row at `to`; false if it needs another step of the decoder, or if there is none. */
export function nextUprightRow(to: usize): bool {
  if (uprightRows.orientation <= 2) {
    if (!nextCodedRow(to)) return false
    if (uprightRows.orientation == 2) mirror(to)
    return true
  }
  const held = uprightRows.planes
  if (uprightRows.y == uprightRows.height || !(held != null ? hasMacroblockRow(held) : isComplete())) return false
  if (held != null) joinPlanes(held, to)
  else memory.copy(to, image() + ((<usize>uprightRows.y * uprightRows.width) << 2), (<usize>uprightRows.width) << 2)
  uprightRows.y++
  return true
}

/** Repeats each sample of chroma for the 2 x 2 pixels that it was made of, so that an encoder restores it. */
function joinPlanes(held: MacroblockRows, to: usize): void {
  const width = uprightRows.width
  const y = uprightRows.y
  const luma = held.y.at + <usize>y * held.y.stride
  const chroma = <usize>(y >> 1) * held.u.stride
  for (let x: usize = 0; x < <usize>width; x++) {
    const half = chroma + (x >> 1)
    store<u32>(
      to + (x << 2),
      limitedYuvToRgba(load<u8>(luma + x), load<u8>(held.u.at + half), load<u8>(held.v.at + half)),
    )
  }
}

function mirror(row: usize): void {
  let end = row + ((<usize>(uprightRows.width - 1)) << 2)
  for (; row < end; row += 4, end -= 4) {
    const pixel = load<u32>(row)
    store<u32>(row, load<u32>(end))
    store<u32>(end, pixel)
  }
}
