import { GALLERY_MAX_IMAGES, UPLOAD_TOKEN_LIFETIME_MS } from '../../limits.ts'
import {
  finalizeOrRemove,
  findGallery,
  findGalleryById,
  type GalleryState,
  insertGallery,
} from '../../storage/content/galleries.ts'
import { findGalleryPage, findImagesAfter, type GalleryPage } from '../../storage/content/gallery-pages.ts'
import type { GalleryRight } from '../../storage/content/upload-records.ts'
import type { Gallery, Image } from '../../storage/schema.ts'
import { onFirstAvailable, type Shard, type Store } from '../../storage/store.ts'
import { hasContentExpired } from '../content/content.ts'
import { endOf, isEnded, type Lifetime } from '../content/expiry.ts'
import { ContentDeleted } from '../content/management.ts'
import type { Found } from '../content/public-image.ts'
import { Failure } from '../failure.ts'
import type { Seal } from '../idempotency/lease.ts'
import { digestOf } from '../ids/digest.ts'
import { createGalleryHash, createManagementToken, createOperationId, createUploadToken } from '../ids/token.ts'
import { shardForGallery, shardsForGallery } from '../shards/sharding.ts'

/** Credentials to add to a gallery or finalize it. */
export interface GalleryAccess {
  hash: string
  uploadToken: string
}

/** A gallery that a management token addresses, which was checked before: an upload into it needs no other right. */
export interface ManagedGallery {
  hash: string
  managed: Gallery
  /** The digest of the token of a guest, if it is by that. */
  guestDigest?: string
}

/** The way of an upload into a gallery. */
export type GalleryEntry = GalleryAccess | ManagedGallery

/** A gallery that admits an upload, and the right by which it does. The right is checked again when the image is recorded. */
export interface Admission {
  gallery: Gallery
  right: GalleryRight
}

/** A gallery to be created. The name must be normalized. */
export interface NewGallery {
  name: string
  wantsManagementToken: boolean
  /** Whether it is removed if nobody finalizes it, instead of becoming public (D26): its client does not know it yet. */
  removedIfUnfinished?: boolean
  lifetime?: Lifetime | undefined
}

/** A gallery that was just created. Its tokens are never known again: only their digests are stored. */
export interface CreatedGallery {
  name: string
  hash: string
  uploadToken: string
  managementToken: string | undefined
  /** The time at which it is gone; null if it stays. */
  expiresAt: number | null
}

/**
 * Creates an unfinished gallery on the first of these shards that is available. `seal` seals the response to a request with an
 * Idempotency-Key, which is bound to one shard.
 */
export function createGallery(
  store: Store,
  wanted: NewGallery,
  nowMs: number,
  seal?: Seal<CreatedGallery>,
  shards: Iterable<Shard> = shardsForGallery(store),
): Promise<CreatedGallery> {
  return onFirstAvailable(shards, (shard) => createGalleryOn(shard, wanted, nowMs, seal))
}

async function createGalleryOn(
  shard: Shard,
  wanted: NewGallery,
  nowMs: number,
  seal: Seal<CreatedGallery> | undefined,
): Promise<CreatedGallery> {
  const created: CreatedGallery = {
    name: wanted.name,
    hash: createGalleryHash(shard.number),
    uploadToken: createUploadToken(),
    managementToken: wanted.wantsManagementToken ? createManagementToken(shard.number) : undefined,
    expiresAt: endOf(wanted.lifetime, nowMs),
  }
  const recorded = await insertGallery(
    shard,
    {
      hash: created.hash,
      name: created.name,
      uploadTokenDigest: await digestOf(created.uploadToken),
      createdAt: nowMs,
      removedIfUnfinished: wanted.removedIfUnfinished ?? false,
      expiresAt: created.expiresAt,
    },
    created.managementToken && (await digestOf(created.managementToken)),
    await seal?.(created),
  ).catch(async (error) => {
    // The reply of the database may be lost, not the gallery. One that is recorded only after this is empty, and removed in a day.
    if (await findGallery(shard, created.hash)) return true
    throw error
  })
  if (!recorded) throw new Error(`the gallery ${created.hash} could not be recorded`)
  return created
}

/**
 * Admits an upload into a gallery. Throws if the gallery is full. By its upload token, it also throws if the gallery is unknown,
 * deleted or finalized, or the token is wrong or expired (D14).
 */
export async function admitToGallery(store: Store, entry: GalleryEntry, nowMs: number): Promise<Admission> {
  const admission: Admission =
    'managed' in entry
      ? { gallery: entry.managed, right: rightOf(entry, nowMs) }
      : { gallery: await requireGallery(store, entry, nowMs), right: { kind: 'upload_token' } }
  const refusal = refusalOf(admission)
  if (refusal) throw refusal
  return admission
}

function rightOf({ guestDigest }: ManagedGallery, nowMs: number): GalleryRight {
  return guestDigest === undefined ? { kind: 'management_token' } : { kind: 'guest', digest: guestDigest, nowMs }
}

