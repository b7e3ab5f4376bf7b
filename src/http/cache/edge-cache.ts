import type { Image } from '../../domain/content/content.ts'
import type { Deleted } from '../../domain/content/deletion.ts'
import { isOver } from '../../domain/content/expiry.ts'
import { shardOfImage } from '../../domain/ids/image-id.ts'
import { imagePath, type Site } from '../../domain/ids/links.ts'
import { isWorkersDev } from '../../env.ts'
import {
  EDGE_CACHE_DELETE_ATTEMPTS,
  EDGE_CACHE_MAX_MS,
  EDGE_CACHE_PUT_MAX_MS,
  EDGE_CACHE_TOMBSTONE_S,
} from '../../limits.ts'
import { retry } from '../../retry.ts'
import { FILE_KINDS, type FileKind, fileKey } from '../../storage/files.ts'
import { inTime } from '../../time.ts'
import type { AppContext } from '../context.ts'
import { fileCaching } from '../file-caching.ts'
import { isOwnUrl } from '../hosts.ts'
import { logProblem } from '../log.ts'
import { checkConditions } from './conditions.ts'

/**
 * The edge cache: Cloudflare's Cache API. Each data centre has one for each zone, and a request reaches that of its own host alone,
 * whatever host a key names. A file has one entry in it, under its link on the domain that was called, for the five minutes of its
 * `s-maxage`.
 *
 * A delete removes the entries that it reaches, and leaves a tombstone, which outlives every entry that was begun before. Other data
 * centres, and other zones in the same one, are purged by the tags of their entries (edge-purge.ts), or keep them until they expire
 * (D29).
 */

/** A file as the cache knows it: by its link on the domain that was called. */
export interface EdgeFile {
  site: Site
  kind: FileKind
  /** `<dir>/<id>_<name>`. */
  path: string
}

/** An image, and the gallery that it is in. */
type ImageInGallery = Pick<Image, 'id' | 'galleryId'>

/** Cloudflare hands no `Cache-Tag` back to a Worker, so the gallery is in a field of our own too. */
const GALLERY_FIELD = 'X-Tintype-Gallery'
const TAG_FIELD = 'Cache-Tag'
/** The time at which the content of an entry is gone: the cache keeps seconds, and counts them from the end of the put. */
const EXPIRY_FIELD = 'X-Tintype-Expires'

/**
 * Returns whether this host has an edge cache that deletes reach. workers.dev has none. That of an unknown host belongs
 * to a zone that is not purged. On one machine there is the cache of the isolate instead.
 */
export function hasEdgeCache({ var: { host, store } }: AppContext): boolean {
  return !store.cache && !isWorkersDev(host.url.hostname) && isOwnUrl(host.url, host)
}

/** The tag of all entries that are of what was deleted. Tags are purged by Cloudflare's API. */
export function cacheTagOf(deleted: Deleted): string {
  return deleted.kind === 'image' ? imageTag(deleted.image) : galleryTag(galleryName(deleted))
}

/**
 * Returns the cached response for a file, also to a conditional request; undefined if there is none, the cache fails, or the request
 * is for a range.
 */
export async function findInEdgeCache(request: Request, file: EdgeFile, nowMs: number): Promise<Response | undefined> {
  if (request.headers.has('Range')) return undefined
  try {
    return await inTime(EDGE_CACHE_MAX_MS, 'the edge cache', () => find(request, file, nowMs))
  } catch (error) {
    logProblem('ask the edge cache', error)
    return undefined
  }
}

async function find(request: Request, file: EdgeFile, nowMs: number): Promise<Response | undefined> {
  const cached = await caches.default.match(cacheKey(file))
  if (!cached) return undefined
  const expires = cached.headers.get(EXPIRY_FIELD)
  const expiresAt = expires === null ? null : Number(expires)
  if (isOver(expiresAt, nowMs)) {
    void cached.body?.cancel()
    return undefined
  }
  const refused = checkConditions(request.headers, validatorsOf(cached))
  const hasBody = refused === undefined && request.method !== 'HEAD'
  if (!hasBody) void cached.body?.cancel()
  const response = new Response(hasBody ? cached.body : null, { headers: cached.headers, status: refused ?? 200 })
  if (refused !== undefined) response.headers.delete('Content-Length')
  const gallery = response.headers.get(GALLERY_FIELD)
  for (const field of [GALLERY_FIELD, TAG_FIELD, EXPIRY_FIELD, 'CF-Cache-Status']) response.headers.delete(field)
  response.headers.set('Cache-Control', fileCaching(expiresAt, nowMs))
  return (await findTombstone(file, gallery)) ? undefined : response
}

