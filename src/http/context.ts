import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { createImageIdSource } from '../domain/image-id.ts'
import type { Arrival } from '../domain/upload.ts'
import { type Bindings, nowMs, publicDomains } from '../env.ts'
import { openStore, type Store } from '../storage/store.ts'
import { type Host, parseRequestUrl, showOrigins, understandHost } from './hosts.ts'

/** What every handler finds in its context. */
export interface Variables {
  requestId: string
  arrival: Arrival
  store: Store
  host: Host
  /** The origins that public show URLs begin with. */
  showOrigins: () => Set<string>
}

export type AppEnv = { Bindings: Bindings; Variables: Variables }
export type AppContext = Context<AppEnv>

const nextImageId = createImageIdSource()

/** Takes note of the moment, the host and a request id before anything else happens: ids tell the order of arrival (D27). */
export const takeNote = createMiddleware<AppEnv>(async (c, next) => {
  const now = nowMs(c.env)
  const url = parseRequestUrl(c.req.raw)
  const domains = publicDomains(c.env)
  c.set('requestId', crypto.randomUUID())
  c.set('arrival', { id: nextImageId(now), nowMs: now })
  c.set('store', openStore(c.env))
  c.set('host', understandHost(url, domains, c.env.LOCAL_PORT))
  c.set('showOrigins', () => showOrigins(url, domains, c.env.LOCAL_PORT))
  await next()
  c.header('X-Request-ID', c.var.requestId)
})
