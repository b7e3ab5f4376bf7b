// global_motion_params( ): AV1 specification, 5.9.24 to 5.9.29.
import { readBits, readFlag, readNonSymmetric } from './bits'

export const WARPEDMODEL_PREC_BITS: i32 = 16
export const TRANSLATION: i32 = 1
const IDENTITY: i32 = 0
const ROTZOOM: i32 = 2
const AFFINE: i32 = 3
const GM_ABS_ALPHA_BITS: i32 = 12
const GM_ALPHA_PREC_BITS: i32 = 15
const GM_ABS_TRANS_ONLY_BITS: i32 = 9
const GM_TRANS_ONLY_PREC_BITS: i32 = 3
const GM_ABS_TRANS_BITS: i32 = 12
const GM_TRANS_PREC_BITS: i32 = 6

/** i32[8][6], and GmType. */
const PARAMS: usize = memory.data(4 * 8 * 6, 4)
const PARAMS_BYTES: usize = 4 * 8 * 6
const TYPES: usize = memory.data(8)

/** gm_params[ ref ], i32[6]. */
export function gmParams(ref: i32): usize {
  return PARAMS + ref * 24
}

/** GmType[ ref ] */
export function gmType(ref: i32): i32 {
  return load<u8>(TYPES + ref)
}

/** Keeps what a later frame may refer to. */
export function saveGmParams(to: usize): void {
  memory.copy(to, PARAMS, PARAMS_BYTES)
}

/** Sets all to no motion. */
export function resetGmParams(): void {
  memory.fill(PARAMS, 0, PARAMS_BYTES)
  memory.fill(TYPES, 0, 8)
  for (let ref = 1; ref < 8; ref++) {
    for (let i = 2; i < 6; i += 3) store<i32>(gmParams(ref) + (i << 2), 1 << WARPEDMODEL_PREC_BITS)
  }
}

/** Reads global_motion_params( ); `previous` is PrevGmParams, or 0 where there are none. */
export function readGmParams(previous: usize, allowHighPrecisionMv: bool): void {
  resetGmParams()
  for (let ref = 1; ref < 8; ref++) {
    const type = readType()
    store<u8>(TYPES + ref, <u8>type)
    const params = gmParams(ref)
    const before = previous == 0 ? params : previous + ref * 24
    if (type >= ROTZOOM) {
      const from2 = load<i32>(before, 8)
      const from3 = load<i32>(before, 12)
      const from4 = load<i32>(before, 16)
      const from5 = load<i32>(before, 20)
      store<i32>(params, readParam(2, from2, GM_ABS_ALPHA_BITS, GM_ALPHA_PREC_BITS), 8)
      store<i32>(params, readParam(3, from3, GM_ABS_ALPHA_BITS, GM_ALPHA_PREC_BITS), 12)
      const isAffine = type == AFFINE
      store<i32>(
        params,
        isAffine ? readParam(4, from4, GM_ABS_ALPHA_BITS, GM_ALPHA_PREC_BITS) : -load<i32>(params, 12),
        16,
      )
      store<i32>(
        params,
        isAffine ? readParam(5, from5, GM_ABS_ALPHA_BITS, GM_ALPHA_PREC_BITS) : load<i32>(params, 8),
        20,
      )
    }
    if (type >= TRANSLATION) {
      const less = type == TRANSLATION && !allowHighPrecisionMv ? 1 : 0
      const absBits = type == TRANSLATION ? GM_ABS_TRANS_ONLY_BITS - less : GM_ABS_TRANS_BITS
      const precBits = type == TRANSLATION ? GM_TRANS_ONLY_PREC_BITS - less : GM_TRANS_PREC_BITS
      store<i32>(params, readParam(0, load<i32>(before), absBits, precBits))
      store<i32>(params, readParam(1, load<i32>(before, 4), absBits, precBits), 4)
    }
  }
}

function readType(): i32 {
  if (!readFlag()) return IDENTITY
  if (readFlag()) return ROTZOOM
  return readFlag() ? TRANSLATION : AFFINE
}

/** read_global_param( ) */
function readParam(idx: i32, before: i32, absBits: i32, precBits: i32): i32 {
  const precDiff = WARPEDMODEL_PREC_BITS - precBits
  const isDiagonal = idx % 3 == 2
  const round = isDiagonal ? 1 << WARPEDMODEL_PREC_BITS : 0
  const sub = isDiagonal ? 1 << precBits : 0
  const mx = 1 << absBits
  const r = (before >> precDiff) - sub
  return ((readUnsignedSubexp(2 * mx + 1, r + mx) - mx) << precDiff) + round
}

/** decode_unsigned_subexp_with_ref( ) */
function readUnsignedSubexp(mx: i32, r: i32): i32 {
  const v = readSubexp(mx)
  return r << 1 <= mx ? inverseRecenter(r, v) : mx - 1 - inverseRecenter(mx - 1 - r, v)
}

/** decode_subexp( ) */
function readSubexp(numSyms: i32): i32 {
  let mk = 0
  let b2 = 3
  for (let i = 1; numSyms > mk + (3 << b2); i++) {
    if (!readFlag()) return <i32>readBits(b2) + mk
    mk += 1 << b2
    b2 = 2 + i
  }
  return readNonSymmetric(numSyms - mk) + mk
}

/** inverse_recenter( ) */
function inverseRecenter(r: i32, v: i32): i32 {
  if (v > 2 * r) return v
  return (v & 1) != 0 ? r - ((v + 1) >> 1) : r + (v >> 1)
}
