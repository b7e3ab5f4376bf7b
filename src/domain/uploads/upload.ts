import { asSent, FORMATS, ImageRefusal, type ProbedImage, probe, type RefusalReason } from 'tintype-codec/interface'
import { release } from '../../bytes.ts'
import type { FailureCode } from '../../errors.ts'
import { joinCover } from '../../image/cover.ts'
import {
  type Candidate,
  type Conversion,
  convert,
  isSame,
  type OptimizationSource,
  type Optimized,
  optimize,
  withLosslessCandidate,
  withoutMetadata,
} from '../../image/optimize.ts'
import { makeFiles } from '../../image/thumbnail.ts'
import { TurnRefusal } from '../../image/turns.ts'
import { THUMBNAIL_DEFAULT_SIZE_PX } from '../../limits.ts'
import type { Shard, Store } from '../../storage/store.ts'
import { earlier, type Lifetime, ownExpiry } from '../content/expiry.ts'
import { displayName, imageName } from '../content/filename.ts'
import { isOwnPreview, previewBeside } from '../content/preview.ts'
import { Failure } from '../failure.ts'
import { type Admission, admitToGallery, type GalleryEntry } from '../galleries/gallery.ts'
import type { Seal } from '../idempotency/lease.ts'
import { digestOf } from '../ids/digest.ts'
import { type FingerprintCheck, refuseBlockedFiles, refuseSimilarImages } from '../moderation/blocking.ts'
import type { SentFile } from '../sent-file.ts'
import { shardsForUpload } from '../shards/sharding.ts'
import { type AcceptedUpload, type Arrival, type Receipt, storeUpload } from './store-upload.ts'

/** Options of images and covers. */
export interface UploadOptions {
  nsfw: boolean
  optimizeForWeb: boolean
  gallery: GalleryEntry | undefined
  wantsManagementToken: boolean
  /** Images with a position come first in their gallery, in the order of their positions. */
  position?: number | undefined
  caption?: string | undefined
  /** Alternative text, for readers who do not see the image. */
  alt?: string | undefined
  /** Absent for what stays. */
  lifetime?: Lifetime | undefined
}

/** A request to upload one image. */
export interface ImageUpload extends UploadOptions {
  file: SentFile
  maxThumbnailSizePx: number
}

/** A request to upload a cover. */
export interface CoverUpload extends UploadOptions {
  left: SentFile
  right: SentFile | undefined
}

/**
 * Checks, converts and stores an upload, and frees the memory of its files. Cheap checks come first: the gallery is looked up
 * before anything is decoded (D14). It is stored on the first of the shards that is available. `seal` seals the response to a request with
 * an Idempotency-Key, which is bound to one shard.
 * While the images of others are before its own, a client that hangs up ends it: nothing is stored yet, and nobody would know of
 * the image.
 */
export type UploadReceiver<Upload> = (
  store: Store,
  upload: Upload,
  arrival: Arrival,
  seal?: Seal<Receipt>,
  shards?: Iterable<Shard>,
) => Promise<Receipt>

/** Receives one image (`POST /images`). */
export const receiveImage = receiverOf<ImageUpload>(async (store, { file, maxThumbnailSizePx }) => {
  const image = requireImage(file, 'img')
  const sentDigest = await digestOf(image.bytes)
  const fingerprintCheck = await refuseBlockedFiles(store, [sentDigest])
  return { image, filename: file.filename, sentDigest, fingerprintCheck, maxThumbnailSizePx }
})

/** Receives a cover (`POST /covers`): the left image alone, or two joined side by side (D35). */
export const receiveCover = receiverOf<CoverUpload>(async (store, upload, arrival) => {
  const left = requireImage(upload.left, 'img_left')
  const right = upload.right && requireImage(upload.right, 'img_right')
  const leftDigest = await digestOf(left.bytes)
  const fingerprintCheck = await refuseBlockedFiles(
    store,
    right ? [leftDigest, await digestOf(right.bytes)] : [leftDigest],
  )
  const common = { filename: upload.left.filename, fingerprintCheck, maxThumbnailSizePx: THUMBNAIL_DEFAULT_SIZE_PX }
  if (!right) return { ...common, image: left, sentDigest: leftDigest }
  const cover = await failingAs(() => joinCover(left, right, arrival), 'img_left and img_right')
  const source = sourceOf(left, right)
  for (const half of [left, right]) release(half.bytes)
  return { ...common, image: cover, sentDigest: await digestOf(cover.bytes), source }
})

