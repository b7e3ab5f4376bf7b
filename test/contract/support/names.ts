import { TEST_DOMAINS } from './service.ts'
import type { Target } from './target.ts'

/**
 * Translates the names one.example, two.example and three.example of the tests to those of another service, and back.
 */
export interface Names {
  /** Returns the Host header for the one that a test names, or why this service has none. */
  host: (asked: string) => { host: string } | { why: string }
  /** Translates a text that is sent; undefined if that is impossible. */
  outgoing: (text: string) => string | undefined
  /** Translates a text that was received. */
  incoming: (text: string) => string
}

const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
const MEDIA = [
  ['/thumbs/', 'https://t1.one.example/thumbs/'],
  [/\/images\/(?=\d)/, 'https://img1.one.example/images/'],
] as const

/** Returns the names of a target. */
export function namesOf(target: Target): Names {
  const domains = target.domains.filter((domain) => domain !== 'localhost')
  return domains.length > 0 ? publicNames(target, domains) : localNames(target)
}

function publicNames(target: Target, domains: readonly string[]): Names {
  const pairs = TEST_DOMAINS.map((test, index) => ({ test, own: domains[index] }))
  const port = portSuffix(target)
  const rename = (text: string, from: string, to: string) =>
    text.replace(asWhole(from), (_, before: string, found: string) => before + casedLike(found, to))
  return {
    host: (asked) => {
      for (const { test, own } of pairs) {
        if (!new RegExp(`^(?:(?:api|www|t\\d+|img\\d+)\\.)?${escaped(test)}$`, 'i').test(asked)) continue
        if (own === undefined) return { why: 'it needs public domains that the service has not' }
        return { host: rename(asked.toLowerCase(), test, own) + port }
      }
      return otherHost(target, asked)
    },
    outgoing: (text) => {
      if (pairs.some(({ test, own }) => own === undefined && asWhole(test).test(text))) return undefined
      return pairs.reduce((renamed, { test, own = test }) => rename(renamed, test, own), text)
    },
    incoming: (text) => pairs.reduce((renamed, { test, own = test }) => rename(renamed, own, test), text),
  }
}

/** Returns the names of a service on this machine: one origin for pages and media. */
function localNames(target: Target): Names {
  const origin = target.baseUrl
  const { host } = new URL(origin)
  const [asPage, asValue] = ['https://one.example', encodeURIComponent('https://one.example')]
  return {
    host: (asked) => {
      if (/^(?:(?:www|t\d+|img\d+)\.)?one\.example$/.test(asked)) return { host }
      if (/^(?:[^.]+\.)?(?:one|two|three)\.example$/i.test(asked))
        return { why: 'it needs public domains that the service has not' }
      return otherHost(target, asked)
    },
    outgoing: (text) => {
      const renamed = text.replaceAll(asPage, origin).replaceAll(asValue, encodeURIComponent(origin))
      return /(?:one|two|three)\.example/i.test(renamed) ? undefined : renamed
    },
    incoming: (text) =>
      MEDIA.reduce(
        (renamed, [path, to]) => renamed.replace(new RegExp(escaped(origin) + sourceOf(path), 'g'), to),
        text,
      )
        .replaceAll(origin, asPage)
        .replaceAll(encodeURIComponent(origin), asValue),
  }
}

function otherHost(target: Target, asked: string): { host: string } | { why: string } {
  if (!target.direct) return { why: 'requests for hosts that are not its own do not reach the service' }
  if (LOCAL_HOST.test(asked) && !target.domains.includes('localhost'))
    return { why: 'localhost is none of its domains' }
  return { host: asked }
}

/**
 * Matches a domain that is not part of a longer one. `$1` is the text before it, `$2` the domain in its original case.
 */
function asWhole(domain: string): RegExp {
  return new RegExp(
    `(^|[^A-Za-z0-9.-]|%[0-9A-F]{2}|\\b(?:api|www|t\\d+|img\\d+)\\.)(${escaped(domain)})(?![A-Za-z0-9.-])`,
    'gi',
  )
}

function portSuffix({ direct, baseUrl }: Target): string {
  const { port } = new URL(baseUrl)
  return direct || port === '' ? '' : `:${port}`
}

function sourceOf(path: string | RegExp): string {
  return typeof path === 'string' ? escaped(path) : path.source
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/**
 * Returns the domain in the case of another: its last label like the last one, all labels before it like the others.
 */
function casedLike(sample: string, domain: string): string {
  const [sampleEnd, domainEnd] = [sample.lastIndexOf('.'), domain.lastIndexOf('.')]
  if (sampleEnd < 0 || domainEnd < 0) return domain
  const like = (part: string, text: string) => {
    if (part === part.toLowerCase()) return text
    return part === part.toUpperCase() ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1)
  }
  return (
    `${like(sample.slice(0, sampleEnd), domain.slice(0, domainEnd))}.` +
    like(sample.slice(sampleEnd + 1), domain.slice(domainEnd + 1))
  )
}
