// Filtering and upsampling of the edges of directional prediction: AV1 specification, 7.11.2.7 to 7.11.2.12.
import { copyFew } from '../../../../arena/few-bytes'
import { INTRA_EDGE_KERNEL } from '../../tables/prediction'
import { block, isSmooth } from '../blocks/block'
import { aboveBlocks, leftBlocks, leftRow } from '../blocks/neighbours'
import { bitDepth, subsamplingX, subsamplingY } from '../frames/sequence-header'
import { ABOVE, above, LEFT, left } from './edge'

/** A copy of an edge from entry -1 on, with one entry before it and some after. */
const COPY: usize = memory.data(2 * 160, 16)
const INTRA_EDGE_TAPS: i32 = 5

/** get_filter_type( ): whether a neighbour has a smooth mode (7.11.2.8). */
export function hasSmoothNeighbour(plane: i32): bool {
  if (plane == 0) {
    if (block.availU && isSmooth(load<u8>(aboveBlocks.modes + block.miCol))) return true
    return block.availL && isSmooth(load<u8>(leftBlocks.modes + leftRow(block.miRow)))
  }
  if (block.availUChroma && isSmooth(load<u8>(aboveBlocks.uvModes + (block.miCol >> subsamplingX)))) return true
  return block.availLChroma && isSmooth(load<u8>(leftBlocks.uvModes + (leftRow(block.miRow) >> subsamplingY)))
}

/** The filter corner process (7.11.2.7). */
export function filterCorner(): void {
  const value = <u16>((left(0) * 5 + above(-1) * 6 + above(0) * 5 + 8) >> 4)
  store<u16>(ABOVE - 2, value)
  store<u16>(LEFT - 2, value)
}

/** The intra edge filter strength selection process (7.11.2.9). */
export function edgeStrength(blkWh: i32, isSmoothType: bool, delta: i32): i32 {
  const d = abs(delta)
  if (isSmoothType) {
    if (blkWh <= 8) return d >= 64 ? 2 : d >= 40 ? 1 : 0
    if (blkWh <= 16) return d >= 48 ? 2 : d >= 20 ? 1 : 0
    return blkWh > 24 || d >= 4 ? 3 : 0
  }
  if (blkWh <= 8) return d >= 56 ? 1 : 0
  if (blkWh <= 16) return d >= 40 ? 1 : 0
  if (blkWh <= 24) return d >= 32 ? 3 : d >= 16 ? 2 : d >= 8 ? 1 : 0
  if (blkWh <= 32) return d >= 32 ? 3 : d >= 4 ? 2 : 1
  return 3
}

/** The intra edge upsample selection process (7.11.2.10). */
export function usesUpsample(blkWh: i32, isSmoothType: bool, delta: i32): bool {
  const d = abs(delta)
  return d > 0 && d < 40 && blkWh <= (isSmoothType ? 8 : 16)
}

/** The intra edge filter process (7.11.2.12) for the edge whose entry 0 is at `edge`. */
export function filterEdge(edge: usize, sz: i32, strength: i32): void {
  if (strength == 0) return
  const kernel = INTRA_EDGE_KERNEL + (strength - 1) * INTRA_EDGE_TAPS
  const outer = <i32>load<u8>(kernel)
  const inner = <i32>load<u8>(kernel, 1)
  const centre = <i32>load<u8>(kernel, 2)
  // The first entry twice more before it, the last twice more behind.
  copyFew(COPY + 4, edge - 2, (<usize>sz) << 1)
  store<u16>(COPY, load<u16>(edge - 2))
  store<u16>(COPY, load<u16>(edge - 2), 2)
  const last = load<u16>(edge + ((<usize>sz) << 1) - 4)
  store<u16>(COPY + ((<usize>sz) << 1), last, 4)
  store<u16>(COPY + ((<usize>sz) << 1), last, 6)
  for (let i = 1; i < sz; i++) {
    const at = COPY + ((<usize>i) << 1)
    const far = <i32>load<u16>(at) + <i32>load<u16>(at, 8)
    const adjacent = <i32>load<u16>(at, 2) + <i32>load<u16>(at, 6)
    const sum = outer * far + inner * adjacent + centre * <i32>load<u16>(at, 4)
    store<u16>(edge + ((<usize>i) << 1) - 2, <u16>((sum + 8) >> 4))
  }
}

/** The intra edge upsample process (7.11.2.11): entries from -2 to 2 * numPx - 2 afterwards. */
export function upsampleEdge(edge: usize, numPx: i32): void {
  copyFew(COPY + 2, edge - 2, (<usize>(numPx + 1)) << 1)
  store<u16>(COPY, load<u16>(edge - 2))
  store<u16>(COPY + ((<usize>numPx) << 1), load<u16>(edge + ((<usize>numPx) << 1) - 2), 4)
  const most = (1 << bitDepth) - 1
  store<u16>(edge - 4, load<u16>(COPY))
  for (let i = 0; i < numPx; i++) {
    const at = COPY + ((<usize>i) << 1)
    const inner = <i32>load<u16>(at, 2) + <i32>load<u16>(at, 4)
    const sum = 9 * inner - <i32>load<u16>(at) - <i32>load<u16>(at, 6)
    const to = edge + ((<usize>i) << 2)
    store<u16>(to - 2, <u16>max(0, min(most, (sum + 8) >> 4)))
    store<u16>(to, load<u16>(at, 4))
  }
}
