import * as routes from '../../../routes.ts'
import type { Pause } from '../../shell/pause.ts'
import { denialOf, failureOf } from '../upload-failure.ts'
import type { Item, Progress } from './item.ts'
import type { Outcome } from './queue.ts'
import { postWithRetries } from './service/post-with-retries.ts'
import { type CreatedGallery, readUploaded } from './service/responses.ts'

interface Sending {
  fields: Record<string, string>
  /** Whether location and camera data are removed first. */
  stripped: boolean
  gallery: CreatedGallery | undefined
  /** Ends the request, unless the image was sent whole. */
  signal: AbortSignal
  /** Ends work that has sent nothing: the preparation, and waits for a `Retry-After`. */
  held: AbortSignal
  /** Called when the next image may begin: in a gallery, once bytes of this one are being sent. */
  begun: () => void
  onProgress: (progress: Progress) => void
  onPause: (pause: Pause | undefined) => void
}

/** Sends an image and reports its progress. The outcome is `again` if there was no response, or it was stopped. */
export async function sendImage(item: Item, sending: Sending): Promise<Outcome> {
  const { fields, stripped, gallery, signal, held, begun, onProgress: proceed, onPause } = sending
  proceed({ state: 'sending', sent: 0 })
  const file = stripped ? await stripFile(item.file) : item.file
  const isStopped = () => signal.aborted || held.aborted
  if (isStopped()) {
    proceed({ state: 'waiting' })
    return 'again'
  }
  if (file === undefined) {
    proceed({ state: 'failed', failure: 'notStripped' })
    return 'over'
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (gallery) {
    form.append('gallery_hash', gallery.hash)
    form.append('gallery_upload_hash', gallery.uploadToken)
  }
  form.append('img', file)

  const responding = postWithRetries(routes.images, form, {
    headers: item.key === undefined ? {} : { 'Idempotency-Key': item.key },
    onSent(share) {
      begun()
      proceed(share === 1 ? { state: 'processing' } : { state: 'sending', sent: share })
    },
    onPause(pause) {
      // The next image does not wait for this one's pause: the service says itself when it must.
      begun()
      proceed(pause ? { state: 'paused' } : { state: 'sending', sent: 0 })
      onPause(pause)
    },
    signal,
    held,
    keepsResponse: true,
  })
  // The order matters only in a gallery.
  if (!gallery) begun()
  const response = await responding
  const uploaded = response.status === 200 ? readUploaded(response.text, item.file.name) : undefined
  if (uploaded) {
    proceed({ state: 'done', uploaded })
    return 'over'
  }
  if (response.status === 0) {
    proceed({ state: isStopped() ? 'waiting' : 'held' })
    return 'again'
  }
  proceed({ state: 'failed', failure: failureOf(response), ...denialOf(response) })
  return 'over'
}

async function stripFile(file: File): Promise<File | undefined> {
  const { strip } = await import('./files/judging.ts')
  return strip(file)
}
