import * as domain from '../domain/gallery.ts'
import { FINALIZE_FORM, GALLERY_FORM } from '../forms.ts'
import { chargeClient, keyCharges } from './client-limits.ts'
import { type AppContext, pathParameter } from './context.ts'
import { readTextForm, valuesOf } from './form-values.ts'
import { answerForm, readIdempotencyKey } from './idempotency.ts'
import { galleryCreateResponse } from './representations.ts'

/** `POST /galleries`: creates an unfinished gallery, untitled if there is no body (D13). */
export async function createGallery(c: AppContext): Promise<Response> {
  const key = readIdempotencyKey(c.req.raw)
  await chargeClient(c, { galleries: 1, ...keyCharges(key) })
  const form = await readTextForm(c.var.incoming, GALLERY_FORM, { optional: true })
  const values = valuesOf(GALLERY_FORM, form)
  const wanted = { name: values.gallery_name, wantsManagementToken: values.include_manage_url }
  return answerForm<domain.CreatedGallery>(
    c,
    { key, operation: 'createGallery', form },
    (seal) => domain.createGallery(c.var.store, wanted, c.var.nowMs, seal),
    (gallery) => galleryCreateResponse(c.var.host.site, gallery),
  )
}

/** `POST /galleries/{gallery_hash}/finalize`: the answer has an empty body. */
export async function finalizeGallery(c: AppContext): Promise<Response> {
  const form = await readTextForm(c.var.incoming, FINALIZE_FORM)
  const { gallery_upload_hash: uploadToken } = valuesOf(FINALIZE_FORM, form)
  await domain.finalizeGallery(c.var.store, { hash: pathParameter(c, 'gallery_hash'), uploadToken }, c.var.nowMs)
  return c.body('', 200)
}
