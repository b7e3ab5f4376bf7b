import * as routes from '../../../../routes.ts'
import type { Pause } from '../../../shell/pause.ts'
import { failureOf, type UploadFailure } from '../../upload-failure.ts'
import type { ServiceResponse } from './post.ts'
import { postWithRetries } from './post-with-retries.ts'
import { type CreatedGallery, readGallery } from './responses.ts'

/**
 * Options of a gallery's requests. `signal` ends them, `lost` resolves when it is worth another try, and `found` is called
 * with each response.
 */
interface GalleryRequest {
  signal: AbortSignal
  onPause: (pause: Pause | undefined) => void
  lost: () => Promise<void>
  found: () => void
}

/** Creates a gallery, with its private link, or says why that failed. */
export async function createGallery(
  { name, expiresIn }: { name: string; expiresIn: string },
  key: string | undefined,
  request: GalleryRequest,
): Promise<{ gallery: CreatedGallery } | { failure: UploadFailure }> {
  const form = new URLSearchParams({ gallery_name: name, include_manage_url: '1', expires_in: expiresIn })
  const response = await postUntilResponse(routes.galleries, form, key, request)
  const gallery = response.status === 200 ? readGallery(response.text) : undefined
  return gallery ? { gallery } : { failure: failureOf(response) }
}

/** Finalizes a gallery; undefined on success, otherwise why it failed. Can be retried. */
export async function finalizeGallery(
  { hash, uploadToken }: CreatedGallery,
  request: GalleryRequest,
): Promise<UploadFailure | undefined> {
  const form = new URLSearchParams({ gallery_upload_hash: uploadToken })
  const path = routes.pathOf(routes.finalizeGallery, { gallery_hash: hash })
  const response = await postUntilResponse(path, form, undefined, request)
  return response.status === 200 ? undefined : failureOf(response)
}

/** Posts until there is a response, or the signal aborts. */
async function postUntilResponse(
  path: string,
  form: URLSearchParams,
  key: string | undefined,
  { signal, onPause, lost, found }: GalleryRequest,
): Promise<ServiceResponse> {
  const headers = key === undefined ? undefined : { 'Idempotency-Key': key }
  for (;;) {
    const response = await postWithRetries(path, form, { signal, onPause, ...(headers ? { headers } : {}) })
    if (response.status !== 0) found()
    if (response.status !== 0 || signal.aborted) return response
    await Promise.race([lost(), aborted(signal)])
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
