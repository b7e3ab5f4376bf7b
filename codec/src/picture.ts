import { type Size, uprightSize } from './format.ts'
import type { ImageFile } from './image-file.ts'
import type { AnyFacts } from './probe.ts'

/** A file with what is known of the image in it. */
export interface Picture {
  bytes: Uint8Array
  facts: AnyFacts
}

/** The unchanged file. */
export function asSent({ bytes, facts }: Picture): ImageFile {
  return { bytes, format: facts.format, size: uprightSize(facts) }
}

/** An image and the size it is to have, upright. */
export interface SizedPicture {
  picture: Picture
  size: Size
}
