import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { nowMs } from '../clock.ts'
import type { Bindings } from '../env.ts'
import type * as routes from '../routes.ts'
import { openStore, type Store } from '../storage/store.ts'
import type { Host } from './hosts.ts'

/** What every handler has in its context. */
export interface Variables {
  requestId: string
  /** When the request arrived, in milliseconds since 1970. */
  nowMs: number
  store: Store
  host: Host
}

/** The bindings, and the host: it was resolved to choose the app that answers. */
interface RequestBindings extends Bindings {
  host: Host
}

/** The types of the Hono app. */
export type AppEnv = { Bindings: RequestBindings; Variables: Variables }
/** The context of a request. */
export type AppContext = Context<AppEnv>

/** A parameter of the request's path. */
export function pathParameter(c: AppContext, name: routes.Parameter): string {
  return c.req.param(name) ?? ''
}

/** Middleware, the first of all: sets the variables of the context and answers with the request id. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  c.set('nowMs', nowMs(c.env))
  c.set('store', openStore(c.env))
  c.set('host', c.env.host)
  await next()
  c.header('X-Request-ID', c.var.requestId)
})
