import { lifetimeOf } from '../../domain/content/expiry.ts'
import { requireManagedGallery } from '../../domain/content/management.ts'
import { Failure } from '../../domain/failure.ts'
import type { ManagedGallery } from '../../domain/galleries/gallery.ts'
import { requireGuestGallery } from '../../domain/galleries/guests.ts'
import { createSequence } from '../../domain/ids/image-id.ts'
import type { SentFile } from '../../domain/sent-file.ts'
import type { ExpiryRules } from '../../domain/settings/expiry-rules.ts'
import { parsePreviews } from '../../domain/settings/previews.ts'
import { parseStripMetadata } from '../../domain/settings/strip-metadata.ts'
import { type Shard, shardForToken, shardsForUpload } from '../../domain/shards/sharding.ts'
import type { Arrival, Receipt } from '../../domain/uploads/store-upload.ts'
import {
  type CoverUpload,
  type ImageUpload,
  receiveCover,
  receiveImage,
  type UploadOptions,
  type UploadReceiver,
} from '../../domain/uploads/upload.ts'
import {
  COVER_FORM,
  GUEST_IMAGE_FORM,
  IMAGE_FORM,
  type IntegerRow,
  MANAGED_IMAGE_FORM,
  NEW_UPLOAD_FORM,
  type Rows,
  type UPLOAD_OPTIONS,
} from '../../forms.ts'
import { THUMBNAIL_MAX_SIZE_PX } from '../../limits.ts'
import * as time from '../../time.ts'
import type { Incoming } from '../body/buffered-body.ts'
import { readUploadForm, type Values, valuesOf } from '../body/form-values.ts'
import { type Form, readFiles } from '../body/multipart.ts'
import { type AppContext, pathParameter } from '../context.ts'
import { countUp } from '../counters.ts'
import { expiryRulesOf, withMaximum } from '../expiry.ts'
import { clientKey } from '../limits/client-address.ts'
import { type Charges, chargeClient, chargePixels, keyCharges, uploadCharges } from '../limits/client-limits.ts'
import { requireDiskRoom } from '../limits/disk-room.ts'
import { requireHuman } from '../middleware/human-check.ts'
import { acquireLease, readIdempotencyKey, replay } from '../middleware/idempotency.ts'
import { approverOf } from '../middleware/upload-hook.ts'
import { checkUploadKey, needNone } from '../middleware/upload-keys.ts'
import { jsonText } from '../responses/json.ts'
import { uploadResponse } from '../responses/representations.ts'
import { settingReader } from '../setting-reader.ts'
import { announcerOf, announceUpload } from '../upload-webhook.ts'

/** The operation of an upload. */
type UploadKind = 'image' | 'cover'

const nextSequenceNumber = createSequence()
/** The field for images shared from a phone, as in the manifest. */
const SHARED_FIELD = 'img'

/** The rows of a form that uploads. */
type UploadRows = Rows & { expires_in: IntegerRow }

/** An operation that uploads: how its form is read, and how its files are received. */
interface UploadOperation<Upload> {
  kind: UploadKind
  operation: string
  /** Charges besides its size. */
  charges: Charges
  rows: UploadRows
  uploadOf: (form: Form, rules: ExpiryRules) => Upload
  filesOf: (upload: Upload) => readonly SentFile[]
  receive: UploadReceiver<Upload>
}

const IMAGE: UploadOperation<ImageUpload> = {
  kind: 'image',
  operation: 'uploadImage',
  charges: {},
  rows: IMAGE_FORM,
  uploadOf: imageUploadOf,
  filesOf: ({ file }) => [file],
  receive: receiveImage,
}

const NEW_UPLOAD: UploadOperation<ImageUpload> = {
  ...IMAGE,
  operation: 'uploadNewImage',
  rows: NEW_UPLOAD_FORM,
  uploadOf: newUploadOf,
}

const MANAGED: UploadOperation<ImageUpload> = {
  ...IMAGE,
  operation: 'addManagedImage',
  rows: MANAGED_IMAGE_FORM,
  uploadOf: managedUploadOf,
}

const GUEST_IMAGE: UploadOperation<ImageUpload> = {
  ...IMAGE,
  operation: 'uploadGuestImage',
  rows: GUEST_IMAGE_FORM,
}

