/** A service that somebody else runs, as the conformance kit finds it. */
export interface Target {
  baseUrl: string
  /** Its public domains, first the one of `baseUrl` where that is one; `localhost` stands for itself (D6). */
  domains: string[]
  /** The Host header of `baseUrl`. */
  host: string
  /** Whether every request goes to `baseUrl`, whichever host it names: so any host can be named. */
  direct: boolean
  /** Whether a request may say which address it comes from: nothing stands in front of the service. */
  choosesAddress: boolean
  /** The file that notes what the tests made, for its deletion. */
  createdFile: string
}

const OWN_PREFIX = /^(?:api|www)\./
const STATUS_ASK = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"urls":["x"]}' }

/**
 * Finds out how the service at this address can be asked. Without `domains` it is the domain of the address. Throws when
 * nothing answers there, or something that is no such service.
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

/** Two clients of different addresses have a bucket each (D24), where the service believes what they say. */
async function choosesAddress(origin: string): Promise<boolean> {
  const remaining = async (address: string) => {
    const headers = { ...STATUS_ASK.headers, 'cf-connecting-ip': address }
    const response = await fetch(`${origin}/images/status`, { ...STATUS_ASK, headers })
    return /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  }
  const { status } = await fetch(`${origin}/images/status`).catch((error) => {
    throw new Error(`nothing answers at ${origin}: ${error.cause?.message ?? error.message}`)
  })
  if (status !== 405) {
    throw new Error(`${origin} is no service of this API: GET /images/status must be 405, it is ${status}`)
  }
  const chosen = () => `192.0.2.${Math.floor(Math.random() * 256)}`
  return (await remaining(chosen())) === '4' && (await remaining(`2001:db8:${chosen().slice(8)}::1`)) === '4'
}
