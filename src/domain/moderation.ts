import { BLOCK_MAX_IMAGES, OPERATOR_LISTED_REPORTS } from '../limits.ts'
import { findImages, listGalleryImages } from '../storage/images.ts'
import {
  countOpenReports,
  handleReports,
  handleReportsWithin,
  listOpenReports,
  type OpenReport,
} from '../storage/reports.ts'
import type { Gallery, Image, Report } from '../storage/schema.ts'
import type { Store } from '../storage/store.ts'
import { blockImage } from './blocking.ts'
import { type Content, type ContentAddress, findContent, stateOf } from './content.ts'
import { asDeleted, type Deleted, markDeleted } from './deletion.ts'
import { Failure } from './failure.ts'

/** Content with its open reports, the oldest first. */
export interface ReportedContent {
  content: Content
  reports: Report[]
}

/** Reported content, ordered by its newest report, the newest last; and the number of open reports in total. */
export interface OpenReports {
  reported: ReportedContent[]
  total: number
}

/** What the operator's decision did. */
export interface ModerationResult {
  kind: Content['kind']
  /** What was deleted; undefined if nothing was to be deleted, or it was deleted before. */
  deleted: Deleted | undefined
  /** What is deleted now, by this request or one before; undefined if nothing was to be deleted. */
  gone: Deleted | undefined
  /** The number of reports that were closed. */
  handled: number
  /** The number of pictures that were blocked. */
  blocked: number
}

/** The open reports, grouped by what they are about: the oldest OPERATOR_LISTED_REPORTS. */
export async function listReports(store: Store): Promise<OpenReports> {
  const open = await listOpenReports(store, OPERATOR_LISTED_REPORTS)
  const contents = await contentsOf(store, open)
  const reported = new Map<string, ReportedContent>()
  for (const { report } of open) {
    const key = keyOf(report)
    const content = contents.get(key)
    if (!content) continue
    const reports = [...(reported.get(key)?.reports ?? []), report]
    // Deleted and set again, so that the Map is ordered by the newest report.
    reported.delete(key)
    reported.set(key, { content, reports })
  }
  return { reported: [...reported.values()], total: await countOpenReports(store) }
}

/**
 * Deletes a picture or a gallery as its management token would, also a picture in a gallery, and closes its reports; for a
 * gallery also those about its pictures. With `block` the pictures are refused when they come again (D42). Throws
 * `content_not_found` for unknown content, `operation_not_allowed` for a gallery of too many pictures to block.
 */
export async function removeReported(
  store: Store,
  address: ContentAddress,
  nowMs: number,
  { block = false } = {},
): Promise<ModerationResult> {
  const content = await requireContent(store, address)
  // Before the files are deleted.
  const blocked = block ? await blockContent(store, content, nowMs) : 0
  const deleted = stateOf(content) === 'deleted' ? undefined : await markDeleted(store, content, nowMs)
  const handled =
    content.kind === 'image'
      ? await handleReports(store, { imageId: content.image.id }, nowMs)
      : await handleReportsWithin(store, content.gallery.id, nowMs)
  return { kind: content.kind, deleted, gone: asDeleted(content), handled, blocked }
}

/** Closes the reports about a picture or a gallery and leaves it as it is. Throws `content_not_found` for unknown content. */
export async function dismissReports(store: Store, address: ContentAddress, nowMs: number): Promise<ModerationResult> {
  const content = await requireContent(store, address)
  const of = content.kind === 'image' ? { imageId: content.image.id } : { galleryId: content.gallery.id }
  const handled = await handleReports(store, of, nowMs)
  return { kind: content.kind, deleted: undefined, gone: undefined, handled, blocked: 0 }
}

/** Blocks a picture, or those that a gallery shows, and gives their number. */
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
  return listGalleryImages(store, gallery.id, { limit: BLOCK_MAX_IMAGES, offset: 0 })
}

async function requireContent(store: Store, address: ContentAddress): Promise<Content> {
  const content = await findContent(store, address)
  if (!content) {
    throw new Failure('content_not_found', 'there never was a picture or gallery at this address: check it')
  }
  return content
}

async function contentsOf(store: Store, open: readonly OpenReport[]): Promise<Map<string, Content>> {
  const imageIds = new Set(open.flatMap(({ report }) => report.imageId ?? []))
  const contents = new Map<string, Content>()
  for (const found of await findImages(store, [...imageIds])) {
    contents.set(keyOf({ imageId: found.image.id, galleryId: null }), { kind: 'image', ...found })
  }
  for (const { report, gallery } of open) {
    if (gallery) contents.set(keyOf(report), { kind: 'gallery', gallery })
  }
  return contents
}

function keyOf({ imageId, galleryId }: Pick<Report, 'imageId' | 'galleryId'>): string {
  return imageId === null ? `gallery ${galleryId}` : `image ${imageId}`
}
