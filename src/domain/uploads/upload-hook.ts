import { ERRORS } from '../../errors.ts'
import { UPLOAD_DENIAL_MAX_CHARACTERS, UPLOAD_HOOK_MAX_S } from '../../limits.ts'
import { SECOND_MS } from '../../units.ts'
import { parseFailsOpen } from '../settings/fails-open.ts'
import { UnreadableSetting } from '../settings/unreadable-setting.ts'

const SECONDS = /^[1-9][0-9]?$/
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** The decision of the hook about an upload: allowed, or denied with a sentence. */
export type Decision = { isAllowed: true } | { isAllowed: false; sentence: string }

/** The settings that say how long the hook is waited for, and whether uploads pass if it fails. */
export interface HookRule {
  timeoutMs: number
  failsOpen: boolean
}

/** Parses UPLOAD_HOOK_TIMEOUT: seconds. Throws an `UnreadableSetting` that quotes it. */
export function parseHookTimeout(setting: string): number {
  const text = setting.trim()
  if (text === '') return UPLOAD_HOOK_DEFAULT_MS
  if (SECONDS.test(text) && Number(text) <= UPLOAD_HOOK_MAX_S) return Number(text) * SECOND_MS
  throw new UnreadableSetting(`UPLOAD_HOOK_TIMEOUT must be 1 to ${UPLOAD_HOOK_MAX_S} seconds: received "${setting}"`)
}

const UPLOAD_HOOK_DEFAULT_MS = 5 * SECOND_MS

/** Parses UPLOAD_HOOK_FAILS: whether uploads pass while the hook fails. Throws an `UnreadableSetting` that quotes it. */
export function parseHookFails(setting: string): boolean {
  return parseFailsOpen('UPLOAD_HOOK_FAILS', setting)
}

/** Reads the hook's response: `{"allow": true}`, or `{"allow": false, "message": "…"}`. Returns undefined for anything else. */
export function readDecision(text: string): Decision | undefined {
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || !('allow' in body)) return undefined
  if (body.allow === true) return { isAllowed: true }
  if (body.allow !== false) return undefined
  return { isAllowed: false, sentence: sentenceOf('message' in body ? body.message : undefined) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the hook's message as one line of printable text. */
function sentenceOf(message: unknown): string {
  if (typeof message !== 'string') return ERRORS.upload_denied.sentence
  const line = message.toWellFormed().replace(UNPRINTABLE, ' ').trim()
  return [...line].slice(0, UPLOAD_DENIAL_MAX_CHARACTERS).join('').trim() || ERRORS.upload_denied.sentence
}
