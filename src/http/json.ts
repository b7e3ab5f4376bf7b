import type { AppContext } from './context.ts'

/** A JSON answer in the specification's media type: Hono's own has no charset. */
export function json(c: AppContext, body: unknown, headers: Record<string, string> = {}): Response {
  return c.body(JSON.stringify(body), 200, { 'Content-Type': 'application/json; charset=UTF-8', ...headers })
}
