import { BLOCK_MAX_IMAGES, OPERATOR_LISTED } from '../../limits.ts'
import { findGalleriesById } from '../../storage/content/galleries.ts'
import { listGalleryImages } from '../../storage/content/gallery-pages.ts'
import { listHidden, setHidden } from '../../storage/content/hiding.ts'
import { findImages, listGalleryIds } from '../../storage/content/images.ts'
import { completeEntry, insertEntry, listEntries } from '../../storage/moderation/audit.ts'
import { deleteBlocks, listBlocked } from '../../storage/moderation/blocked.ts'
import {
  countOpenReports,
  handleReports,
  handleReportsWithin,
  listReported,
  listReportsOf,
  type ReportedRecord,
} from '../../storage/moderation/reports.ts'
import type { Gallery, Image, ModerationEntry, Report } from '../../storage/schema.ts'
import { homeOf, type Shard, type Store } from '../../storage/store.ts'
import {
  type Content,
  type ContentAddress,
  type ContentState,
  findContent,
  idOf,
  shardForContent,
  stateOf,
} from '../content/content.ts'
import { asDeleted, type Deleted, deleteContent } from '../content/deletion.ts'
import { Failure } from '../failure.ts'
import { createOperationId } from '../ids/token.ts'
import {
  askShards,
  type FromShards,
  requireResponse,
  type UnavailableShard,
  uniqueShards,
} from '../shards/available-shards.ts'
import { findAvailableImages, shardForGallery } from '../shards/sharding.ts'
import { blockImage } from './blocking.ts'
import type { ReportReason } from './report.ts'

/** Content with the number of its open reports, for each reason too, and when the first and the last of them came. */
interface ReportedContent extends Omit<ReportedRecord, 'imageId' | 'galleryId'> {
  content: Content
}

/** Reported content; the number of all of it, and of all open reports. */
interface OpenReports {
  reported: ReportedContent[]
  contents: number
  total: number
}

/** A list of what the shards that respond have. */
export interface Listed<Item> {
  items: Item[]
  unavailable: UnavailableShard[]
}

/** The operator, by the name of their key, and the time of the decision. */
export interface Decider {
  operator: string
  nowMs: number
}

type Action = 'remove' | 'remove and block' | 'dismiss' | 'hide' | 'unhide' | 'unblock'

/** The effect of a decision. */
export interface ModerationResult {
  kind: Content['kind']
  /** The state after the action. */
  state: ContentState
  /** Whether the content is in another state than before. */
  changed: boolean
  /** Content that is no longer public, by this request or an earlier one, for caches to drop. */
  toPurge: Deleted | undefined
  /** The number of reports that were closed. */
  handled: number
  /** The number of images that were blocked, or whose block was taken back. */
  images: number
}

/** Listed before all others: it cannot wait. */
const FIRST_REASON: ReportReason = 'child'

/** Lists reported content with the number of reports: child abuse first, then the longest reported first. */
export async function listReports(
  store: Store,
): Promise<Listed<ReportedContent> & Pick<OpenReports, 'contents' | 'total'>> {
  const { results, unavailable } = requireResponse(await askShards(store.shards, listReportsOn))
  const lists = results.map(({ result }) => result)
  return {
    items: lists
      .flatMap(({ reported }) => reported)
      .sort((one, other) => urgency(other) - urgency(one) || one.firstMs - other.firstMs)
      .slice(0, OPERATOR_LISTED),
    contents: sum(lists.map(({ contents }) => contents)),
    total: sum(lists.map(({ total }) => total)),
    unavailable,
  }
}

async function listReportsOn(shard: Shard): Promise<OpenReports> {
  const { reported, total: contents } = await listReported(shard, FIRST_REASON, OPERATOR_LISTED)
  const found = await contentsOf(shard, reported)
  return {
    reported: reported.flatMap(({ imageId, galleryId, ...counts }) => {
      const content = found.get(keyOf({ imageId, galleryId }))
      return content ? [{ content, ...counts }] : []
    }),
    contents,
    total: await countOpenReports(shard),
  }
}

/** Returns the number of open reports on each shard. */
export function countReports(store: Store): Promise<FromShards<number>> {
  return askShards(store.shards, countOpenReports)
}

