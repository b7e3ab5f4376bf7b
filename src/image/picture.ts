import { uprightSize } from './format.ts'
import type { ImageFile } from './image-file.ts'
import type { AnyFacts } from './probe.ts'

/** A picture as a file, with what its header tells. */
export interface Picture {
  bytes: Uint8Array
  facts: AnyFacts
}

/** The picture as it is, as the file to store. */
export function asSent({ bytes, facts }: Picture): ImageFile {
  return { bytes, format: facts.format, size: uprightSize(facts) }
}
