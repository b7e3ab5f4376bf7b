// BlockDecoded: which 4x4 samples of the superblock, and of its border, have been decoded. AV1 specification, 5.11.3.
import { fillFew } from '../../../../arena/few-bytes'
import { numPlanes, sequence, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { tile } from './tile'

/** Up to 32 entries, and one on each side. */
const STRIDE: i32 = 36
const PLANE: i32 = STRIDE * 36
const FLAGS: usize = memory.data(3 * 36 * 36)

/** Of rows and columns in a plane's superblock. */
const MASK_X: StaticArray<i32> = [0, 0, 0]
const MASK_Y: StaticArray<i32> = [0, 0, 0]

/** clear_block_decoded_flags( ) for the superblock at (`r`, `c`). */
export function clearBlockDecodedFlags(r: i32, c: i32): void {
  const sbSize4 = sequence.use128x128 ? 32 : 16
  for (let plane = 0; plane < numPlanes; plane++) {
    const subX = plane > 0 ? subsamplingX : 0
    const subY = plane > 0 ? subsamplingY : 0
    const w = sbSize4 >> subX
    const h = sbSize4 >> subY
    MASK_X[plane] = w - 1
    MASK_Y[plane] = h - 1
    const flags = FLAGS + <usize>(plane * PLANE)
    memory.fill(flags, 0, PLANE)
    const sbWidth4 = (tile.miColEnd - c) >> subX
    const sbHeight4 = (tile.miRowEnd - r) >> subY
    memory.fill(flags, 1, min(w + 2, sbWidth4 + 1))
    for (let y = 0; y < min(h + 1, sbHeight4); y++) store<u8>(flags + <usize>((y + 1) * STRIDE), 1)
    store<u8>(flags + <usize>((h + 1) * STRIDE), 0)
  }
}

/**
 * BlockDecoded of 4x4 samples `down` and `right` of those at (`row`, `col`) of a plane, which are in the superblock.
 */
export function isDecoded(plane: i32, row: i32, col: i32, down: i32, right: i32): bool {
  return load<u8>(entry(plane, row, col) + down * STRIDE + right) != 0
}

/** Sets BlockDecoded of `w` x `h` entries, which may end beyond the superblock. */
export function setDecoded(plane: i32, row: i32, col: i32, w: i32, h: i32): void {
  const from = entry(plane, row, col)
  for (let y = 0; y < h; y++) fillFew(from + y * STRIDE, 1, w)
}

function entry(plane: i32, row: i32, col: i32): usize {
  const y = (row & unchecked(MASK_Y[plane])) + 1
  const x = (col & unchecked(MASK_X[plane])) + 1
  return FLAGS + <usize>(plane * PLANE + y * STRIDE + x)
}
