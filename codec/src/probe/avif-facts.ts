import type { Av1Coding } from '../container/av1-sequence.ts'
import type { ImageFacts } from '../format.ts'

export interface AvifFacts extends ImageFacts, Av1Coding {
  format: 'avif'
  /** Composed of tiles. */
  grid: boolean
  /** Pixels to decode, including the cropped parts of tiles, by the AV1 sequence headers; the larger of colour and alpha. */
  codedPixels: number
}

/** The facts of an AVIF's first image, apart from whether others follow. */
export type StillFacts = Omit<AvifFacts, 'format' | 'animated'>
