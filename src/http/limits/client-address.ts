import { CLIENT_ADDRESS_MAX_CHARACTERS } from '../../limits.ts'

const NO_ADDRESS = 'none'

/**
 * The key of the client's rate limit (D24): its IPv4 address or the /64 network of its IPv6 address, from
 * `CF-Connecting-IP` alone. All clients without an address share one bucket.
 */
export function clientKey(request: Request): string {
  const address = request.headers.get('CF-Connecting-IP')?.trim().toLowerCase().slice(0, CLIENT_ADDRESS_MAX_CHARACTERS)
  if (!address) return NO_ADDRESS
  return address.includes(':') ? networkOf(address) : address
}

/** Whether the address of the client is known: always on Cloudflare, elsewhere only behind a proxy that sets it. */
export function hasClientAddress(request: Request): boolean {
  return clientKey(request) !== NO_ADDRESS
}

/** The /64 network of an IPv6 address, in one spelling for all spellings of the address. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':')
}
