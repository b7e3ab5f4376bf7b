import type { Context } from 'hono'
import { compression } from './compression.ts'

/** Responds with a text, compressed and to be revalidated each time; `vary` names a header that it depends on. */
export function text(
  c: Context,
  body: string,
  type: string,
  { headers = {}, vary }: { headers?: Record<string, string>; vary?: string } = {},
): Response {
  return c.body(body, 200, {
    'Content-Type': type,
    ...headers,
    ...compression(c.req.raw, vary),
  })
}
