/** Chroma subsampling of an image: AV1's flags subsampling_x and subsampling_y together (AV1, 6.4.2). */
export const enum ChromaSampling {
  /** 4:0:0: there is none. */
  Monochrome = 0,
  /** 4:2:0: one sample for 2 x 2 pixels. */
  Yuv420 = 1,
  /** 4:2:2: one sample for two pixels of a row. */
  Yuv422 = 2,
  /** 4:4:4. */
  Yuv444 = 3,
}

/** The relation between alpha and colours. */
export const enum AlphaKind {
  /** There is no alpha. */
  None = 0,
  /** Colours are as they are without it. */
  Straight = 1,
  /** Colours were multiplied by it before they were coded (a 'prem' reference in an AVIF). */
  Premultiplied = 2,
}

/** Rows of planes that the host hands on at once at the most, an even number: before it looks whether rows can be pulled. */
export const YUV_ROWS_AT_ONCE = 16
