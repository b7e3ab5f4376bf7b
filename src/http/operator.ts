import type { Handler } from 'hono'
import { type ContentAddress, stateOf } from '../domain/content.ts'
import { Failure } from '../domain/failure.ts'
import { arrivalTimeMs } from '../domain/image-id.ts'
import { galleryUrl, type Site, showUrl } from '../domain/links.ts'
import {
  dismissReports,
  listReports,
  type ModerationResult,
  type ReportedContent,
  removeReported,
} from '../domain/moderation.ts'
import { OPERATOR_BODY_MAX_BYTES } from '../limits.ts'
import { afterDelete } from './after-delete.ts'
import { parseContentUrl } from './content-url.ts'
import type { AppContext, AppEnv } from './context.ts'
import { json } from './wire/json.ts'
import { readJsonObject } from './wire/json-body.ts'

const BEARER = /^Bearer +(\S+)$/i

/** Requires the OPERATOR_KEY (401). Without that setting, the path does not exist. */
export function forOperator(answer: (c: AppContext) => Promise<Response>): Handler<AppEnv> {
  return async (c, next) => {
    const { OPERATOR_KEY } = c.env
    if (!OPERATOR_KEY) return next()
    const shown = BEARER.exec(c.req.header('Authorization') ?? '')?.[1]
    if (shown === undefined || !(await isSame(shown, OPERATOR_KEY))) {
      c.header('WWW-Authenticate', 'Bearer')
      throw new Failure('operator_key_incorrect', 'send Authorization: Bearer with the OPERATOR_KEY of this service')
    }
    return answer(c)
  }
}

/** `GET /operator/reports`: the open reports, grouped by what they are about. */
export async function listOpenReports(c: AppContext): Promise<Response> {
  const { reported, total } = await listReports(c.var.store)
  const body = { open_reports: total, reported: reported.map((one) => reportedContentResponse(c.var.host.site, one)) }
  return json(c, body)
}

/** `POST /operator/remove` `{"url", "block"}`: deletes the content at this address, and blocks its pictures if `block` is true. */
export async function removeContent(c: AppContext): Promise<Response> {
  const { address, block } = await readDecision(c)
  const result = await removeReported(c.var.store, address, c.var.nowMs, { block })
  // Also if it was deleted before: that request may have ended before it could.
  if (result.gone) await afterDelete(c, result.gone)
  return json(c, moderationResponse(result))
}

/** `POST /operator/dismiss` `{"url"}`: closes the reports about the content at this address, and keeps it. */
export async function dismissContent(c: AppContext): Promise<Response> {
  const result = await dismissReports(c.var.store, (await readDecision(c)).address, c.var.nowMs)
  return json(c, moderationResponse(result))
}

async function readDecision(c: AppContext): Promise<{ address: ContentAddress; block: boolean }> {
  const { url, block = false } = await readJsonObject(c.var.incoming, OPERATOR_BODY_MAX_BYTES)
  if (typeof block !== 'boolean') throw new Failure('invalid_option', 'block must be true or false')
  if (typeof url !== 'string') throw new Failure('missing_field', 'url is missing: send {"url": "https://…"}')
  const address = parseContentUrl(c, url)
  if (!address) {
    throw new Failure('invalid_urls', 'url must be the address of a picture or gallery on one of the public domains')
  }
  return { address, block }
}

function reportedContentResponse(site: Site, { content, reports }: ReportedContent) {
  return {
    url: content.kind === 'image' ? showUrl(site, content.image) : galleryUrl(site, content.gallery.hash),
    resource_type: content.kind,
    status: stateOf(content),
    created_at: isoTime(content.kind === 'image' ? arrivalTimeMs(content.image.id) : content.gallery.createdAt),
    reports: reports.map(({ reason, details, contact, createdAt }) => ({
      reason,
      details,
      contact,
      created_at: isoTime(createdAt),
    })),
  }
}

function moderationResponse({ kind, deleted, handled, blocked }: ModerationResult) {
  return {
    success: true,
    resource_type: kind,
    deleted: deleted !== undefined,
    reports_handled: handled,
    pictures_blocked: blocked,
  }
}

/** Compares in constant time. Digests have the same length whatever was sent. */
async function isSame(shown: string, key: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [shown, key].map((text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
  )
  return one !== undefined && other !== undefined && crypto.subtle.timingSafeEqual(one, other)
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
