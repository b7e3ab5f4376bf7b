import { createMiddleware } from 'hono/factory'
import { parseWriteShards } from '../../domain/settings/write-shards.ts'
import { BODY_ADMISSION } from '../../limits.ts'
import { createBreakers } from '../../storage/circuit-breaker.ts'
import { openStore } from '../../storage/store.ts'
import { isolateClock, nowMs } from '../../time.ts'
import { finishAfterHangUp } from '../after-response.ts'
import { createAdmission } from '../body/admission.ts'
import { discardUnread, expectedBytes } from '../body/buffered-body.ts'
import { readCacheOf } from '../cache/isolate-cache.ts'
import type { AppEnv } from '../context.ts'
import { clientKey } from '../limits/client-address.ts'
import { problemLoggerOf } from '../log.ts'
import { settingReader } from '../setting-reader.ts'

/** The admission of request bodies to the memory that all requests of an isolate share. */
const admission = createAdmission(BODY_ADMISSION, isolateClock)

/** Returns the memory that the request bodies of this isolate use, and the number of bodies that wait for memory. */
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

/** The first middleware: sets the variables of the context, and adds the request id to the response. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  c.set('nowMs', nowMs(c.env))
  c.set('host', c.env.host)
  const request = c.req.raw
  c.set('logProblem', problemLoggerOf(request))
  const writeShards = readWriteShards(c.env.WRITE_SHARDS ?? '', c.var.logProblem)
  const isReadOnly = c.env.READ_ONLY === 'on'
  c.set('store', openStore(c.env, { writeShards, cache: readCacheOf(c.env), breakers: isolateBreakers, isReadOnly }))
  const memory = admission.open({
    client: clientKey(request),
    ...expectedBytes(request),
    signal: request.signal,
  })
  c.set('incoming', { request, memory })
  const responded = next()
    .then(() => discardUnread(request))
    .finally(() => memory.close())
  // A disconnect does not cancel a POST: it is completed, or cleaned up.
  if (request.method === 'POST') finishAfterHangUp(c, responded)
  await responded
  c.header('X-Request-ID', c.var.requestId)
})
