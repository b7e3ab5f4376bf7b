import { SECURITY_TXT_VALID_DAYS } from '../limits.ts'
import * as routes from '../routes.ts'
import { DAY_MS } from '../units.ts'

/**
 * `/.well-known/security.txt` (RFC 9116) of the pages at `origin`. `contacts` are addresses of mail or of the web, separated
 * by commas; without them it is the mailbox `security` of the domain.
 */
export function securityTxt(origin: string, contacts: string | undefined, nowMs: number): string {
  const given = (contacts ?? '').split(',').map((contact) => contact.trim())
  const known = given.filter((contact) => contact !== '')
  const lines = (known.length > 0 ? known : [`security@${new URL(origin).hostname}`]).map(
    (contact) => `Contact: ${/^[a-z]+:/i.test(contact) ? contact : `mailto:${contact}`}`,
  )
  // Whole days, so that the text is the same all day.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + SECURITY_TXT_VALID_DAYS) * DAY_MS)
  return `${[
    ...lines,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}${routes.securityTxt}`,
  ].join('\n')}\n`
}
