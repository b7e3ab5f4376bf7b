// The CDFs of a tile at its start: AV1 specification, init_non_coeff_cdfs( ), init_coeff_cdfs( ) and load_cdfs( ) (6.8.2).
import {
  COEFF_CDF_BYTES,
  DEFAULT_COEFF_CDFS,
  DEFAULT_INTER_CDFS,
  DEFAULT_SYMBOL_CDFS,
  INTER_CDF_BYTES,
  MV_JOINT_CDF,
  PALETTE_Y_MODE_CDF,
  SYMBOL_CDF_BYTES,
} from '../../tables/cdf'

/** Bytes of the CDFs of a tile in a frame that is coded alone. */
export const CDF_BYTES: usize = SYMBOL_CDF_BYTES + COEFF_CDF_BYTES
/** From the CDFs of motion vectors in an intra frame (MvCtx 1) to those in others (MvCtx 0), which are behind all. */
export const INTER_MV_OFFSET: usize = CDF_BYTES + INTER_CDF_BYTES - MV_JOINT_CDF
/** CDFs from MvJointCdf to MvBitCdf. */
const MV_BYTES: usize = PALETTE_Y_MODE_CDF - MV_JOINT_CDF
/** Bytes of all CDFs. */
export const WHOLE_CDF_BYTES: usize = CDF_BYTES + INTER_CDF_BYTES + MV_BYTES

/** The CDFs that a tile begins with. */
@unmanaged
class InitialCdfs {
  /** Initial CDFs of a tile; 0 for the defaults. */
  from: usize
  /** Bytes of a tile's CDFs. */
  bytes: usize
}

export const initialCdfs: InitialCdfs = changetype<InitialCdfs>(memory.data(offsetof<InitialCdfs>(), 4))

/** Says what the tiles of the frame begin with: the defaults where `from` is 0. */
export function setInitialCdfs(from: usize, bytes: usize): void {
  initialCdfs.from = from
  initialCdfs.bytes = bytes
}

/** Sets the CDFs at `context` to what they are at first. */
export function initCdfs(context: usize, baseQIdx: i32): void {
  if (initialCdfs.from != 0) {
    memory.copy(context, initialCdfs.from, initialCdfs.bytes)
    return
  }
  const q: usize = baseQIdx <= 20 ? 0 : baseQIdx <= 60 ? 1 : baseQIdx <= 120 ? 2 : 3
  memory.copy(context, DEFAULT_SYMBOL_CDFS, SYMBOL_CDF_BYTES)
  memory.copy(context + SYMBOL_CDF_BYTES, DEFAULT_COEFF_CDFS + q * COEFF_CDF_BYTES, COEFF_CDF_BYTES)
  if (initialCdfs.bytes == CDF_BYTES) return
  memory.copy(context + CDF_BYTES, DEFAULT_INTER_CDFS, INTER_CDF_BYTES)
  memory.copy(context + MV_JOINT_CDF + INTER_MV_OFFSET, DEFAULT_SYMBOL_CDFS + MV_JOINT_CDF, MV_BYTES)
}

/** Sets the counters of all CDFs at `context` to 0: each follows the one value of its CDF that is 0. */
export function clearCounters(context: usize): void {
  for (let at: usize = 0; at < WHOLE_CDF_BYTES; at += 2) {
    if (load<u16>(context + at) != 0) continue
    at += 2
    store<u16>(context + at, 0)
  }
}
