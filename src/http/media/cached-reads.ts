import { parseImagePath } from '../../domain/ids/links.ts'
import type { Bindings } from '../../env.ts'
import * as routes from '../../routes.ts'
import { FILE_KINDS, type FileKind, fileKey } from '../../storage/files.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import * as time from '../../time.ts'
import { readCacheOf } from '../cache/isolate-cache.ts'
import { pathAsSent } from '../context.ts'
import type { Host } from '../hosts.ts'
import { problemLoggerOf } from '../log.ts'
import { observeResponse } from '../middleware/observe.ts'
import { strictTransportSecurity } from '../responses/headers.ts'
import { pageKey } from '../responses/page-response.ts'
import { respondFromCache } from './media.ts'

/** A response from the cache, and the route that it is of. */
interface Cached {
  route: string
  response: Response
}

const FILE_ROUTES: Readonly<Record<FileKind, string>> = {
  images: routes.original,
  thumbs: routes.thumbnail,
  previews: routes.preview,
}
const SHOW_PREFIX = routes.prefixOf(routes.show)

/**
 * Responds from the cache of this isolate; undefined on a miss. It runs before the app, whose routing and middleware
 * cost several times as much as a hit, and sends the same response.
 */
export function serveCached(request: Request, env: Bindings, host: Host): Response | undefined {
  const cache = readCacheOf(env)
  if (!cache || host.role === 'api' || !hasNoBody(request)) return undefined
  const nowMs = time.nowMs(env)
  const cached =
    findFile(cache, request, nowMs) ?? (host.role === 'everything' ? findPage(cache, request, host, nowMs) : undefined)
  // Refusals have headers of their own, which the app knows.
  if (!cached || cached.response.status >= 400) return undefined
  const { route, response } = cached
  const requestId = crypto.randomUUID()
  for (const [name, value] of Object.entries(strictTransportSecurity(request, host))) response.headers.set(name, value)
  response.headers.set('X-Request-ID', requestId)
  const logProblem = problemLoggerOf(request)
  observeResponse({ request, response, route, host, env, requestId, tookMs: 0, logProblem })
  return response
}

/** A body that nobody reads is discarded by the app. */
function hasNoBody({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && !headers.has('Content-Length') && !headers.has('Transfer-Encoding')
}

function findFile(cache: ReadCache, request: Request, nowMs: number): Cached | undefined {
  if (request.url.includes('?')) return undefined
  const path = pathAsSent(request)
  for (const kind of FILE_KINDS) {
    const prefix = routes.prefixOf(FILE_ROUTES[kind])
    if (!path.startsWith(prefix)) continue
    const imagePath = path.slice(prefix.length)
    const file = parseImagePath(imagePath) && cache.findFile(fileKey(kind, imagePath), nowMs)
    return file && { route: FILE_ROUTES[kind], response: respondFromCache(request, file, nowMs) }
  }
  return undefined
}

function findPage(cache: ReadCache, request: Request, host: Host, nowMs: number): Cached | undefined {
  if (request.method !== 'GET' || !pathAsSent(request).startsWith(SHOW_PREFIX)) return undefined
  const key = pageKey(request, host.site)
  const page = key === undefined ? undefined : cache.findPage(key, nowMs)
  if (!page) return undefined
  const response = new Response(page.bytes, { headers: page.headers, encodeBody: 'manual' })
  return { route: routes.show, response }
}
