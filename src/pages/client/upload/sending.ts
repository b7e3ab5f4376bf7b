import * as routes from '../../../routes.ts'
import { type CreatedGallery, readUploaded } from './answers.ts'
import type { Item, Progress } from './item.ts'
import { post } from './post.ts'
import { uploadTrouble } from './trouble.ts'

interface Sending {
  fields: Record<string, string>
  gallery: CreatedGallery | undefined
  signal: AbortSignal
  /** Called as soon as the next picture may begin: in a gallery when bytes of this one are on their way. */
  begun: () => void
  /** Called whenever the item's progress has changed. */
  onProgress: () => void
}

/** Sends a picture; the item's progress tells what becomes of it. */
export async function sendPicture(item: Item, { fields, gallery, signal, begun, onProgress }: Sending): Promise<void> {
  const proceed = (progress: Progress) => {
    item.progress = progress
    onProgress()
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (gallery) {
    form.append('gallery_hash', gallery.hash)
    form.append('gallery_upload_hash', gallery.uploadToken)
  }
  form.append('img', item.file)

  proceed({ state: 'sending', sent: 0 })
  const answer = post(routes.images, form, {
    headers: item.key === undefined ? {} : { 'Idempotency-Key': item.key },
    onSent(share) {
      begun()
      proceed(share === 1 ? { state: 'processing' } : { state: 'sending', sent: share })
    },
    signal,
  })
  // The order matters in a gallery alone.
  if (!gallery) begun()
  const { status, text } = await answer
  const uploaded = status === 200 ? readUploaded(text) : undefined
  if (uploaded) proceed({ state: 'done', uploaded })
  else if (signal.aborted) proceed({ state: 'stopped' })
  else proceed({ state: 'failed', trouble: status === 200 ? 'server' : uploadTrouble(status) })
}
