import { type Size, uprightSize } from './format.ts'
import type { ImageFile } from './image-file.ts'
import type { AnyFacts } from './probe.ts'

/** A file with what is known of the image in it. */
export interface ProbedImage {
  bytes: Uint8Array
  facts: AnyFacts
}

/** The unchanged file. */
export function asSent({ bytes, facts }: ProbedImage): ImageFile {
  return { bytes, format: facts.format, size: uprightSize(facts) }
}

/** An image and the size it is to have, upright. */
export interface SizedImage {
  image: ProbedImage
  size: Size
}
