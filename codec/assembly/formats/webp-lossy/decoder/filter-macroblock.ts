// The edges of one macroblock in the order of RFC 6386 §15: left edge, inner vertical edges, top edge, inner horizontal
// edges. Pixels are changed in the row buffer; the macroblocks to the left and above are already filtered.
import { filterMacroblockEdge, filterSimpleEdge, filterSubblockEdge } from './filter-edge'
import { highVarianceThreshold, interiorLimit, macroblockEdgeLimit, subblockEdgeLimit } from './filter-levels'
import { rowBuffer } from './row-buffer'
import { transpose16 } from './transpose'

// Columns of luma from 4 left of the macroblock on, one a line of 16 bytes: 16, and then 4 that matter.
const columns: usize = memory.data(2 * 256, 16)
const lastColumns: usize = columns + 256
// Lines or columns of chroma from 4 before the macroblock on: 8 bytes of U and 8 of V a line.
const chroma: usize = memory.data(256, 16)

/** Filters by the simple filter: luma only. `level` is not 0. */
export function filterSimply(y: usize, level: i32, hasLeft: bool, hasAbove: bool, innerEdges: bool): void {
  const stride = rowBuffer.stride
  const outer = macroblockEdgeLimit(level)
  const inner = subblockEdgeLimit(level)
  loadColumns(y, innerEdges)
  if (hasLeft) filterSimpleEdge(columns + 4 * 16, 16, outer)
  if (innerEdges) for (let x: usize = 8; x <= 16; x += 4) filterSimpleEdge(columns + x * 16, 16, inner)
  storeColumns(y, innerEdges)
  if (hasAbove) filterSimpleEdge(y, stride, outer)
  if (innerEdges) for (let line: usize = 4; line < 16; line += 4) filterSimpleEdge(y + line * stride, stride, inner)
}

/** Filters by the normal filter. `level` is not 0. */
export function filterNormally(
  y: usize,
  u: usize,
  v: usize,
  level: i32,
  hasLeft: bool,
  hasAbove: bool,
  innerEdges: bool,
): void {
  const stride = rowBuffer.stride
  const outer = macroblockEdgeLimit(level)
  const inner = subblockEdgeLimit(level)
  const interior = interiorLimit(level)
  const variance = highVarianceThreshold(level)

  if (hasLeft || innerEdges) {
    loadColumns(y, innerEdges)
    if (hasLeft) filterMacroblockEdge(columns + 4 * 16, 16, outer, interior, variance)
    if (innerEdges) {
      for (let x: usize = 8; x <= 16; x += 4) filterSubblockEdge(columns + x * 16, 16, inner, interior, variance)
    }
    storeColumns(y, innerEdges)

    loadChromaColumns(u, v)
    if (hasLeft) filterMacroblockEdge(chroma + 4 * 16, 16, outer, interior, variance)
    if (innerEdges) filterSubblockEdge(chroma + 8 * 16, 16, inner, interior, variance)
    storeChromaColumns(u, v)
  }

  if (hasAbove) filterMacroblockEdge(y, stride, outer, interior, variance)
  if (innerEdges) {
    for (let line: usize = 4; line < 16; line += 4) {
      filterSubblockEdge(y + line * stride, stride, inner, interior, variance)
    }
  }
  if (hasAbove || innerEdges) {
    loadChromaLines(u, v)
    if (hasAbove) filterMacroblockEdge(chroma + 4 * 16, 16, outer, interior, variance)
    if (innerEdges) filterSubblockEdge(chroma + 8 * 16, 16, inner, interior, variance)
    storeChromaLines(u, v)
  }
}

/** Luma columns -4 to 11, and 12 to 15 if `all`. */
function loadColumns(y: usize, all: bool): void {
  const stride = rowBuffer.stride
  let line = y - 4
  for (let i: usize = 0; i < 256; i += 16, line += stride) {
    v128.store(columns + i, v128.load(line))
    if (all) store<u32>(lastColumns + i, load<u32>(line, 16))
  }
  transpose16(columns)
  if (all) transpose16(lastColumns)
}

function storeColumns(y: usize, all: bool): void {
  const stride = rowBuffer.stride
  transpose16(columns)
  if (all) transpose16(lastColumns)
  let line = y - 4
  for (let i: usize = 0; i < 256; i += 16, line += stride) {
    v128.store(line, v128.load(columns + i))
    if (all) store<u32>(line, load<u32>(lastColumns + i), 16)
  }
}

/** Chroma columns -4 to 7: 8 lines of U, then 8 of V, transposed. */
function loadChromaColumns(u: usize, v: usize): void {
  const chromaStride = rowBuffer.chromaStride
  for (let i: usize = 0; i < 8; i++) {
    store<u64>(chroma + i * 16, load<u64>(u + i * chromaStride - 4))
    store<u32>(chroma + i * 16, load<u32>(u + i * chromaStride + 4), 8)
    store<u64>(chroma + i * 16 + 128, load<u64>(v + i * chromaStride - 4))
    store<u32>(chroma + i * 16 + 128, load<u32>(v + i * chromaStride + 4), 8)
  }
  transpose16(chroma)
}

function storeChromaColumns(u: usize, v: usize): void {
  const chromaStride = rowBuffer.chromaStride
  transpose16(chroma)
  for (let i: usize = 0; i < 8; i++) {
    store<u64>(u + i * chromaStride - 4, load<u64>(chroma + i * 16))
    store<u32>(u + i * chromaStride + 4, load<u32>(chroma + i * 16, 8))
    store<u64>(v + i * chromaStride - 4, load<u64>(chroma + i * 16 + 128))
    store<u32>(v + i * chromaStride + 4, load<u32>(chroma + i * 16 + 128, 8))
  }
}

/** Chroma lines -4 to 7. */
function loadChromaLines(u: usize, v: usize): void {
  const chromaStride = rowBuffer.chromaStride
  u -= 4 * chromaStride
  v -= 4 * chromaStride
  for (let i: usize = 0; i < 12 * 16; i += 16, u += chromaStride, v += chromaStride) {
    store<u64>(chroma + i, load<u64>(u))
    store<u64>(chroma + i, load<u64>(v), 8)
  }
}

function storeChromaLines(u: usize, v: usize): void {
  const chromaStride = rowBuffer.chromaStride
  u -= 4 * chromaStride
  v -= 4 * chromaStride
  for (let i: usize = 0; i < 12 * 16; i += 16, u += chromaStride, v += chromaStride) {
    store<u64>(u, load<u64>(chroma + i))
    store<u64>(v, load<u64>(chroma + i, 8))
  }
}
