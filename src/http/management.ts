import { Failure } from '../domain/failure.ts'
import { normalizeGalleryName } from '../domain/gallery-name.ts'
import { deleteManaged, renameManagedGallery, requireManagedGallery } from '../domain/management.ts'
import { FORM_BODY_MAX_BYTES } from '../limits.ts'
import { afterDelete } from './after-delete.ts'
import { type AppContext, pathParameter } from './context.ts'
import { deleteResponse, galleryRenameResponse } from './representations.ts'
import { readForm } from './wire/forms.ts'
import { json } from './wire/json.ts'
import { isJsonRequest, readJsonObject } from './wire/json-body.ts'

/** `POST /management/{token}/rename`. The token is checked before the body (D17). */
export async function renameContent(c: AppContext): Promise<Response> {
  const { store, host } = c.var
  const gallery = await requireManagedGallery(store, pathParameter(c, 'token'))
  const name = normalizeGalleryName(await readName(c.req.raw))
  await renameManagedGallery(store, gallery, name)
  return json(c, galleryRenameResponse(host.site, { hash: gallery.hash, name }))
}

/** `POST /management/{token}/delete`. */
export async function deleteContent(c: AppContext): Promise<Response> {
  const { store, nowMs } = c.var
  const deleted = await deleteManaged(store, pathParameter(c, 'token'), nowMs)
  await afterDelete(c, deleted)
  return json(c, deleteResponse(deleted))
}

/** The new name, from a JSON body or a form. It may be empty, but not missing. */
async function readName(request: Request): Promise<string> {
  const name = isJsonRequest(request)
    ? (await readJsonObject(request, FORM_BODY_MAX_BYTES)).name
    : (await readForm(request, ['name'])).get('name')
  if (name === undefined) throw new Failure('missing_field', 'name is missing: send the new name, empty for none')
  if (typeof name !== 'string') throw new Failure('invalid_gallery_name', 'name must be a string')
  return name
}
