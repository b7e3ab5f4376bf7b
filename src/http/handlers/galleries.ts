import * as domain from '../../domain/gallery.ts'
import { shardsForGallery } from '../../domain/placement.ts'
import { FINALIZE_FORM, GALLERY_FORM } from '../../forms.ts'
import { readTextForm, valuesOf } from '../body/form-values.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { answerRequest } from '../middleware/idempotency.ts'
import { galleryCreateResponse } from '../responses/representations.ts'

/** `POST /galleries`: creates an unfinished gallery, untitled if there is no body (D13). */
export function createGallery(c: AppContext): Promise<Response> {
  const { store, nowMs, incoming, host } = c.var
  return answerRequest<domain.NewGallery, domain.CreatedGallery>(c, 'createGallery', {
    charges: { galleries: 1 },
    async read() {
      const form = await readTextForm(incoming, GALLERY_FORM, { optional: true })
      const { gallery_name: name, include_manage_url: wantsManagementToken } = valuesOf(GALLERY_FORM, form)
      return { form, wanted: { name, wantsManagementToken } }
    },
    shardsFor: () => shardsForGallery(store),
    perform: (wanted, seal, shards) => domain.createGallery(store, wanted, nowMs, seal, shards),
    represent: (gallery) => galleryCreateResponse(host.site, gallery),
  })
}

/** `POST /galleries/{gallery_hash}/finalize`: the answer has an empty body. */
export async function finalizeGallery(c: AppContext): Promise<Response> {
  await chargeClient(c, { finalizes: 1 })
  const form = await readTextForm(c.var.incoming, FINALIZE_FORM)
  const { gallery_upload_hash: uploadToken } = valuesOf(FINALIZE_FORM, form)
  await domain.finalizeGallery(c.var.store, { hash: pathParameter(c, 'gallery_hash'), uploadToken }, c.var.nowMs)
  return c.body('', 200)
}
