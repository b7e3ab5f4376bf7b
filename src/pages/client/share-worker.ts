// The service worker of the share sheet. It stores the files that a phone shares with the installed app, before anything is sent, and
// opens the upload page, which shows them. Its scope is that one address.
import { SHARED_MAX_BYTES, SHARED_MAX_FILES, SHARES_WAITING_MAX } from '../../limits.ts'
import * as routes from '../../routes.ts'
import { keepLastShares, storeShared } from './shared-files.ts'
import { type IncomingFile, readSharedForm } from './shared-form.ts'

/** The members of a FetchEvent (Service Workers, 4.6) that are used. The types of pages do not have it. */
interface FetchEvent {
  request: Request
  respondWith: (response: Promise<Response>) => void
}

declare const self: {
  addEventListener: (type: 'fetch', listen: (event: FetchEvent) => void) => void
  location: Location
}

self.addEventListener('fetch', (event) => {
  // The service refuses a form of another site (403).
  if (event.request.method === 'POST' && !isForeign(event.request)) event.respondWith(take(event.request))
})

/**
 * Whether a page of another site sent the form. A share sheet sends no referrer; so can such a page, whose share is deleted where the
 * upload page does not run as the installed app.
 */
function isForeign({ headers, referrer }: Request): boolean {
  const origin = headers.get('Origin') ?? 'null'
  if (origin !== 'null' && origin !== self.location.origin) return true
  return URL.canParse(referrer) && referrer !== 'about:client' && new URL(referrer).origin !== self.location.origin
}

async function take(request: Request): Promise<Response> {
  const timeMs = Date.now()
  let stored = 0
  let bytes = 0
  let left = 0
  await keepLastShares(SHARES_WAITING_MAX - 1)
  await readSharedForm(request, 'img', async (file) => {
    if (stored === SHARED_MAX_FILES) return void left++
    const content = new CountedContent(file, SHARED_MAX_BYTES - bytes)
    try {
      await storeShared(timeMs, stored, content)
      stored++
      bytes += content.bytes
    } catch {
      left++
    }
  })
  const search = new URLSearchParams({ shared: String(timeMs), ...(left > 0 ? { left: String(left) } : {}) })
  return Response.redirect(`${routes.home}?${search}`, 303)
}

/** A file whose content breaks off beyond a number of bytes. */
class CountedContent implements IncomingFile {
  readonly name: string
  readonly type: string
  readonly content: ReadableStream<Uint8Array>
  bytes = 0

  constructor({ name, type, content }: IncomingFile, maxBytes: number) {
    this.name = name
    this.type = type
    const count = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.bytes += chunk.length
        if (this.bytes > maxBytes) controller.error(new Error('the share is too large'))
        else controller.enqueue(chunk)
      },
    })
    this.content = content.pipeThrough(count)
  }
}
