import { findGalleryById, renameGallery } from '../../storage/content/galleries.ts'
import { findImage } from '../../storage/content/images.ts'
import { findManaged, isRevoked } from '../../storage/content/tokens.ts'
import type { ContentRecord, Gallery } from '../../storage/schema.ts'
import type { Store } from '../../storage/store.ts'
import { Failure } from '../failure.ts'
import type { Seal } from '../idempotency/lease.ts'
import { digestOf } from '../ids/digest.ts'
import { parseImagePath } from '../ids/links.ts'
import { isAt } from '../ids/path-digest.ts'
import { isManagementToken } from '../ids/token.ts'
import { shardForGallery, shardForToken } from '../shards/sharding.ts'
import { asDeleted, type Deleted, deleteContent } from './deletion.ts'
import { isEnded } from './expiry.ts'
import { nameForPeople } from './filename.ts'

/**
 * `content_deleted`, with what it was, unless that is forgotten: whoever deletes it again may have had no response, or one that
 * failed.
 */
export class ContentDeleted extends Failure {
  readonly content: Deleted | undefined

  constructor(record?: ContentRecord) {
    super('content_deleted', 'the content is deleted and this management token is revoked')
    this.content = record && asDeleted(record)
  }
}

/** Returns the gallery that a token addresses. Throws as `requireManaged` and `galleryOf` do. */
export async function requireManagedGallery(store: Store, token: string, nowMs: number): Promise<Gallery> {
  return galleryOf(await requireManaged(store, token, nowMs))
}

/** Returns the gallery. Throws `operation_not_allowed` for an image. */
export function galleryOf(managed: ContentRecord): Gallery {
  if (managed.kind === 'gallery') return managed.gallery
  throw new Failure('operation_not_allowed', 'this token is for an image: only galleries can be renamed')
}

/** Renames a gallery to a normalized name and verifies the stored name. Throws `ContentDeleted`. */
export async function renameManagedGallery(store: Store, gallery: Gallery, name: string): Promise<void> {
  const shard = shardForGallery(store, gallery.hash)
  const stored = await renameGallery(shard, gallery.id, name).catch(async (error) => {
    // The reply of the database may be lost, not the new name.
    const after = await findGalleryById(shard, gallery.id)
    if (after?.deletedAt === null && after.name === name) return name
    throw error
  })
  if (stored === undefined) throw new ContentDeleted({ kind: 'gallery', gallery })
  if (stored !== name) throw new Error('the gallery name was not stored as given')
}

/**
 * Deletes what the token addresses; `seal` seals the response to a request with an Idempotency-Key. Of simultaneous calls, one succeeds
 * and the others throw `ContentDeleted`.
 */
export async function deleteManaged(
  store: Store,
  token: string,
  nowMs: number,
  seal?: Seal<Deleted>,
): Promise<Deleted> {
  const record = await requireManaged(store, token, nowMs)
  const deleted = await deleteContent(store, record, nowMs, await seal?.(asDeleted(record)))
  if (!deleted) throw new ContentDeleted(record)
  return deleted
}

/**
 * Deletes one image of a gallery, by its path `<dir>/<id>_<name>`. Returns its name for people besides. Of simultaneous calls, one
 * succeeds and the others throw `ContentDeleted`. Throws `content_not_found` for an image of another gallery.
 */
export async function deleteGalleryImage(
  store: Store,
  gallery: Gallery,
  path: string,
  nowMs: number,
): Promise<Deleted & { name: string }> {
  const parsed = parseImagePath(path)
  // On the shard of the gallery: galleries of other shards have the same row ids.
  const found = parsed && (await findImage(shardForGallery(store, gallery.hash), parsed.id))
  if (found?.image.galleryId !== gallery.id || !(await isAt(found.image, path))) {
    throw new Failure('content_not_found', 'the gallery has no such image')
  }
  const { image } = found
  if (isEnded(image, nowMs)) throw new ContentDeleted(image.pathDigest === null ? { kind: 'image', image } : undefined)
  const deleted = await deleteContent(store, { kind: 'image', image }, nowMs)
  if (!deleted) throw new ContentDeleted({ kind: 'image', image })
  return { ...deleted, name: nameForPeople(image) }
}

/**
 * Returns the image or gallery of a token. Throws `management_token_not_found` for an unknown one, `ContentDeleted` for
 * a revoked one (D17) and for content that has expired (D62).
 */
export async function requireManaged(store: Store, token: string, nowMs: number): Promise<ContentRecord> {
  const shard = shardForToken(store, token)
  const digest = isManagementToken(token) ? await digestOf(token) : undefined
  const record = digest === undefined ? undefined : await findManaged(shard, digest)
  if (!record) {
    if (digest !== undefined && (await isRevoked(shard, digest))) throw new ContentDeleted()
    throw new Failure('management_token_not_found')
  }
  if (isEnded(record.kind === 'image' ? record.image : record.gallery, nowMs)) throw new ContentDeleted(record)
  return record
}
