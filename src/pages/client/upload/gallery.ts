import * as routes from '../../../routes.ts'
import type { UploadTrouble } from '../../upload-words.ts'
import { type CreatedGallery, readGallery } from './answers.ts'
import { post } from './post.ts'
import { galleryTrouble, uploadTrouble } from './trouble.ts'

/** Creates a gallery that pictures can be put into, or says why there is none. */
export async function createGallery(
  wanted: { name: string; include_manage_url: string },
  signal: AbortSignal,
): Promise<{ gallery: CreatedGallery } | { trouble: UploadTrouble }> {
  const { name, include_manage_url } = wanted
  const { status, text } = await post(
    routes.galleries,
    new URLSearchParams({ gallery_name: name, include_manage_url }),
    {
      signal,
    },
  )
  const gallery = status === 200 ? readGallery(text) : undefined
  return gallery ? { gallery } : { trouble: status === 200 ? 'server' : galleryTrouble(status) }
}

/** Makes a gallery public; undefined when it is, else why it is not. Can be repeated. */
export async function finalizeGallery(
  { hash, uploadToken }: CreatedGallery,
  signal: AbortSignal,
): Promise<UploadTrouble | undefined> {
  const form = new URLSearchParams({ gallery_upload_hash: uploadToken })
  const { status } = await post(routes.pathOf(routes.finalizeGallery, { gallery_hash: hash }), form, { signal })
  return status === 200 ? undefined : uploadTrouble(status)
}