function validatorsOf({ headers }: Response) {
  return { etag: headers.get('ETag') ?? '', lastModified: new Date(headers.get('Last-Modified') ?? 0) }
}

async function findTombstone({ site, path }: EdgeFile, gallery: string | null): Promise<boolean> {
  const keys = [tombstoneKey(site, path), ...(gallery === null ? [] : [galleryTombstoneKey(site, gallery)])]
  const found = await Promise.all(keys.map((key) => caches.default.match(key)))
  return found.some((tombstone) => tombstone !== undefined)
}

/** Whether a delete has left a tombstone here for this image or its gallery; true also if the cache fails. */
export async function hasTombstone(file: EdgeFile, image: ImageInGallery): Promise<boolean> {
  try {
    return await inTime(EDGE_CACHE_MAX_MS, 'the edge cache', () => findTombstone(file, galleryOf(image)))
  } catch (error) {
    logProblem('ask the edge cache', error)
    return true
  }
}

/**
 * Caches a complete response, and deletes the entry again if there is a tombstone by then: a delete may have come while the file was
 * read. The database is not asked once more.
 */
export async function putInEdgeCache(
  file: EdgeFile,
  { image, expiresAt }: { image: ImageInGallery; expiresAt: number | null },
  response: Response,
): Promise<void> {
  const entry = new Response(response.body, response)
  const gallery = galleryOf(image)
  const tags = [imageTag(image), ...(gallery === null ? [] : [galleryTag(gallery)])]
  entry.headers.set(TAG_FIELD, tags.join(','))
  if (gallery !== null) entry.headers.set(GALLERY_FIELD, gallery)
  if (expiresAt !== null) entry.headers.set(EXPIRY_FIELD, String(expiresAt))
  await inTime(EDGE_CACHE_PUT_MAX_MS, 'the edge cache', () => caches.default.put(cacheKey(file), entry)).catch(
    // The entry may be there nonetheless.
    (error) => logProblem('fill the edge cache', error),
  )
  if (await hasTombstone(file, image)) await untilDone(() => caches.default.delete(cacheKey(file)))
}

/**
 * Leaves a tombstone for what was deleted, one however many files it has, and deletes the entries of an image, for each domain whose
 * zone is that of this request. Either is enough for an image: each is tried, and tried again if it fails. Throws if one failed each
 * time.
 */
export async function deleteFromEdgeCache(sites: readonly Site[], deleted: Deleted): Promise<void> {
  const steps = sites.flatMap((site) => deletesOf(site, deleted))
  const done = await Promise.allSettled(steps.map(untilDone))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

function deletesOf(site: Site, deleted: Deleted): (() => Promise<unknown>)[] {
  if (deleted.kind === 'gallery') return [() => putTombstone(galleryTombstoneKey(site, galleryName(deleted)))]
  const path = imagePath(deleted.image)
  const keys = FILE_KINDS.map((kind) => cacheKey({ site, kind, path }))
  return [() => putTombstone(tombstoneKey(site, path)), ...keys.map((key) => () => caches.default.delete(key))]
}

async function untilDone(step: () => Promise<unknown>): Promise<void> {
  await retry(() => inTime(EDGE_CACHE_MAX_MS, 'the edge cache', step), { attempts: EDGE_CACHE_DELETE_ATTEMPTS })
}

function putTombstone(key: string): Promise<void> {
  const headers = { 'Cache-Control': `max-age=${EDGE_CACHE_TOMBSTONE_S}` }
  return caches.default.put(key, new Response('gone', { headers }))
}

function cacheKey({ site, kind, path }: EdgeFile): string {
  return `${kind === 'images' ? site.originals : site.thumbnails}/${fileKey(kind, path)}`
}

/** No path of the service begins like this one. */
function tombstoneKey(site: Site, path: string): string {
  return `${site.originals}/gone/${path}`
}

function galleryTombstoneKey(site: Site, gallery: string): string {
  return `${site.originals}/gone/gallery/${gallery}`
}

function imageTag({ id }: Pick<Image, 'id'>): string {
  return `tintype-image-${id}`
}

function galleryTag(gallery: string): string {
  return `tintype-gallery-${gallery}`
}

/** The name of an image's gallery in tombstones and tags; null if it is in none. */
function galleryOf({ id, galleryId }: ImageInGallery): string | null {
  return galleryId === null ? null : galleryName({ shard: shardOfImage(id), galleryId })
}

/** Galleries of different shards have the same numbers. */
function galleryName({ shard, galleryId }: { shard: number; galleryId: number }): string {
  return `${shard}-${galleryId}`
}
