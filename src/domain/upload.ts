import { joinCover } from '../image/cover.ts'
import { FORMATS, type Format, type Size, uprightSize } from '../image/format.ts'
import { type OptimizationReport, optimize, type ReportedSource } from '../image/optimize.ts'
import type { Picture } from '../image/picture.ts'
import { probe } from '../image/probe.ts'
import { ImageRefusal, type RefusalReason } from '../image/refusal.ts'
import { makeThumbnail } from '../image/thumbnail.ts'
import { CLEANUP_INTENT_LIFETIME_MS, THUMBNAIL_DEFAULT_SIZE_PX } from '../limits.ts'
import { expireReservation } from '../storage/cleanup.ts'
import { putFiles } from '../storage/files.ts'
import type { SealedAnswer } from '../storage/idempotency.ts'
import { insertImage, reserveImageId } from '../storage/images.ts'
import type { Gallery, Image } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'
import { Failure, type FailureCode } from './failure.ts'
import { imageName } from './filename.ts'
import { type GalleryAccess, galleryRefusal, requireOpenGallery } from './gallery.ts'
import type { Seal } from './idempotency.ts'
import { imagePath } from './links.ts'
import { createManagementToken, digestOf } from './token.ts'

/** A file as it was sent. */
export interface SentFile {
  filename: string
  bytes: Uint8Array
}

/** What uploads of images and covers have in common. */
export interface UploadOptions {
  nsfw: boolean
  optimizeForWeb: boolean
  gallery: GalleryAccess | undefined
  wantsManagementToken: boolean
}

export interface ImageUpload extends UploadOptions {
  file: SentFile
  maxThumbnailSizePx: number
}

export interface CoverUpload extends UploadOptions {
  left: SentFile
  right: SentFile | undefined
}

/** When an upload arrived, and the id its picture is to have. */
export interface Arrival {
  imageId: number
  nowMs: number
}

/** A stored upload. */
export interface Receipt {
  image: Image
  managementToken: string | undefined
  optimization: OptimizationReport | undefined
}

/** What is to be stored of an upload: the file, and what was done to it. */
interface Keep {
  bytes: Uint8Array
  format: Format
  size: Size
  report: OptimizationReport | undefined
}

/**
 * Takes in one image (`POST /images`). Order is price: the gallery is asked before anything is decoded (D14). `seal` is
 * there for a request that has effect once.
 */
export async function receiveImage(
  store: Store,
  upload: ImageUpload,
  arrival: Arrival,
  seal?: Seal<Receipt>,
): Promise<Receipt> {
  const gallery = upload.gallery && (await requireOpenGallery(store, upload.gallery, arrival.nowMs))
  const picture = inspect(upload.file, 'img')
  const keep = upload.optimizeForWeb ? await optimizeOrKeep(picture) : asSent(picture)
  return storeUpload(store, { upload, gallery, keep, picture, filename: upload.file.filename }, arrival, seal)
}

/** Takes in a cover (`POST /covers`): the left image alone, or two joined side by side (D35). `seal` as above. */
export async function receiveCover(
  store: Store,
  upload: CoverUpload,
  arrival: Arrival,
  seal?: Seal<Receipt>,
): Promise<Receipt> {
  const gallery = upload.gallery && (await requireOpenGallery(store, upload.gallery, arrival.nowMs))
  const left = inspect(upload.left, 'img_left')
  const right = upload.right && inspect(upload.right, 'img_right')
  const picture = right ? await refusing(() => joinCover(left, right), 'img_left and img_right') : left
  const source = right && {
    mediaType: FORMATS[left.facts.format].mediaType,
    bytes: left.bytes.length + right.bytes.length,
  }
  const keep = upload.optimizeForWeb ? await optimizeOrKeep(picture, source) : asSent(picture)
  return storeUpload(store, { upload, gallery, keep, picture, filename: upload.left.filename }, arrival, seal)
}

