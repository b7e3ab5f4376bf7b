import { getCookie, setCookie } from 'hono/cookie'
import { Failure } from '../../domain/failure.ts'
import {
  createHumanPass,
  isHumanPass,
  parseHumanFails,
  parseHumanScope,
  parseTurnstileKeys,
  type TurnstileKeys,
} from '../../domain/uploads/human-pass.ts'
import { HUMAN_PASS_LIFETIME_MS, HUMAN_TOKEN_MAX_CHARACTERS, WEBHOOK_TIMEOUT_MS } from '../../limits.ts'
import { SITEVERIFY_URL } from '../../turnstile.ts'
import { SECOND_MS } from '../../units.ts'
import { readForm } from '../body/forms.ts'
import type { AppContext } from '../context.ts'
import { showOrigins } from '../hosts.ts'
import { clientKey } from '../limits/client-address.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { postAndRead } from '../post-json.ts'
import { settingReader } from '../setting-reader.ts'
import { needsUploadKey } from './upload-keys.ts'

/** Cloudflare Turnstile for the upload page (D68): a visitor that it confirms gets a pass for an hour. */

const SITEVERIFY_MAX_BYTES = 16_384
const COOKIE = 'tintype_human'
const INCOMPLETE = 'the check for humans is not set up completely: the operator of this service has to do that'
const INCOMPLETE_RETRY_S = 60

const readKeys = settingReader<TurnstileKeys, TurnstileKeys | 'incomplete' | undefined>({
  parse: parseTurnstileKeys,
  otherwise: 'incomplete',
  problem: 'read the keys of Turnstile',
})
const readScope = settingReader({ parse: parseHumanScope, otherwise: 'page', problem: 'read TURNSTILE_FOR' })
const readFailsOpen = settingReader({ parse: parseHumanFails, otherwise: false, problem: 'read TURNSTILE_FAILS' })

/** The site key of Turnstile, if visitors of the upload page can confirm that they are human. */
export function turnstileKeyOf(c: AppContext): string | undefined {
  const keys = turnstileKeysOf(c)
  return keys === 'incomplete' ? undefined : keys?.siteKey
}

/** The keys of Turnstile; undefined where uploads need no human. Holders of an upload key are known. */
function turnstileKeysOf(c: AppContext): TurnstileKeys | 'incomplete' | undefined {
  const { TURNSTILE_SITE_KEY: siteKey = '', TURNSTILE_SECRET: secret = '' } = c.env
  return needsUploadKey(c) ? undefined : readKeys({ siteKey, secret }, c.var.logProblem)
}

/** Returns the keys. Throws `upload_check_unavailable` where the operator has set only one of them. */
function requireKeys(keys: TurnstileKeys | 'incomplete'): TurnstileKeys {
  if (keys !== 'incomplete') return keys
  throw new Failure('upload_check_unavailable', INCOMPLETE, INCOMPLETE_RETRY_S)
}

/** Throws `human_check_required` for an upload that needs the pass of a human and has none. */
export async function requireHuman(c: AppContext, isOfPage = isOfOwnPage(c)): Promise<void> {
  const keys = turnstileKeysOf(c)
  if (!keys) return
  if (!isOfPage && readScope(c.env.TURNSTILE_FOR ?? '', c.var.logProblem) === 'page') return
  const { secret } = requireKeys(keys)
  const pass = getCookie(c, COOKIE) ?? ''
  if (!(await isHumanPass(secret, clientKey(c.req.raw), pass, c.var.nowMs))) {
    throw new Failure('human_check_required')
  }
}

/** Whether a browser sent this from a page of the service. Programs send neither header, and pages of other sites others. */
function isOfOwnPage(c: AppContext): boolean {
  const origin = c.req.header('Origin')?.toLowerCase()
  const { host } = c.var
  if (c.req.header('Sec-Fetch-Site') === 'same-origin') return true
  return origin !== undefined && (origin === host.url.origin || showOrigins(host).has(origin))
}

/** `POST /human`: exchanges the token of Turnstile for a pass, in a cookie that no script reads. It is charged as one upload. */
export async function confirmHuman(c: AppContext): Promise<Response> {
  const keys = turnstileKeysOf(c)
  if (!keys) throw new Failure('unsupported_endpoint', 'this service needs no check for humans')
  const { secret } = requireKeys(keys)
  const texts = await readForm(c.var.incoming, ['token'])
  const token = texts.get('token') ?? ''
  if (token === '' || token.length > HUMAN_TOKEN_MAX_CHARACTERS) throw new Failure('human_check_required')
  await chargeClient(c, { uploads: 1 })
  const isConfirmed = await verify(secret, token)
  if (isConfirmed === undefined) {
    c.var.logProblem('ask Turnstile', new Error('it did not respond, or not as documented'))
    if (!readFailsOpen(c.env.TURNSTILE_FAILS ?? '', c.var.logProblem)) {
      throw new Failure('upload_check_unavailable', 'the check for humans does not respond: try again later', 5)
    }
  }
  if (isConfirmed === false) throw new Failure('human_check_required')
  setCookie(c, COOKIE, await createHumanPass(secret, clientKey(c.req.raw), c.var.nowMs), {
    path: '/',
    httpOnly: true,
    secure: c.var.host.site.pages.startsWith('https:'),
    sameSite: 'Strict',
    maxAge: HUMAN_PASS_LIFETIME_MS / SECOND_MS,
  })
  return c.body(null, 204)
}

/** Asks Turnstile about a token. Returns undefined where it does not say. The address of the client is not sent. */
async function verify(secret: string, token: string): Promise<boolean | undefined> {
  const body = new URLSearchParams({ secret, response: token })
  const response = await postAndRead(SITEVERIFY_URL, { body }, WEBHOOK_TIMEOUT_MS, SITEVERIFY_MAX_BYTES)
  if (response === undefined || response.status >= 500) return undefined
  try {
    const result: unknown = JSON.parse(response.text)
    const success = typeof result === 'object' && result !== null && 'success' in result ? result.success : undefined
    return typeof success === 'boolean' ? success : undefined
  } catch {
    return undefined
  }
}
