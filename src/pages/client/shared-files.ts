/** The cache in which the service worker leaves shared pictures for the upload page. */
const CACHE = 'shared'
const NAME_HEADER = 'X-File-Name'

/** Leaves files for the upload page: all of them, or it throws, and none are left. */
export async function keepShared(files: readonly File[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const now = Date.now()
  const kept = await Promise.allSettled(
    files.map((file, index) =>
      cache.put(
        `/shared/${now}-${index}`,
        new Response(file, { headers: { 'Content-Type': file.type, [NAME_HEADER]: encodeURIComponent(file.name) } }),
      ),
    ),
  )
  if (kept.every(({ status }) => status === 'fulfilled')) return
  await caches.delete(CACHE)
  throw new Error('the device has no room for what was shared')
}

/** The files that were left, in their order: they are handed out once. */
export async function takeShared(): Promise<File[]> {
  const cache = await caches.open(CACHE)
  const requests = await cache.keys()
  const files = await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request)
      const blob = await response?.blob()
      const name = decodeURIComponent(response?.headers.get(NAME_HEADER) ?? '')
      return blob ? [new File([blob], name || 'image', { type: blob.type })] : []
    }),
  )
  await caches.delete(CACHE)
  return files.flat()
}
