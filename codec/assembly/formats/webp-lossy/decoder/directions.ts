// The average of the edge for each pixel of a directionally predicted subblock (RFC 6386 §12.3). Average k of two is
// that of edge pixels k and k+1. Average k of three is centred on pixel k+1. The edge is
// 0: L3  1: L3  2: L2  3: L1  4: L0  5: P  6..13: A0..A7  14: A7.

/** No average of this kind; the other table has the pixel. */
const o: u8 = 255

/** For each mode from B_VE_PRED on 32 bytes: numbers of averages of two, then of three, 16 pixels in raster order. */
// biome-ignore format: a line of the table is a line of the subblock
export const DIRECTIONS: usize = memory.data<u8>([
  // B_VE_PRED: the smoothed line above.
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
    5, 6, 7, 8,
    5, 6, 7, 8,
    5, 6, 7, 8,
    5, 6, 7, 8,
  // B_HE_PRED: the smoothed column to the left.
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
    3, 3, 3, 3,
    2, 2, 2, 2,
    1, 1, 1, 1,
    0, 0, 0, 0,
  // B_LD_PRED: down to the left.
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
    6, 7, 8, 9,
    7, 8, 9, 10,
    8, 9, 10, 11,
    9, 10, 11, 12,
  // B_RD_PRED: down to the right.
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
  o, o, o, o,
    4, 5, 6, 7,
    3, 4, 5, 6,
    2, 3, 4, 5,
    1, 2, 3, 4,
  // B_VR_PRED: steeply to the right.
  5, 6, 7, 8,
  o, o, o, o,
  o, 5, 6, 7,
  o, o, o, o,
    o, o, o, o,
    4, 5, 6, 7,
    3, o, o, o,
    2, 4, 5, 6,
  // B_VL_PRED: steeply to the left.
  6, 7, 8, 9,
  o, o, o, o,
  7, 8, 9, o,
  o, o, o, o,
    o, o, o, o,
    6, 7, 8, 9,
    o, o, o, 10,
    7, 8, 9, 11,
  // B_HD_PRED: flatly down.
  4, o, o, o,
  3, o, 4, o,
  2, o, 3, o,
  1, o, 2, o,
    o, 4, 5, 6,
    o, 3, o, 4,
    o, 2, o, 3,
    o, 1, o, 2,
  // B_HU_PRED: flatly up.
  3, o, 2, o,
  2, o, 1, o,
  1, o, 0, 0,
  0, 0, 0, 0,
    o, 2, o, 1,
    o, 1, o, 0,
    o, 0, o, o,
    o, o, o, o,
])
