import type { Deleted } from '../../domain/content/deletion.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../domain/content/management.ts'
import { shardForToken } from '../../domain/shards/sharding.ts'
import { RENAME_FORM } from '../../forms.ts'
import { valuesOf } from '../body/form-values.ts'
import { readTextOrJsonForm } from '../body/json-form.ts'
import { afterDelete, cleanUpIfDeletedBefore } from '../cache/after-delete.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient, keyCharges } from '../limits/client-limits.ts'
import { acquireLease, readIdempotencyKey, replay } from '../middleware/idempotency.ts'
import { json, jsonText } from '../responses/json.ts'
import { deleteResponse, galleryRenameResponse } from '../responses/representations.ts'

/** `POST /management/{token}/rename`. The token is checked before the body (D17). */
export async function renameContent(c: AppContext): Promise<Response> {
  const { store, host } = c.var
  await chargeClient(c, { changes: 1 })
  const gallery = await requireManagedGallery(store, pathParameter(c, 'token'), c.var.nowMs)
  const { name } = valuesOf(RENAME_FORM, await readTextOrJsonForm(c.var.incoming, RENAME_FORM))
  await renameManagedGallery(store, gallery, name)
  return json(c, galleryRenameResponse(host.site, { hash: gallery.hash, name }))
}

/** `POST /management/{token}/delete`. A retry whose response was lost gets that response by its Idempotency-Key (D46). */
export async function deleteContent(c: AppContext): Promise<Response> {
  const { store, nowMs } = c.var
  const token = pathParameter(c, 'token')
  const key = readIdempotencyKey(c.req.raw)
  await chargeClient(c, keyCharges(key))
  await using lease = await acquireLease(c, 'deleteContent', key)
  const fields = { texts: new Map([['token', token]]), files: new Map() }
  const { stored } = await lease.bind(fields, [shardForToken(store, token)])
  if (stored !== undefined) return replay(c, stored)
  const write = (deleted: Deleted) => JSON.stringify(deleteResponse(deleted))
  const deleted = await cleanUpIfDeletedBefore(c, () =>
    deleteManaged(store, token, nowMs, (made) => lease.seal(write(made))),
  )
  lease.complete()
  await afterDelete(c, deleted)
  return jsonText(c, write(deleted))
}
