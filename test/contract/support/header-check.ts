import { type ApiResponse, type Ask, header } from './client.ts'
import { holdsIssuedToken } from './issued-tokens.ts'

/**
 * Throws if a response lacks a protective header (D29, D44), or may be cached although it is private. Every response of
 * all tests is checked; headers.test.ts has the headers of each route.
 */
export function checkProtection(ask: Ask, response: ApiResponse): void {
  const method = ask.method ?? 'POST'
  const complain = (what: string): never => {
    throw new Error(`${method} ${withoutToken(ask.path)} had the status ${response.status} ${what}`)
  }
  const isRead = method === 'GET' || method === 'HEAD'
  const cacheControl = header(response, 'cache-control') ?? complain('without Cache-Control')
  if (cacheControl !== 'no-store') {
    if (response.status >= 400) complain('and may be kept')
    if (!isRead) complain('and may be kept, though it is no answer to a reader')
    if (holdsIssuedToken(response.text)) complain('and may be kept, though it holds a token')
  }
  if (header(response, 'x-content-type-options') !== 'nosniff') complain('without nosniff')
  const policy = header(response, 'content-security-policy') ?? complain('without Content-Security-Policy')
  if (!policy.startsWith("default-src 'none'")) complain(`with the policy ${policy}`)
  if (header(response, 'cross-origin-resource-policy') === undefined) complain('without Cross-Origin-Resource-Policy')
  if (header(response, 'content-type')?.startsWith('text/html')) {
    if (!policy.includes("frame-ancestors 'none'")) complain('as a page that anybody may frame')
    for (const name of ['Cross-Origin-Opener-Policy', 'Permissions-Policy', 'Referrer-Policy']) {
      if (header(response, name) === undefined) complain(`as a page without ${name}`)
    }
  }
  if (header(response, 'strict-transport-security') !== undefined && !cameByHttps(ask)) {
    complain('with Strict-Transport-Security, though it did not come by https')
  }
}

function cameByHttps({ headers = {} }: Ask): boolean {
  return Object.entries(headers).some(
    ([name, value]) => name.toLowerCase() === 'x-forwarded-proto' && value === 'https',
  )
}

function withoutToken(path: string): string {
  return path.replace(/[A-Za-z0-9_-]{43}/g, '-')
}
