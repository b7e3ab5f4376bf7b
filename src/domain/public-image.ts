import { findImage, findNeighbours, type ImageWithGallery, type Neighbours } from '../storage/images.ts'
import type { Gallery, Image } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'
import { statusOf } from './image-status.ts'
import { imagePath, parseImagePath } from './links.ts'

/** The picture at `<dir>/<id>_<name>` if it is public now (D28); undefined otherwise. */
export async function findPublicImage(store: Store, path: string): Promise<ImageWithGallery | undefined> {
  const parsed = parseImagePath(path)
  const record = parsed && (await findImage(store, parsed.id))
  return record && imagePath(record.image) === path && statusOf(record) === 'available' ? record : undefined
}

/** A public picture and, if it is in a gallery, that gallery and the pictures before and after it. */
export interface ImageView {
  image: Image
  inGallery: ({ gallery: Gallery } & Neighbours) | undefined
}

/** What the page of the public picture at `<dir>/<id>_<name>` shows; undefined where there is none. */
export async function findImageView(store: Store, path: string): Promise<ImageView | undefined> {
  const found = await findPublicImage(store, path)
  if (!found) return undefined
  const { image, gallery } = found
  return { image, inGallery: gallery ? { gallery, ...(await findNeighbours(store, gallery.id, image.id)) } : undefined }
}
