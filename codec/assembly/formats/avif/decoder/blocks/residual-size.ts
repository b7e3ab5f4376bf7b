// The size of a block in a plane: AV1 specification, 5.11.38.
import { SUBSAMPLED_SIZE } from '../../tables/block'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'

/** There is no such size. */
export const BLOCK_INVALID: i32 = 22

/** get_plane_residual_size( ) */
export function residualSize(size: i32, plane: i32): i32 {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  return load<u8>(SUBSAMPLED_SIZE + ((size << 2) + (subX << 1) + subY))
}
