import { Failure } from '../../domain/failure.ts'
import { createPlaceSource } from '../../domain/image-id.ts'
import { shardsForUpload } from '../../domain/placement.ts'
import type { SentFile } from '../../domain/sent-file.ts'
import type { Arrival, Receipt } from '../../domain/store-upload.ts'
import {
  type CoverUpload,
  type ImageUpload,
  receiveCover,
  receiveImage,
  type UploadOptions,
  type UploadReceiver,
} from '../../domain/upload.ts'
import { COVER_FORM, IMAGE_FORM, type Rows, type UPLOAD_OPTIONS } from '../../forms.ts'
import { THUMBNAIL_MAX_SIZE_PX } from '../../limits.ts'
import * as time from '../../time.ts'
import type { Incoming } from '../body/buffered-body.ts'
import { readUploadForm, type Values, valuesOf } from '../body/form-values.ts'
import { type Form, readFiles } from '../body/multipart.ts'
import type { AppContext } from '../context.ts'
import { countUp } from '../counters.ts'
import { clientKey } from '../limits/client-address.ts'
import { type Charges, chargePixels, uploadCharges } from '../limits/client-limits.ts'
import { requireDiskRoom } from '../limits/disk-room.ts'
import { answerRequest } from '../middleware/idempotency.ts'
import { uploadResponse } from '../responses/representations.ts'

/** By which operation a picture came. */
type UploadKind = 'image' | 'cover'

const nextPlace = createPlaceSource()
/** The field in which a phone shares pictures, as the manifest says. */
const SHARED_FIELD = 'img'

/** `POST /images`: uploads one image. */
export function uploadImage(c: AppContext): Promise<Response> {
  return answerUpload(
    c,
    { kind: 'image', operation: 'uploadImage', charges: {}, rows: IMAGE_FORM },
    imageUploadOf,
    ({ file }) => [file],
    receiveImage,
  )
}

/** `POST /covers`: uploads one image, or two to be joined. */
export function uploadCover(c: AppContext): Promise<Response> {
  return answerUpload(
    c,
    { kind: 'cover', operation: 'uploadCover', charges: { covers: 1 }, rows: COVER_FORM },
    coverUploadOf,
    ({ left, right }) => (right ? [left, right] : [left]),
    receiveCover,
  )
}

function answerUpload<Upload extends UploadOptions>(
  c: AppContext,
  { kind, operation, charges, rows }: { kind: UploadKind; operation: string; charges: Charges; rows: Rows },
  uploadOf: (form: Form) => Upload,
  filesOf: (upload: Upload) => readonly SentFile[],
  receive: UploadReceiver<Upload>,
): Promise<Response> {
  const arrival = createArrival(c)
  return answerRequest<Upload, Receipt>(c, operation, {
    charges: { ...uploadCharges(c.req.raw), ...charges },
    admit: () => requireDiskRoom(c),
    async read() {
      const form = await readUploadForm(c.var.incoming, rows)
      return { form, wanted: uploadOf(form) }
    },
    shardsFor: (upload) => shardsForUpload(c.var.store, upload.gallery),
    async perform(upload, seal, shards) {
      await chargePixels(c, filesOf(upload))
      return countUpload(kind, receive(c.var.store, upload, arrival, seal, shards))
    },
    represent: (receipt) => uploadResponse(c.var.host.site, receipt),
  })
}

/** Counts an upload once it is stored, with the bytes that it takes. */
export async function countUpload(kind: UploadKind, receiving: Promise<Receipt>): Promise<Receipt> {
  const receipt = await receiving
  const { mediaType, bytes, thumbnailBytes } = receipt.image
  countUp('uploads', { kind, format: mediaType })
  countUp('stored_bytes', {}, bytes + thumbnailBytes)
  return receipt
}

/**
 * Allots the place of an upload in the order of arrival. To be called before the body is read: pictures keep the order in which
 * requests arrive (D27), and their bodies end in another order.
 */
export function createArrival(c: AppContext): Arrival {
  const { nowMs, logProblem } = c.var
  return {
    place: nextPlace(nowMs),
    nowMs,
    clock: () => time.nowMs(c.env),
    logProblem,
    isGone: () => c.req.raw.signal.aborted,
    client: clientKey(c.req.raw),
  }
}

/**
 * The pictures that a phone shares, as uploads of which the options are those of the form without a script: whoever shares has
 * seen none. Throws `missing_field` if there is none.
 */
export async function readSharedUploads(incoming: Incoming): Promise<ImageUpload[]> {
  const files = await readFiles(incoming, SHARED_FIELD)
  if (files.length === 0) throw new Failure('missing_field', `${SHARED_FIELD} is missing: share at least one picture`)
  const texts = new Map([
    ['content_type', '0'],
    ['optimize_for_web', '1'],
    ['max_th_size', String(THUMBNAIL_MAX_SIZE_PX)],
  ])
  return files.map((file) => imageUploadOf({ texts, files: new Map([[SHARED_FIELD, file]]) }))
}

/** The upload of one image that a form asks for; `byDefault` stands in for texts it lacks. */
export async function readImageUpload(incoming: Incoming, byDefault: Record<string, string>): Promise<ImageUpload> {
  const { texts, files } = await readUploadForm(incoming, IMAGE_FORM)
  return imageUploadOf({ texts: new Map([...Object.entries(byDefault), ...texts]), files })
}

function imageUploadOf(form: Form): ImageUpload {
  const values = valuesOf(IMAGE_FORM, form)
  return { ...optionsOf(values), file: values.img, maxThumbnailSizePx: values.max_th_size }
}

function coverUploadOf(form: Form): CoverUpload {
  const values = valuesOf(COVER_FORM, form)
  return { ...optionsOf(values), left: values.img_left, right: values.img_right }
}

function optionsOf(values: Values<typeof UPLOAD_OPTIONS>): UploadOptions {
  const { gallery_hash: hash, gallery_upload_hash: uploadToken } = values
  return {
    nsfw: values.content_type,
    optimizeForWeb: values.optimize_for_web,
    gallery: hash !== undefined && uploadToken !== undefined ? { hash, uploadToken } : undefined,
    wantsManagementToken: values.include_manage_url,
  }
}
