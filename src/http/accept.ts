import { ACCEPT_MAX_CHARACTERS } from '../limits.ts'

/** A media range of an Accept header with its quality (RFC 9110, 12.5.1). Parameters other than the quality are ignored. */
interface MediaRange {
  range: string
  quality: number
}

const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'
const RANGE = /^[!#$%&'*+.^`|~\w-]+\/[!#$%&'*+.^`|~\w-]+$/
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * Returns whether an Accept header prefers JSON to HTML. Where both have the same quality, it does not: browsers and most programs
 * accept anything.
 */
export function prefersJson(accept: string | null | undefined): boolean {
  // Each request for a page comes here, and browsers name neither.
  if (!accept || !/json|application\/\*/i.test(accept)) return false
  const ranges = parseAccept(accept)
  return qualityOf(JSON_TYPE, ranges) > qualityOf('text/html', ranges)
}

/** Returns whether an Accept header names the media type of RFC 9457. */
export function acceptsProblem(accept: string | null | undefined): boolean {
  if (!accept?.toLowerCase().includes(PROBLEM_TYPE)) return false
  return parseAccept(accept).some(({ range, quality }) => range === PROBLEM_TYPE && quality > 0)
}

/** Parses an Accept header. Malformed ranges and headers that are too long are ignored. */
function parseAccept(accept: string): MediaRange[] {
  if (accept.length > ACCEPT_MAX_CHARACTERS) return []
  return accept.split(',').flatMap((element) => {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
    return RANGE.test(range) && QUALITY.test(quality) ? [{ range, quality: Number(quality) }] : []
  })
}

/** Returns the quality of a media type: that of the most specific range that includes it, or else 0. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const matching = ranges.filter(({ range }) => range === wanted).map(({ quality }) => quality)
    if (matching.length > 0) return Math.max(...matching)
  }
  return 0
}
