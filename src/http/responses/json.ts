import type { Context } from 'hono'

/** Answers in JSON with the specification's media type: Hono's `c.json` has no charset. */
export function json(c: Context, body: unknown, headers: Record<string, string> = {}): Response {
  return jsonText(c, JSON.stringify(body), headers)
}

/** Answers with text that is JSON already. */
export function jsonText(c: Context, text: string, headers: Record<string, string> = {}): Response {
  return c.body(text, 200, { 'Content-Type': 'application/json; charset=UTF-8', ...headers })
}