const COVER: UploadOperation<CoverUpload> = {
  kind: 'cover',
  operation: 'uploadCover',
  charges: { covers: 1 },
  rows: COVER_FORM,
  uploadOf: coverUploadOf,
  filesOf: ({ left, right }) => (right ? [left, right] : [left]),
  receive: receiveCover,
}

/** `POST /images`: uploads one image. */
export function uploadImage(c: AppContext): Promise<Response> {
  return receiveUpload(c, IMAGE)
}

/** `POST /new-upload/`: uploads one image as `POST /images` does, from a form with other names. */
export function uploadNewImage(c: AppContext): Promise<Response> {
  return receiveUpload(c, NEW_UPLOAD)
}

/** `POST /covers`: uploads one image, or two to be joined. */
export function uploadCover(c: AppContext): Promise<Response> {
  return receiveUpload(c, COVER)
}

/** `POST /management/{token}/images`: adds an image to a gallery, finalized or not. The token is checked before the body (D17). */
export async function addImage(c: AppContext): Promise<Response> {
  const { store, nowMs } = c.var
  const token = pathParameter(c, 'token')
  const manage = async () => {
    const gallery = await requireManagedGallery(store, token, nowMs)
    return { hash: gallery.hash, managed: gallery }
  }
  // Bound to the key, so that another token with the same key and form is another request.
  return receiveUpload(c, MANAGED, { manage, token, shards: [shardForToken(store, token)] })
}

/** `POST /guests/{token}/images`: uploads one image of a guest, who has the permission of whoever made the link. */
export function uploadGuestImage(c: AppContext): Promise<Response> {
  const { store, nowMs } = c.var
  const token = pathParameter(c, 'token')
  const manage = () => requireGuestGallery(store, token, nowMs)
  return receiveUpload(c, GUEST_IMAGE, { manage, token, shards: [shardForToken(store, token)] })
}

/** The gallery of a management token, or of the token of a guest. */
interface Managed {
  /** Finds the gallery. Throws as `requireManagedGallery` does. */
  manage: () => Promise<ManagedGallery>
  token: string
  shards: readonly Shard[]
}

async function receiveUpload<Upload extends UploadOptions>(
  c: AppContext,
  { kind, operation, charges, rows, uploadOf, filesOf, receive }: UploadOperation<Upload>,
  managed?: Managed,
): Promise<Response> {
  const { store, incoming, host } = c.var
  const arrival = createArrival(c, kind)
  const hasFormKey = operation === GUEST_IMAGE.operation ? needNone : await checkUploadKey(c)
  // A private link is permission enough.
  if (!managed) await requireHuman(c)
  const key = readIdempotencyKey(c.req.raw)
  const all = { ...uploadCharges(c.req.raw), ...charges, ...keyCharges(key) }
  await chargeClient(c, all)
  await using lease = await acquireLease(c, operation, key)
  // A response that is stored is the same after the gallery was deleted.
  const gallery = lease.isStored ? undefined : await managed?.manage()
  if (!lease.isStored) await requireDiskRoom(c)
  const rules = expiryRulesOf(c)
  const form = await readUploadForm(incoming, withMaximum(rules, rows))
  if (await hasFormKey(form.texts)) await chargeClient(c, all)
  const read = uploadOf(form, rules)
  if (managed) form.texts.set('token', managed.token)
  const { stored, shards } = await lease.bind(form, managed?.shards ?? shardsForUpload(store, read.gallery))
  if (stored !== undefined) return replay(c, stored)
  const upload = managed ? { ...read, gallery: gallery ?? (await managed.manage()) } : read
  await chargePixels(c, filesOf(upload))
  const write = (receipt: Receipt) => JSON.stringify(uploadResponse(host.site, receipt, upload.lifetime))
  const receipt = await receive(store, upload, arrival, (made) => lease.seal(write(made)), shards)
  lease.complete()
  noteUpload(c, kind, receipt)
  return jsonText(c, write(receipt))
}

/** Receives and counts an image of a form of the pages. */
export async function receiveCounted(c: AppContext, upload: ImageUpload, arrival: Arrival): Promise<Receipt> {
  const receipt = await receiveImage(c.var.store, upload, arrival)
  noteUpload(c, 'image', receipt)
  return receipt
}

/** Counts an upload that is stored, with the bytes that it takes, and announces it. */
export function noteUpload(c: AppContext, kind: UploadKind, { image }: Receipt): void {
  announceUpload(c, image.id)
  countUp('uploads', { kind, format: image.mediaType })
  countUp('stored_bytes', {}, image.bytes + image.thumbnailBytes + (image.previewBytes ?? 0))
}

