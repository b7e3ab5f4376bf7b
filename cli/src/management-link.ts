import { UsageError } from './problems.ts'

/** A management token and the host to send it to. */
export interface ManagementLink {
  host: string
  token: string
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A sentence that quotes an argument without the token that was put in the wrong place. */
export function withoutTokens(sentence: string): string {
  return sentence.replace(/[A-Za-z0-9_-]{43,}/g, '...')
}

/** Returns the token of a management link. */
export function tokenOf(link: string | undefined): string | undefined {
  const token = link?.trim().split('/').at(-1)
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** Whether a URL is a management link, which is no other request's business. */
export function isManagementLink(url: string): boolean {
  return /\/manage\/[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/.test(url)
}

/**
 * Reads a management link, or its token alone. The token is sent to the link's own host, unless `--url` names another.
 * Errors use `which` instead of the link, which is a secret. Throws `UsageError`.
 */
export function readManagementLink(
  text: string,
  which: string,
  { host, hostNamed }: { host: string; hostNamed: boolean },
): ManagementLink {
  const token = tokenOf(text)
  if (token === undefined) {
    throw new UsageError(`${which} is no management link: it must end in a token of 43 letters, digits, - and _`)
  }
  const own = /^https?:/i.test(text.trim()) && URL.canParse(text) ? new URL(text).origin : undefined
  return { token, host: hostNamed ? host : (own ?? host) }
}
