import { Buffer } from 'node:buffer'
import { FORMATS, uprightSize } from 'tintype-codec/interface'
import { expiryText } from '../../domain/content/expiry.ts'
import { Failure } from '../../domain/failure.ts'
import { parseWebhookUrl } from '../../domain/settings/webhook-url.ts'
import type { CandidateUpload } from '../../domain/uploads/store-upload.ts'
import { type Decision, parseHookFails, parseHookTimeout, readDecision } from '../../domain/uploads/upload-hook.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { UPLOAD_HOOK_AT_ONCE, UPLOAD_HOOK_MAX_S, UPLOAD_HOOK_RESPONSE_MAX_BYTES } from '../../limits.ts'
import * as time from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { AppContext } from '../context.ts'
import { countUp } from '../counters.ts'
import { clientKey } from '../limits/client-address.ts'
import { postAndRead } from '../post-json.ts'
import { settingReader } from '../setting-reader.ts'
import { signatureHeaders } from '../webhooks.ts'

/** The hook of the operator, which is asked before an upload is stored (D66). */

const POLL_MS = 20
/** A request that waits polls; one that runs ends by its timeout. */
const LOST_MS = 5 * SECOND_MS

/** The calls of this isolate, shared by client networks: the hook may be slow, and one client may send much. */
const queue = createFairQueue({
  virtualTime: 'self-clocked',
  waitingMs: LOST_MS,
  runningMs: (UPLOAD_HOOK_MAX_S + 1) * SECOND_MS,
})

const readTimeout = settingReader({
  parse: parseHookTimeout,
  otherwise: parseHookTimeout(''),
  problem: 'read UPLOAD_HOOK_TIMEOUT',
})
const readFailsOpen = settingReader({ parse: parseHookFails, otherwise: false, problem: 'read UPLOAD_HOOK_FAILS' })

/** Returns the function that asks the UPLOAD_HOOK about an upload; undefined without that setting. */
export function approverOf(
  c: AppContext,
  kind: 'image' | 'cover',
): ((candidate: CandidateUpload) => Promise<void>) | undefined {
  const { UPLOAD_HOOK: setting, UPLOAD_HOOK_TIMEOUT: timeout = '', UPLOAD_HOOK_FAILS: fails = '' } = c.env
  if (!setting) return undefined
  const { logProblem } = c.var
  const maxMs = readTimeout(timeout, logProblem)
  const failsOpen = readFailsOpen(fails, logProblem)
  return async (candidate) => {
    const decision = await ask(c, describe(c, kind, candidate), maxMs).catch((error) => {
      logProblem('ask the UPLOAD_HOOK', error)
      return undefined
    })
    countUp('upload_hook', { outcome: decision ? (decision.isAllowed ? 'allowed' : 'denied') : 'failed' })
    if (decision === undefined && !failsOpen) {
      throw new Failure('upload_check_unavailable', UNAVAILABLE, Math.ceil(maxMs / SECOND_MS))
    }
    if (decision?.isAllowed === false) throw new Failure('upload_denied', decision.sentence)
  }
}

const UNAVAILABLE = 'the check that every upload has to pass does not respond: try again later'

/** Returns the hook's decision. Throws if there is none; no error holds the address. */
async function ask(c: AppContext, body: string, maxMs: number): Promise<Decision> {
  const url = parseWebhookUrl('UPLOAD_HOOK', c.env.UPLOAD_HOOK ?? '')
  const clock = time.isolateClock
  queue.forgetCancelled(clock.nowMs())
  const job = queue.add(clientKey(c.req.raw), 1, clock.nowMs())
  const giveUpAtMs = clock.nowMs() + maxMs
  for (;;) {
    queue.poll(job, clock.nowMs())
    if (queue.running() < UPLOAD_HOOK_AT_ONCE && queue.head() === job) break
    if (c.req.raw.signal.aborted || clock.nowMs() >= giveUpAtMs) {
      queue.cancel(job)
      throw new Error(`${UPLOAD_HOOK_AT_ONCE} calls are under way`)
    }
    await clock.wait(POLL_MS)
  }
  queue.start(job)
  try {
    const message = { id: `check_${c.var.requestId}`, body }
    const headers = {
      'Content-Type': 'application/json; charset=UTF-8',
      'User-Agent': 'Tintype',
      ...(await signatureHeaders(c.env, message, time.nowMs(c.env))),
    }
    const response = await postAndRead(url, { body, headers }, maxMs, UPLOAD_HOOK_RESPONSE_MAX_BYTES)
    const decision = response?.status === 200 ? readDecision(response.text) : undefined
    if (decision) return decision
    throw new Error(
      response === undefined
        ? `no response within ${maxMs / SECOND_MS} s, or one of more than ${UPLOAD_HOOK_RESPONSE_MAX_BYTES} bytes`
        : `it responded with ${response.status}, and no decision`,
    )
  } finally {
    queue.end(job, 1)
  }
}

/** The body for the hook. It has no address of the client. */
function describe(
  c: AppContext,
  kind: 'image' | 'cover',
  { filename, sentDigest, nsfw, galleryHash, expiresAt, image, thumbnail }: CandidateUpload,
): string {
  const { bytes, facts } = image
  const { width, height } = uprightSize(facts)
  return JSON.stringify({
    type: 'upload.check',
    timestamp: new Date(time.nowMs(c.env)).toISOString(),
    data: {
      kind,
      filename,
      media_type: FORMATS[facts.format].mediaType,
      bytes: bytes.length,
      width,
      height,
      animated: facts.animated,
      sha256: sentDigest,
      content_type: nsfw ? 1 : 0,
      gallery_hash: galleryHash,
      expires_at: expiresAt === null ? undefined : expiryText(expiresAt),
      upload_key: c.var.uploadKey?.name,
      thumbnail: `data:${FORMATS[thumbnail.format].mediaType};base64,${Buffer.from(thumbnail.bytes).toString('base64')}`,
    },
  })
}
