import { crc32 } from 'node:zlib'
import { FORMATS, type ImageFile, type ProbedImage } from 'tintype-codec/interface'
import type { Optimization } from '../../image/optimize.ts'
import type { Requester } from '../../image/turns.ts'
import { CLEANUP_INTENT_LIFETIME_MS, IMAGE_ID_MAX_TRIES, POSITION_MAX, UPLOAD_EVENT_BACK_OFF } from '../../limits.ts'
import { StorageUnavailable } from '../../storage/bounded-calls.ts'
import { NO_PREVIEW } from '../../storage/content/images.ts'
import type { SealedResponse } from '../../storage/content/leases.ts'
import type { NewUploadEvent } from '../../storage/content/upload-events.ts'
import { abandonUpload, insertImage, reserveImageId } from '../../storage/content/upload-records.ts'
import { type NewFile, putFiles } from '../../storage/files.ts'
import type { Image } from '../../storage/schema.ts'
import { onFirstAvailable, type Shard } from '../../storage/store.ts'
import { earlier } from '../content/expiry.ts'
import type { Failure } from '../failure.ts'
import { type Admission, galleryRefusal } from '../galleries/gallery.ts'
import { guestRefusal } from '../galleries/guests.ts'
import type { Seal } from '../idempotency/lease.ts'
import { digestOf } from '../ids/digest.ts'
import { imageIdAt } from '../ids/image-id.ts'
import { imagePath } from '../ids/links.ts'
import { createManagementToken } from '../ids/token.ts'
import type { ProblemLogger } from '../problem-logger.ts'

/** Subtracted from positions, so that all are below zero, and so below the ids of images. */
const POSITIONS_BEFORE_IDS = POSITION_MAX + 1

/** The arrival of an upload from a client. */
export interface Arrival extends Requester {
  /** The base of its id (image-id.ts). */
  sequenceNumber: number
  nowMs: number
  /** The time when it is stored: its body may take long. */
  clock: () => number
  logProblem: ProblemLogger
  /** Whether a preview is made (D50); true where it is left out. */
  wantsPreview?: boolean
  /** Whether no file is stored with metadata (D31); false where it is left out. */
  stripsMetadata?: boolean
  /** Asks the operator's hook (D66). Throws a `Failure` where it does not allow the upload. */
  approve?: ((candidate: CandidateUpload) => Promise<void>) | undefined
  /** Writes the announcement that is stored with the record (D66); absent where nobody wants any. */
  announce?: ((stored: StoredUpload) => string) | undefined
}

/** An upload that passed all other checks, before anything is stored of it. */
export interface CandidateUpload {
  filename: string
  sentDigest: string
  nsfw: boolean
  galleryHash: string | undefined
  /** The time at which the image will be gone, its gallery's included; null if it stays. */
  expiresAt: number | null
  image: ProbedImage
  thumbnail: ImageFile
}

/** A stored upload as it is announced. */
export interface StoredUpload {
  image: Image
  galleryHash: string | undefined
  /** The time at which the image is gone, its gallery's included; null if it stays. */
  expiresAt: number | null
}

/** An upload that was accepted, with everything that is to be stored of it. */
export interface AcceptedUpload {
  name: string
  displayName: string | null
  animated: boolean
  nsfw: boolean
  /** Undefined for a standalone upload. */
  admission: Admission | undefined
  position: number | undefined
  caption: string | undefined
  alt: string | undefined
  original: ImageFile
  thumbnail: ImageFile
  preview: ImageFile | undefined
  wantsManagementToken: boolean
  optimization: Optimization | undefined
  /** SHA-256 of what was sent, or of the cover that was joined of it; null where this is what is stored. */
  sentDigest: string | null
  /** The image's own time; null if it stays as long as its gallery. */
  expiresAt: number | null
  galleryExpiresAt: number | null
}

/** A stored upload. */
export interface Receipt {
  image: Image
  managementToken: string | undefined
  optimization: Optimization | undefined
  /** The time at which the image is gone, its gallery's included; null if it stays. */
  expiresAt: number | null
}

/**
 * Stores the files, then the record, on the first of these shards that is available when nothing is stored yet. An
 * upload is stored as a whole or not at all. Throws `gallery_not_found` or `gallery_already_finalized` if the gallery
 * was deleted or finalized in the meantime, or has expired.
 */
