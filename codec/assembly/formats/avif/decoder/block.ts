// The block that is being decoded, by the names of the AV1 specification (5.11.5 and after it).

@unmanaged
export class Block {
  miRow: i32
  miCol: i32
  miSize: i32
  /** Width and height in units of 4 luma samples. */
  bw4: i32
  bh4: i32
  hasChroma: bool
  availU: bool
  availL: bool
  availUChroma: bool
  availLChroma: bool
  skip: bool
  /** is_inter, which is use_intrabc in a frame that is coded alone. */
  isInter: bool
  lossless: bool
  useFilterIntra: bool
  segmentId: i32
  yMode: i32
  uvMode: i32
  angleDeltaY: i32
  angleDeltaUV: i32
  cflAlphaU: i32
  cflAlphaV: i32
  paletteSizeY: i32
  paletteSizeUV: i32
  filterIntraMode: i32
  txSize: i32
  maxLumaW: i32
  maxLumaH: i32
  /** Mv[ 0 ] in eighths of a luma sample. */
  mvRow: i32
  mvCol: i32
  /** get_qindex( 0, segment_id ) */
  qindex: i32
}

export const block: Block = changetype<Block>(memory.data(160, 16))

// Intra prediction modes (6.10.7).
export const DC_PRED: i32 = 0
export const V_PRED: i32 = 1
export const D67_PRED: i32 = 8
export const SMOOTH_PRED: i32 = 9
export const SMOOTH_V_PRED: i32 = 10
export const SMOOTH_H_PRED: i32 = 11
export const PAETH_PRED: i32 = 12
export const UV_CFL_PRED: i32 = 13

// Block sizes (6.10.4) that the syntax names.
export const BLOCK_4X4: i32 = 0
export const BLOCK_8X8: i32 = 3
export const BLOCK_64X64: i32 = 12
export const BLOCK_128X128: i32 = 15

/** is_directional_mode( ) */
export function isDirectional(mode: i32): bool {
  return mode >= V_PRED && mode <= D67_PRED
}

/** Whether the mode is one of the smooth ones (7.11.2.8). */
export function isSmooth(mode: i32): bool {
  return mode >= SMOOTH_PRED && mode <= SMOOTH_H_PRED
}
