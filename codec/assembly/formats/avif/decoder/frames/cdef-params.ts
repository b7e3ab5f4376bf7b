// cdef_params( ): AV1 specification, 5.9.19.
import { readBits } from './bits'
import { numPlanes } from './sequence-header'

/** The CDEF parameters of the frame. */
@unmanaged
class CdefParams {
  damping: i32
  bits: i32
  /** Whether any of the strengths is not 0. */
  isOn: bool
}

export const cdef: CdefParams = changetype<CdefParams>(memory.data(offsetof<CdefParams>(), 4))

/** [index][luma primary, luma secondary, chroma primary, chroma secondary] */
const STRENGTHS: usize = memory.data(8 * 4)

/** cdef_y_pri_strength[ index ] */
export function lumaPrimary(index: i32): i32 {
  return load<u8>(STRENGTHS + (index << 2))
}

/** cdef_y_sec_strength[ index ], of which 3 became 4. */
export function lumaSecondary(index: i32): i32 {
  return load<u8>(STRENGTHS + (index << 2), 1)
}

/** cdef_uv_pri_strength[ index ] */
export function chromaPrimary(index: i32): i32 {
  return load<u8>(STRENGTHS + (index << 2), 2)
}

/** cdef_uv_sec_strength[ index ], of which 3 became 4. */
export function chromaSecondary(index: i32): i32 {
  return load<u8>(STRENGTHS + (index << 2), 3)
}

/** Reads cdef_params( ), if they are there. */
export function readCdefParams(isAbsent: bool): void {
  memory.fill(STRENGTHS, 0, 8 * 4)
  cdef.bits = 0
  cdef.damping = 3
  cdef.isOn = false
  if (isAbsent) return
  cdef.damping = <i32>readBits(2) + 3
  cdef.bits = <i32>readBits(2)
  for (let i = 0; i < 1 << cdef.bits; i++) {
    readStrengths(STRENGTHS + (i << 2))
    if (numPlanes > 1) readStrengths(STRENGTHS + (i << 2) + 2)
    if (load<u32>(STRENGTHS + (i << 2)) != 0) cdef.isOn = true
  }
}

function readStrengths(at: usize): void {
  store<u8>(at, <u8>readBits(4))
  const secondary = readBits(2)
  store<u8>(at, <u8>(secondary == 3 ? 4 : secondary), 1)
}
