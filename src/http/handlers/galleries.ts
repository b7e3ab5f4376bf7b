import { lifetimeOf } from '../../domain/content/expiry.ts'
import * as domain from '../../domain/galleries/gallery.ts'
import { shardsForGallery } from '../../domain/shards/sharding.ts'
import { FINALIZE_FORM, GALLERY_FORM } from '../../forms.ts'
import { valuesOf } from '../body/form-values.ts'
import { readTextOrJsonForm } from '../body/json-form.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { expiryRulesOf, withMaximum } from '../expiry.ts'
import { chargeClient, keyCharges } from '../limits/client-limits.ts'
import { requireHuman } from '../middleware/human-check.ts'
import { acquireLease, readIdempotencyKey, replay } from '../middleware/idempotency.ts'
import { checkUploadKey, noteUploadKey } from '../middleware/upload-keys.ts'
import { jsonText } from '../responses/json.ts'
import { galleryCreateResponse } from '../responses/representations.ts'

/** `POST /galleries`: creates an unfinished gallery, untitled if there is no body (D13). */
export async function createGallery(c: AppContext): Promise<Response> {
  const { store, nowMs, incoming, host } = c.var
  const hasFormKey = await checkUploadKey(c)
  await requireHuman(c)
  const key = readIdempotencyKey(c.req.raw)
  const charges = { galleries: 1, ...keyCharges(key) }
  await chargeClient(c, charges)
  await using lease = await acquireLease(c, 'createGallery', key)
  const rules = expiryRulesOf(c)
  const form = await readTextOrJsonForm(incoming, GALLERY_FORM, { optional: true })
  if (await hasFormKey(form.texts)) await chargeClient(c, charges)
  const values = valuesOf(withMaximum(rules, GALLERY_FORM), form)
  const { gallery_name: name, include_manage_url: wantsManagementToken } = values
  const lifetime = lifetimeOf(rules, values.expires_in)
  const { stored, shards } = await lease.bind(form, shardsForGallery(store))
  if (stored !== undefined) return replay(c, stored)
  const write = (gallery: domain.CreatedGallery) => JSON.stringify(galleryCreateResponse(host.site, gallery, lifetime))
  const wanted = { name, wantsManagementToken, lifetime }
  const gallery = await domain.createGallery(store, wanted, nowMs, (made) => lease.seal(write(made)), shards)
  lease.complete()
  return jsonText(c, write(gallery))
}

/** `POST /galleries/{gallery_hash}/finalize`: the response has an empty body. */
export async function finalizeGallery(c: AppContext): Promise<Response> {
  await noteUploadKey(c)
  await chargeClient(c, { finalizes: 1 })
  const form = await readTextOrJsonForm(c.var.incoming, FINALIZE_FORM)
  const { gallery_upload_hash: uploadToken } = valuesOf(FINALIZE_FORM, form)
  await domain.finalizeGallery(c.var.store, { hash: pathParameter(c, 'gallery_hash'), uploadToken }, c.var.nowMs)
  return c.body('', 200)
}
