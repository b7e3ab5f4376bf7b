import * as routes from '../../../routes.ts'
import type { Item, Progress } from './item.ts'
import type { Outcome } from './queue.ts'
import { uploadFailure } from './service/failures.ts'
import type { Pause } from './service/pause.ts'
import { postPatiently } from './service/post-with-retries.ts'
import { type CreatedGallery, readUploaded } from './service/responses.ts'

interface Sending {
  fields: Record<string, string>
  /** Whether location and camera data are removed first. */
  stripped: boolean
  gallery: CreatedGallery | undefined
  signal: AbortSignal
  /** Called when the next picture may begin: in a gallery, once bytes of this one are being sent. */
  begun: () => void
  onProgress: (progress: Progress) => void
  onPause: (pause: Pause | undefined) => void
}

/** Sends a picture and reports its progress. It is to be sent again if there was no answer, or it was stopped. */
export async function sendPicture(item: Item, sending: Sending): Promise<Outcome> {
  const { fields, stripped, gallery, signal, begun, onProgress: proceed, onPause } = sending
  proceed({ state: 'sending', sent: 0 })
  const file = stripped ? await stripFile(item.file) : item.file
  if (signal.aborted) {
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

  const answer = postPatiently(routes.images, form, {
    headers: item.key === undefined ? {} : { 'Idempotency-Key': item.key },
    onSent(share) {
      begun()
      proceed(share === 1 ? { state: 'processing' } : { state: 'sending', sent: share })
    },
    onPause(pause) {
      // What comes next waits for nothing that this one waits for: the service says so itself.
      begun()
      proceed(pause ? { state: 'paused' } : { state: 'sending', sent: 0 })
      onPause(pause)
    },
    signal,
    keepsAnswer: true,
  })
  // The order matters only in a gallery.
  if (!gallery) begun()
  const { status, text } = await answer
  const uploaded = status === 200 ? readUploaded(text) : undefined
  if (uploaded) {
    proceed({ state: 'done', uploaded })
    return 'over'
  }
  if (status === 0) {
    proceed({ state: signal.aborted ? 'waiting' : 'held' })
    return 'again'
  }
  proceed({ state: 'failed', failure: status === 200 ? 'server' : uploadFailure(status) })
  return 'over'
}

async function stripFile(file: File): Promise<File | undefined> {
  const { strip } = await import('./files/judging.ts')
  return strip(file)
}
