// Prefix code groups: the five codes with which a pixel is read (WebP Lossless Bitstream Specification, 6.2.2).
import { allocate } from '../../../arena/memory'
import { Status } from '../../../status'
import { ranOut } from './bit-reader'
import { readPrefixCode } from './code-lengths'
import { isWithinBudget } from './memory-budget'
import { onlySymbol, startPrefixCodes } from './prefix-code'

const LENGTH_SYMBOLS: i32 = 24
const DISTANCE_SYMBOLS: i32 = 40

/** The tables of a group's codes. */
@unmanaged
class PrefixGroup {
  /** Green, lengths and colours of the cache. */
  green: usize
  red: usize
  blue: usize
  alpha: usize
  distance: usize
  /** Red, blue and alpha in the layout of a pixel, if each has one symbol only. */
  constant: u32
  isConstant: bool
}

let groups: usize = 0

/** The group number `i` of those read last. */
export function groupAt(i: u32): PrefixGroup {
  return changetype<PrefixGroup>(groups + <usize>i * offsetof<PrefixGroup>())
}

/** Reads `count` groups for an image whose colour cache has `cacheBits` bits. */
export function readGroups(count: i32, cacheBits: i32): Status {
  startPrefixCodes()
  groups = allocate(<usize>count * offsetof<PrefixGroup>())
  const greenSymbols = 256 + LENGTH_SYMBOLS + (cacheBits > 0 ? 1 << cacheBits : 0)
  for (let i = 0; i < count; i++) {
    const group = groupAt(i)
    group.green = readPrefixCode(greenSymbols)
    group.red = readPrefixCode(256)
    group.blue = readPrefixCode(256)
    group.alpha = readPrefixCode(256)
    group.distance = readPrefixCode(DISTANCE_SYMBOLS)
    if (group.green == 0 || group.red == 0 || group.blue == 0 || group.alpha == 0 || group.distance == 0) {
      return Status.Malformed
    }
    findConstant(group)
    if (ranOut()) return Status.Malformed
    if (!isWithinBudget(0)) return Status.OverBudget
  }
  return Status.Ok
}

function findConstant(group: PrefixGroup): void {
  const red = onlySymbol(group.red)
  const blue = onlySymbol(group.blue)
  const alpha = onlySymbol(group.alpha)
  group.isConstant = red >= 0 && blue >= 0 && alpha >= 0
  group.constant = <u32>((alpha << 24) | (red << 16) | blue)
}
