import * as routes from '../../../../routes.ts'
import type { UploadFailure } from '../../upload-words.ts'
import { galleryFailure, uploadFailure } from './failures.ts'
import type { Pause } from './pause.ts'
import type { Answer } from './post.ts'
import { postPatiently } from './post-with-retries.ts'
import { type CreatedGallery, readGallery } from './responses.ts'

/**
 * How requests of a gallery wait: `signal` ends them, `lost` is kept when it is worth another try, `found` is told of an
 * answer.
 */
interface Patience {
  signal: AbortSignal
  onPause: (pause: Pause | undefined) => void
  lost: () => Promise<void>
  found: () => void
}

/** Creates a gallery, with its private link, or says why that failed. */
export async function createGallery(
  name: string,
  key: string | undefined,
  patience: Patience,
): Promise<{ gallery: CreatedGallery } | { failure: UploadFailure }> {
  const form = new URLSearchParams({ gallery_name: name, include_manage_url: '1' })
  const { status, text } = await postUntilAnswered(routes.galleries, form, key, patience)
  const gallery = status === 200 ? readGallery(text) : undefined
  return gallery ? { gallery } : { failure: status === 200 ? 'server' : galleryFailure(status) }
}

/** Finalizes a gallery; undefined on success, otherwise why it failed. Can be retried. */
export async function finalizeGallery(
  { hash, uploadToken }: CreatedGallery,
  patience: Patience,
): Promise<UploadFailure | undefined> {
  const form = new URLSearchParams({ gallery_upload_hash: uploadToken })
  const path = routes.pathOf(routes.finalizeGallery, { gallery_hash: hash })
  const { status } = await postUntilAnswered(path, form, undefined, patience)
  return status === 200 ? undefined : uploadFailure(status)
}

/** Posts until there is an answer, or it is stopped. */
async function postUntilAnswered(
  path: string,
  form: URLSearchParams,
  key: string | undefined,
  { signal, onPause, lost, found }: Patience,
): Promise<Answer> {
  const headers = key === undefined ? undefined : { 'Idempotency-Key': key }
  for (;;) {
    const answer = await postPatiently(path, form, { signal, onPause, ...(headers ? { headers } : {}) })
    if (answer.status !== 0) found()
    if (answer.status !== 0 || signal.aborted) return answer
    await Promise.race([lost(), aborted(signal)])
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
