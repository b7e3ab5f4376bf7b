import { KEPT_DIGEST_CHARACTERS } from '../limits.ts'
import { digestOf } from './digest.ts'
import { type ImageAddress, imagePath } from './links.ts'

/**
 * What is kept of the path of a deleted picture, for it to answer `deleted` for ever (D47): 64 bits of its SHA-256, in
 * hexadecimal. The path holds the id, so that equal names have different digests.
 */
export async function pathDigestOf(path: string): Promise<string> {
  return (await digestOf(path)).slice(0, KEPT_DIGEST_CHARACTERS)
}

/** Whether a picture stands at this path, or stood there: what is left of its own links, `<dir>/<id>_`, leads to it too. */
export async function isAt(image: ImageAddress & { pathDigest: string | null }, path: string): Promise<boolean> {
  return imagePath(image) === path || (image.pathDigest !== null && image.pathDigest === (await pathDigestOf(path)))
}
