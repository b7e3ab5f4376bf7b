import * as routes from '../../../routes.ts'
import type { UploadFailure } from '../../upload-words.ts'
import { type CreatedGallery, readGallery } from './answers.ts'
import { galleryFailure, uploadFailure } from './failures.ts'
import type { Pause } from './pause.ts'
import { postPatiently } from './post-patiently.ts'

/** Creates a gallery, or says why that failed. */
export async function createGallery(
  wanted: { name: string; include_manage_url: string },
  signal: AbortSignal,
  onPause: (pause: Pause | undefined) => void,
): Promise<{ gallery: CreatedGallery } | { failure: UploadFailure }> {
  const { name, include_manage_url } = wanted
  const form = new URLSearchParams({ gallery_name: name, include_manage_url })
  const { status, text } = await postPatiently(routes.galleries, form, { signal, onPause })
  const gallery = status === 200 ? readGallery(text) : undefined
  return gallery ? { gallery } : { failure: status === 200 ? 'server' : galleryFailure(status) }
}

/** Finalizes a gallery; undefined on success, otherwise why it failed. Can be retried. */
export async function finalizeGallery(
  { hash, uploadToken }: CreatedGallery,
  signal: AbortSignal,
  onPause: (pause: Pause | undefined) => void,
): Promise<UploadFailure | undefined> {
  const form = new URLSearchParams({ gallery_upload_hash: uploadToken })
  const path = routes.pathOf(routes.finalizeGallery, { gallery_hash: hash })
  const { status } = await postPatiently(path, form, { signal, onPause })
  return status === 200 ? undefined : uploadFailure(status)
}