/** Makes a gallery public, or removes it if it is empty; a public one stays as it is (D15). */
export async function finalizeGallery(store: Store, access: GalleryAccess, nowMs: number): Promise<void> {
  const gallery = await requireGallery(store, access, nowMs)
  if (gallery.finalizedAt !== null) return
  const shard = shardForGallery(store, gallery.hash)
  const operationId = createOperationId()
  const after = await finalizeOrRemove(shard, gallery.id, nowMs, operationId).catch((error) =>
    // The rows may have changed although the reply was lost.
    stateUnlessUnfinished(shard, gallery.id, error),
  )
  if (!after) throw galleryNotFound()
  const isRemoved = after.deletedBy === operationId
  if (after.deletedAt !== null && !isRemoved) throw galleryNotFound()
  if (after.finalizedAt === null && !isRemoved) {
    throw new Failure('gallery_not_finalizable')
  }
}

async function stateUnlessUnfinished(shard: Shard, id: number, error: unknown): Promise<GalleryState | undefined> {
  const state = await findGalleryById(shard, id)
  if (state && state.finalizedAt === null && state.deletedAt === null) throw error
  return state
}

/** Why an upload could not be recorded although it was admitted: the gallery was deleted, finalized or filled in the meantime, or has expired. */
export async function galleryRefusal(
  shard: Shard,
  { gallery, right }: Admission,
  nowMs: number,
): Promise<Failure | undefined> {
  const now = await findGalleryById(shard, gallery.id)
  if (now && !isEnded(now, nowMs)) return refusalOf({ gallery: now, right })
  return right.kind === 'upload_token' ? galleryNotFound() : new ContentDeleted({ kind: 'gallery', gallery })
}

function refusalOf({ gallery, right }: Admission): Failure | undefined {
  if (gallery.finalizedAt !== null && right.kind === 'upload_token') return galleryFinalized()
  return gallery.imageCount < GALLERY_MAX_IMAGES ? undefined : galleryFull()
}

/** One page of a public gallery. */
export interface GalleryView extends GalleryPage {
  page: number
  pageCount: number
}

/**
 * A page of a public gallery, counted from 1, with up to `pageImages` images; undefined if it has no such page or is not
 * public.
 */
export async function findGalleryView(
  store: Store,
  hash: string,
  page: number,
  pageImages: number,
  nowMs: number,
): Promise<Found<GalleryView>> {
  const range = { limit: pageImages, offset: (page - 1) * pageImages }
  const found = await findGalleryPage(shardForGallery(store, hash), hash, range, nowMs)
  if (!found) return undefined
  if (hasContentExpired({ kind: 'gallery', gallery: found.gallery }, nowMs)) return 'expired'
  if (!isPublic(found.gallery)) return undefined
  const pageCount = Math.max(Math.ceil(found.gallery.imageCount / pageImages), 1)
  return page > pageCount ? undefined : { ...found, page, pageCount }
}

/**
 * Returns this page or, if the gallery has fewer, its last one: its owner may have deleted the images of this page. Undefined
 * for a gallery that is not public.
 */
export async function findNearestView(
  store: Store,
  hash: string,
  page: number,
  pageImages: number,
  nowMs: number,
): Promise<Found<GalleryView>> {
  const view = await findGalleryView(store, hash, page, pageImages, nowMs)
  if (view || page === 1) return view
  const first = await findGalleryView(store, hash, 1, pageImages, nowMs)
  if (!first || first === 'expired' || first.pageCount === 1) return first
  return findGalleryView(store, hash, first.pageCount, pageImages, nowMs)
}

/** Images of a public gallery in their order, with the position of the first. */
export interface GalleryImages {
  gallery: Gallery
  images: Image[]
  firstPosition: number
  /** Whether more images follow. */
  hasMore: boolean
}

/**
 * Returns up to `limit` images of a public gallery after the one with this id; 0 is before the first. Unlike a numbered page, it
 * leaves out no image when others are deleted meanwhile. Undefined if the gallery is not public.
 */
export async function findGalleryImages(
  store: Store,
  hash: string,
  afterId: number,
  limit: number,
  nowMs: number,
): Promise<Found<GalleryImages>> {
  const found = await findImagesAfter(shardForGallery(store, hash), hash, afterId, limit + 1, nowMs)
  if (!found) return undefined
  if (hasContentExpired({ kind: 'gallery', gallery: found.gallery }, nowMs)) return 'expired'
  if (!isPublic(found.gallery)) return undefined
  const { gallery, images, before } = found
  return { gallery, images: images.slice(0, limit), firstPosition: before + 1, hasMore: images.length > limit }
}

/** Whether a gallery that has not expired is public: finalized, and neither deleted nor hidden. */
function isPublic(gallery: Gallery): boolean {
  return gallery.finalizedAt !== null && gallery.deletedAt === null && gallery.hiddenAt === null
}

async function requireGallery(store: Store, { hash, uploadToken }: GalleryAccess, nowMs: number): Promise<Gallery> {
  const gallery = await findGallery(shardForGallery(store, hash), hash)
  if (!gallery || isEnded(gallery, nowMs)) throw galleryNotFound()
  const expired = nowMs >= gallery.createdAt + UPLOAD_TOKEN_LIFETIME_MS
  if (expired || (await digestOf(uploadToken)) !== gallery.uploadTokenDigest) {
    throw new Failure('upload_token_incorrect')
  }
  return gallery
}

function galleryNotFound(): Failure {
  return new Failure('gallery_not_found')
}

function galleryFinalized(): Failure {
  return new Failure('gallery_already_finalized')
}

function galleryFull(): Failure {
  return new Failure('gallery_full')
}
