import { STORED_DIGEST_CHARACTERS } from '../../limits.ts'
import { digestOf } from './digest.ts'
import { type ImageAddress, imagePath } from './links.ts'

/**
 * Returns the stored digest of a deleted image's path, for the status `deleted` (D47): 64 bits of its SHA-256, in
 * hexadecimal. The path contains the id, so equal names have different digests.
 */
export async function pathDigestOf(path: string): Promise<string> {
  return (await digestOf(path)).slice(0, STORED_DIGEST_CHARACTERS)
}

/** Returns whether an image is or was at this path. The rest of a deleted image's link, `<dir>/<id>_`, matches too. */
export async function isAt(image: ImageAddress & { pathDigest: string | null }, path: string): Promise<boolean> {
  return imagePath(image) === path || (image.pathDigest !== null && image.pathDigest === (await pathDigestOf(path)))
}
