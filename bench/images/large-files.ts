// Images of every format, each in a file of 10 MB.
import { readFileSync } from 'node:fs'
import { padded } from './padded.ts'
import { imageFile } from './pictures.ts'

export const LARGE_BYTES = 10 * 1024 * 1024

/** The largest image of each kind that is no larger, in megapixels. */
const KINDS = { jpeg: 48, 'jpeg-progressive': 48, png: 3, gif: 3, webp: 48, avif: 12 }

/** All of them, by their kind. */
export async function largeFiles() {
  const files = new Map<string, Buffer>()
  for (const [kind, megapixels] of Object.entries(KINDS)) {
    files.set(kind, padded(kind, readFileSync(await imageFile(kind, megapixels)), LARGE_BYTES))
  }
  return files
}
