import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { nowMs } from '../clock.ts'
import { type Bindings, publicDomains } from '../env.ts'
import { openStore, type Store } from '../storage/store.ts'
import { type Host, parseRequestUrl, resolveHost, showOrigins } from './hosts.ts'

/** What every handler finds in its context. */
export interface Variables {
  requestId: string
  /** When the request arrived, in milliseconds since 1970. */
  nowMs: number
  store: Store
  host: Host
  /** The origins that public show URLs begin with. */
  showOrigins: () => Set<string>
}

export type AppEnv = { Bindings: Bindings; Variables: Variables }
export type AppContext = Context<AppEnv>

/** Puts what handlers need into the context, before anything else happens. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  const url = parseRequestUrl(c.req.raw)
  const domains = publicDomains(c.env)
  c.set('requestId', crypto.randomUUID())
  c.set('nowMs', nowMs(c.env))
  c.set('store', openStore(c.env))
  c.set('host', resolveHost(url, domains, c.env.LOCAL_PORT))
  c.set('showOrigins', () => showOrigins(url, domains, c.env.LOCAL_PORT))
  await next()
  c.header('X-Request-ID', c.var.requestId)
})
