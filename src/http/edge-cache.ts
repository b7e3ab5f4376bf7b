import type { Deleted } from '../domain/deletion.ts'
import { imagePath } from '../domain/links.ts'
import { MEDIA_EDGE_CACHE_S } from '../limits.ts'
import { fileKey } from '../storage/files.ts'

/**
 * The cache of the data centre that answers. A file has one entry for all hosts, kept for the five minutes of its `s-maxage`.
 * A delete purges the cache of this data centre at once; the others keep their entries until they expire (D29).
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

/** The cached answer for a file; undefined if there is none, or the request is conditional or for a range. */
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

/** Caches a complete answer. */
export async function putInEdgeCache(key: string, galleryId: number | null, response: Response): Promise<void> {
  const entry = new Response(response.body, response)
  if (galleryId !== null) entry.headers.set(GALLERY_FIELD, String(galleryId))
  await caches.default.put(cacheKey(key), entry)
}

/** Purges what was deleted. For a gallery, one entry marks all its files as deleted, however many there are. */
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
