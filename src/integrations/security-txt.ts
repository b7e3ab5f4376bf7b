import { SECURITY_TXT_VALID_DAYS } from '../limits.ts'
import * as routes from '../routes.ts'
import { DAY_MS } from '../units.ts'

/**
 * `/.well-known/security.txt` (RFC 9116) of the pages at `origin`. `contacts` are e-mail or web addresses, separated by
 * commas; by default, `security@` the domain.
 */
export function securityTxt(origin: string, contacts: string | undefined, nowMs: number): string {
  const given = (contacts ?? '').split(',').map((contact) => contact.trim())
  const known = given.filter((contact) => contact !== '')
  const lines = (known.length > 0 ? known : [`security@${new URL(origin).hostname}`]).map(
    (contact) => `Contact: ${/^[a-z]+:/i.test(contact) ? contact : `mailto:${contact}`}`,
  )
  // Rounded to days, so that the text does not change with each request.
  const expires = new Date((Math.floor(nowMs / DAY_MS) + SECURITY_TXT_VALID_DAYS) * DAY_MS)
  return `${[
    ...lines,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}${routes.securityTxt}`,
  ].join('\n')}\n`
}
