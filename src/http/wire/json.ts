import type { Context } from 'hono'

/** A JSON answer in the specification's media type: Hono's own has no charset. */
export function json(c: Context, body: unknown, headers: Record<string, string> = {}): Response {
  return jsonText(c, JSON.stringify(body), headers)
}

/** A JSON answer that is written already. */
export function jsonText(c: Context, text: string, headers: Record<string, string> = {}): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json; charset=UTF-8', ...headers })
}
