import type { Image } from '../domain/content.ts'
import type { Deleted } from '../domain/deletion.ts'
import { shardOfImage } from '../domain/image-id.ts'
import { imagePath, type Site } from '../domain/links.ts'
import { EDGE_CACHE_MARK_S, EDGE_CACHE_MAX_MS, EDGE_CACHE_PURGE_ATTEMPTS, EDGE_CACHE_PUT_MAX_MS } from '../limits.ts'
import { type FileKind, fileKey } from '../storage/files.ts'
import { inTime } from './in-time.ts'
import { logProblem } from './log.ts'
import { checkConditions } from './wire/conditions.ts'

/**
 * The cache of the data centre that answers. A file has one entry for each public domain, under its link there, and is kept for
 * the five minutes of its `s-maxage`. A delete leaves a mark, which outlives every entry that was begun before it, and purges the
 * cache of this data centre at once; the others keep their entries until they expire (D29).
 */

/** A file as the cache knows it: by its link on the domain that was called, which is the zone whose cache this is. */
export interface EdgeFile {
  site: Site
  kind: FileKind
  /** `<dir>/<id>_<name>`. */
  path: string
}

/** A picture, and the gallery that it is in. */
type PictureInGallery = Pick<Image, 'id' | 'galleryId'>

const GALLERY_FIELD = 'X-Tintype-Gallery'
/**
 * The cached answer for a file, also to a conditional request; undefined if there is none, the cache cannot tell, or the request is
 * for a range.
 */
export async function findInEdgeCache(request: Request, file: EdgeFile): Promise<Response | undefined> {
  if (request.headers.has('Range')) return undefined
  try {
    return await inTime(EDGE_CACHE_MAX_MS, 'the edge cache', () => find(request, file))
  } catch (error) {
    logProblem('ask the edge cache', error)
    return undefined
  }
}

async function find(request: Request, file: EdgeFile): Promise<Response | undefined> {
  const cached = await caches.default.match(cacheKey(file))
  if (!cached) return undefined
  const refused = checkConditions(request.headers, validatorsOf(cached))
  const hasBody = refused === undefined && request.method !== 'HEAD'
  if (!hasBody) void cached.body?.cancel()
  const response = new Response(hasBody ? cached.body : null, { headers: cached.headers, status: refused ?? 200 })
  if (refused !== undefined) response.headers.delete('Content-Length')
  const gallery = response.headers.get(GALLERY_FIELD)
  response.headers.delete(GALLERY_FIELD)
  response.headers.delete('CF-Cache-Status')
  return (await isMarked(file, gallery)) ? undefined : response
}

function validatorsOf({ headers }: Response) {
  return { etag: headers.get('ETag') ?? '', lastModified: new Date(headers.get('Last-Modified') ?? 0) }
}

async function isMarked({ site, path }: EdgeFile, gallery: string | null): Promise<boolean> {
  const marks = [markKey(site, path), ...(gallery === null ? [] : [galleryMarkKey(site, gallery)])]
  const found = await Promise.all(marks.map((mark) => caches.default.match(mark)))
  return found.some((mark) => mark !== undefined)
}

/** Whether a delete has left a mark here for this picture or its gallery; true also if the cache cannot tell. */
export async function isMarkedGone(file: EdgeFile, image: PictureInGallery): Promise<boolean> {
  try {
    return await inTime(EDGE_CACHE_MAX_MS, 'the edge cache', () => isMarked(file, galleryOf(image)))
  } catch (error) {
    logProblem('ask the edge cache', error)
    return true
  }
}

/**
 * Caches a complete answer, and takes it out again if there is a mark by then: a delete may have purged the cache while the file
 * was read. The database is not asked once more.
 */
export async function putInEdgeCache(file: EdgeFile, image: PictureInGallery, response: Response): Promise<void> {
  const entry = new Response(response.body, response)
  const gallery = galleryOf(image)
  if (gallery !== null) entry.headers.set(GALLERY_FIELD, gallery)
  await inTime(EDGE_CACHE_PUT_MAX_MS, 'the edge cache', () => caches.default.put(cacheKey(file), entry)).catch(
    // The entry may be there nonetheless.
    (error) => logProblem('fill the edge cache', error),
  )
  if (await isMarkedGone(file, image)) await caches.default.delete(cacheKey(file))
}

/**
 * Marks as deleted what was deleted, by one entry however many files it has, and purges those of a picture, on each domain.
 * Either is enough for a picture: each is tried, and tried again if it fails. Throws if one failed each time.
 */
export async function purgeFromEdgeCache(sites: readonly Site[], deleted: Deleted): Promise<void> {
  const steps = sites.flatMap((site) => purgesOf(site, deleted))
  const done = await Promise.allSettled(steps.map(untilDone))
  const failed = done.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

function purgesOf(site: Site, deleted: Deleted): (() => Promise<unknown>)[] {
  if (deleted.kind === 'gallery') return [() => putMark(galleryMarkKey(site, galleryName(deleted)))]
  const path = imagePath(deleted.image)
  const keys = (['images', 'thumbs'] as const).map((kind) => cacheKey({ site, kind, path }))
  return [() => putMark(markKey(site, path)), ...keys.map((key) => () => caches.default.delete(key))]
}

async function untilDone(step: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inTime(EDGE_CACHE_MAX_MS, 'the edge cache', step)
      return
    } catch (error) {
      if (attempt === EDGE_CACHE_PURGE_ATTEMPTS) throw error
    }
  }
}

function putMark(key: string): Promise<void> {
  const headers = { 'Cache-Control': `max-age=${EDGE_CACHE_MARK_S}` }
  return caches.default.put(key, new Response('gone', { headers }))
}

function cacheKey({ site, kind, path }: EdgeFile): string {
  return `${kind === 'images' ? site.originals : site.thumbnails}/${fileKey(kind, path)}`
}

/** No path of the service begins like this one. */
function markKey(site: Site, path: string): string {
  return `${site.originals}/gone/${path}`
}

function galleryMarkKey(site: Site, gallery: string): string {
  return `${site.originals}/gone/gallery/${gallery}`
}

/** The name of a picture's gallery in marks; null if it is in none. */
function galleryOf({ id, galleryId }: PictureInGallery): string | null {
  return galleryId === null ? null : galleryName({ shard: shardOfImage(id), galleryId })
}

/** Galleries of different shards have the same numbers. */
function galleryName({ shard, galleryId }: { shard: number; galleryId: number }): string {
  return `${shard}-${galleryId}`
}
