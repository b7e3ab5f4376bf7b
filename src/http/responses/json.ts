import type { Context } from 'hono'

/** The specification's media type of JSON. */
export const JSON_TYPE = 'application/json; charset=UTF-8'

/** Responds with JSON of the specification's media type: Hono's `c.json` has no charset. */
export function json(c: Context, body: unknown, headers: Record<string, string> = {}): Response {
  return jsonText(c, JSON.stringify(body), headers)
}

/** Responds with text that is already JSON. */
export function jsonText(c: Context, text: string, headers: Record<string, string> = {}): Response {
  return c.body(text, 200, { 'Content-Type': JSON_TYPE, ...headers })
}
