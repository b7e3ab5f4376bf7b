// The subtract green transform, undone: WebP Lossless Bitstream Specification, 4.3.
import { allocate } from '../../../arena/memory'

/** Whole vectors are written. */
const SLACK: usize = 16

/** The row that is undone. */
@unmanaged
class SubtractGreen {
  bytes: usize
  row: usize
}

const subtractGreen: SubtractGreen = changetype<SubtractGreen>(memory.data(offsetof<SubtractGreen>(), 4))

/** Prepares for an image of `columns` columns. */
export function startSubtractGreen(columns: i32): void {
  subtractGreen.bytes = (<usize>columns) << 2
  subtractGreen.row = allocate(subtractGreen.bytes + SLACK)
}

/** The next row, of which `from` is the transformed one. It stays until the next. */
export function undoSubtractGreen(from: usize): usize {
  const zero = i32x4.splat(0)
  for (let x: usize = 0; x < subtractGreen.bytes; x += 16) {
    const pixels = v128.load(from + x)
    const green = v128.shuffle<i8>(pixels, zero, 1, 16, 1, 16, 5, 16, 5, 16, 9, 16, 9, 16, 13, 16, 13, 16)
    v128.store(subtractGreen.row + x, i8x16.add(pixels, green))
  }
  return subtractGreen.row
}
