// The colour transform, undone: WebP Lossless Bitstream Specification, 4.2.

import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { blocksOf } from '../blocks'
import { readBits } from './bit-reader'
import { keepColour, readSubImage, subImage } from './sub-image'

/** Whole vectors are written. */
const SLACK: usize = 16
const ELEMENT_BYTES: usize = 3

/** The transform of the image, and the row that is undone next. */
@unmanaged
class CrossColour {
  width: i32
  bits: i32
  blocksAcross: i32
  /**
   * The element (u8[3]) of each block: green to red, green to blue, red to blue, where a pixel has blue, green and red.
   */
  elements: usize
  row: usize
  y: i32
}

const crossColour: CrossColour = changetype<CrossColour>(memory.data(offsetof<CrossColour>(), 4))

/** Reads the elements of an image of `columns` x `rows` pixels. */
export function readCrossColour(columns: i32, rows: i32): Status {
  crossColour.width = columns
  crossColour.bits = readBits(3) + 2
  crossColour.blocksAcross = blocksOf(columns, crossColour.bits)
  const status = readSubImage(crossColour.blocksAcross, blocksOf(rows, crossColour.bits))
  if (status != Status.Ok) return status
  keepColour()
  crossColour.elements = subImage.pixels
  crossColour.row = allocate(((<usize>columns) << 2) + SLACK)
  crossColour.y = 0
  return Status.Ok
}

/** The next row, of which `from` is the transformed one. It stays until the next. */
export function undoCrossColour(from: usize): usize {
  const blockRow =
    crossColour.elements + <usize>((crossColour.y >> crossColour.bits) * crossColour.blocksAcross) * ELEMENT_BYTES
  const length = (<usize>4) << crossColour.bits
  const end = (<usize>crossColour.width) << 2
  for (let x: usize = 0, at = blockRow; x < end; x += length, at += ELEMENT_BYTES) {
    addDeltas(load<u32>(at), from + x, crossColour.row + x, min(length, end - x))
  }
  crossColour.y++
  return crossColour.row
}

/** Products of signed bytes, shifted by 5 bits (ColorTransformDelta), in 16-bit lanes: blue and red of each pixel. */
function addDeltas(element: u32, from: usize, to: usize, bytes: usize): void {
  const greenToRed = <i32>(<i8>element)
  const greenToBlue = <i32>(<i8>(element >> 8))
  const byGreen = i32x4.splat((greenToRed << 16) | (greenToBlue & 0xffff))
  const byRed = i32x4.splat(<i32>(<i8>(element >> 16)) & 0xffff)
  const low = i16x8.splat(0xff)
  for (let x: usize = 0; x < bytes; x += 16) {
    const pixels = v128.load(from + x)
    const green = i16x8.shr_s(v128.shuffle<i8>(pixels, pixels, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13), 8)
    const fromGreen = v128.and(i16x8.shr_s(i16x8.mul(green, byGreen), 5), low)
    const half = i8x16.add(pixels, fromGreen)
    const red = i16x8.shr_s(i16x8.shl(i32x4.shr_u(half, 16), 8), 8)
    const fromRed = v128.and(i16x8.shr_s(i16x8.mul(red, byRed), 5), low)
    v128.store(to + x, i8x16.add(half, fromRed))
  }
}
