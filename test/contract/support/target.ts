/** Another service under test, as the conformance tests find it. */
export interface Target {
  baseUrl: string
  /** Its public domains, beginning with the one of `baseUrl` if it is public; `localhost` represents itself (D6). */
  domains: string[]
  /** The Host header of `baseUrl`. */
  host: string
  /** Whether every request is sent to `baseUrl`, whatever host it names. */
  direct: boolean
  /** Whether requests may state their client address, because no proxy is in front of the service. */
  choosesAddress: boolean
  /** The file that records created content, for its deletion. */
  createdFile: string
}

const OWN_PREFIX = /^(?:api|www)\./
const STATUS_ASK = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"urls":["x"]}' }

/**
 * Finds out how to send requests to the service at this address. `domains` defaults to the domain of the address.
 * Throws if there is no such service.
 */
export async function findTarget(address: string, domains: string | undefined, createdFile: string): Promise<Target> {
  const { origin, host, hostname } = new URL(address)
  const own = hostname.replace(OWN_PREFIX, '')
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const named = domains?.split(',').map((domain) => domain.trim().toLowerCase())
  const found = named?.filter((domain) => domain !== '') ?? [isLocal ? 'localhost' : own]
  const direct = isLocal || !found.includes(own)
  return { baseUrl: origin, domains: found, host, direct, choosesAddress: await choosesAddress(origin), createdFile }
}

/** Clients with two addresses have two buckets (D24), if the service trusts the stated address. */
async function choosesAddress(origin: string): Promise<boolean> {
  const remaining = async (address: string) => {
    const headers = { ...STATUS_ASK.headers, 'cf-connecting-ip': address }
    const response = await fetch(`${origin}/images/status`, { ...STATUS_ASK, headers })
    return /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  }
  const { status } = await fetch(`${origin}/images/status`).catch((error) => {
    throw new Error(`no service responds at ${origin}: ${error.cause?.message ?? error.message}`)
  })
  if (status !== 405) {
    throw new Error(`${origin} is no service of this API: GET /images/status must be 405, it is ${status}`)
  }
  const chosen = () => `192.0.2.${Math.floor(Math.random() * 256)}`
  return (await remaining(chosen())) === '4' && (await remaining(`2001:db8:${chosen().slice(8)}::1`)) === '4'
}
