import { createMiddleware } from 'hono/factory'
import { CORS_MAX_AGE_S } from '../../limits.ts'
import * as routes from '../../routes.ts'
import type { AppContext, AppEnv } from '../context.ts'
import { needsUploadKey } from './upload-keys.ts'

const EXPOSED_HEADERS =
  'X-Request-ID, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, X-Error-Code, Link'
const PRIVATE_PREFIXES = [routes.manage, routes.addImages].map(routes.prefixOf)

/**
 * Middleware: pages of any origin may read the response to any POST or OPTIONS, except those of pages with forms (D20).
 */
export const allowAnyOrigin = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!['POST', 'OPTIONS'].includes(c.req.method) || isPageWithForm(c.req.path)) return
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
})

/** Lets pages of any origin read the response to this GET. */
export function openForReading(c: AppContext): void {
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', `${EXPOSED_HEADERS}, ETag`)
}

function isPageWithForm(path: string): boolean {
  return path === routes.report || PRIVATE_PREFIXES.some((prefix) => path.startsWith(prefix))
}

/** `OPTIONS` of an API path: the preflight request of a browser. */
export function respondToPreflight(c: AppContext): Response {
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'POST',
    // `*` does not include Authorization (Fetch Standard, 3.3.2).
    'Access-Control-Allow-Headers': needsUploadKey(c) ? 'Authorization, *' : '*',
    'Access-Control-Max-Age': String(CORS_MAX_AGE_S),
  })
}
