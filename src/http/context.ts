import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Lease } from '../domain/lease.ts'
import type { ProblemLogger } from '../domain/problem-logger.ts'
import { parseWriteShards } from '../domain/write-shards.ts'
import type { Bindings } from '../env.ts'
import { BODY_ADMISSION } from '../limits.ts'
import type * as routes from '../routes.ts'
import { createBreakers } from '../storage/circuit-breaker.ts'
import { openStore, type Store } from '../storage/store.ts'
import { isolateClock, nowMs } from '../time.ts'
import { finishAfterHangUp } from './after-response.ts'
import { createAdmission } from './body/admission.ts'
import { discardUnread, expectedBytes, type Incoming } from './body/buffered-body.ts'
import { readCacheOf } from './cache/isolate-cache.ts'
import type { Host } from './hosts.ts'
import { clientKey } from './limits/client-address.ts'
import { problemLoggerOf } from './log.ts'
import { settingReader } from './setting-reader.ts'

/** What every handler has in its context. */
export interface Variables {
  requestId: string
  /** When the request arrived, in milliseconds since 1970. */
  nowMs: number
  store: Store
  host: Host
  /** Logs what failed in this request. */
  logProblem: ProblemLogger
  /** The request, for those who read its body. */
  incoming: Incoming
  /** The lease of a request with an Idempotency-Key. */
  lease?: Lease
}

/** The bindings, and the host: it was resolved to choose the app that answers. */
interface RequestBindings extends Bindings {
  host: Host
}

/** The types of the Hono app. */
export type AppEnv = { Bindings: RequestBindings; Variables: Variables }
/** The context of a request. */
export type AppContext = Context<AppEnv>

/** The path of a request as it was sent: one with percent-encoding is another path than that which it stands for. */
export function pathAsSent({ url }: Pick<Request, 'url'>): string {
  return /^[^:]*:\/\/[^/?#]*(\/[^?#]*)/.exec(url)?.[1] ?? '/'
}

/** A parameter of the request's path, as it was sent: no identifier of ours needs percent-encoding. */
export function pathParameter(c: AppContext, name: routes.Parameter): string {
  const at = routePath(c).split('/').indexOf(`:${name}`)
  return c.req.path.split('/')[at] ?? ''
}

/** One for all requests of an isolate, whose memory they share. */
const admission = createAdmission(BODY_ADMISSION, isolateClock)

/** What the bodies of all requests of this isolate hold, and how many wait to be read. */
export function bodiesInHand(): { heldBytes: number; waiting: number } {
  const waiting = admission.waiting()
  return { heldBytes: admission.heldBytes(), waiting }
}

/** The circuit breakers of this isolate's shards. */
const isolateBreakers = createBreakers()

/** The shards that are open for writing; undefined for all. */
const readWriteShards = settingReader({
  parse: (setting: string) => (setting === '' ? undefined : parseWriteShards(setting)),
  otherwise: undefined,
  problem: 'all shards are open for writing',
})

/** Middleware, the first of all: sets the variables of the context and answers with the request id. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  c.set('nowMs', nowMs(c.env))
  c.set('host', c.env.host)
  const request = c.req.raw
  c.set('logProblem', problemLoggerOf(request))
  const writeShards = readWriteShards(c.env.WRITE_SHARDS ?? '', c.var.logProblem)
  c.set('store', openStore(c.env, { writeShards, cache: readCacheOf(c.env), breakers: isolateBreakers }))
  const memory = admission.open({
    client: clientKey(request),
    ...expectedBytes(request),
    signal: request.signal,
  })
  c.set('incoming', { request, memory })
  const answered = next()
    .then(() => discardUnread(request))
    .finally(() => memory.close())
  // A client that hangs up does not stop what it has begun: it is done as a whole, or cleaned up after.
  if (request.method === 'POST') finishAfterHangUp(c, answered)
  await answered
  c.header('X-Request-ID', c.var.requestId)
})
