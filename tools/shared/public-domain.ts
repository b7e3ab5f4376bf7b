// A public domain as written on a command line or in a file.
import { domainToASCII } from 'node:url'

/** Represents the Worker's host on workers.dev: `<name>.<account>.workers.dev`. */
export const WORKERS_DEV = 'workers.dev'

const LOCALHOST = 'localhost'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
const MAX_LENGTH = 253
// The hosts of a domain that the service adds itself (D4).
const OWN_PREFIX = /^(?:www|api|t[0-9]+|img[0-9]+)\./

/** The domain in lower case, and in Punycode where it is not ASCII. Throws a sentence where it is none. */
export function parsePublicDomain(text: string) {
  const domain = domainToASCII(text.trim())
  const labels = domain.split('.')
  const isName =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^[0-9]+$/.test(labels.at(-1) ?? '')
  if (!isName || domain.length > MAX_LENGTH || /[:/@?#\\%]/.test(text)) {
    throw new Error(`a domain must be a bare name such as pics.example: received "${text.trim()}"`)
  }
  const [prefix] = OWN_PREFIX.exec(domain) ?? []
  if (prefix === undefined) return domain
  throw new Error(`name the domain alone, "${domain.slice(prefix.length)}": "${prefix}" of it is served besides`)
}

/** The domains of lists with commas, without repetitions. Throws a sentence at the first that is none. */
export function parsePublicDomains(lists: readonly string[], parse: (text: string) => string = parsePublicDomain) {
  const names = lists.flatMap((list) => list.split(',')).filter((name) => name.trim() !== '')
  return [...new Set(names.map(parse))]
}

/** Parses the public domains of a local service, which may include `localhost` (D6). */
export function parseLocalDomains(list: string) {
  return parsePublicDomains([list], (text) =>
    text.trim().toLowerCase() === LOCALHOST ? LOCALHOST : parsePublicDomain(text),
  )
}

/** Whether a host is Cloudflare's own, which has a certificate for itself alone. */
export function isWorkersDev(domain: string) {
  return domain === WORKERS_DEV || domain.endsWith(`.${WORKERS_DEV}`)
}
