import { requireManaged, requireManagedGallery } from '../../domain/content/management.ts'
import { Failure } from '../../domain/failure.ts'
import {
  arrangeImages,
  chooseCover as chooseCoverOf,
  describeGalleryImage,
  describeStandaloneImage,
  type MoveTo,
  removeImages as removeImagesOf,
} from '../../domain/galleries/gallery-changes.ts'
import { COVER_IMAGE_FORM, EDIT_FORM, ORDER_FORM, REMOVE_FORM, type Rows } from '../../forms.ts'
import { ORDER_BODY_MAX_BYTES } from '../../limits.ts'
import { readTextForm, valuesOf } from '../body/form-values.ts'
import { isJsonRequest, readJsonObject } from '../body/json-body.ts'
import type { Form } from '../body/multipart.ts'
import { afterDelete } from '../cache/after-delete.ts'
import { parseContentUrl } from '../content-url.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { json } from '../responses/json.ts'
import { galleryChangeResponse, imageEditResponse } from '../responses/representations.ts'

/** `POST /management/{token}/remove`: removes images of a gallery. Those that are removed already are no error. */
export async function removeImages(c: AppContext): Promise<Response> {
  const { store, nowMs, host } = c.var
  const gallery = await managedGallery(c)
  const { images } = valuesOf(REMOVE_FORM, await readFields(c, REMOVE_FORM))
  const paths = images.map((one) => pathOf(c, one))
  const deleted = await removeImagesOf(store, gallery, paths, nowMs)
  for (const one of deleted) await afterDelete(c, one)
  return json(c, galleryChangeResponse(host.site, gallery))
}

/** `POST /management/{token}/order`: moves images of a gallery. */
export async function orderImages(c: AppContext): Promise<Response> {
  const gallery = await managedGallery(c)
  const { images, before, after } = valuesOf(ORDER_FORM, await readFields(c, ORDER_FORM))
  if (before !== undefined && after !== undefined) {
    throw new Failure('invalid_option', 'before and after must not be sent both')
  }
  const to: MoveTo =
    before !== undefined
      ? { before: pathOf(c, before) }
      : after !== undefined
        ? { after: pathOf(c, after) }
        : 'beginning'
  const paths = images.map((one) => pathOf(c, one))
  await arrangeImages(c.var.store, gallery, paths, to, c.var.nowMs)
  return json(c, galleryChangeResponse(c.var.host.site, gallery))
}

/** `POST /management/{token}/cover`: chooses the image that link previews of a gallery show. */
export async function chooseCover(c: AppContext): Promise<Response> {
  const gallery = await managedGallery(c)
  const { image } = valuesOf(COVER_IMAGE_FORM, await readFields(c, COVER_IMAGE_FORM))
  await chooseCoverOf(c.var.store, gallery, image === undefined ? undefined : pathOf(c, image), c.var.nowMs)
  return json(c, galleryChangeResponse(c.var.host.site, gallery))
}

/** `POST /management/{token}/edit`: writes the caption and the alternative text of an image. */
export async function editImage(c: AppContext): Promise<Response> {
  const { store, host } = c.var
  await chargeClient(c, { changes: 1 })
  const managed = await requireManaged(store, pathParameter(c, 'token'), c.var.nowMs)
  const { image, ...texts } = valuesOf(EDIT_FORM, await readFields(c, EDIT_FORM))
  if (texts.caption === undefined && texts.alt === undefined) {
    throw new Failure('missing_field', 'caption or alt is missing: send the new text, empty for none')
  }
  const written = { caption: nullIfEmpty(texts.caption), alt: nullIfEmpty(texts.alt) }
  if (managed.kind === 'image') {
    return json(c, imageEditResponse(host.site, await describeStandaloneImage(store, managed.image, written)))
  }
  if (image === undefined) throw new Failure('missing_field', 'image is missing: send the show_url of an image')
  const edited = await describeGalleryImage(store, managed.gallery, pathOf(c, image), written, c.var.nowMs)
  return json(c, imageEditResponse(host.site, edited))
}

const nullIfEmpty = (text: string | undefined) => (text === '' ? null : text)

/** The token is checked before the body (D17). */
async function managedGallery(c: AppContext) {
  await chargeClient(c, { changes: 1 })
  return requireManagedGallery(c.var.store, pathParameter(c, 'token'), c.var.nowMs)
}

/** Reads the fields from a JSON body or a form. A list in JSON becomes one text, as forms have it. */
async function readFields(c: AppContext, rows: Rows): Promise<Form> {
  const { incoming } = c.var
  if (!isJsonRequest(incoming.request)) return readTextForm(incoming, rows)
  const object = await readJsonObject(incoming, ORDER_BODY_MAX_BYTES)
  const texts = new Map<string, string>()
  for (const name of Object.keys(rows)) {
    const value = object[name]
    if (value === undefined || value === null) continue
    texts.set(name, name === 'images' ? listText(value) : textOf(name, value))
  }
  return { texts, files: new Map() }
}

function listText(value: unknown): string {
  if (!Array.isArray(value)) return textOf('images', value)
  return value.map((one: unknown) => textOf('each of images', one)).join(' ')
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new Failure('invalid_option', `${name} must be a string`)
}

/** Returns `<dir>/<id>_<name>` of an image, from its address on any of our domains, or as it is. */
function pathOf(c: AppContext, reference: string): string {
  const address = parseContentUrl(c, reference)
  return address?.kind === 'image' ? address.image.path : reference
}
