import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import type { ProblemLogger } from '../../domain/problem-logger.ts'
import { parseLogShare } from '../../domain/settings/log-share.ts'
import type { Bindings } from '../../env.ts'
import { RESPONSE_TIME_BUCKETS_S } from '../../limits.ts'
import * as routes from '../../routes.ts'
import { SECOND_MS } from '../../units.ts'
import type { AppContext, AppEnv } from '../context.ts'
import { countUp, isolateFacts } from '../counters.ts'
import type { Host } from '../hosts.ts'
import { logRequest } from '../log.ts'
import { settingReader } from '../setting-reader.ts'

/** Counted and logged instead of a path without a route. */
const NO_ROUTE = 'none'
const PATTERNS: ReadonlySet<string> = new Set(Object.values(routes).filter((route) => typeof route === 'string'))
/** Any other word of a request's first line may be anything. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Kinds of requests that take times of different orders. */
const UPLOADS: readonly string[] = [
  ...[routes.images, routes.covers, routes.uploadForm, routes.share, routes.guestImages, routes.addImages],
]
const MEDIA: readonly string[] = [routes.original, routes.thumbnail, routes.preview]

/** Middleware: counts every request of this isolate and its response time, and logs requests as the setting says. */
export const observe = createMiddleware<AppEnv>(async (c, next) => {
  const arrivedMs = Date.now()
  await next()
  const { requestId, host, logProblem } = c.var
  const tookMs = Date.now() - arrivedMs
  const { env, res: response } = c
  observeResponse({ request: c.req.raw, response, route: routeOf(c), host, env, requestId, tookMs, logProblem })
})

/** A request and its response. */
interface Observed {
  request: Request
  response: Response
  /** The pattern of the path. */
  route: string
  host: Host
  env: Pick<Bindings, 'LOG_REQUESTS'>
  requestId: string
  tookMs: number
  logProblem: ProblemLogger
}

/** Counts a request and how long its response took, and logs it if the setting chooses it. */
export function observeResponse(observed: Observed): void {
  const { request, response, route, host, requestId, tookMs } = observed
  countUp('requests', { route, status: String(response.status) })
  countResponseTime(kindOfWork(route), tookMs / SECOND_MS)
  if (route === NO_ROUTE || !isChosen(observed)) return
  logRequest(request, {
    request_id: requestId,
    isolate: isolateFacts().id,
    method: METHODS.includes(request.method) ? request.method : 'other',
    route,
    host: host.role,
    status: response.status,
    error: response.headers.get('X-Error-Code') ?? undefined,
    ms: tookMs,
    bytes_in: lengthIn(request.headers),
    bytes_out: lengthIn(response.headers),
  })
}

/** The pattern of the path, never the path. */
function routeOf(c: AppContext): string {
  return matchedRoutes(c).find(({ path }) => PATTERNS.has(path))?.path ?? NO_ROUTE
}

function kindOfWork(route: string): string {
  if (UPLOADS.includes(route)) return 'upload'
  return MEDIA.includes(route) ? 'media' : 'other'
}

/** Counts as Prometheus' histograms do: each bucket holds all that took no longer. */
function countResponseTime(kind: string, seconds: number): void {
  for (const bound of RESPONSE_TIME_BUCKETS_S) {
    countUp('answer_times', { kind, le: String(bound) }, seconds <= bound ? 1 : 0)
  }
  countUp('answer_times', { kind, le: '+Inf' })
  countUp('answer_seconds', { kind }, seconds)
}

const readShare = settingReader({ parse: parseLogShare, otherwise: 0, problem: 'no request is logged' })

/** Whether this request is among those that are logged. */
function isChosen({ env, response, logProblem }: Observed): boolean {
  const share = readShare(env.LOG_REQUESTS ?? '', logProblem)
  // All responses with 5xx are logged.
  return share > 0 && (response.status >= 500 || Math.random() < share)
}

function lengthIn(headers: Headers): number | undefined {
  const length = headers.get('Content-Length') ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined
}
