import type { Av1Coding } from '../container/av1-sequence.ts'
import type { ImageFacts } from '../format.ts'

/** What an AVIF's boxes tell. */
export interface AvifFacts extends ImageFacts, Av1Coding {
  format: 'avif'
  /** Put together from tiles. */
  grid: boolean
  /** Pixels a decoder has to make, tiles in full, by what the AV1 data says of itself; of colour and alpha the larger. */
  codedPixels: number
}

/** The facts of an AVIF's first picture, apart from whether others follow. */
export type StillFacts = Omit<AvifFacts, 'format' | 'animated'>
