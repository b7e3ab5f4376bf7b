import { imageStatuses } from '../../domain/content/image-status.ts'
import { Failure } from '../../domain/failure.ts'
import { type ParsedImagePath, parseShowPath } from '../../domain/ids/links.ts'
import { type RateDecision, type RateRule, takeToken } from '../../domain/rate.ts'
import {
  STATUS_BODY_MAX_BYTES,
  STATUS_MAX_URLS,
  STATUS_RATE_BURST,
  STATUS_RATE_INTERVAL_MS,
  STATUS_RATE_WINDOW_S,
  STATUS_URL_MAX_BYTES,
} from '../../limits.ts'
import * as routes from '../../routes.ts'
import { isJsonRequest, readJsonObject } from '../body/json-body.ts'
import type { AppContext } from '../context.ts'
import { showOrigins } from '../hosts.ts'
import { takeFromClient } from '../limits/rate-limit.ts'
import { json } from '../responses/json.ts'
import { imageStatusResponse } from '../responses/representations.ts'

const RULE: RateRule = { burst: STATUS_RATE_BURST, intervalMs: STATUS_RATE_INTERVAL_MS }
const POLICY = `"status";q=${RULE.burst};w=${STATUS_RATE_WINDOW_S}`
const SHOW_URL = /^(https?:\/\/[!-.0-~]+)(\/.*)$/is

/** `POST /images/status`: the status of up to 100 show URLs, from the database alone. The order of the checks is that of D16. */
export async function checkImageStatus(c: AppContext): Promise<Response> {
  const [decision = takeToken(RULE, undefined, c.var.nowMs)] =
    (await takeFromClient(c, [{ name: 'status', rule: RULE, tokens: 1 }])) ?? []
  for (const [name, value] of Object.entries(rateHeaders(decision))) c.header(name, value)
  if (!decision.allowed) {
    c.header('Retry-After', String(decision.retryAfterS))
    throw new Failure('rate_limited', `too many status requests: try again in ${decision.retryAfterS} s`)
  }
  if (!isJsonRequest(c.req.raw)) {
    throw new Failure('unsupported_media_type')
  }
  const urls = requireUrls(await readJsonObject(c.var.incoming, STATUS_BODY_MAX_BYTES))
  const origins = showOrigins(c.var.host)
  const statuses = await imageStatuses(
    c.var.store,
    urls.map((url) => parseShowUrl(url, origins)),
    c.var.nowMs,
  )
  return json(c, imageStatusResponse(urls, statuses))
}

/** Any other method of the same path: refused without spending a token (D24). */
export function refuseStatusMethod(c: AppContext): never {
  c.header('Allow', 'POST')
  throw new Failure('method_not_allowed', `${routes.imageStatus} takes POST only: received ${c.req.method}`)
}

/** The rate limit headers of draft-ietf-httpapi-ratelimit-headers. */
function rateHeaders({ remaining, resetS }: RateDecision): Record<string, string> {
  return { RateLimit: `"status";r=${remaining};t=${resetS}`, 'RateLimit-Policy': POLICY }
}

/** Matches a show URL as a raw string (D25): scheme and host in any case, the path exactly. */
function parseShowUrl(url: string, origins: ReadonlySet<string>): ParsedImagePath | undefined {
  const [, origin, path] = SHOW_URL.exec(url) ?? []
  return origin !== undefined && path !== undefined && origins.has(origin.toLowerCase())
    ? parseShowPath(path)
    : undefined
}

function requireUrls(body: Record<string, unknown>): string[] {
  const { urls } = body
  if (urls === undefined) throw new Failure('missing_field', 'urls is missing: send {"urls": ["https://…"]}')
  if (!Array.isArray(urls)) throw new Failure('invalid_urls', 'urls must be an array of strings')
  if (urls.length < 1 || urls.length > STATUS_MAX_URLS) {
    throw new Failure('invalid_urls', `urls must hold 1 to ${STATUS_MAX_URLS} items: received ${urls.length}`)
  }
  return urls.map(requireUrl)
}

function requireUrl(url: unknown, index: number): string {
  if (typeof url !== 'string') throw new Failure('invalid_urls', `urls[${index}] must be a string`)
  const bytes = new TextEncoder().encode(url).length
  if (bytes > STATUS_URL_MAX_BYTES) {
    throw new Failure(
      'invalid_urls',
      `urls[${index}] must be at most ${STATUS_URL_MAX_BYTES} bytes in UTF-8: received ${bytes}`,
    )
  }
  return url
}
