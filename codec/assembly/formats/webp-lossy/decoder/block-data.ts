// The residual of a macroblock, for its reconstruction.

/** i16[25][16], dequantized, raster order: 16 Y blocks, 4 U, 4 V, then Y2. All zero between macroblocks. */
export const COEFFICIENTS: usize = memory.data(25 * 32, 16)

/** The part of a block's residual that is not zero. */
export const enum BlockContent {
  Nothing = 0,
  /** The DC coefficient at most. */
  Dc = 1,
  All = 2,
}
