import { createMiddleware } from 'hono/factory'
import { Failure } from '../../domain/failure.ts'
import type { AppEnv } from '../context.ts'
import { showOrigins } from '../hosts.ts'

/**
 * Middleware of the forms of pages: throws `foreign_origin` if a page of another site sent the form. A missing Origin
 * is allowed: programs send none, and old browsers with no form. What the user did outside of any page, such as sharing
 * an image from a phone, comes with `Origin: null`, and with a field that no page can set.
 */
export const ownFormsOnly = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('Origin')?.toLowerCase()
  const { host } = c.var
  const isOwn = origin === undefined || origin === host.url.origin || showOrigins(host).has(origin)
  if (!isOwn && c.req.header('Sec-Fetch-Site') !== 'none') {
    throw new Failure('foreign_origin')
  }
  await next()
})
