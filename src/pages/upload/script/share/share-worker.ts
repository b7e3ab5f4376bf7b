// The service worker of the share sheet. It stores the files that a phone shares with the installed app, before anything is sent, and
// opens the upload page, which shows them. Its scope is that one address.
import { SHARE_STALL_TIMEOUT_MS, SHARED_MAX_BYTES, SHARED_MAX_FILES, SHARES_WAITING_MAX } from '../../../../limits.ts'
import * as routes from '../../../../routes.ts'
import { keepLastShares, storeShared } from './shared-files.ts'
import { type IncomingFile, readSharedForm } from './shared-form.ts'
import { StallTimer } from './stall-timer.ts'

/** The members of a FetchEvent (Service Workers, 4.6) that are used. The types of pages do not have it. */
interface FetchEvent {
  request: Request
  respondWith: (response: Promise<Response>) => void
}

declare const self: {
  addEventListener: (type: 'fetch', listen: (event: FetchEvent) => void) => void
  location: Location
}

interface Share {
  timeMs: number
  /** Files. */
  stored: number
  bytes: number
  /** Files that were left out. */
  left: number
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
  return referrer !== '' && referrer !== 'about:client' && new URL(referrer).origin !== self.location.origin
}

/** Always redirects to the page, which shows what is missing. */
async function take(request: Request): Promise<Response> {
  const share: Share = { timeMs: Date.now(), stored: 0, bytes: 0, left: 0 }
  const timer = new StallTimer(SHARE_STALL_TIMEOUT_MS)
  const isWhole = await timer.limit(store(request, share, timer)).then(
    () => true,
    () => false,
  )
  const search = new URLSearchParams({ shared: String(share.timeMs) })
  if (share.left > 0) search.set('left', String(share.left))
  if (!isWhole) search.set('interrupted', '')
  return Response.redirect(`${routes.home}?${search}`, 303)
}

/** Stores the files of a share. */
async function store({ body, headers }: Request, share: Share, timer: StallTimer): Promise<void> {
  await keepLastShares(SHARES_WAITING_MAX - 1)
  await readSharedForm({ body: body && timer.watch(body), headers }, 'img', async (file) => {
    if (share.stored === SHARED_MAX_FILES) return void share.left++
    const content = new CountedContent(file, SHARED_MAX_BYTES - share.bytes)
    try {
      await storeShared(share.timeMs, share.stored, content)
      share.stored++
      share.bytes += content.bytes
    } catch {
      share.left++
    }
  })
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