/** An image that may be stored unless it looks like a blocked one. */
interface AdmittedImage {
  image: ProbedImage
  filename: SentFile['filename']
  sentDigest: string
  fingerprintCheck: FingerprintCheck
  maxThumbnailSizePx: number
  source?: OptimizationSource
}

/** Receives uploads whose image is made of their files by `admitFiles`, once their gallery was found. */
function receiverOf<Upload extends UploadOptions>(
  admitFiles: (store: Store, upload: Upload, arrival: Arrival) => Promise<AdmittedImage>,
): UploadReceiver<Upload> {
  return async (store, upload, arrival, seal, shards = shardsForUpload(store, upload.gallery)) => {
    const admission = await admit(store, upload, arrival)
    const { image, filename, sentDigest, fingerprintCheck, maxThumbnailSizePx, source } = await admitFiles(
      store,
      upload,
      arrival,
    )
    const { thumbnail, preview, ...converted } = await convertPixels(image, upload, maxThumbnailSizePx, arrival)
    await failingAs(() => refuseSimilarImages(store, fingerprintCheck, thumbnail, arrival), 'the image')
    const ends = endsOf(upload, admission, arrival)
    await arrival.approve?.({
      filename,
      sentDigest,
      nsfw: upload.nsfw,
      galleryHash: admission?.gallery.hash,
      expiresAt: earlier(ends.expiresAt, ends.galleryExpiresAt),
      image,
      thumbnail,
    })
    const made = await failingAs(() => withLosslessCandidate(image, converted, arrival), 'the image')
    const { isAsSent, ...original } = await failingAs(
      async () => chooseOriginal(image, upload, made, arrival, source),
      'the image',
    )
    const accepted = accept(upload, admission, filename, {
      ...original,
      ...ends,
      animated: image.facts.animated,
      thumbnail,
      preview: previewBeside(original.original, preview),
      sentDigest: isAsSent ? null : sentDigest,
    })
    try {
      return await storeUpload(shards, accepted, arrival, seal)
    } finally {
      release(accepted.original.bytes)
    }
  }
}

/** The files of an image and, of one that is to be optimized, the WebP that may replace it. */
function convertPixels(
  image: ProbedImage,
  { optimizeForWeb }: UploadOptions,
  maxThumbnailSizePx: number,
  arrival: Arrival,
): Promise<Conversion> {
  const preview = (arrival.wantsPreview ?? true) && (optimizeForWeb || !isOwnPreview(image))
  const wanted = { maxThumbnailSizePx, preview }
  const convertAlone = async () => ({ ...(await makeFiles(image, wanted, arrival)), problem: undefined })
  return failingAs(optimizeForWeb ? () => convert(image, wanted, arrival) : convertAlone, 'the image')
}

/** Admits an upload into its gallery, if it names one. Throws as `admitToGallery` does. */
async function admit(store: Store, { gallery }: UploadOptions, { nowMs }: Arrival): Promise<Admission | undefined> {
  return gallery && admitToGallery(store, gallery, nowMs)
}

/** Returns the pixels that the header of a file names; 0 where it cannot be read. */
export function pixelsOf({ bytes }: SentFile): number {
  try {
    const { width, height } = probe(bytes)?.size ?? { width: 0, height: 0 }
    return width * height
  } catch {
    return 0
  }
}

