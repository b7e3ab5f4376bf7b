import { Failure } from '../domain/failure.ts'
import type { GalleryAccess } from '../domain/gallery.ts'
import { createImageIdSource } from '../domain/image-id.ts'
import type { Arrival, Receipt } from '../domain/store-upload.ts'
import { type CoverUpload, type ImageUpload, receiveCover, receiveImage, type UploadOptions } from '../domain/upload.ts'
import { THUMBNAIL_DEFAULT_SIZE_PX, THUMBNAIL_MAX_SIZE_PX, THUMBNAIL_MIN_SIZE_PX } from '../limits.ts'
import type { AppContext } from './context.ts'
import { answerForm, readIdempotencyKey } from './idempotency.ts'
import { uploadResponse } from './representations.ts'
import { findText, optionalFlag, optionalInteger, requireText, type Texts } from './wire/fields.ts'
import { type Form, type FormFields, readMultipart, requireFile } from './wire/multipart.ts'

const COMMON_TEXTS = ['content_type', 'optimize_for_web', 'gallery_hash', 'gallery_upload_hash', 'include_manage_url']
const IMAGE_FIELDS: FormFields = { texts: [...COMMON_TEXTS, 'max_th_size'], files: ['img'] }
const COVER_FIELDS: FormFields = { texts: COMMON_TEXTS, files: ['img_left', 'img_right'] }

const nextImageId = createImageIdSource()

/** `POST /images`: uploads one image. */
export async function uploadImage(c: AppContext): Promise<Response> {
  const arrival = createArrival(c)
  const key = readIdempotencyKey(c.req.raw)
  const form = await readMultipart(c.req.raw, IMAGE_FIELDS, judgeOptions)
  const upload = imageUploadOf(form)
  return answerForm<Receipt>(
    c,
    { key, operation: 'uploadImage', form },
    (seal) => receiveImage(c.var.store, upload, arrival, seal),
    (receipt) => uploadResponse(c.var.host.site, receipt),
  )
}

/** `POST /covers`: uploads one image, or two to be joined. */
export async function uploadCover(c: AppContext): Promise<Response> {
  const arrival = createArrival(c)
  const key = readIdempotencyKey(c.req.raw)
  const form = await readMultipart(c.req.raw, COVER_FIELDS, judgeOptions)
  const upload = coverUploadOf(form)
  return answerForm<Receipt>(
    c,
    { key, operation: 'uploadCover', form },
    (seal) => receiveCover(c.var.store, upload, arrival, seal),
    (receipt) => uploadResponse(c.var.host.site, receipt),
  )
}

/**
 * Allots the id of an upload's picture. To be called before the body is read: ids keep the order in which requests arrive
 * (D27), and their bodies end in another order.
 */
export function createArrival(c: AppContext): Arrival {
  const { nowMs } = c.var
  return { imageId: nextImageId(nowMs), nowMs }
}

/** The upload of one image that a form asks for; `byDefault` stands in for texts it lacks. */
export async function readImageUpload(request: Request, byDefault: Record<string, string>): Promise<ImageUpload> {
  const { texts, files } = await readMultipart(request, IMAGE_FIELDS, judgeOptions)
  return imageUploadOf({ texts: new Map([...Object.entries(byDefault), ...texts]), files })
}

function imageUploadOf(form: Form): ImageUpload {
  const file = requireFile(form, 'img')
  return { ...readOptions(form), file, maxThumbnailSizePx: readThumbnailSize(form.texts) }
}

function coverUploadOf(form: Form): CoverUpload {
  return { ...readOptions(form), left: requireFile(form, 'img_left'), right: form.files.get('img_right') }
}

/** What is missing comes before what is invalid (D14). */
function readOptions({ texts }: Form): UploadOptions {
  requireText(texts, 'content_type')
  return { gallery: readGalleryAccess(texts), ...readFlags(texts) }
}

/** Refuses invalid options among those that came before a file over its limit. */
function judgeOptions(texts: Texts): void {
  readFlags(texts)
  readThumbnailSize(texts)
}

function readFlags(texts: Texts) {
  return {
    nsfw: optionalFlag(texts, 'content_type'),
    optimizeForWeb: optionalFlag(texts, 'optimize_for_web'),
    wantsManagementToken: optionalFlag(texts, 'include_manage_url'),
  }
}

function readThumbnailSize(texts: Texts): number {
  return optionalInteger(texts, 'max_th_size', {
    min: THUMBNAIL_MIN_SIZE_PX,
    max: THUMBNAIL_MAX_SIZE_PX,
    byDefault: THUMBNAIL_DEFAULT_SIZE_PX,
  })
}

function readGalleryAccess(texts: Texts): GalleryAccess | undefined {
  const hash = findText(texts, 'gallery_hash')
  const uploadToken = findText(texts, 'gallery_upload_hash')
  if (hash !== undefined && uploadToken !== undefined) return { hash, uploadToken }
  if (hash === undefined && uploadToken === undefined) return undefined
  const missing = hash === undefined ? 'gallery_hash' : 'gallery_upload_hash'
  throw new Failure('missing_field', `${missing} is missing: gallery_hash and gallery_upload_hash go together`)
}
