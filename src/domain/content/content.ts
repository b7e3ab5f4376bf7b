import * as routes from '../../routes.ts'
import { findGallery } from '../../storage/content/galleries.ts'
import { findImage } from '../../storage/content/images.ts'
import type { ContentId, ContentRecord, Gallery, Image, ImageOrGallery } from '../../storage/schema.ts'
import type { Shard, Store } from '../../storage/store.ts'
import {
  galleryUrl,
  type ParsedImagePath,
  parseForgottenPath,
  parseImagePath,
  type Site,
  showUrl,
} from '../ids/links.ts'
import { isAt } from '../ids/path-digest.ts'
import { shardForGallery, shardForImage } from '../shards/sharding.ts'
import { hasExpired, hasImageExpired, isEnded } from './expiry.ts'
import { type Visibility, visibilityOf } from './image-status.ts'

/** The records that the service shows. */
export type { ContentRecord, Gallery, Image }

/** The content of a public path: an image, by its page or one of its files, or a gallery. */
export type ContentAddress = ImageOrGallery<{ image: ParsedImagePath }, { hash: string }>

/** An image or gallery with its record, in any state. */
export type Content = ImageOrGallery<{ image: Image; gallery: Gallery | null }, { gallery: Gallery }>

/** The state of content that has a record. */
export type ContentState = Exclude<Visibility, 'not_found'>

const IMAGE_PREFIXES = [routes.show, routes.original, routes.thumbnail, routes.preview].map(routes.prefixOf)
const GALLERY_PATH = new RegExp(`^${routes.prefixOf(routes.gallery)}([A-Za-z0-9]+)$`)

/** Parses the path of a public page or file, also what is left of that of a deleted image; undefined for any other path. */
export function parseContentPath(path: string): ContentAddress | undefined {
  const hash = GALLERY_PATH.exec(path)?.[1]
  if (hash !== undefined) return { kind: 'gallery', hash }
  const prefix = IMAGE_PREFIXES.find((known) => path.startsWith(known))
  if (prefix === undefined) return undefined
  const imagePath = path.slice(prefix.length)
  const image = parseImagePath(imagePath) ?? parseForgottenPath(imagePath)
  return image && { kind: 'image', image }
}

/** The record at this address; undefined if there is none. */
export async function findContent(store: Store, address: ContentAddress): Promise<Content | undefined> {
  if (address.kind === 'gallery') {
    const gallery = await findGallery(shardForGallery(store, address.hash), address.hash)
    return gallery && { kind: 'gallery', gallery }
  }
  const found = await findImage(shardForImage(store, address.image.id), address.image.id)
  return found && (await isAt(found.image, address.image.path)) ? { kind: 'image', ...found } : undefined
}

/** Returns the shard of content. */
export function shardForContent(store: Store, content: Content): Shard {
  return content.kind === 'image'
    ? shardForImage(store, content.image.id)
    : shardForGallery(store, content.gallery.hash)
}

/** Returns the ids of content. */
export function idOf(content: Content): ContentId {
  return content.kind === 'image'
    ? { kind: 'image', imageId: content.image.id, galleryId: content.image.galleryId }
    : { kind: 'gallery', galleryId: content.gallery.id }
}

/** The public page of content. */
export function contentUrl(site: Site, content: Content): string {
  return content.kind === 'image' ? showUrl(site, content.image) : galleryUrl(site, content.gallery.hash)
}

/** Whether content is public at this time, not public yet, hidden, or deleted. Content that has expired is deleted. */
export function stateOf(content: Content, nowMs: number): ContentState {
  if (content.kind === 'gallery') return stateOfGallery(content.gallery, nowMs)
  const visibility = visibilityOf(content, nowMs)
  return visibility === 'not_found' ? 'deleted' : visibility
}

/** Whether content was public until its time ended it, and not a delete. Of a gallery that nobody finalized, nothing was shown. */
export function hasContentExpired(content: Content, nowMs: number): boolean {
  if (content.gallery?.finalizedAt === null) return false
  return content.kind === 'image' ? hasImageExpired(content, nowMs) : hasExpired(content.gallery, nowMs)
}

function stateOfGallery(gallery: Gallery, nowMs: number): ContentState {
  if (isEnded(gallery, nowMs)) return 'deleted'
  if (gallery.hiddenAt !== null) return 'hidden'
  return gallery.finalizedAt === null ? 'pending' : 'available'
}