/** Reads a file's header. Throws for an unknown signature, and for a header that cannot be right or asks for too much. */
function inspect(file: SentFile, field: string): Picture {
  try {
    const facts = probe(file.bytes)
    if (facts) return { bytes: file.bytes, facts }
  } catch (error) {
    throw asFailure(error, field)
  }
  throw new Failure('unsupported_image_format', `${field} must be a JPEG, PNG, GIF, WebP or AVIF file`)
}

function asSent({ bytes, facts }: Picture): Keep {
  return { bytes, format: facts.format, size: uprightSize(facts), report: undefined }
}

/** Optimization is optional: a picture that cannot be optimized is kept as it was sent, without a report (D34). */
async function optimizeOrKeep(picture: Picture, source?: ReportedSource): Promise<Keep> {
  try {
    return await optimize(picture, source)
  } catch (error) {
    if (!(error instanceof ImageRefusal))
      console.error(`optimization failed: ${error instanceof Error ? error.stack : ''}`)
    return asSent(picture)
  }
}

/** Makes the thumbnail, stores both files, then writes the record: an upload is there as a whole or not at all. */
async function storeUpload(
  store: Store,
  received: {
    upload: UploadOptions & { maxThumbnailSizePx?: number }
    gallery: Gallery | undefined
    keep: Keep
    picture: Picture
    filename: string
  },
  arrival: Arrival,
  seal: Seal<Receipt> | undefined,
): Promise<Receipt> {
  const { upload, gallery, keep, picture } = received
  const thumbnail = await refusing(
    () => makeThumbnail(picture, upload.maxThumbnailSizePx ?? THUMBNAIL_DEFAULT_SIZE_PX),
    'the image',
  )
  const name = imageName(received.filename, keep.format)
  const image: Image = {
    id: await reserveId(store, arrival, name),
    name,
    mediaType: FORMATS[keep.format].mediaType,
    bytes: keep.bytes.length,
    width: keep.size.width,
    height: keep.size.height,
    thumbnailBytes: thumbnail.bytes.length,
    thumbnailWidth: thumbnail.size.width,
    thumbnailHeight: thumbnail.size.height,
    nsfw: upload.nsfw,
    galleryId: gallery?.id ?? null,
    deletedAt: null,
  }
  await putFiles(store, imagePath(image), {
    images: { bytes: keep.bytes, mediaType: image.mediaType },
    thumbs: { bytes: thumbnail.bytes, mediaType: FORMATS.webp.mediaType },
  })
  const managementToken = upload.wantsManagementToken && !gallery ? createManagementToken() : undefined
  const receipt = { image, managementToken, optimization: keep.report }
  await recordUpload(store, receipt, await seal?.(receipt))
  return receipt
}

/** Reserves the id of the request, or the next free one: another isolate may have allotted the same in the same millisecond. */
async function reserveId(store: Store, arrival: Arrival, name: string): Promise<number> {
  const dueAt = arrival.nowMs + CLEANUP_INTENT_LIFETIME_MS
  for (let id = arrival.imageId; id < arrival.imageId + 100; id++) {
    if (await reserveImageId(store, id, name, dueAt)) return id
  }
  throw new Error(`no free image id from ${arrival.imageId} on`)
}

async function recordUpload(
  store: Store,
  { image, managementToken }: Receipt,
  sealed: SealedAnswer | undefined,
): Promise<void> {
  if (await insertImage(store, image, managementToken && (await digestOf(managementToken)), sealed)) return
  await expireReservation(store, image.id)
  const refusal = image.galleryId === null ? undefined : await galleryRefusal(store, image.galleryId)
  throw refusal ?? new Error(`the upload ${image.id} could not be recorded`)
}

const REFUSAL_CODES = {
  unreadable: 'unreadable_image',
  over_budget: 'image_too_large',
} as const satisfies Record<RefusalReason, FailureCode>

/** Does something with pictures; what they are refused for becomes a failure of the request. */
async function refusing<T>(make: () => Promise<T>, what: string): Promise<T> {
  try {
    return await make()
  } catch (error) {
    throw asFailure(error, what)
  }
}

function asFailure(error: unknown, what: string): unknown {
  return error instanceof ImageRefusal ? new Failure(REFUSAL_CODES[error.reason], `${what}: ${error.message}`) : error
}
