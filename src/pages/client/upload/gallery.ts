import * as routes from '../../../routes.ts'
import type { UploadFailure } from '../../upload-words.ts'
import { type CreatedGallery, readGallery } from './answers.ts'
import { galleryFailure, uploadFailure } from './failures.ts'
import { post } from './post.ts'

/** Creates a gallery, or says why that failed. */
export async function createGallery(
  wanted: { name: string; include_manage_url: string },
  signal: AbortSignal,
): Promise<{ gallery: CreatedGallery } | { failure: UploadFailure }> {
  const { name, include_manage_url } = wanted
  const { status, text } = await post(
    routes.galleries,
    new URLSearchParams({ gallery_name: name, include_manage_url }),
    {
      signal,
    },
  )
  const gallery = status === 200 ? readGallery(text) : undefined
  return gallery ? { gallery } : { failure: status === 200 ? 'server' : galleryFailure(status) }
}

/** Finalizes a gallery; undefined on success, otherwise why it failed. Can be retried. */
export async function finalizeGallery(
  { hash, uploadToken }: CreatedGallery,
  signal: AbortSignal,
): Promise<UploadFailure | undefined> {
  const form = new URLSearchParams({ gallery_upload_hash: uploadToken })
  const { status } = await post(routes.pathOf(routes.finalizeGallery, { gallery_hash: hash }), form, { signal })
  return status === 200 ? undefined : uploadFailure(status)
}
