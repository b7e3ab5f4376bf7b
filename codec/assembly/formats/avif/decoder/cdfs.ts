// The CDFs of a tile at its start: AV1 specification, init_non_coeff_cdfs( ) and init_coeff_cdfs( ) (6.8.2).
import { COEFF_CDF_BYTES, DEFAULT_COEFF_CDFS, DEFAULT_SYMBOL_CDFS, SYMBOL_CDF_BYTES } from '../tables/cdf'

/** Bytes of a tile's CDFs. */
export const CDF_BYTES: usize = SYMBOL_CDF_BYTES + COEFF_CDF_BYTES

/** Sets the CDFs at `context` to their defaults. */
export function initCdfs(context: usize, baseQIdx: i32): void {
  const q: usize = baseQIdx <= 20 ? 0 : baseQIdx <= 60 ? 1 : baseQIdx <= 120 ? 2 : 3
  memory.copy(context, DEFAULT_SYMBOL_CDFS, SYMBOL_CDF_BYTES)
  memory.copy(context + SYMBOL_CDF_BYTES, DEFAULT_COEFF_CDFS + q * COEFF_CDF_BYTES, COEFF_CDF_BYTES)
}
