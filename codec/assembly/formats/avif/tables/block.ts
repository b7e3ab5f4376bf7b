// Properties of block sizes (9.3), by MiSize.
// Written by tools/build/make-av1-tables.ts.

/** Width in units of 4 samples. */
// biome-ignore format: a table
export const NUM_4X4_BLOCKS_WIDE: usize = memory.data<u8>([
  1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 1, 4, 2, 8, 4, 16,
])

/** Height in units of 4 samples. */
// biome-ignore format: a table
export const NUM_4X4_BLOCKS_HIGH: usize = memory.data<u8>([
  1, 2, 1, 2, 4, 2, 4, 8, 4, 8, 16, 8, 16, 32, 16, 32, 4, 1, 8, 2, 16, 4,
])

/** Binary logarithm of the width in units of 4 samples. */
// biome-ignore format: a table
export const MI_WIDTH_LOG2: usize = memory.data<u8>([
  0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 0, 2, 1, 3, 2, 4,
])

/** Binary logarithm of the height in units of 4 samples. */
// biome-ignore format: a table
export const MI_HEIGHT_LOG2: usize = memory.data<u8>([
  0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 2, 0, 3, 1, 4, 2,
])

/** The largest transform size that fits. */
// biome-ignore format: a table
export const MAX_TX_SIZE_RECT: usize = memory.data<u8>([
  0, 5, 6, 1, 7, 8, 2, 9, 10, 3, 11, 12, 4, 4, 4, 4, 13, 14, 15, 16, 17, 18,
])

/** The number of times that it can be split (5.11.15). */
// biome-ignore format: a table
export const MAX_TX_DEPTH: usize = memory.data<u8>([
  0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 2, 2, 3, 3, 4, 4,
])

/** [size][subsampling_x][subsampling_y]: size in a plane so sampled; 22 where there is none (5.11.38). */
// biome-ignore format: a table
export const SUBSAMPLED_SIZE: usize = memory.data<u8>([
  0, 0, 0, 0, 1, 0, 22, 0, 2, 22, 0, 0, 3, 2, 1, 0, 4, 3, 22, 1, 5, 22, 3, 2,
  6, 5, 4, 3, 7, 6, 22, 4, 8, 22, 6, 5, 9, 8, 7, 6, 10, 9, 22, 7, 11, 22, 9, 8,
  12, 11, 10, 9, 13, 12, 22, 10, 14, 22, 12, 11, 15, 14, 13, 12, 16, 1, 22, 1, 17, 22, 2, 2,
  18, 4, 22, 16, 19, 22, 5, 17, 20, 7, 22, 18, 21, 22, 8, 19,
])

/** [partition][size]: size of the parts. */
// biome-ignore format: a table
export const PARTITION_SUBSIZE: usize = memory.data<u8>([
  0, 22, 22, 3, 22, 22, 6, 22, 22, 9, 22, 22, 12, 22, 22, 15, 22, 22, 22, 22, 22, 22, 22, 22,
  22, 2, 22, 22, 5, 22, 22, 8, 22, 22, 11, 22, 22, 14, 22, 22, 22, 22, 22, 22, 22, 22, 22, 1,
  22, 22, 4, 22, 22, 7, 22, 22, 10, 22, 22, 13, 22, 22, 22, 22, 22, 22, 22, 22, 22, 0, 22, 22,
  3, 22, 22, 6, 22, 22, 9, 22, 22, 12, 22, 22, 22, 22, 22, 22, 22, 22, 22, 2, 22, 22, 5, 22,
  22, 8, 22, 22, 11, 22, 22, 14, 22, 22, 22, 22, 22, 22, 22, 22, 22, 2, 22, 22, 5, 22, 22, 8,
  22, 22, 11, 22, 22, 14, 22, 22, 22, 22, 22, 22, 22, 22, 22, 1, 22, 22, 4, 22, 22, 7, 22, 22,
  10, 22, 22, 13, 22, 22, 22, 22, 22, 22, 22, 22, 22, 1, 22, 22, 4, 22, 22, 7, 22, 22, 10, 22,
  22, 13, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 17, 22, 22, 19, 22, 22, 21, 22, 22, 22,
  22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 16, 22, 22, 18, 22, 22, 20, 22, 22, 22, 22, 22,
  22, 22, 22, 22,
])
