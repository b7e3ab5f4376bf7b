import type { Handler } from 'hono'
import { type Content, type ContentAddress, contentUrl, stateOf } from '../../domain/content/content.ts'
import { Failure } from '../../domain/failure.ts'
import { arrivalTimeMs } from '../../domain/ids/image-id.ts'
import { galleryUrl, type Site, showUrl } from '../../domain/ids/links.ts'
import * as moderation from '../../domain/moderation/moderation.ts'
import { isTooShort, type OperatorKey, parseOperatorKeys } from '../../domain/settings/operator-keys.ts'
import type { UnavailableShard } from '../../domain/shards/available-shards.ts'
import { OPERATOR_BODY_MAX_BYTES, OPERATOR_KEY_MIN_CHARACTERS } from '../../limits.ts'
import { readJsonObject } from '../body/json-body.ts'
import { afterDelete, afterHide } from '../cache/after-delete.ts'
import { parseContentUrl } from '../content-url.ts'
import type { AppContext, AppEnv } from '../context.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { json } from '../responses/json.ts'

const BEARER = /^Bearer +(\S+)$/i

/** The published name of the number of images that were blocked or unblocked. */
const IMAGES_FIELD = 'pictures'

/** Handles a request of the operator with this name. */
type OperatorHandler = (c: AppContext, operator: string) => Promise<Response>

/**
 * Requires a key of the OPERATOR_KEY (401; 429 for a client that has sent too many wrong ones). Without that setting, the path does
 * not exist.
 */
export function forOperator(handle: OperatorHandler): Handler<AppEnv> {
  return async (c, next) => {
    const keys = parseOperatorKeys(c.env.OPERATOR_KEY ?? '')
    if (keys.length === 0) return next()
    const shown = BEARER.exec(c.req.header('Authorization') ?? '')?.[1]
    const operator = shown === undefined ? undefined : await operatorOf(shown, keys)
    if (operator === undefined) return refuseKey(c, shown)
    return handle(c, operator)
  }
}

/** `GET /operator/reports`: what is reported, with the number of its reports. */
export async function listOpenReports(c: AppContext): Promise<Response> {
  const { items, contents, total, unavailable } = await moderation.listReports(c.var.store)
  return json(c, {
    open_reports: total,
    reported_contents: contents,
    ...unavailableShards(c, unavailable),
    reported: items.map(({ content, reports, reasons, firstMs, lastMs }) => ({
      ...contentResponse(c.var.host.site, content, c.var.nowMs),
      open_reports: reports,
      reasons,
      first_reported_at: isoTime(firstMs),
      last_reported_at: isoTime(lastMs),
    })),
  })
}

/** `POST /operator/show` `{"url"}`: the open reports about the content at this address. */
export async function showReports(c: AppContext): Promise<Response> {
  const { content, reports } = await moderation.findReports(c.var.store, (await readDecision(c)).address)
  return json(c, {
    ...contentResponse(c.var.host.site, content, c.var.nowMs),
    reports: reports.map(({ reason, details, contact, createdAt }) => ({
      reason,
      details,
      contact,
      created_at: isoTime(createdAt),
    })),
  })
}

/**
 * `POST /operator/remove` `{"url", "block"}`: deletes the content at this address, and blocks its images if `block` is
 * true.
 */
export async function removeContent(c: AppContext, operator: string): Promise<Response> {
  const { address, block } = await readDecision(c)
  const result = await moderation.removeReported(c.var.store, address, deciderOf(c, operator), { block })
  // Also if it was deleted before: that request may have ended before it could.
  if (result.toPurge) await afterDelete(c, result.toPurge)
  return json(c, moderationResponse(result))
}

/** `POST /operator/dismiss` `{"url"}`: closes the reports about the content at this address, and keeps it. */
export function dismissContent(c: AppContext, operator: string): Promise<Response> {
  return decide(c, operator, moderation.dismissReports)
}

/** `POST /operator/hide` `{"url"}`: makes the content at this address not public, until it is shown again or removed. */
export function hideContent(c: AppContext, operator: string): Promise<Response> {
  return decide(c, operator, moderation.hideContent)
}

/** `POST /operator/unhide` `{"url"}`: takes that back. */
export function unhideContent(c: AppContext, operator: string): Promise<Response> {
  return decide(c, operator, moderation.unhideContent)
}

/** `GET /operator/hidden`: what is hidden. */
export async function listHidden(c: AppContext): Promise<Response> {
  const { store, nowMs, host } = c.var
  const { items, unavailable } = await moderation.listHiddenContent(store, nowMs)
  const hidden = items.map((content) => ({
    ...contentResponse(host.site, content, nowMs),
    hidden_at: isoTime(moderation.hiddenSince(content) ?? nowMs),
  }))
  return json(c, { ...unavailableShards(c, unavailable), hidden })
}

