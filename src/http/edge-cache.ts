import type { Deleted } from '../domain/deletion.ts'
import { imagePath } from '../domain/links.ts'
import { MEDIA_EDGE_CACHE_S } from '../limits.ts'
import { fileKey } from '../storage/files.ts'

/**
 * The cache of the data centre that answers. A file has one entry whatever host it is asked on, for the five minutes of
 * its `s-maxage`; other data centres keep theirs so long after a delete (D29), this one forgets at once.
 */

const KEY_ORIGIN = 'https://media.invalid'
const GALLERY_FIELD = 'X-Tintype-Gallery'
const CONDITIONAL_HEADERS = [
  'Range',
  'If-Range',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
]

/** The answer to a plain request for this file, if the cache has one; what has conditions is answered from storage. */
export async function findInEdgeCache(request: Request, key: string): Promise<Response | undefined> {
  if (CONDITIONAL_HEADERS.some((name) => request.headers.has(name))) return undefined
  const cached = await caches.default.match(cacheKey(key))
  if (!cached) return undefined
  const response = new Response(request.method === 'HEAD' ? null : cached.body, cached)
  const galleryId = response.headers.get(GALLERY_FIELD)
  response.headers.delete(GALLERY_FIELD)
  response.headers.delete('CF-Cache-Status')
  if (galleryId !== null && (await caches.default.match(deletedGalleryKey(galleryId)))) return undefined
  return response
}

/** Keeps a complete answer; the caller's own stays readable. */
export async function putInEdgeCache(key: string, galleryId: number | null, response: Response): Promise<void> {
  const entry = new Response(response.body, response)
  if (galleryId !== null) entry.headers.set(GALLERY_FIELD, String(galleryId))
  await caches.default.put(cacheKey(key), entry)
}

/** Forgets what was deleted. A gallery's files are not looked for one by one: a mark says that they are gone. */
export async function purgeFromEdgeCache(deleted: Deleted): Promise<void> {
  if (deleted.kind === 'gallery') {
    const headers = { 'Cache-Control': `max-age=${MEDIA_EDGE_CACHE_S}` }
    await caches.default.put(deletedGalleryKey(String(deleted.galleryId)), new Response('gone', { headers }))
    return
  }
  const path = imagePath(deleted.image)
  await Promise.all([
    caches.default.delete(cacheKey(fileKey('images', path))),
    caches.default.delete(cacheKey(fileKey('thumbs', path))),
  ])
}

function cacheKey(key: string): string {
  return `${KEY_ORIGIN}/${key}`
}

function deletedGalleryKey(galleryId: string): string {
  return `${KEY_ORIGIN}/gone/${galleryId}`
}
