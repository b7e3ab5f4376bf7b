// The colours of fully transparent pixels: replaced by such as take few bits and do not spread into visible ones.
import { AlphaPlane } from './alpha-plane'

/** Luma samples of a side of the blocks that are filled; chroma has half. */
const SIDE: i32 = 8

/** The samples that fill wholly transparent blocks. */
@unmanaged
class Fills {
  /** The fill of the next block: that of the previous one. */
  y: i32
  u: i32
  v: i32
  /** The fill of the first block of a row, for the first block of the next row. */
  firstY: i32
  firstU: i32
  firstV: i32
}

const fills: Fills = changetype<Fills>(memory.data(offsetof<Fills>(), 4))

/**
 * Sets the pixels that share a chroma sample to their mean colour by visibility, unless they are opaque. They are
 * columns 2x - phase and 2x - phase + 1 of two rows of `count` RGBA pixels.
 */
export function averageVisible(upper: usize, lower: usize, count: i32, phase: i32): void {
  for (let x = -phase; x < count; x += 2) {
    const left = (<usize>max(0, x)) << 2
    const right = (<usize>min(count - 1, x + 1)) << 2
    const a = load<u32>(upper + left)
    const b = load<u32>(upper + right)
    const c = load<u32>(lower + left)
    const d = load<u32>(lower + right)
    const sum = (a >> 24) + (b >> 24) + (c >> 24) + (d >> 24)
    if (sum == 0 || (a & b & c & d) >> 24 == 255) continue
    let mean: u32 = 0
    for (let shift = 0; shift < 24; shift += 8) {
      const weighedSum = weighed(a, shift) + weighed(b, shift) + weighed(c, shift) + weighed(d, shift)
      mean |= ((weighedSum + (sum >> 1)) / sum) << shift
    }
    store<u32>(upper + left, mean | (a & 0xff000000))
    store<u32>(upper + right, mean | (b & 0xff000000))
    store<u32>(lower + left, mean | (c & 0xff000000))
    store<u32>(lower + right, mean | (d & 0xff000000))
  }
}

/** A channel of a pixel times its alpha. */
// @ts-ignore: decorator
@inline
function weighed(pixel: u32, shift: i32): u32 {
  return ((pixel >> shift) & 255) * (pixel >> 24)
}

/**
 * Fills the invisible samples of a macroblock row (a `TakeMacroblockRow`), whose alphas are in `plane`: of one image at a
 * time.
 */
export function fillTransparent(
  plane: AlphaPlane,
  mbRow: i32,
  yRows: usize,
  uRows: usize,
  vRows: usize,
  yStride: i32,
  uvStride: i32,
): void {
  if (plane.isOpaque) return
  if (mbRow == 0) fills.firstY = fills.firstU = fills.firstV = 128
  for (let line = 0; line < 16; line += SIDE) {
    const row = (mbRow << 4) + line
    for (let x = 0; x < yStride; x += SIDE) {
      const yBlock = yRows + line * yStride + x
      const chroma = (line >> 1) * uvStride + (x >> 1)
      if (x == 0) {
        fills.y = fills.firstY
        fills.u = fills.firstU
        fills.v = fills.firstV
      }
      fillBlock(visibleOf(plane, x, row), yBlock, uRows + chroma, vRows + chroma, yStride, uvStride)
      if (x == 0) {
        fills.firstY = fills.y
        fills.firstU = fills.u
        fills.firstV = fills.v
      }
    }
  }
}

/** Fills the invisible samples of a block with the mean of the visible; without such, as the block before was. */
function fillBlock(visible: u64, yBlock: usize, uBlock: usize, vBlock: usize, yStride: i32, uvStride: i32): void {
  if (~visible == 0) {
    fills.y = load<u8>(yBlock + (SIDE - 1) * (yStride + 1))
    fills.u = load<u8>(uBlock + (SIDE / 2 - 1) * (uvStride + 1))
    fills.v = load<u8>(vBlock + (SIDE / 2 - 1) * (uvStride + 1))
    return
  }
  const chroma = ofChroma(visible)
  fills.y = fillSamples(yBlock, yStride, SIDE, visible, fills.y)
  fills.u = fillSamples(uBlock, uvStride, SIDE / 2, chroma, fills.u)
  fills.v = fillSamples(vBlock, uvStride, SIDE / 2, chroma, fills.v)
}

/** Fills samples whose bits are not set with the mean of the others, or with `without`. Returns the value used. */
function fillSamples(block: usize, stride: i32, side: i32, visible: u64, without: i32): i32 {
  let sum = 0
  const count = <i32>popcnt(visible)
  for (let rest = visible; rest != 0; rest &= rest - 1) sum += load<u8>(sampleAt(block, stride, side, rest))
  const filling = count == 0 ? without : (sum + (count >> 1)) / count
  const all = side == SIDE ? ~(<u64>0) : 0xffff
  for (let rest = all & ~visible; rest != 0; rest &= rest - 1) {
    store<u8>(sampleAt(block, stride, side, rest), <u8>filling)
  }
  return filling
}

/** The address of the sample of the lowest bit. */
// @ts-ignore: decorator
@inline
function sampleAt(block: usize, stride: i32, side: i32, bits: u64): usize {
  const i = <i32>ctz(bits)
  return block + (i / side) * stride + (i & (side - 1))
}

/** A bit for each pixel of the block at (x, row), row by row, that is within the image and not wholly transparent. */
function visibleOf(plane: AlphaPlane, x: i32, row: i32): u64 {
  const width = plane.width
  const within = (1 << max(0, min(SIDE, width - x))) - 1
  let visible: u64 = 0
  for (let line = 0; line < min(SIDE, plane.height - row); line++) {
    const alphas = v128.load64_zero(plane.alphas + <usize>((row + line) * width + x))
    const bits = i8x16.bitmask(i8x16.ne(alphas, i8x16.splat(0))) & within
    visible |= (<u64>bits) << ((<u64>line) << 3)
  }
  return visible
}

/** A bit for each of the 16 chroma samples of which one of the four pixels is visible. */
function ofChroma(visible: u64): u64 {
  const pairs = (visible | (visible >> 1)) & 0x5555555555555555
  const quads = pairs | (pairs >> 8)
  let chroma: u64 = 0
  for (let i: u64 = 0; i < 16; i++) chroma |= ((quads >> (((i >> 2) << 4) | ((i & 3) << 1))) & 1) << i
  return chroma
}
