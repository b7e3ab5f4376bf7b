import { findImage, type ImageWithGallery } from '../storage/images.ts'
import type { Store } from '../storage/store.ts'
import { statusOf } from './image-status.ts'
import { imagePath, parseImagePath } from './links.ts'

/** The picture at `<dir>/<id>_<name>` if the public may see it now (D28); undefined for all else. */
export async function findPublicImage(store: Store, path: string): Promise<ImageWithGallery | undefined> {
  const parsed = parseImagePath(path)
  const record = parsed && (await findImage(store, parsed.id))
  return record && imagePath(record.image) === path && statusOf(record) === 'available' ? record : undefined
}