export async function storeUpload(
  shards: Iterable<Shard>,
  upload: AcceptedUpload,
  arrival: Arrival,
  seal?: Seal<Receipt>,
): Promise<Receipt> {
  const { wantsManagementToken, optimization } = upload
  const { shard, id } = await onFirstAvailable(shards, async (tried) => ({
    shard: tried,
    id: await reserveId(tried, arrival, upload.name),
  }))
  const image = recordOf(upload, id)
  const managementToken = wantsManagementToken ? createManagementToken(shard.number) : undefined
  const expiresAt = earlier(upload.expiresAt, upload.galleryExpiresAt)
  const receipt = { image, managementToken, optimization, expiresAt }
  try {
    await putFiles(shard, imagePath(image), {
      images: { bytes: upload.original.bytes, mediaType: image.mediaType },
      thumbs: fileOf(upload.thumbnail),
      ...(upload.preview && { previews: fileOf(upload.preview) }),
    })
    const event = eventOf(arrival, { image, galleryHash: upload.admission?.gallery.hash, expiresAt })
    await recordUpload(shard, receipt, upload.admission, await seal?.(receipt), arrival.clock(), event)
  } catch (error) {
    // The record may be there although the reply was lost. If not, it must not be written later: nobody would have its token.
    if (!(await abandonUpload(shard, image))) throw error
  }
  return receipt
}

/** Reserves the id of the upload, or the next free one: another isolate may have chosen the same id in the same millisecond. */
async function reserveId(shard: Shard, arrival: Arrival, name: string): Promise<number> {
  const dueAt = arrival.clock() + CLEANUP_INTENT_LIFETIME_MS
  for (let tries = 0; tries < IMAGE_ID_MAX_TRIES; tries++) {
    const id = imageIdAt(arrival.sequenceNumber + tries, shard.number)
    if (await reserveImageId(shard, id, name, dueAt)) return id
  }
  throw new Error(`no free image id from sequence number ${arrival.sequenceNumber} on`)
}

function recordOf(upload: AcceptedUpload, id: number): Image {
  const { name, displayName, animated, nsfw, original, thumbnail, preview, sentDigest, expiresAt } = upload
  return {
    id,
    name,
    mediaType: FORMATS[original.format].mediaType,
    bytes: original.bytes.length,
    width: original.size.width,
    height: original.size.height,
    thumbnailBytes: thumbnail.bytes.length,
    thumbnailWidth: thumbnail.size.width,
    thumbnailHeight: thumbnail.size.height,
    nsfw,
    galleryId: upload.admission?.gallery.id ?? null,
    deletedAt: null,
    deletedBy: null,
    sentDigest,
    pathDigest: null,
    crc32: crc32(original.bytes),
    hiddenAt: null,
    thumbnailCrc32: crc32(thumbnail.bytes),
    ...(preview ? previewColumns(preview) : NO_PREVIEW),
    displayName,
    animated,
    caption: upload.caption ?? null,
    alt: upload.alt ?? null,
    ...sortKeyOf(upload.position, id),
    expiresAt,
  }
}

/**
 * The sort key of an image that was uploaded with a position: before all images without, whose anchors are their ids. Equal positions
 * are in order of arrival. Without a position there is none: the database makes it where the gallery is arranged.
 */
function sortKeyOf(position: number | undefined, id: number): Pick<Image, 'sortAnchor' | 'sortRank'> {
  return position === undefined
    ? { sortAnchor: null, sortRank: null }
    : { sortAnchor: position - POSITIONS_BEFORE_IDS, sortRank: id }
}

function previewColumns({ bytes, format, size }: ImageFile) {
  return {
    previewMediaType: FORMATS[format].mediaType,
    previewBytes: bytes.length,
    previewWidth: size.width,
    previewHeight: size.height,
    previewCrc32: crc32(bytes),
  }
}

function fileOf({ bytes, format }: ImageFile): NewFile {
  return { bytes, mediaType: FORMATS[format].mediaType }
}

function eventOf({ announce, clock }: Arrival, stored: StoredUpload): NewUploadEvent | undefined {
  return announce && { body: announce(stored), dueAt: clock() + UPLOAD_EVENT_BACK_OFF.firstMs }
}

async function recordUpload(
  shard: Shard,
  { image, managementToken }: Receipt,
  admission: Admission | undefined,
  sealed: SealedResponse | undefined,
  nowMs: number,
  event: NewUploadEvent | undefined,
): Promise<void> {
  const tokenDigest = managementToken && (await digestOf(managementToken))
  if (await insertImage(shard, image, tokenDigest, sealed, nowMs, admission?.right, event)) return
  const refusal =
    admission && ((await linkRefusal(shard, admission)) ?? (await galleryRefusal(shard, admission, nowMs)))
  // The sweep has claimed its files: it took an hour.
  throw refusal ?? new StorageUnavailable(`the upload ${image.id} could not be recorded`)
}

async function linkRefusal(shard: Shard, { right }: Admission): Promise<Failure | undefined> {
  return right.kind === 'guest' ? guestRefusal(shard, right) : undefined
}
