import { StorageUnavailable } from '../../storage/bounded-calls.ts'
import { findGalleryById } from '../../storage/content/galleries.ts'
import {
  closeGuestLink as closeStored,
  findGuestLink,
  findGuestLinkOf,
  type GuestUse,
  type NewGuestLink,
  putGuestLink,
} from '../../storage/content/guests.ts'
import { isRevoked } from '../../storage/content/tokens.ts'
import type { Gallery, GuestLink as StoredLink } from '../../storage/schema.ts'
import type { Shard, Store } from '../../storage/store.ts'
import { isEnded } from '../content/expiry.ts'
import { ContentDeleted } from '../content/management.ts'
import { Failure } from '../failure.ts'
import { digestOf } from '../ids/digest.ts'
import { createNonce, guestTokenOf, isManagementToken } from '../ids/token.ts'
import { shardForGallery, shardForToken } from '../shards/sharding.ts'
import type { ManagedGallery } from './gallery.ts'

/** The limits of a guest link; undefined is no limit. */
export interface GuestLimits {
  maxImages: number | undefined
  expiresAtMs: number | undefined
}

/** A guest link as its owner sees it. */
export interface GuestLink extends GuestLimits {
  token: string
  /** The number of images that guests have added. */
  imageCount: number
}

/** Maximum number of attempts to make a link while others make one of the same gallery. */
const MAX_TRIES = 5

/** Makes the guest link of a gallery in place of an earlier one. Throws `ContentDeleted`. */
export async function createGuestLink(
  store: Store,
  gallery: Gallery,
  managementToken: string,
  { maxImages, expiresAtMs }: GuestLimits,
  nowMs: number,
): Promise<GuestLink> {
  const shard = shardForGallery(store, gallery.hash)
  const nonce = createNonce()
  const token = await guestTokenOf(managementToken, nonce)
  const link = {
    galleryId: gallery.id,
    digest: await digestOf(token),
    nonce,
    createdAt: nowMs,
    expiresAt: expiresAtMs ?? null,
    maxImages: maxImages ?? null,
  }
  if (!(await replaceLink(shard, link))) throw new ContentDeleted({ kind: 'gallery', gallery })
  return { token, imageCount: 0, maxImages, expiresAtMs }
}

/** Puts a link in the place of the present one. Returns false if the gallery is deleted. */
async function replaceLink(shard: Shard, link: NewGuestLink): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const earlier = await findGuestLinkOf(shard, link.galleryId)
    const isStored = await putGuestLink(shard, link, earlier?.digest).catch(async (error) => {
      // The reply of the database may be lost, not the link.
      if (await findGuestLink(shard, link.digest)) return true
      throw error
    })
    if (isStored) return true
    const now = await findGalleryById(shard, link.galleryId)
    if (!now || now.deletedAt !== null) return false
  }
  throw new StorageUnavailable('other requests replace the guest link of the gallery')
}

/** Closes the guest link that a gallery has now. Without one, nothing changes. */
export async function closeGuestLink(store: Store, gallery: Gallery, nowMs: number): Promise<void> {
  const shard = shardForGallery(store, gallery.hash)
  const open = await findGuestLinkOf(shard, gallery.id)
  if (!open || open.closedAt !== null) return
  await closeStored(shard, open.digest, nowMs).catch(async (error) => {
    const found = await findGuestLink(shard, open.digest)
    if (found && found.link.closedAt === null) throw error
  })
}

/** Returns the guest link of a gallery that is neither closed nor expired, for the holder of the gallery's management token. */
export async function findOpenGuestLink(
  store: Store,
  gallery: Gallery,
  managementToken: string,
  nowMs: number,
): Promise<GuestLink | undefined> {
  const link = await findGuestLinkOf(shardForGallery(store, gallery.hash), gallery.id)
  if (!link || isClosed(link, nowMs)) return undefined
  return {
    token: await guestTokenOf(managementToken, link.nonce),
    imageCount: link.imageCount,
    maxImages: link.maxImages ?? undefined,
    expiresAtMs: link.expiresAt ?? undefined,
  }
}

/**
 * Returns the gallery of a guest token. Throws `guest_link_not_found`, `guest_link_closed`, also where the gallery has expired, or
 * `guest_link_full`.
 */
export async function requireGuestGallery(store: Store, token: string, nowMs: number): Promise<ManagedGallery> {
  if (!isManagementToken(token)) throw new Failure('guest_link_not_found')
  const [shard, digest] = [shardForToken(store, token), await digestOf(token)]
  const found = await findGuestLink(shard, digest)
  if (!found) throw new Failure((await isRevoked(shard, digest)) ? 'guest_link_closed' : 'guest_link_not_found')
  const refusal = isEnded(found.gallery, nowMs) ? new Failure('guest_link_closed') : refusalOf(found.link, nowMs)
  if (refusal) throw refusal
  return { hash: found.gallery.hash, managed: found.gallery, guestDigest: digest }
}

/** Why an upload of a guest could not be recorded although it was admitted; undefined if its link is not the reason. */
export async function guestRefusal(shard: Shard, { digest, nowMs }: GuestUse): Promise<Failure | undefined> {
  const found = await findGuestLink(shard, digest)
  return found ? refusalOf(found.link, nowMs) : new Failure('guest_link_not_found')
}

function refusalOf(link: StoredLink, nowMs: number): Failure | undefined {
  if (isClosed(link, nowMs)) return new Failure('guest_link_closed')
  return link.maxImages !== null && link.imageCount >= link.maxImages ? new Failure('guest_link_full') : undefined
}

function isClosed({ closedAt, expiresAt }: StoredLink, nowMs: number): boolean {
  return closedAt !== null || (expiresAt !== null && expiresAt <= nowMs)
}
