import { SHARE_STALL_TIMEOUT_MS } from '../../../../limits.ts'
import type { IncomingFile } from './shared-form.ts'
import { StallTimer } from './stall-timer.ts'

/** Cache in which the service worker leaves shared files for the upload page. */
const CACHE = 'shared'
const NAME_HEADER = 'X-File-Name'
const FOLDER = '/shared/'
/** Key of this window's storage: the time of the last share that the user added to its list. */
const ADDED = 'shared-added'

const addresses = new WeakMap<File, string>()

/** Files that wait in this window: those that the user added to its list, and those that are still to be confirmed. */
interface SharedFiles {
  added: File[]
  unconfirmed: File[]
}

/** Stores a file of the share of that time. Throws if its content breaks off or the device has no room; then nothing is left. */
export async function storeShared(timeMs: number, index: number, { name, type, content }: IncomingFile): Promise<void> {
  const cache = await caches.open(CACHE)
  const address = `${FOLDER}${timeMs}-${index}`
  const headers = { 'Content-Type': type, [NAME_HEADER]: encodeURIComponent(name) }
  try {
    await cache.put(address, new Response(content, { headers }))
  } catch (error) {
    await cache.delete(address)
    throw error
  }
}

/** Deletes all shares but the last ones, which closed windows have left. */
export async function keepLastShares(count: number): Promise<void> {
  const times = new Set((await requestsOf(await caches.open(CACHE))).map(timeOf))
  const remaining = new Set([...times].toSorted((a, b) => b - a).slice(0, count))
  await deleteShares((timeMs) => !remaining.has(timeMs))
}

/**
 * Returns the files of this window's list, whose first share is that of `firstMs`. Deletes earlier shares: they belong to windows that
 * were closed. The files stay until they are forgotten. Throws if the browser's storage stalls.
 */
export function readShared(firstMs: number): Promise<SharedFiles> {
  const timer = new StallTimer(SHARE_STALL_TIMEOUT_MS)
  return timer.limit(readSince(firstMs, timer))
}

async function readSince(firstMs: number, timer: StallTimer): Promise<SharedFiles> {
  const addedMs = Number(sessionStorage.getItem(ADDED) ?? 0)
  await deleteShares((timeMs) => timeMs < firstMs)
  const cache = await caches.open(CACHE)
  const requests = await requestsOf(cache)
  const [added, unconfirmed] = await Promise.all([
    readFiles(
      cache,
      requests.filter((request) => timeOf(request) <= addedMs),
      timer,
    ),
    readFiles(
      cache,
      requests.filter((request) => timeOf(request) > addedMs),
      timer,
    ),
  ])
  return { added, unconfirmed }
}

/** Notes that the user added everything up to the share of that time to this window's list. */
export function confirmShared(lastMs: number): void {
  sessionStorage.setItem(ADDED, String(lastMs))
}

/** Deletes a file that the list shows no more, if it was shared. */
export async function forgetShared(file: File): Promise<void> {
  const address = addresses.get(file)
  if (address !== undefined) await (await caches.open(CACHE)).delete(address)
}

/** Deletes the share of that time. */
export function forgetShare(timeMs: number): Promise<void> {
  return deleteShares((time) => time === timeMs)
}

/** Deletes all shares: this window shows a new list. */
export async function forgetAllShared(): Promise<void> {
  sessionStorage.removeItem(ADDED)
  await deleteShares(() => true)
}

/** Deletes files only: in a cache that was deleted, the worker would store the rest of a share for nobody. */
async function deleteShares(isUnwanted: (timeMs: number) => boolean): Promise<void> {
  const cache = await caches.open(CACHE)
  const requests = await cache.keys()
  await Promise.all(requests.filter((request) => isUnwanted(timeOf(request))).map((request) => cache.delete(request)))
}

async function requestsOf(cache: Cache): Promise<Request[]> {
  return (await cache.keys()).toSorted((a, b) => a.url.localeCompare(b.url, 'en', { numeric: true }))
}

async function readFiles(cache: Cache, requests: readonly Request[], timer: StallTimer): Promise<File[]> {
  const files = await Promise.all(
    requests.map(async (request) => {
      const response = await cache.match(request)
      if (!response) return []
      const blob = await response.blob()
      timer.progress()
      const name = decodeURIComponent(response.headers.get(NAME_HEADER) ?? '')
      // The same file shared twice is recognized by its name, its size and this time.
      const file = new File([blob], name || 'image', { type: blob.type, lastModified: 0 })
      addresses.set(file, request.url)
      return [file]
    }),
  )
  return files.flat()
}

/** Returns when the file of a request was shared. */
function timeOf({ url }: Request): number {
  return Number.parseInt(url.split('/').at(-1) ?? '', 10)
}
