const DAY_MS = 86_400_000
// RFC 9116, 2.5.5: less than a year ahead. Whole days, so that the text is the same all day.
const VALID_DAYS = 180

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
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS)
  return `${[
    ...lines,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
  ].join('\n')}\n`
}
