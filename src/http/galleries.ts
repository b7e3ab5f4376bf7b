import { createGallery } from '../domain/gallery.ts'
import { normalizeGalleryName } from '../domain/gallery-name.ts'
import type { AppContext } from './context.ts'
import { optionalFlag } from './fields.ts'
import { readForm } from './forms.ts'
import { json } from './json.ts'
import { galleryCreateResponse } from './representations.ts'

/** `POST /galleries`: creates an unfinished gallery; without a body an untitled one (D13). */
export async function create(c: AppContext): Promise<Response> {
  const texts = await readForm(c.req.raw, ['gallery_name', 'include_manage_url'], { optional: true })
  const wanted = {
    name: normalizeGalleryName(texts.get('gallery_name') ?? ''),
    wantsManagementToken: optionalFlag(texts, 'include_manage_url'),
  }
  const gallery = await createGallery(c.var.store, wanted, c.var.arrival.nowMs)
  return json(c, galleryCreateResponse(c.var.host.site, gallery))
}
