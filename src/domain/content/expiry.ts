import type { ImageWithGallery } from '../../storage/content/images.ts'
import type { Gallery, Image } from '../../storage/schema.ts'
import { SECOND_MS } from '../../units.ts'
import type { ExpiryRules } from '../settings/expiry-rules.ts'

/** The time for which new content stays. */
export interface Lifetime {
  seconds: number
  /** Whether the client asked for it, and is told when it ends. */
  isRequested: boolean
}

/** Returns the lifetime that a client asks for, or else the operator's default; undefined for content that stays. */
export function lifetimeOf({ defaultS }: ExpiryRules, requestedS: number | undefined): Lifetime | undefined {
  const seconds = requestedS ?? defaultS
  return seconds === undefined ? undefined : { seconds, isRequested: requestedS !== undefined }
}

/** Returns the end of a lifetime that begins at `nowMs`, in milliseconds; null for content that stays. */
export function endOf(lifetime: Lifetime | undefined, nowMs: number): number | null {
  return lifetime ? nowMs + lifetime.seconds * SECOND_MS : null
}

/**
 * Returns the time to store with an image; null where it stays as long as its gallery. In a gallery that expires, the operator's
 * default is that of the gallery.
 */
export function ownExpiry(lifetime: Lifetime | undefined, gallery: Expiring | undefined, nowMs: number): number | null {
  const galleryEnd = gallery?.expiresAt ?? null
  const end = endOf(lifetime, nowMs)
  if (galleryEnd === null || end === null) return end
  return lifetime?.isRequested && end < galleryEnd ? end : null
}

type Expiring = Pick<Gallery, 'expiresAt'>
type Deletable = Pick<Gallery, 'expiresAt' | 'deletedAt'>

/** Returns the time at which an image is gone: its own, or that of its gallery if that is earlier. Null if it stays. */
export function expiryOf({
  image,
  gallery,
}: {
  image: Pick<Image, 'expiresAt'>
  gallery: Expiring | null
}): number | null {
  return earlier(image.expiresAt, gallery?.expiresAt ?? null)
}

/** Returns the earlier of two times; null is never. */
export function earlier(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one, other)
}

/** Whether content is gone: deleted, or its time is over. */
export function isEnded({ deletedAt, expiresAt }: Deletable, nowMs: number): boolean {
  return deletedAt !== null || isOver(expiresAt, nowMs)
}

/** Whether a time has come. */
export function isOver(expiresAt: number | null, nowMs: number): boolean {
  return expiresAt !== null && expiresAt <= nowMs
}

/** Whether it is its time that ended content, not an earlier delete: then reads get 410 (D62). */
export function hasExpired({ deletedAt, expiresAt }: Deletable, nowMs: number): boolean {
  return expiresAt !== null && expiresAt <= nowMs && (deletedAt === null || deletedAt >= expiresAt)
}

/** Whether the time of an image, or that of its gallery, ended it. */
export function hasImageExpired({ image, gallery }: ImageWithGallery, nowMs: number): boolean {
  const deletedAt = earlier(image.deletedAt, gallery?.deletedAt ?? null)
  return hasExpired({ deletedAt, expiresAt: expiryOf({ image, gallery }) }, nowMs)
}

/** Returns a time as responses have it: RFC 3339, in UTC, the first whole second at which the content is gone. */
export function expiryText(expiresAt: number): string {
  return new Date(Math.ceil(expiresAt / SECOND_MS) * SECOND_MS).toISOString().replace('.000', '')
}
