import type { Deleted } from '../../domain/deletion.ts'
import { Failure } from '../../domain/failure.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../../domain/management.ts'
import { shardForToken } from '../../domain/sharding.ts'
import { RENAME_FORM } from '../../forms.ts'
import { FORM_BODY_MAX_BYTES } from '../../limits.ts'
import type { Incoming } from '../body/buffered-body.ts'
import { readTextForm, valuesOf } from '../body/form-values.ts'
import { isJsonRequest, readJsonObject } from '../body/json-body.ts'
import type { Form } from '../body/multipart.ts'
import { afterDelete, alsoIfDeletedBefore } from '../cache/after-delete.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient, keyCharges } from '../limits/client-limits.ts'
import { acquireLease, readIdempotencyKey, replay } from '../middleware/idempotency.ts'
import { json, jsonText } from '../responses/json.ts'
import { deleteResponse, galleryRenameResponse } from '../responses/representations.ts'

/** `POST /management/{token}/rename`. The token is checked before the body (D17). */
export async function renameContent(c: AppContext): Promise<Response> {
  const { store, host } = c.var
  await chargeClient(c, { renames: 1 })
  const gallery = await requireManagedGallery(store, pathParameter(c, 'token'))
  const name = await readName(c.var.incoming)
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
  const deleted = await alsoIfDeletedBefore(c, () =>
    deleteManaged(store, token, nowMs, (made) => lease.seal(write(made))),
  )
  lease.complete()
  await afterDelete(c, deleted)
  return jsonText(c, write(deleted))
}

/** The new name, from a JSON body or a form. It may be empty, but not missing. */
async function readName(incoming: Incoming): Promise<string> {
  const form = isJsonRequest(incoming.request)
    ? await readJsonForm(incoming)
    : await readTextForm(incoming, RENAME_FORM)
  return valuesOf(RENAME_FORM, form).name
}

async function readJsonForm(incoming: Incoming): Promise<Form> {
  const { name } = await readJsonObject(incoming, FORM_BODY_MAX_BYTES)
  if (name !== undefined && typeof name !== 'string') {
    throw new Failure('invalid_gallery_name', 'name must be a string')
  }
  return { texts: new Map(name === undefined ? [] : [['name', name]]), files: new Map() }
}