function urgency({ reasons }: ReportedContent): number {
  return FIRST_REASON in reasons ? 1 : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The content at an address, and its open reports, the oldest first. Throws `content_not_found` for unknown content. */
export async function findReports(
  store: Store,
  address: ContentAddress,
): Promise<{ content: Content; reports: Report[] }> {
  const content = await requireContent(store, address)
  return { content, reports: await listReportsOf(shardForContent(store, content), idOf(content), OPERATOR_LISTED) }
}

/**
 * Deletes an image or a gallery as its management token would, also an image in a gallery, and closes its reports; for a
 * gallery also those about its images. With `block` the images are refused when they come again (D42). Throws
 * `content_not_found` for unknown content, `operation_not_allowed` for a gallery of too many images to block.
 */
export async function removeReported(
  store: Store,
  address: ContentAddress,
  by: Decider,
  { block = false } = {},
): Promise<ModerationResult> {
  return decide(store, address, by, block ? 'remove and block' : 'remove', async (content) => {
    // Before the files are deleted.
    const images = block ? await blockContent(store, content, by.nowMs) : 0
    const deleted = stateOf(content, by.nowMs) === 'deleted' ? undefined : await deleteContent(store, content, by.nowMs)
    const shard = shardForContent(store, content)
    const handled =
      content.kind === 'image'
        ? await handleReports(shard, idOf(content), by.nowMs)
        : await handleReportsWithin(shard, content.gallery.id, by.nowMs)
    return { changed: deleted !== undefined, toPurge: asDeleted(content), handled, images }
  })
}

/** Closes the reports about an image or a gallery and leaves it as it is. Throws `content_not_found` for unknown content. */
export async function dismissReports(store: Store, address: ContentAddress, by: Decider): Promise<ModerationResult> {
  return decide(store, address, by, 'dismiss', async (content) => ({
    changed: false,
    toPurge: undefined,
    handled: await handleReports(shardForContent(store, content), idOf(content), by.nowMs),
    images: 0,
  }))
}

/** Makes an image or a gallery not public, and deletes nothing (D48). Throws `content_not_found` for unknown content. */
export async function hideContent(store: Store, address: ContentAddress, by: Decider): Promise<ModerationResult> {
  return decide(store, address, by, 'hide', async (content) => {
    const changed = await setHidden(shardForContent(store, content), idOf(content), by.nowMs)
    // Also of what was hidden before: the caches may not have been reached then.
    return {
      changed,
      toPurge: stateOf(content, by.nowMs) === 'deleted' ? undefined : asDeleted(content),
      handled: 0,
      images: 0,
    }
  })
}

/** Takes back that an image or a gallery was hidden. Throws `content_not_found` for unknown content. */
export async function unhideContent(store: Store, address: ContentAddress, by: Decider): Promise<ModerationResult> {
  return decide(store, address, by, 'unhide', async (content) => ({
    changed: await setHidden(shardForContent(store, content), idOf(content), null),
    toPurge: undefined,
    handled: 0,
    images: 0,
  }))
}

/** Takes back the block of an image, or of those in a gallery. Throws `content_not_found` for unknown content. */
export async function unblockContent(store: Store, address: ContentAddress, by: Decider): Promise<ModerationResult> {
  return decide(store, address, by, 'unblock', async (content) => {
    const images = await deleteBlocks(homeOf(store), await imageIdsOf(store, content))
    return { changed: images > 0, toPurge: undefined, handled: 0, images }
  })
}

/** Returns the hidden images and galleries, the longest hidden first. */
export async function listHiddenContent(store: Store, nowMs: number): Promise<Listed<Content>> {
  const { results, unavailable } = requireResponse(
    await askShards(store.shards, (shard) => listHidden(shard, nowMs, OPERATOR_LISTED)),
  )
  const contents: Content[] = results.flatMap(({ result: { images, galleries } }) => [
    ...images.map((found) => ({ kind: 'image' as const, ...found })),
    ...galleries.map((gallery) => ({ kind: 'gallery' as const, gallery })),
  ])
  const items = contents
    .filter((content) => stateOf(content, nowMs) !== 'deleted')
    .sort((one, other) => (hiddenSince(one) ?? 0) - (hiddenSince(other) ?? 0))
    .slice(0, 2 * OPERATOR_LISTED)
  return { items, unavailable }
}

/** Since when this content is hidden itself; null if it is not. */
export function hiddenSince(content: Content): number | null {
  return content.kind === 'image' ? content.image.hiddenAt : content.gallery.hiddenAt
}

/** An image that is blocked. */
export interface Block {
  image: Image
  blockedAt: number
}

/** Returns the images that were blocked last, the last first. */
export async function listBlockedImages(store: Store, nowMs: number): Promise<Listed<Block>> {
  const blocked = await listBlocked(homeOf(store), nowMs, OPERATOR_LISTED)
  const { images, unavailable } = await findAvailableImages(
    store,
    blocked.map(({ imageId }) => imageId),
  )
  const items = blocked.flatMap(({ imageId, blockedAt }) => {
    const image = images.get(imageId)
    return image ? [{ image, blockedAt }] : []
  })
  return { items, unavailable }
}

/** A decision, with the image it was about. */
interface AuditedEntry {
  entry: ModerationEntry
  image: Image | undefined
}

/** Decisions of all shards, and the cursor of the older ones; undefined if there are none. */
export interface Decisions extends Listed<AuditedEntry> {
  next: string | undefined
}

const CURSOR = /^([0-9]{1,15})-([0-9]{1,2})-([0-9]{1,15})$/

/**
 * Lists the newest decisions, with operator, action and time; with a cursor, those that follow it. Decisions at the same time are in the
 * order of their shards. Throws `invalid_option` for a cursor that no list has returned.
 */
export async function listDecisions(
  store: Store,
  nowMs: number,
  { cursor, limit = OPERATOR_LISTED }: { cursor?: string | undefined; limit?: number } = {},
): Promise<Decisions> {
  const [, cursorMs = nowMs, cursorShard = -1, cursorId] = cursor === undefined ? [] : parseCursor(cursor)
  const { results, unavailable } = requireResponse(
    await askShards(store.shards, (shard) => {
      const untilMs = shard.number < cursorShard ? cursorMs - 1 : cursorMs
      return listEntries(shard, { untilMs, beforeId: shard.number === cursorShard ? cursorId : undefined, limit })
    }),
  )
  const found = results
    .flatMap(({ shard, result }) => result.map((entry) => ({ entry, shard: shard.number })))
    .sort((one, other) => other.entry.decidedAt - one.entry.decidedAt || one.shard - other.shard)
  const listed = found.slice(0, limit)
  const last = listed.at(-1)
  const hasMore = found.length > limit || results.some(({ result }) => result.length === limit)
  const { images, unavailable: withoutImages } = await findAvailableImages(
    store,
    withoutNulls(listed.map(({ entry }) => entry.imageId)),
  )
  return {
    items: listed.map(({ entry }) => ({ entry, image: images.get(entry.imageId ?? -1) })),
    unavailable: uniqueShards(unavailable, withoutImages),
    next: hasMore && last ? `${last.entry.decidedAt}-${last.shard}-${last.entry.id}` : undefined,
  }
}

function parseCursor(cursor: string): number[] {
  const parsed = CURSOR.exec(cursor)
  if (!parsed) throw new Failure('invalid_option', 'cursor must be the next of an earlier response')
  return parsed.map(Number)
}

/** Carries out a decision about existing content. The audit has the operator and the action before it, and the outcome after. */
async function decide(
  store: Store,
  address: ContentAddress,
  { operator, nowMs }: Decider,
  action: Action,
  act: (content: Content) => Promise<Omit<ModerationResult, 'kind' | 'state'>>,
): Promise<ModerationResult> {
  const content = await requireContent(store, address)
  const operation = createOperationId()
  const shard = shardForContent(store, content)
  await insertEntry(shard, {
    operation,
    decidedAt: nowMs,
    operator,
    action,
    imageId: content.kind === 'image' ? content.image.id : null,
    galleryHash: content.kind === 'image' ? null : content.gallery.hash,
  })
  const done = await act(content)
  await completeEntry(shard, operation, {
    changed: done.changed,
    reports: done.handled,
    images: done.images,
  })
  const after = await findContent(store, address)
  return { kind: content.kind, state: after ? stateOf(after, nowMs) : 'deleted', ...done }
}

/** Blocks an image, or the images of a gallery, and returns their number. */
async function blockContent(store: Store, content: Content, nowMs: number): Promise<number> {
  const images = content.kind === 'image' ? [content.image] : await imagesToBlock(store, content.gallery)
  let blocked = 0
  for (const image of images) if (await blockImage(store, image, nowMs)) blocked++
  return blocked
}

async function imagesToBlock(store: Store, gallery: Gallery): Promise<Image[]> {
  if (gallery.imageCount > BLOCK_MAX_IMAGES) {
    throw new Failure(
      'operation_not_allowed',
      `only galleries of up to ${BLOCK_MAX_IMAGES} pictures are blocked as a whole: block its pictures one by one, then remove it`,
    )
  }
  const shard = shardForGallery(store, gallery.hash)
  return listGalleryImages(shard, gallery.id, { limit: BLOCK_MAX_IMAGES, offset: 0 })
}

async function imageIdsOf(store: Store, content: Content): Promise<number[]> {
  return content.kind === 'image'
    ? [content.image.id]
    : listGalleryIds(shardForGallery(store, content.gallery.hash), content.gallery.id)
}

async function requireContent(store: Store, address: ContentAddress): Promise<Content> {
  const content = await findContent(store, address)
  if (!content) {
    throw new Failure(
      'content_not_found',
      'no image or gallery is known at this address: check it. A gallery that stays empty is forgotten after a day',
    )
  }
  return content
}

async function contentsOf(shard: Shard, records: readonly ReportedRecord[]): Promise<Map<string, Content>> {
  const contents = new Map<string, Content>()
  for (const found of await findImages(shard, withoutNulls(records.map(({ imageId }) => imageId)))) {
    contents.set(keyOf({ imageId: found.image.id, galleryId: null }), { kind: 'image', ...found })
  }
  for (const gallery of await findGalleriesById(shard, withoutNulls(records.map(({ galleryId }) => galleryId)))) {
    contents.set(keyOf({ imageId: null, galleryId: gallery.id }), { kind: 'gallery', gallery })
  }
  return contents
}

function withoutNulls(ids: readonly (number | null)[]): number[] {
  return ids.flatMap((id) => id ?? [])
}

function keyOf({ imageId, galleryId }: Pick<ReportedRecord, 'imageId' | 'galleryId'>): string {
  return imageId === null ? `gallery ${galleryId}` : `image ${imageId}`
}
