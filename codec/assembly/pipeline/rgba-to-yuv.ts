// Rows of RGBA to rows of YUV 4:2:0. Two rows of pixels share a row of chroma. A pair is handed on after two more
// pairs have arrived, since chroma and luma at coloured edges depend on their surroundings (coloured-edges.ts).

import { allocate } from '../arena/memory'
import { correctLuma, maskEdges, sharpenChroma } from '../colour/coloured-edges'
import { chromaOfRows, lumaOfRow } from '../colour/conversion'
import { AlphaPlane, takeAlphaRow } from './alpha-plane'
import { MacroblockRows, takeChroma, takeLuma } from './macroblock-rows'
import { mirrorsColumns, mirrorsRows } from './orientation'
import { averageVisible } from './transparent-pixels'

/** Stored pairs of rows. */
const RING_PAIRS: i32 = 4
/** Samples and pixels that are read and written beyond both ends of a row. */
const MARGIN: i32 = 16

/** One image on its way from RGBA to macroblock rows. */
@unmanaged
export class RgbaToYuv {
  into: MacroblockRows
  /** Where its alphas go; null of an image without. */
  alpha: AlphaPlane | null
  /** Whether coloured edges are looked for. */
  isSharp: bool
  // In coded orientation.
  columns: i32
  rows: i32
  pairs: i32
  /** 1 where pairs of pixels begin one before the first: an odd image that will be mirrored. */
  phaseAcross: i32
  phaseDown: i32
  /** Chroma samples of a row, and the bytes from one such row to the next: rows of luma have twice, of pixels eight times as many. */
  samples: i32
  stride: i32
  /** Pairs of rows that have come, whose chroma is made, and that were handed on. */
  taken: i32
  sharpened: i32
  given: i32
  // Of each pair in the ring: its pixels and their luma, the means of their chroma (u, then v), and that chroma
  // sharpened. The mask has a byte for each sample at an edge.
  pixels: usize
  luma: usize
  means: usize
  chroma: usize
  edgeMask: usize
  /** Whether there are any marks, a byte for each pair. */
  isMarked: usize
}

/** Begins an image whose rows come in coded orientation; what is not `isSharp` has the means of its chroma everywhere. */
export function newRgbaToYuv(into: MacroblockRows, alpha: AlphaPlane | null, isSharp: bool): RgbaToYuv {
  const c = changetype<RgbaToYuv>(allocate(offsetof<RgbaToYuv>()))
  c.into = into
  c.alpha = alpha
  c.isSharp = isSharp
  c.columns = into.columns
  c.rows = into.rows
  c.phaseAcross = mirrorsColumns(into.orientation) ? c.columns & 1 : 0
  c.phaseDown = mirrorsRows(into.orientation) ? c.rows & 1 : 0
  c.samples = (c.columns + 1) >> 1
  c.pairs = (c.rows + 1) >> 1
  c.stride = (c.samples + 2 * MARGIN + 15) & ~15
  c.taken = c.sharpened = c.given = 0
  const pair = <usize>(c.stride * RING_PAIRS)
  c.pixels = allocate(pair << 4)
  c.luma = allocate(pair << 2)
  c.means = allocate(pair << 1)
  c.chroma = allocate(pair << 1)
  c.edgeMask = allocate(pair)
  c.isMarked = allocate(RING_PAIRS)
  return c
}

/** Takes row `y`, the next one; then `handOnPair` is to be called until there is none. */
export function takeRgbaRow(c: RgbaToYuv, pixels: usize, y: i32): void {
  const alpha = c.alpha
  const line = y + c.phaseDown
  const pair = line >> 1
  lumaOfRow(pixels, c.columns, lumaRow(c, line) + c.phaseAcross)
  if (alpha != null) takeAlphaRow(alpha, pixels, y)
  takePixels(c, pixels, line)
  const isLast = y == c.rows - 1
  // A row without the other of its pair is used for both.
  if (y == 0 && c.phaseDown == 1) takePixels(c, pixels, 0)
  if ((line & 1) == 0) {
    if (!isLast) return
    takePixels(c, pixels, line + 1)
  }
  const first = (<usize>c.phaseAcross) << 2
  const upper = pixelRow(c, 2 * pair) + first
  const lower = pixelRow(c, 2 * pair + 1) + first
  if (alpha != null && !alpha.isOpaque) averageVisible(upper, lower, c.columns, c.phaseAcross)
  repeatEndPixels(upper, c.columns)
  repeatEndPixels(lower, c.columns)
  const u = meansOf(c, pair)
  chromaOfRows(upper - first, lower - first, c.samples, u, u + c.stride)
  repeatEnds(u, c.samples)
  repeatEnds(u + c.stride, c.samples)
  c.taken++
}

