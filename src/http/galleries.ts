import { type CreatedGallery, createGallery } from '../domain/gallery.ts'
import { normalizeGalleryName } from '../domain/gallery-name.ts'
import type { AppContext } from './context.ts'
import { answerForm, readIdempotencyKey } from './idempotency.ts'
import { galleryCreateResponse } from './representations.ts'
import { optionalFlag } from './wire/fields.ts'
import { readForm } from './wire/forms.ts'

/** `POST /galleries`: creates an unfinished gallery; without a body an untitled one (D13). */
export async function create(c: AppContext): Promise<Response> {
  const key = readIdempotencyKey(c.req.raw)
  const texts = await readForm(c.req.raw, ['gallery_name', 'include_manage_url'], { optional: true })
  const wanted = {
    name: normalizeGalleryName(texts.get('gallery_name') ?? ''),
    wantsManagementToken: optionalFlag(texts, 'include_manage_url'),
  }
  return answerForm<CreatedGallery>(
    c,
    { key, operation: 'createGallery', form: { texts, files: new Map() } },
    (seal) => createGallery(c.var.store, wanted, c.var.arrival.nowMs, seal),
    (gallery) => galleryCreateResponse(c.var.host.site, gallery),
  )
}
