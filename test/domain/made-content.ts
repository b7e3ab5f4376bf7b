import {
  createGallery,
  finalizeGallery,
  findGalleryView,
  type GalleryAccess,
  type GalleryEntry,
} from '../../src/domain/galleries/gallery.ts'
import type { Seal } from '../../src/domain/idempotency/lease.ts'
import { createSequence } from '../../src/domain/ids/image-id.ts'
import { imagePath } from '../../src/domain/ids/links.ts'
import type { Receipt } from '../../src/domain/uploads/store-upload.ts'
import { receiveImage } from '../../src/domain/uploads/upload.ts'
import type { Image } from '../../src/storage/schema.ts'
import type { Store } from '../../src/storage/store.ts'
import { logProblem, PIXEL_GIF, store } from './store.ts'

export const NOW_MS = Date.UTC(2026, 10, 21)

const nextSequenceNumber = createSequence()

/** Uploads a small image, into a gallery or with a management token. */
export function uploadOf(to: Store, access?: GalleryEntry, seal?: Seal<Receipt>): Promise<Receipt> {
  return receiveImage(
    to,
    {
      file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
      nsfw: false,
      optimizeForWeb: false,
      gallery: access,
      wantsManagementToken: access === undefined,
      maxThumbnailSizePx: 200,
    },
    { sequenceNumber: nextSequenceNumber(NOW_MS), nowMs: NOW_MS, clock: () => NOW_MS, logProblem },
    seal,
  )
}

/** Stores an image, in a gallery if one is passed. Returns it with its address. */
export async function madeImage(access?: GalleryAccess, to = store) {
  const { image, managementToken = '' } = await uploadOf(to, access)
  return { image, address: addressOf(image), token: managementToken }
}

/** Stores a gallery with one image. Returns it with its address. By default it is finalized. */
export async function madeGallery({ finalized = true } = {}) {
  const {
    hash,
    uploadToken,
    managementToken = '',
  } = await createGallery(store, { name: 'mine', wantsManagementToken: true }, NOW_MS)
  const image = await madeImage({ hash, uploadToken })
  if (finalized) await finalizeGallery(store, { hash, uploadToken }, NOW_MS)
  return {
    hash,
    access: { hash, uploadToken },
    image,
    address: { kind: 'gallery' as const, hash },
    token: managementToken,
  }
}

export function addressOf(image: Image) {
  return { kind: 'image' as const, image: { id: image.id, path: imagePath(image) } }
}

/** The images of the first page of a public gallery; undefined if it is not public. */
export async function shownImages(to: Store, hash: string): Promise<Image[] | undefined> {
  const view = await findGalleryView(to, hash, 1, 100, NOW_MS)
  if (view === 'expired') throw new Error('the gallery has expired')
  return view?.images
}
