import type { IMAGE_STATUS_RESPONSE, ValuesOf } from '../../responses.ts'
import type { ImageWithGallery } from '../../storage/content/images.ts'
import type { Store } from '../../storage/store.ts'
import type { ParsedImagePath } from '../ids/links.ts'
import { isAt } from '../ids/path-digest.ts'
import { findViaReplica } from '../shards/replica-reads.ts'
import { findImagesAnywhere } from '../shards/sharding.ts'
import { isEnded } from './expiry.ts'

/** The status of a show URL. */
export type ImageStatus = ValuesOf<typeof IMAGE_STATUS_RESPONSE>['results'][number]['status']

/**
 * Returns the status of each parsed show URL, in order; undefined is a value that is none of our show URLs. It takes
 * one query per shard, in parallel. The primary is read if a replica is not certain.
 */
export async function imageStatuses(
  store: Store,
  parsed: readonly (ParsedImagePath | undefined)[],
  nowMs: number,
): Promise<ImageStatus[]> {
  const ids = parsed.flatMap((url) => (url ? [url.id] : []))
  const { found, fromReplica, absent } = await findViaReplica(store, ids, nowMs)
  const byId = new Map(found.map((record) => [record.image.id, record]))
  const statuses = await statusesAt(found, parsed, nowMs)
  const doubtful = parsed.flatMap((url, at) => {
    if (!url || !fromReplica.has(url.id)) return []
    const record = byId.get(url.id)
    const isCertain = record
      ? statuses[at] !== 'pending' && visibilityOf(record, nowMs) !== 'not_found'
      : absent.has(url.id)
    return isCertain ? [] : [url.id]
  })
  if (doubtful.length === 0) return statuses
  const sure = await statusesAt(await findImagesAnywhere(store, doubtful), parsed, nowMs)
  const asked = new Set(doubtful)
  return statuses.map((status, at) => (asked.has(parsed[at]?.id ?? -1) ? (sure[at] ?? status) : status))
}

async function statusesAt(
  found: readonly ImageWithGallery[],
  parsed: readonly (ParsedImagePath | undefined)[],
  nowMs: number,
): Promise<ImageStatus[]> {
  const byId = new Map(found.map((record) => [record.image.id, record]))
  return Promise.all(
    parsed.map(async (url) => {
      if (!url) return 'invalid'
      const record = byId.get(url.id)
      return record && (await isAt(record.image, url.path)) ? statusOf(record, nowMs) : 'not_found'
    }),
  )
}

/** The status of a record (the specification's "Image-page status values"). */
export function statusOf(record: ImageWithGallery, nowMs: number): Exclude<ImageStatus, 'invalid'> {
  const visibility = visibilityOf(record, nowMs)
  // It is neither available nor deleted, and may become either (D48).
  return visibility === 'hidden' ? 'pending' : visibility
}

/** A status, or that the operator has hidden the image or its gallery. */
export type Visibility = Exclude<ImageStatus, 'invalid'> | 'hidden'

/** Whether an image is public at this time, and if not, why. One that has expired is deleted. */
export function visibilityOf({ image, gallery }: ImageWithGallery, nowMs: number): Visibility {
  if (image.galleryId !== null && !gallery) return 'not_found'
  if (isEnded(image, nowMs) || (gallery && isEnded(gallery, nowMs))) return 'deleted'
  if (image.hiddenAt !== null || (gallery && gallery.hiddenAt !== null)) return 'hidden'
  return gallery && gallery.finalizedAt === null ? 'pending' : 'available'
}
