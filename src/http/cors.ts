import { createMiddleware } from 'hono/factory'
import { CORS_MAX_AGE_S } from '../limits.ts'
import type { AppContext, AppEnv } from './context.ts'

const MANAGEMENT_PAGE = /^\/manage\//

/** Lets pages of any origin read every answer to a POST or OPTIONS, without credentials; management pages apart (D20). */
export const allowAnyOrigin = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (!['POST', 'OPTIONS'].includes(c.req.method) || MANAGEMENT_PAGE.test(c.req.path)) return
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', 'X-Request-ID, Retry-After, RateLimit, RateLimit-Policy')
})

/** `OPTIONS` of an API path: what a browser asks before it lets a page upload. */
export function answerPreflight(c: AppContext): Response {
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': String(CORS_MAX_AGE_S),
  })
}
