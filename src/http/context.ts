import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { Lease } from '../domain/idempotency/lease.ts'
import type { ProblemLogger } from '../domain/problem-logger.ts'
import type { UploadKey } from '../domain/settings/upload-keys.ts'
import type { Bindings } from '../env.ts'
import type * as routes from '../routes.ts'
import type { Store } from '../storage/store.ts'
import type { Incoming } from './body/buffered-body.ts'
import type { Host } from './hosts.ts'

/** The variables in the context of every handler. */
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
  /** The key that a request has shown, where UPLOAD_KEYS is set. */
  uploadKey?: UploadKey
  /** The lease of a request with an Idempotency-Key. */
  lease?: Lease
}

/** The bindings, and the host, which was resolved to select the app. */
interface RequestBindings extends Bindings {
  host: Host
}

/** The types of the Hono app. */
export type AppEnv = { Bindings: RequestBindings; Variables: Variables }
/** The context of a request. */
export type AppContext = Context<AppEnv>

/** Returns the path of a request as it was sent: percent-encoding makes another path. */
export function pathAsSent({ url }: Pick<Request, 'url'>): string {
  return /^[^:]*:\/\/[^/?#]*(\/[^?#]*)/.exec(url)?.[1] ?? '/'
}

/** A parameter of the request's path, as it was sent: no identifier of ours needs percent-encoding. */
export function pathParameter(c: AppContext, name: routes.Parameter): string {
  const at = routePath(c).split('/').indexOf(`:${name}`)
  return c.req.path.split('/')[at] ?? ''
}
