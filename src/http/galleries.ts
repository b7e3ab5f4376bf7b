import * as domain from '../domain/gallery.ts'
import { normalizeGalleryName } from '../domain/gallery-name.ts'
import { type AppContext, pathParameter } from './context.ts'
import { answerForm, readIdempotencyKey } from './idempotency.ts'
import { galleryCreateResponse } from './representations.ts'
import { optionalFlag, requireText } from './wire/fields.ts'
import { readForm } from './wire/forms.ts'

/** `POST /galleries`: creates an unfinished gallery, untitled if there is no body (D13). */
export async function createGallery(c: AppContext): Promise<Response> {
  const key = readIdempotencyKey(c.req.raw)
  const texts = await readForm(c.req.raw, ['gallery_name', 'include_manage_url'], { optional: true })
  const wanted = {
    name: normalizeGalleryName(texts.get('gallery_name') ?? ''),
    wantsManagementToken: optionalFlag(texts, 'include_manage_url'),
  }
  return answerForm<domain.CreatedGallery>(
    c,
    { key, operation: 'createGallery', form: { texts, files: new Map() } },
    (seal) => domain.createGallery(c.var.store, wanted, c.var.nowMs, seal),
    (gallery) => galleryCreateResponse(c.var.host.site, gallery),
  )
}

/** `POST /galleries/{gallery_hash}/finalize`: the answer has an empty body. */
export async function finalizeGallery(c: AppContext): Promise<Response> {
  const texts = await readForm(c.req.raw, ['gallery_upload_hash'])
  const uploadToken = requireText(texts, 'gallery_upload_hash')
  await domain.finalizeGallery(c.var.store, { hash: pathParameter(c, 'gallery_hash'), uploadToken }, c.var.nowMs)
  return c.body('', 200)
}
