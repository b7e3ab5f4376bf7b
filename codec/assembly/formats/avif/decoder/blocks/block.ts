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
  /** is_inter, which is use_intrabc in an intra frame. */
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
  /** Mv, in eighths of a luma sample, packed (inter-map.ts). */
  vector0: u32
  vector1: u32
  /** RefFrame */
  refFrame0: i32
  refFrame1: i32
  /** interp_filter */
  filter0: i32
  filter1: i32
  skipMode: bool
  interintra: bool
  wedgeInterintra: bool
  interintraMode: i32
  motionMode: i32
  compGroupIdx: i32
  compoundIdx: i32
  compoundType: i32
  wedgeIndex: i32
  wedgeSign: i32
  maskType: i32
  /** get_qindex( 0, segment_id ) */
  qindex: i32
}

export const block: Block = changetype<Block>(memory.data(256, 16))

// Intra prediction modes (6.10.7).
export const DC_PRED: i32 = 0
export const V_PRED: i32 = 1
const D67_PRED: i32 = 8
export const SMOOTH_PRED: i32 = 9
export const SMOOTH_V_PRED: i32 = 10
export const SMOOTH_H_PRED: i32 = 11
const PAETH_PRED: i32 = 12
export const UV_CFL_PRED: i32 = 13

// Inter prediction modes (6.10.22).
export const NEARESTMV: i32 = 14
export const NEARMV: i32 = 15
export const GLOBALMV: i32 = 16
export const NEWMV: i32 = 17
export const NEAREST_NEARESTMV: i32 = 18
export const NEAR_NEARMV: i32 = 19
export const NEAREST_NEWMV: i32 = 20
export const NEW_NEARESTMV: i32 = 21
export const NEAR_NEWMV: i32 = 22
export const NEW_NEARMV: i32 = 23
export const GLOBAL_GLOBALMV: i32 = 24
export const NEW_NEWMV: i32 = 25

/** has_newmv( ): one of 17, 20 to 23 and 25. */
export function hasNewMv(mode: i32): bool {
  return ((0x2f20000 >> mode) & 1) != 0
}

// Block sizes (6.10.4) that the syntax names.
export const BLOCK_4X4: i32 = 0
export const BLOCK_8X8: i32 = 3
export const BLOCK_32X32: i32 = 9
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
