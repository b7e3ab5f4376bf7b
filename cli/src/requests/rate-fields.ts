import type { IncomingHttpHeaders } from 'node:http'
import { SECOND_MS } from '../../../src/units.ts'

/**
 * Returns how long to wait before the next request, in milliseconds, from the RateLimit and RateLimit-Policy fields of
 * a response (draft-ietf-httpapi-ratelimit-headers). This is 0 while requests remain, else the time of one refill.
 */
export function waitAfter(headers: IncomingHttpHeaders): number {
  const remaining = parameter(headers.ratelimit, 'r')
  const fullInS = parameter(headers.ratelimit, 't')
  if (remaining !== 0 || fullInS === undefined) return 0
  const quota = parameter(headers['ratelimit-policy'], 'q')
  const windowS = parameter(headers['ratelimit-policy'], 'w')
  const oneInS = quota && windowS ? windowS / quota : fullInS
  return Math.min(oneInS, fullInS) * SECOND_MS
}

/** A parameter of the first limit that a field lists. */
function parameter(field: string | string[] | undefined, name: string): number | undefined {
  const [first = ''] = (Array.isArray(field) ? field.join(',') : (field ?? '')).split(',')
  const value = new RegExp(`;\\s*${name}=([0-9]{1,9})(?![0-9])`).exec(first)?.[1]
  return value === undefined ? undefined : Number(value)
}
