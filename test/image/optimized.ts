import type { Picture } from '../../codec/src/picture.ts'
import {
  convert,
  type OptimizationSource,
  type Optimized,
  optimize,
  withLosslessCandidate,
} from '../../src/image/optimize.ts'

/** Converts a picture, and chooses the file to store of it. */
export async function optimized(picture: Picture, source?: OptimizationSource): Promise<Optimized> {
  return optimize(picture, await withLosslessCandidate(picture, await convert(picture, 200)), source)
}