/** `POST /operator/unblock` `{"url"}`: unblocks the images that were blocked at this address. */
export function unblockContent(c: AppContext, operator: string): Promise<Response> {
  return decide(c, operator, moderation.unblockContent)
}

/** `GET /operator/blocks`: lists the blocked images. */
export async function listBlocks(c: AppContext): Promise<Response> {
  const { store, nowMs, host } = c.var
  const { items, unavailable } = await moderation.listBlockedImages(store, nowMs)
  const blocks = items.map(({ image, blockedAt }) => ({
    url: showUrl(host.site, image),
    blocked_at: isoTime(blockedAt),
  }))
  return json(c, { ...unavailableShards(c, unavailable), blocks })
}

/** `GET /operator/audit?cursor=…`: who decided what and when, the newest first. */
export async function listAudit(c: AppContext): Promise<Response> {
  const { store, nowMs, host } = c.var
  const { items, unavailable, next } = await moderation.listDecisions(store, nowMs, { cursor: c.req.query('cursor') })
  const decisions = items.map(({ entry, image }) => ({
    decided_at: isoTime(entry.decidedAt),
    operator: entry.operator,
    action: entry.action,
    url: image ? showUrl(host.site, image) : entry.galleryHash && galleryUrl(host.site, entry.galleryHash),
    resource_type: entry.list !== null ? 'list' : entry.galleryHash === null ? 'image' : 'gallery',
    ...(entry.list === null ? {} : { list: entry.list }),
    completed: entry.completed,
    changed: entry.changed,
    reports_handled: entry.reports,
    [IMAGES_FIELD]: entry.images,
  }))
  return json(c, { ...unavailableShards(c, unavailable), decisions, next: next ?? null })
}

async function decide(
  c: AppContext,
  operator: string,
  carryOut: (
    store: AppContext['var']['store'],
    address: ContentAddress,
    by: moderation.Decider,
  ) => Promise<moderation.ModerationResult>,
): Promise<Response> {
  const { address } = await readDecision(c)
  const result = await carryOut(c.var.store, address, deciderOf(c, operator))
  if (result.toPurge) await afterHide(c, result.toPurge)
  return json(c, moderationResponse(result))
}

function deciderOf(c: AppContext, operator: string): moderation.Decider {
  return { operator, nowMs: c.var.nowMs }
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

/** Names the shards that did not respond, and logs why. */
export function unavailableShards({ var: { logProblem } }: AppContext, unavailable: readonly UnavailableShard[]) {
  for (const { number, error } of unavailable) logProblem(`ask shard ${number}`, error)
  return { unavailable_shards: unavailable.map(({ number }) => number) }
}

function contentResponse(site: Site, content: Content, nowMs: number) {
  return {
    url: contentUrl(site, content),
    resource_type: content.kind,
    status: stateOf(content, nowMs),
    created_at: isoTime(content.kind === 'image' ? arrivalTimeMs(content.image.id) : content.gallery.createdAt),
  }
}

function moderationResponse({ kind, state, changed, handled, images }: moderation.ModerationResult) {
  return {
    success: true,
    resource_type: kind,
    status: state,
    changed,
    reports_handled: handled,
    [IMAGES_FIELD]: images,
  }
}

/** Describes a key by that key alone. */
async function refuseKey(c: AppContext, shown: string | undefined): Promise<never> {
  await chargeClient(c, { operator_keys: 1 })
  c.header('WWW-Authenticate', 'Bearer')
  throw new Failure(
    'operator_key_incorrect',
    shown !== undefined && isTooShort(shown)
      ? `a key of an operator has at least ${OPERATOR_KEY_MIN_CHARACTERS} characters: set the OPERATOR_KEY of this service to a longer one, as openssl rand -base64 32 prints`
      : 'send Authorization: Bearer with the OPERATOR_KEY of this service',
  )
}

/** Returns the operator whose key was shown; undefined if nobody has it, or it is too short. All keys are compared, each in constant time. */
async function operatorOf(shown: string, keys: readonly OperatorKey[]): Promise<string | undefined> {
  if (isTooShort(shown)) return undefined
  const wanted = await sha256(shown)
  const digests = await Promise.all(keys.map(({ key }) => sha256(key)))
  return keys.filter((_, at) =>
    crypto.subtle.timingSafeEqual(wanted, digests[at] ?? new ArrayBuffer(wanted.byteLength)),
  )[0]?.name
}

/** Digests have the same length whatever was sent. */
function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
