// One-dimensional inverse transforms, four at a time, and their choice by the transform type: AV1 specification, 7.13.2.10 to
// 7.13.2.15 and 7.13.3.
import { at, setRange } from './butterfly'
import { inverseAdst } from './inverse-adst'
import { inverseDct } from './inverse-dct'

export const enum Kind {
  Dct = 0,
  Adst = 1,
  Identity = 2,
  /** Walsh-Hadamard, of a lossless block. */
  Wht = 3,
}

/** By transform type: Kind of the rows in the lower half of a byte, of the columns in the upper. */
const KINDS: usize = memory.data<u8>([
  0x00, 0x10, 0x01, 0x11, 0x10, 0x01, 0x11, 0x11, 0x11, 0x22, 0x02, 0x20, 0x12, 0x21, 0x12, 0x21,
])

/** The transform of the rows. */
export function kindOfRows(txType: i32, lossless: bool): Kind {
  return lossless ? Kind.Wht : <Kind>(load<u8>(KINDS + txType) & 15)
}

/** The transform of the columns. */
export function kindOfColumns(txType: i32, lossless: bool): Kind {
  return lossless ? Kind.Wht : <Kind>(load<u8>(KINDS + txType) >> 4)
}

/** Transforms T, 2^n numbers, with intermediate results of `range` bits; `shift` is the one of a WHT. */
export function inverseTransform(kind: Kind, n: i32, range: i32, shift: i32): void {
  if (kind == Kind.Dct || kind == Kind.Adst) setRange(range)
  if (kind == Kind.Dct) inverseDct(n)
  else if (kind == Kind.Adst) inverseAdst(n)
  else if (kind == Kind.Identity) inverseIdentity(n)
  else inverseWht(shift)
}

/** 7.13.2.10 */
function inverseWht(shift: i32): void {
  let a = i32x4.shr_s(v128.load(at(0)), shift)
  let c = i32x4.shr_s(v128.load(at(1)), shift)
  let d = i32x4.shr_s(v128.load(at(2)), shift)
  let b = i32x4.shr_s(v128.load(at(3)), shift)
  a = i32x4.add(a, c)
  d = i32x4.sub(d, b)
  const e = i32x4.shr_s(i32x4.sub(a, d), 1)
  b = i32x4.sub(e, b)
  c = i32x4.sub(e, c)
  v128.store(at(0), i32x4.sub(a, b))
  v128.store(at(1), b)
  v128.store(at(2), c)
  v128.store(at(3), i32x4.add(d, c))
}

/** 7.13.2.15 */
function inverseIdentity(n: i32): void {
  for (let i = 0; i < 1 << n; i++) {
    const x = v128.load(at(i))
    // 5793 of 4096 is 1 and 1697 of it; 11586 is 2 and 3394: so products have 32 bits.
    if (n == 2) v128.store(at(i), i32x4.add(x, partOf(x, 1697)))
    else if (n == 3) v128.store(at(i), i32x4.shl(x, 1))
    else if (n == 4) v128.store(at(i), i32x4.add(i32x4.shl(x, 1), partOf(x, 3394)))
    else v128.store(at(i), i32x4.shl(x, 2))
  }
}

/** Round2( x * factor, 12 ) */
function partOf(x: v128, factor: i32): v128 {
  return i32x4.shr_s(i32x4.add(i32x4.mul(x, i32x4.splat(factor)), i32x4.splat(2048)), 12)
}
