import { Buffer } from 'node:buffer'
import { HUMAN_PASS_LIFETIME_MS } from '../../limits.ts'
import { SECOND_MS } from '../../units.ts'
import { hmacOf, isHmacOf } from '../ids/hmac.ts'
import { parseFailsOpen } from '../settings/fails-open.ts'
import { UnreadableSetting } from '../settings/unreadable-setting.ts'

/** The uploads that need a human: those of the upload page, or all. */
export type HumanScope = 'page' | 'all'

/** Parses TURNSTILE_FOR. Throws an `UnreadableSetting` that quotes it. */
export function parseHumanScope(setting: string): HumanScope {
  const written = setting.trim() || 'page'
  if (written === 'page' || written === 'all') return written
  throw new UnreadableSetting(`TURNSTILE_FOR must be "page" or "all": received "${setting}"`)
}

/** Parses TURNSTILE_FAILS: whether everybody passes while Turnstile fails. Throws an `UnreadableSetting` that quotes it. */
export function parseHumanFails(setting: string): boolean {
  return parseFailsOpen('TURNSTILE_FAILS', setting)
}

/** The keys of a Turnstile widget. */
export interface TurnstileKeys {
  siteKey: string
  secret: string
}

/** Parses both keys. Returns undefined where neither is set. Throws an `UnreadableSetting` where one is missing. */
export function parseTurnstileKeys(keys: TurnstileKeys): TurnstileKeys | undefined {
  const [siteKey, secret] = [keys.siteKey.trim(), keys.secret.trim()]
  if (siteKey === '' && secret === '') return undefined
  if (siteKey !== '' && secret !== '') return { siteKey, secret }
  const [set, missing] =
    siteKey === '' ? ['TURNSTILE_SECRET', 'TURNSTILE_SITE_KEY'] : ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET']
  throw new UnreadableSetting(`${set} needs ${missing}, which is not set: no upload that needs a human is accepted`)
}

const PASS = /^([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/

/** Makes the pass of a client network that Turnstile has confirmed: its end, signed under the TURNSTILE_SECRET. */
export async function createHumanPass(secret: string, client: string, nowMs: number): Promise<string> {
  const endS = Math.floor((nowMs + HUMAN_PASS_LIFETIME_MS) / SECOND_MS)
  const mac = await hmacOf(secret, contentOf(endS, client))
  return `${endS}.${Buffer.from(mac).toString('base64url')}`
}

/** Returns whether this is a pass of this client network that has not expired. */
export async function isHumanPass(secret: string, client: string, pass: string, nowMs: number): Promise<boolean> {
  const [, end = '', mac = ''] = PASS.exec(pass) ?? []
  if (end === '' || Number(end) * SECOND_MS < nowMs) return false
  return isHmacOf(secret, contentOf(Number(end), client), Buffer.from(mac, 'base64url'))
}

function contentOf(endS: number, client: string): string {
  return `human ${endS} ${client}`
}
