import type { ProbedImage } from 'tintype-codec/interface'
import {
  convert,
  type OptimizationSource,
  type Optimized,
  optimize,
  withLosslessCandidate,
} from '../../src/image/optimize.ts'

/** Converts an image, and chooses the file to store. */
export async function optimized(image: ProbedImage, source?: OptimizationSource): Promise<Optimized> {
  return optimize(image, await withLosslessCandidate(image, await convert(image, { maxThumbnailSizePx: 200 })), source)
}
