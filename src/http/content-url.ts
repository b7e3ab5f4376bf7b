import { type ContentAddress, parseContentPath } from '../domain/content/content.ts'
import { CONTENT_URL_MAX_CHARACTERS } from '../limits.ts'
import type { AppContext } from './context.ts'
import { isOwnUrl } from './hosts.ts'

/**
 * Parses the address of an image or gallery as people paste it; undefined for anything else. It may be of a page or
 * file, with or without a scheme, a query or a fragment. The host is any of ours or that of the request, or missing.
 */
export function parseContentUrl(c: AppContext, text: string): ContentAddress | undefined {
  const { host } = c.var
  const pasted = text.trim()
  if (pasted.length > CONTENT_URL_MAX_CHARACTERS) return undefined
  const url = pasted.startsWith('/') ? URL.parse(pasted, host.site.pages) : URL.parse(withScheme(pasted))
  if (!url) return undefined
  const isOurs = isOwnUrl(url, host) || url.host === host.url.host
  return isOurs ? parseContentPath(url.pathname) : undefined
}

function withScheme(pasted: string): string {
  return /^https?:\/\//i.test(pasted) ? pasted : `https://${pasted}`
}
