import type { Api } from './api.ts'
import type { Ask } from './client.ts'
import { plain, png } from './images.ts'
import { type Fields, file } from './multipart-body.ts'
import { type CreatedGallery, expectCreated, expectStatuses, expectUploaded, type Uploaded } from './responses.ts'

/** A small PNG for any upload: 30 x 20 and blue. */
export const SMALL_PNG = await png(plain(30, 20, [0, 0, 255]))

/** The minimal form of POST /images: an image that is safe for work. */
export const LEAST_IMAGE: Fields = { img: file('picture.png', SMALL_PNG), content_type: '0' }

/** The minimal form of POST /covers. */
export const LEAST_COVER: Fields = { img_left: file('cover.png', SMALL_PNG), content_type: '0' }

/** The keys of the response to an upload that asks for nothing else. */
export const PUBLISHED_KEYS = ['name', 'show_url', 'th_url', 'thumb_width', 'thumb_height']

/** Uploads an image, which must succeed; `fields` replace or follow those of the minimal form. */
export async function uploadImage(api: Api, fields: Fields = {}, more?: Partial<Ask>): Promise<Uploaded> {
  return expectUploaded(await api.uploadImage({ ...LEAST_IMAGE, ...fields }, more))
}

/** Uploads a cover, which must succeed. */
export async function uploadCover(api: Api, fields: Fields = {}, more?: Partial<Ask>): Promise<Uploaded> {
  return expectUploaded(await api.uploadCover({ ...LEAST_COVER, ...fields }, more))
}

/** Creates a gallery with a management token, which must succeed. */
export async function createGallery(api: Api, name = '', more?: Partial<Ask>): Promise<CreatedGallery> {
  return expectCreated(await api.createGallery({ gallery_name: name, include_manage_url: '1' }, more))
}

/** Creates a gallery with one image, and returns both. The gallery is finalized on request. */
export async function galleryWithImage(
  api: Api,
  { finalized = false, name = '' } = {},
): Promise<{ gallery: CreatedGallery; image: Uploaded }> {
  const gallery = await createGallery(api, name)
  const image = await uploadImage(api, gallery.fields)
  if (finalized) await api.finalize(gallery.hash, gallery.uploadToken)
  return { gallery, image }
}

/** Returns the status of one URL, requested from an unused address. */
export async function statusOf(api: Api, url: string): Promise<string | undefined> {
  return expectStatuses(await api.status([url]))[0]
}

/** Returns the address of an image's preview: that of its thumbnail, in another folder. */
export function previewUrlOf({ thumbnailUrl }: Pick<Uploaded, 'thumbnailUrl'>): string {
  return thumbnailUrl.replace('/thumbs/', '/previews/')
}
