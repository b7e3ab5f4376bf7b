/** The cache in which the service worker leaves shared pictures for the upload page. */
const CACHE = 'shared'
const NAME_HEADER = 'X-File-Name'
/** In this window's storage: when the first of what its list shows was shared. The lists of other windows are not its own. */
const WAITING = 'shared'

const addresses = new WeakMap<File, string>()

/** Leaves files for the upload page: all of them, or it throws, and none of them are left. */
export async function keepShared(files: readonly File[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const now = Date.now()
  const paths = files.map((_, index) => `/shared/${now}-${index}`)
  const kept = await Promise.allSettled(
    files.map((file, index) =>
      cache.put(
        paths[index] ?? '',
        new Response(file, { headers: { 'Content-Type': file.type, [NAME_HEADER]: encodeURIComponent(file.name) } }),
      ),
    ),
  )
  if (kept.every(({ status }) => status === 'fulfilled')) return
  await Promise.all(paths.map((path) => cache.delete(path)))
  if ((await cache.keys()).length === 0) await caches.delete(CACHE)
  throw new Error('the device has no room for what was shared')
}

/**
 * The files that were left, in their order: those of the last share, after those of earlier ones that waited in this window's list
 * when the new page took its place. They stay until they are forgotten.
 */
export async function takeShared(): Promise<File[]> {
  const cache = await caches.open(CACHE)
  const requests = (await cache.keys()).toSorted((a, b) => a.url.localeCompare(b.url, 'en', { numeric: true }))
  const last = requests.at(-1)
  if (!last) return []
  const first = Number(sessionStorage.getItem(WAITING) ?? sharedAtMs(last))
  sessionStorage.setItem(WAITING, String(first))
  const files = await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request)
      if (!response || sharedAtMs(request) < first) {
        await cache.delete(request)
        return []
      }
      const blob = await response.blob()
      const name = decodeURIComponent(response.headers.get(NAME_HEADER) ?? '')
      // Of what is shared twice nothing but the moment differs.
      const file = new File([blob], name || 'image', { type: blob.type, lastModified: 0 })
      addresses.set(file, request.url)
      return [file]
    }),
  )
  return files.flat()
}

/** Forgets a file that the list shows no more, if it was shared. */
export async function forgetShared(file: File): Promise<void> {
  const address = addresses.get(file)
  if (address !== undefined) await (await caches.open(CACHE)).delete(address)
}

/** Forgets all that waited in this window: it shows a new list. */
export async function forgetAllShared(): Promise<void> {
  sessionStorage.removeItem(WAITING)
  await caches.delete(CACHE)
}

/** When the file at an address was shared. */
function sharedAtMs({ url }: Request): number {
  return Number.parseInt(url.split('/').at(-1) ?? '', 10)
}