/**
 * Assigns the sequence number of an upload. Call it before the body is read: images are in the order in which requests
 * arrive (D27), and bodies end in another order.
 */
export function createArrival(c: AppContext, kind: UploadKind = 'image'): Arrival {
  const { nowMs, logProblem } = c.var
  return {
    sequenceNumber: nextSequenceNumber(nowMs),
    nowMs,
    clock: () => time.nowMs(c.env),
    logProblem,
    signal: c.req.raw.signal,
    client: clientKey(c.req.raw),
    wantsPreview: readPreviews(c.env.PREVIEWS ?? '', logProblem),
    approve: approverOf(c, kind),
    announce: announcerOf(c, kind),
    stripsMetadata: readStripMetadata(c.env.STRIP_METADATA ?? '', logProblem),
  }
}

const readPreviews = settingReader({ parse: parsePreviews, otherwise: true, problem: 'read PREVIEWS' })
// A setting that cannot be read was meant to protect somebody.
const readStripMetadata = settingReader({
  parse: parseStripMetadata,
  otherwise: true,
  problem: 'metadata is always removed',
})

/**
 * Reads images shared from a phone, with the options of the form without a script, because the user has seen none.
 * Throws `missing_field` if there is none.
 */
export async function readSharedUploads(incoming: Incoming, rules: ExpiryRules): Promise<ImageUpload[]> {
  const files = await readFiles(incoming, SHARED_FIELD)
  if (files.length === 0) throw new Failure('missing_field', `${SHARED_FIELD} is missing: share at least one picture`)
  const texts = new Map([
    ['content_type', '0'],
    ['optimize_for_web', '1'],
    ['max_th_size', String(THUMBNAIL_MAX_SIZE_PX)],
  ])
  return files.map((file) => imageUploadOf({ texts, files: new Map([[SHARED_FIELD, file]]) }, rules))
}

/** Reads the upload of one image from a form; `byDefault` has the values of missing fields. */
export async function readImageUpload(
  incoming: Incoming,
  byDefault: Record<string, string>,
  rules: ExpiryRules,
): Promise<ImageUpload> {
  const { texts, files } = await readUploadForm(incoming, withMaximum(rules, IMAGE_FORM))
  return imageUploadOf({ texts: new Map([...Object.entries(byDefault), ...texts]), files }, rules)
}

function imageUploadOf(form: Form, rules: ExpiryRules): ImageUpload {
  const values = valuesOf(withMaximum(rules, IMAGE_FORM), form)
  return { ...optionsOf(values, rules), file: values.img, maxThumbnailSizePx: values.max_th_size }
}

function newUploadOf(form: Form, rules: ExpiryRules): ImageUpload {
  const { file, name, ...values } = valuesOf(withMaximum(rules, NEW_UPLOAD_FORM), form)
  const named = { ...file, filename: name ?? file.filename }
  return { ...optionsOf(values, rules), file: named, maxThumbnailSizePx: values.max_th_size }
}

function managedUploadOf(form: Form, rules: ExpiryRules): ImageUpload {
  const values = valuesOf(withMaximum(rules, MANAGED_IMAGE_FORM), form)
  const alone = { gallery_hash: undefined, gallery_upload_hash: undefined, include_manage_url: false }
  return { ...optionsOf({ ...values, ...alone }, rules), file: values.img, maxThumbnailSizePx: values.max_th_size }
}

function coverUploadOf(form: Form, rules: ExpiryRules): CoverUpload {
  const values = valuesOf(withMaximum(rules, COVER_FORM), form)
  return { ...optionsOf(values, rules), left: values.img_left, right: values.img_right }
}

function optionsOf(values: Values<typeof UPLOAD_OPTIONS>, rules: ExpiryRules): UploadOptions {
  const { gallery_hash: hash, gallery_upload_hash: uploadToken } = values
  return {
    nsfw: values.content_type,
    optimizeForWeb: values.optimize_for_web,
    gallery: hash !== undefined && uploadToken !== undefined ? { hash, uploadToken } : undefined,
    wantsManagementToken: values.include_manage_url,
    position: values.position,
    caption: values.caption || undefined,
    alt: values.alt || undefined,
    lifetime: lifetimeOf(rules, values.expires_in),
  }
}