/** Reads a file's header. Throws for an unknown signature, an invalid header, or an image that is too large. */
function requireImage(file: SentFile, field: string): ProbedImage {
  try {
    const facts = probe(file.bytes)
    if (facts) return { bytes: file.bytes, facts }
  } catch (error) {
    throw asFailure(error, field)
  }
  throw new Failure('unsupported_image_format', `${field} must be a JPEG, PNG, GIF, WebP or AVIF file`)
}

/** The file to store, and whether it is the image as it was sent. */
interface ChosenOriginal extends Pick<AcceptedUpload, 'original' | 'optimization'> {
  isAsSent: boolean
}

/**
 * Chooses the file to store: optimized where that is asked for and possible (D34), without metadata where the operator wants that,
 * or as it was sent. Throws ImageRefusal if metadata must go and cannot be removed.
 */
function chooseOriginal(
  image: ProbedImage,
  upload: UploadOptions,
  made: Candidate,
  arrival: Arrival,
  source?: OptimizationSource,
): ChosenOriginal {
  const optimized = upload.optimizeForWeb ? optimizeIfPossible(image, made, arrival, source) : undefined
  let original = optimized?.stored ?? asSent(image)
  if (arrival.stripsMetadata && original.bytes === image.bytes) original = withoutMetadata(image)
  const isAsSent = isSame(original.bytes, image.bytes)
  if (original.bytes.buffer !== image.bytes.buffer) release(image.bytes)
  return { original, optimization: optimized?.optimization, isAsSent }
}

/** Returns undefined where the optimizer fails: the response then has no report (D34). */
function optimizeIfPossible(
  image: ProbedImage,
  made: Candidate,
  { logProblem }: Arrival,
  source?: OptimizationSource,
): Optimized | undefined {
  try {
    return optimize(image, made, source)
  } catch (error) {
    if (!(error instanceof ImageRefusal)) logProblem('optimize an image', error)
    return undefined
  }
}

/** The source that is reported for a joined cover (D35). */
function sourceOf(left: ProbedImage, right: ProbedImage): OptimizationSource {
  return { mediaType: FORMATS[left.facts.format].mediaType, bytes: left.bytes.length + right.bytes.length }
}

/** Returns the times at which an image and its gallery are gone. */
function endsOf(
  { lifetime }: UploadOptions,
  admission: Admission | undefined,
  { nowMs }: Arrival,
): Pick<AcceptedUpload, 'expiresAt' | 'galleryExpiresAt'> {
  return {
    expiresAt: ownExpiry(lifetime, admission?.gallery, nowMs),
    galleryExpiresAt: admission?.gallery.expiresAt ?? null,
  }
}

/** An upload that passed all checks. Only standalone uploads have a management token; a gallery has one for all its images. */
function accept(
  { nsfw, wantsManagementToken, position, caption, alt }: UploadOptions,
  admission: Admission | undefined,
  filename: SentFile['filename'],
  made: Omit<AcceptedUpload, keyof UploadOptions | 'name' | 'displayName' | 'admission'>,
): AcceptedUpload {
  const name = imageName(filename, made.original.format)
  return {
    ...made,
    name,
    displayName: displayName(filename, name),
    nsfw,
    admission,
    wantsManagementToken: wantsManagementToken && !admission,
    position: admission && position,
    caption,
    alt,
  }
}

const REFUSAL_CODES = {
  unreadable: 'unreadable_image',
  over_budget: 'image_too_large',
  busy: 'overloaded',
} as const satisfies Record<RefusalReason, FailureCode>

/** Turns an ImageRefusal into a failure of the request; `what` names the fields it is about. */
async function failingAs<T>(make: () => Promise<T>, what: string): Promise<T> {
  try {
    return await make()
  } catch (error) {
    throw asFailure(error, what)
  }
}

function asFailure(error: unknown, what: string): unknown {
  if (!(error instanceof ImageRefusal)) return error
  const retryAfterS = error instanceof TurnRefusal ? error.retryAfterS : error.reason === 'busy' ? 1 : undefined
  return new Failure(REFUSAL_CODES[error.reason], `${what}: ${error.message}`, retryAfterS)
}
