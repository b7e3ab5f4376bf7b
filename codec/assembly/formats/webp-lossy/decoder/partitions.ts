// The partitions of a frame: RFC 6386 §9.5.
import { BoolDecoder, openPartition } from './bool-decoder'

/** The first partition: frame header, then the modes of all macroblocks. */
export const modePartition: BoolDecoder = changetype<BoolDecoder>(memory.data(offsetof<BoolDecoder>(), 8))

const MAX_PARTITIONS: i32 = 8
const tokenPartitions: usize = memory.data(offsetof<BoolDecoder>() * MAX_PARTITIONS, 8)
let tokenPartitionCount: i32 = 1

/** The coefficient partition that holds macroblock row `row` (§9.5). */
export function tokenPartition(row: i32): BoolDecoder {
  return changetype<BoolDecoder>(tokenPartitions + <usize>(row & (tokenPartitionCount - 1)) * offsetof<BoolDecoder>())
}

/** Three bytes, the lowest first. */
export function littleEndian24(at: usize): u32 {
  return <u32>load<u16>(at) | ((<u32>load<u8>(at + 2)) << 16)
}

/**
 * §9.5: `count - 1` sizes of three bytes, then the partitions; the last one has no size and takes the rest. False where nothing is
 * left for the last one: a frame that was cut, which browsers do not show even if no row is in that partition.
 */
export function openTokenPartitions(sizes: usize, end: usize, count: i32): bool {
  let at = sizes + 3 * <usize>(count - 1)
  if (at >= end) return false
  tokenPartitionCount = count
  for (let i = 0; i < count; i++) {
    const rest = end - at
    const size = i < count - 1 ? min<usize>(littleEndian24(sizes + 3 * i), rest) : rest
    openPartition(tokenPartition(i), at, size)
    if (size == 0 && i == count - 1) return false
    at += size
  }
  return true
}
