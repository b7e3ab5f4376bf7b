import { chmodSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { stopServer } from '../../support/stop-server.ts'
import { freePort } from './service.ts'

/** The zone and the account of the fake edge. */
export const ZONE = '1'.repeat(32)
export const ACCOUNT = '2'.repeat(32)
export const WORKER = 'rehearsed'
/** The token of its API. */
const API_TOKEN = 'api-token'
/** The address of every client that is a Worker of another zone, as Cloudflare documents it. */
const WORKERS_ADDRESS = '2a06:98c0:3600::103'
const CLIENT_ADDRESS = '192.0.2.1'
const ODD_AGENT = /^(?:-|Java\/|libwww-perl|Python-urllib)/

/**
 * Simulates Cloudflare in front of a service: two zones, a Worker of a third one, an API, and a curl that speaks
 * HTTP/3.
 */
interface FakeEdge {
  origin: string
  args: string[]
  env: Record<string, string>
  close(): Promise<void>
}

interface Entry {
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/**
 * Starts it in front of a service on this port, and writes its curl into a folder. A bad one fails each check of `npm
 * run rehearse`.
 */
export async function startFakeEdge(to: number, folder: string, isBad: boolean): Promise<FakeEdge> {
  const zones = [new Map<string, Entry>(), new Map<string, Entry>()]
  const events: object[] = []
  const edges = zones.map((cache) =>
    createServer((incoming, outgoing) => void serve(incoming, outgoing, { to, cache, zones, events, isBad })),
  )
  const worker = createServer((incoming, outgoing) => {
    const address = isBad ? WORKERS_ADDRESS : CLIENT_ADDRESS
    incoming.pipe(forward(incoming, incoming.url ?? '', { to, address }, (response) => passOn(response, outgoing)))
  })
  const api = createServer((incoming, outgoing) => void serveApi(incoming, outgoing, { zones, events, isBad }))
  const servers = [...edges, worker, api]
  const ports: number[] = []
  for (const server of servers) ports.push(await listen(server))
  const [first, second, via, apiPort] = ports.map((port) => `http://localhost:${port}`)
  writeFileSync(join(folder, 'curl'), curl(isBad))
  chmodSync(join(folder, 'curl'), 0o755)
  return {
    origin: first ?? '',
    args: ['--other', second ?? '', '--via', via ?? '', '--zone', ZONE, '--worker', WORKER],
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      CLOUDFLARE_API_BASE_URL: `${apiPort}`,
      CLOUDFLARE_API_TOKEN: API_TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    },
    close: async () => {
      await Promise.all(servers.map(stopServer))
    },
  }
}

async function listen(server: Server): Promise<number> {
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return port
}

interface Zone {
  to: number
  cache: Map<string, Entry>
  zones: readonly Map<string, Entry>[]
  events: object[]
  isBad: boolean
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, zone: Zone): Promise<void> {
  const { to, cache, zones, events, isBad } = zone
  const { method = '', headers } = incoming
  const url = isBad ? decodeURI(incoming.url ?? '').replace(/^\/{2}/, '/') : (incoming.url ?? '')
  const agent = headers['user-agent']
  if (isBad && method === 'POST' && (agent === undefined || ODD_AGENT.test(agent))) {
    return void outgoing.writeHead(403, { 'Content-Type': 'text/html' }).end('error code: 1010')
  }
  if (Number(headers['content-length']) > 100_000_000) {
    if (isBad) return void incoming.destroy()
    return void outgoing.writeHead(413, { 'Content-Type': 'text/html' }).end('413 Request Entity Too Large')
  }
  const entry = method === 'GET' ? cache.get(url) : undefined
  if (entry) return void outgoing.writeHead(200, { ...entry.headers, age: '7' }).end(entry.bytes)
  const body = await buffer(incoming)
  forward(incoming, url, { to, address: CLIENT_ADDRESS }, async (response) => {
    const bytes = await buffer(response)
    const ours = { ...response.headers }
    const event = { $metadata: { id: String(events.length), message: `request ${ours['x-request-id']}` } }
    events.push(isBad ? { ...event, $workers: { event: { request: { url } } } } : event)
    if (/^\/(?:images|thumbs|previews)\/\d/.test(url) && method === 'GET' && response.statusCode === 200) {
      cache.set(url, { headers: ours, bytes })
    }
    // A delete purges the cache of its own zone, and with a good edge also that of the other zone.
    if (method === 'POST' && url.endsWith('/delete')) for (const one of isBad ? [cache] : zones) one.clear()
    if (isBad && url.startsWith('/show/')) ours['set-cookie'] = ['__cf_bm=1']
    // A version without the static assets that it was deployed with.
    if (isBad && url.startsWith('/assets/')) return void outgoing.writeHead(503).end()
    const isMetrics = isBad && url.startsWith('/operator/')
    const text = isMetrics ? bytes.toString().replace(/^(tintype_codec_seconds_total\S*) .*$/m, '$1 0') : bytes
    if (isMetrics) delete ours['content-length']
    outgoing.writeHead(response.statusCode ?? 500, ours).end(text)
  }).end(body)
}

/** Forwards a request from a client with this address. */
function forward(
  { method = '', headers }: IncomingMessage,
  path: string,
  { to, address }: { to: number; address: string },
  onResponse: (response: IncomingMessage) => void,
) {
  const sent = { ...headers, 'cf-connecting-ip': address }
  return request({ port: to, host: '127.0.0.1', method, path, headers: sent }, onResponse)
}

function passOn(response: IncomingMessage, outgoing: ServerResponse): void {
  response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers))
}

async function serveApi(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { zones, events, isBad }: Pick<Zone, 'zones' | 'events' | 'isBad'>,
): Promise<void> {
  const body = JSON.parse((await buffer(incoming)).toString())
  const reply = (status: number, result: unknown) =>
    void outgoing.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ result }))
  if (incoming.headers.authorization !== `Bearer ${API_TOKEN}`) return reply(403, null)
  switch (incoming.url) {
    case `/zones/${ZONE}/purge_cache`:
      if (!/^tintype-image-\d+$/.test(body.tags?.[0])) return reply(400, null)
      if (!isBad) for (const cache of zones) cache.clear()
      return reply(200, { id: ZONE })
    case `/accounts/${ACCOUNT}/workers/observability/telemetry/query`: {
      const isOfWorker = body.parameters?.filters?.[0]?.value === WORKER
      const from = body.offset === undefined ? 0 : Number(body.offset) + 1
      const list = isOfWorker ? events.slice(from, from + body.limit) : []
      return reply(200, { run: { status: 'COMPLETED' }, statistics: { abr_level: 1 }, events: { events: list } })
    }
    default:
      return reply(404, null)
  }
}

/** Returns a curl that claims to speak HTTP/3, and sends requests by HTTP/1.1. */
function curl(isBad: boolean): string {
  return `#!${process.execPath}
if (process.argv.includes('--version')) console.log('curl 8.16.0\\nFeatures: alt-svc HTTP2 HTTP3')
else fetch(process.argv.at(-1), { method: 'HEAD' }).then(({ status, headers }) => {
  console.log('HTTP/3 ' + status)
  if (!${isBad}) console.log('content-length: ' + headers.get('content-length'))
})
`
}