/** Hands the next pair of rows on, if what is round it has come. */
export function handOnPair(c: RgbaToYuv): bool {
  const pair = c.given
  if (pair == c.pairs || c.taken < min(pair + 3, c.pairs)) return false
  while (c.sharpened < min(pair + 2, c.pairs)) sharpen(c, c.sharpened++)
  const u = chromaOf(c, pair)
  for (let line = 2 * pair; line < 2 * pair + 2; line++) {
    if (load<bool>(c.isMarked + (pair & (RING_PAIRS - 1)))) correct(c, line)
    const y = line - c.phaseDown
    if (y >= 0 && y < c.rows) takeLuma(c.into, lumaRow(c, line) + c.phaseAcross)
  }
  takeChroma(c.into, u, u + c.stride)
  c.given++
  return true
}

/** Makes the chroma of a pair, whose neighbours have come. */
function sharpen(c: RgbaToYuv, pair: i32): void {
  const above = meansOf(c, max(0, pair - 1))
  const row = meansOf(c, pair)
  const below = meansOf(c, min(c.pairs - 1, pair + 1))
  const to = chromaOf(c, pair)
  const edgeMask = edgeMaskOf(c, pair)
  const v = c.stride
  const isMarked = c.isSharp && maskEdges(above, row, below, v, c.samples, edgeMask)
  store<bool>(c.isMarked + (pair & (RING_PAIRS - 1)), isMarked)
  if (!isMarked) return memory.copy(to - MARGIN, row - MARGIN, 2 * v)
  const alpha = c.alpha
  if (alpha != null && !alpha.isOpaque) unmarkSeeThrough(c, pair)
  sharpenChroma(above, row, below, c.samples, edgeMask, to)
  sharpenChroma(above + v, row + v, below + v, c.samples, edgeMask, to + v)
  repeatEnds(to, c.samples)
  repeatEnds(to + v, c.samples)
}

/** Takes the marks from where some pixel in sight is not opaque: what becomes of its chroma is not known here. */
function unmarkSeeThrough(c: RgbaToYuv, pair: i32): void {
  const edgeMask = edgeMaskOf(c, pair)
  for (let x = 0; x < c.samples; x += 2) {
    let all = i32x4.splat(-1)
    for (let line = 2 * pair - 1; line < 2 * pair + 3; line++) {
      const at = pixelRow(c, max(0, min(2 * c.pairs - 1, line))) + ((<usize>x) << 3)
      all = v128.and(all, v128.and(v128.load(at - 4), v128.load(at + 4)))
    }
    if (!i32x4.all_true(i32x4.eq(i32x4.shr_s(all, 24), i32x4.splat(-1)))) store<u16>(edgeMask + x, 0)
  }
}

/** Corrects the luma of a row where it is marked. */
function correct(c: RgbaToYuv, line: i32): void {
  const pair = line >> 1
  const edgeMask = edgeMaskOf(c, pair)
  const pixels = pixelRow(c, line)
  const luma = lumaRow(c, line)
  const closer = chromaOf(c, pair)
  const far = chromaOf(c, max(0, min(c.pairs - 1, pair + 2 * (line & 1) - 1)))
  const v = c.stride
  for (let x: usize = 0; x < <usize>c.samples; x += 2) {
    if (load<u16>(edgeMask + x) == 0) continue
    correctLuma(pixels + (x << 3), luma + (x << 1), closer + x, far + x, closer + v + x, far + v + x)
  }
}

/** Keeps a row of pixels. */
function takePixels(c: RgbaToYuv, pixels: usize, line: i32): void {
  memory.copy(pixelRow(c, line) + ((<usize>c.phaseAcross) << 2), pixels, (<usize>c.columns) << 2)
}

/** Repeats the ends of a row of pixels as far as they are in sight. */
function repeatEndPixels(row: usize, columns: i32): void {
  const end = row + ((<usize>columns) << 2)
  for (let x: usize = 0; x < 32; x += 4) store<u32>(end + x, load<u32>(end - 4))
  store<u64>(row - 8, <u64>load<u32>(row) * 0x100000001)
}

/** Repeats the ends of a row of chroma beyond them. */
function repeatEnds(row: usize, samples: i32): void {
  const end = row + samples
  memory.fill(row - MARGIN, load<u8>(row), MARGIN)
  memory.fill(end, load<u8>(end - 1), MARGIN)
}

function pixelRow(c: RgbaToYuv, line: i32): usize {
  return c.pixels + <usize>((line & (2 * RING_PAIRS - 1)) * c.stride * 8 + 8 * MARGIN)
}

function lumaRow(c: RgbaToYuv, line: i32): usize {
  return c.luma + <usize>((line & (2 * RING_PAIRS - 1)) * c.stride * 2 + 2 * MARGIN)
}

function meansOf(c: RgbaToYuv, pair: i32): usize {
  return c.means + <usize>((pair & (RING_PAIRS - 1)) * c.stride * 2 + MARGIN)
}

function chromaOf(c: RgbaToYuv, pair: i32): usize {
  return c.chroma + <usize>((pair & (RING_PAIRS - 1)) * c.stride * 2 + MARGIN)
}

function edgeMaskOf(c: RgbaToYuv, pair: i32): usize {
  return c.edgeMask + <usize>((pair & (RING_PAIRS - 1)) * c.stride)
}
