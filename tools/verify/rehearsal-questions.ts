// Questions of `npm run rehearse` that need a deployment. Yes confirms an assumption of docs/platform.md.

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as routes from '../../src/routes.ts'
import { messageOf } from '../shared/command-line.ts'
import { withoutName } from '../shared/operator-key.ts'
import type { CloudflareAccount } from './cloudflare-api.ts'
import { ApiRefusal, purgeTags, readWorkersLogs } from './cloudflare-api.ts'
import type { RawResponse } from './raw-request.ts'
import { headOverHttp2, headOverHttp3, rawRequest } from './raw-request.ts'
import type { Client } from './rehearsal-client.ts'
import { describe, originalOf, tokenOf } from './rehearsal-client.ts'
import { noisyPng, plainPng } from './rehearsal-pictures.ts'

/** The service, and the settings of its account. */
export interface Questioned {
  origin: string
  key: string | undefined
  /** One of its domains in another zone. */
  other: string | undefined
  /** A Worker of another zone that passes requests on to it. */
  via: string | undefined
  cloudflare: CloudflareAccount | undefined
  /** Pause between two polls. */
  pollMs: number
}

interface Question {
  id: string
  asks: string
  observe: (questioned: Questioned, client: Client, startedMs: number) => Promise<Observation>
}
interface Observation {
  isYes: boolean
  seen: string
}

/** A question could not be asked; the message says why. */
class NotTried extends Error {}

const POLLS = 30
/** More than 100 MB and than 100 MiB. */
const LARGE_BODY_BYTES = 105_000_000
const LATE_RESPONSE_MS = 20_000
const METRICS_ASKED = 20
const SLOW_PIXELS = 4_000_000

/** Clients as they upload to such services: Browser Integrity Check and managed rules refuse some. */
const USER_AGENTS = [
  undefined,
  '-',
  'curl/8.11.1',
  'Go-http-client/2.0',
  'Java/1.8.0_411',
  'libwww-perl/6.77',
  'PicGo/2.4.0',
  'python-requests/2.32.3',
  'Python-urllib/3.12',
  'ShareX/17.0.0',
  'Wget/1.21.4',
]

const USUAL_AGENT = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

export const QUESTIONS: readonly Question[] = [
  { id: 'clock', asks: 'does the service know how long a decode took?', observe: askClock },
  { id: 'purge', asks: 'does a purge by tag reach what the Worker cached?', observe: askPurge },
  { id: 'user-agents', asks: 'are clients served whatever their User-Agent?', observe: askUserAgents },
  { id: 'paths', asks: 'are //images and /%69mages other paths (D19)?', observe: askPaths },
  { id: 'large-body', asks: 'is a body over 100 MB refused with 413?', observe: askLargeBody },
  { id: 'head', asks: 'does HEAD tell the length, over HTTP/3 too?', observe: askHead },
  { id: 'unaltered', asks: 'do files and pages arrive unaltered?', observe: askUnaltered },
  { id: 'static-assets', asks: 'do styles and scripts arrive as they were built?', observe: askStaticAssets },
  { id: 'logs', asks: 'are Workers Logs without a token?', observe: askLogs },
  { id: 'other-zone', asks: 'does a delete reach the other zone at once?', observe: askOtherZone },
  { id: 'worker-client', asks: 'have clients behind a Worker own addresses?', observe: askWorkerClient },
]

/**
 * Asks each question. `tell` gets its text, `yes`, `no` or `not tried`, and the observation. Returns whether there was
 * no `no`.
 */
export async function askQuestions(
  questioned: Questioned,
  client: Client,
  tell: (asks: string, result: string, seen: string) => void,
) {
  const startedMs = Date.now()
  let isAllYes = true
  for (const { asks, observe } of QUESTIONS) {
    try {
      const { isYes, seen } = await observe(questioned, client, startedMs)
      isAllYes &&= isYes
      tell(asks, isYes ? 'yes' : 'no', seen)
    } catch (error) {
      tell(asks, 'not tried', `because ${messageOf(error)}`)
    }
  }
  return isAllYes
}

async function askClock({ key }: Questioned, client: Client) {
  if (key === undefined) throw new NotTried('its metrics need the OPERATOR_KEY: give --key')
  const side = Math.floor(Math.sqrt(SLOW_PIXELS))
  client.uploaded(await client.upload(plainPng(side, side), { optimize_for_web: '1' }))
  for (let asked = 0; asked < METRICS_ASKED; asked++) {
    const { status, text } = await client.ask(routes.metrics, {
      headers: { Authorization: `Bearer ${withoutName(key)}` },
    })
    if (status !== 200) throw new NotTried(`its metrics are ${status}`)
    const jobs = metricOf(text, 'tintype_codec_jobs_total')
    // Another isolate may have taken the upload.
    if (jobs === 0) continue
    const seconds = metricOf(text, 'tintype_codec_seconds_total')
    return { isYes: seconds > 0, seen: `${jobs} jobs of the codec took ${seconds} s by its clock` }
  }
  throw new NotTried(`none of ${METRICS_ASKED} responses came from an isolate that had decoded an image`)
}

function metricOf(text: string, name: string) {
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

async function askPurge({ cloudflare, pollMs }: Questioned, client: Client) {
  if (cloudflare?.zone === undefined) throw new NotTried('it needs CLOUDFLARE_API_TOKEN and --zone')
  const image = client.uploaded(await client.upload(noisyPng(20_000)))
  const [, id] = /\/(\d+)_[^/]*$/.exec(image.show_url) ?? []
  const ageOf = async () => Number((await client.ask(image.th_url)).headers.get('Age') ?? 0)
  const before = await polled(pollMs, ageOf, (age) => age > 0)
  if (before === undefined) throw new NotTried('no response had an Age: the cache keeps nothing')
  await purgeTags(cloudflare, [`tintype-image-${id}`]).catch((error) => {
    throw new NotTried(messageOf(error))
  })
  const purgedMs = Date.now()
  const after = await polled(pollMs, ageOf, (age) => age < before)
  const seconds = ((Date.now() - purgedMs) / 1000).toFixed(1)
  return after === undefined
    ? { isYes: false, seen: `still there ${seconds} s after the purge` }
    : { isYes: true, seen: `gone ${seconds} s after the purge` }
}

async function askUserAgents({ origin }: Questioned) {
  const refused = []
  for (const agent of USER_AGENTS) {
    const headers = agent === undefined ? {} : { 'User-Agent': agent }
    const response = await rawRequest(origin, { method: 'POST', path: routes.images, headers })
    if (!isOwn(response)) refused.push(`${agent ?? 'none'} (${summaryOf(response)})`)
  }
  return refused.length === 0
    ? { isYes: true, seen: `${USER_AGENTS.length} of them, one of which is none` }
    : { isYes: false, seen: `refused before the service: ${refused.join(', ')}` }
}

async function askPaths({ origin }: Questioned) {
  const seen = []
  for (const path of [`/${routes.images}`, routes.images.replace('i', '%69')]) {
    const response = await rawRequest(origin, { method: 'POST', path, headers: USUAL_AGENT })
    if (!isOwn(response)) throw new NotTried(`${path} does not reach the service: ${summaryOf(response)}`)
    if (!isUnsupported(response)) seen.push(`${path} reaches ${routes.images}`)
  }
  return { isYes: seen.length === 0, seen: seen.join(', ') || 'both are 400, unsupported_endpoint' }
}

function isUnsupported({ status, text }: RawResponse) {
  return status === 400 && text.includes('"unsupported_endpoint"')
}

async function askLargeBody({ origin }: Questioned) {
  const request = {
    method: 'POST',
    path: routes.images,
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', ...USUAL_AGENT },
    bodyBytes: LARGE_BODY_BYTES,
  }
  try {
    // A busy server may close the connection before its response is read: the second request waits longer for it.
    const response = await rawRequest(origin, request).catch(() =>
      rawRequest(origin, { ...request, earlyResponseMs: LATE_RESPONSE_MS }),
    )
    const who = isOwn(response) ? 'by the service' : 'by the edge'
    const cors =
      response.header('Access-Control-Allow-Origin') === undefined ? ', which pages of other origins cannot read' : ''
    return { isYes: response.status === 413, seen: `${summaryOf(response)} ${who}${cors}` }
  } catch (error) {
    return { isYes: false, seen: `no response: ${messageOf(error)}` }
  }
}

async function askHead({ origin }: Questioned, client: Client) {
  const image = client.uploaded(await client.upload(noisyPng(20_000)))
  const address = new URL(originalOf(image), origin)
  const { status, headers } = await client.ask(address.href)
  const length = headers.get('Content-Length') ?? undefined
  if (status !== 200 || length === undefined) return { isYes: false, seen: `GET is ${status}, its length ${length}` }
  const first = await rawRequest(address.origin, { method: 'HEAD', path: address.pathname })
  const second = address.protocol === 'https:' ? await headOverHttp2(address.href) : undefined
  const third = await headOverHttp3(address.href)
  const heads: [string, string | undefined][] = [['HTTP/1.1', first.header('Content-Length')]]
  if (address.protocol === 'https:') heads.push(['HTTP/2', second])
  if (third) heads.push(['HTTP/3', third.length])
  const seen = heads.map(([version, found]) => `${version} ${found ?? 'without'}`).join(', ')
  const isYes = heads.every(([, found]) => found === length)
  if (isYes && !third) throw new NotTried(`curl cannot speak HTTP/3 here; right over ${seen}`)
  return { isYes, seen: `${seen}; GET ${length}` }
}

async function askUnaltered({ origin }: Questioned, client: Client) {
  const bytes = noisyPng(20_000)
  const image = client.uploaded(await client.upload(bytes))
  const response = await fetch(originalOf(image), { headers: { Accept: 'image/avif,image/webp,*/*' } })
  const { headers } = response
  const received = Buffer.from(await response.arrayBuffer())
  const page = await client.ask(image.show_url)
  const home = await client.ask(new URL(routes.home, origin).href)
  const alterations: [boolean, string][] = [
    [!received.equals(bytes), 'the bytes of a file are others'],
    [headers.get('Content-Type') !== 'image/png', `a PNG is ${headers.get('Content-Type')}`],
    [!/^"[^"]+"$/.test(headers.get('ETag') ?? ''), `an ETag is ${headers.get('ETag')}`],
    [headers.has('Content-Encoding'), 'a file is encoded'],
    [[headers, page.headers, home.headers].some((found) => found.has('Set-Cookie')), 'a cookie is set'],
    [/\/cdn-cgi\/|cloudflareinsights/.test(page.text + home.text), 'a script is added to pages'],
  ]
  const found = alterations.filter(([isSo]) => isSo).map(([, what]) => what)
  return { isYes: found.length === 0, seen: found.join('; ') || 'a file byte for byte, two pages without additions' }
}

/** The name of an asset has the beginning of its digest (tools/build/assets.ts). */
async function askStaticAssets({ origin }: Questioned, client: Client) {
  const home = await client.ask(new URL(routes.home, origin).href)
  const prefix = routes.prefixOf(routes.asset)
  const named = [...home.text.matchAll(new RegExp(`"(${prefix}\\w+\\.([\\w-]{8})\\.\\w+)"`, 'g'))]
  const paths = new Map(named.map(([, path = '', digest = '']) => [path, digest]))
  const wrong = []
  for (const [path, digest] of paths) {
    const response = await fetch(new URL(path, origin))
    const bytes = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) wrong.push(`${path} is ${response.status}`)
    else if (!createHash('sha256').update(bytes).digest('base64url').startsWith(digest))
      wrong.push(`${path} has another content`)
  }
  const { status } = await client.ask(new URL(routes.openApi, origin).href)
  if (status !== 200) wrong.push(`${routes.openApi} is ${status}`)
  return {
    isYes: paths.size > 0 && wrong.length === 0,
    seen: wrong.join(', ') || `${paths.size} of the upload page, and the OpenAPI document`,
  }
}

async function askLogs({ key, cloudflare, pollMs }: Questioned, client: Client, startedMs: number) {
  if (cloudflare?.account === undefined) throw new NotTried('it needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID')
  if (client.tokens.size === 0) client.uploaded(await client.upload(noisyPng(20_000)))
  await callAddressesWithTokens(client)
  await client.ask(routes.home)
  const read = () => readWorkersLogs(cloudflare, { fromMs: startedMs, toMs: Date.now() })
  const knows = (text: string) => [...client.requestIds].some((requestId) => text.includes(requestId))
  const logs = await polled(pollMs, read, ({ text }) => knows(text)).catch((error) => {
    throw error instanceof ApiRefusal ? new NotTried(error.message) : error
  })
  // Without a request in the log, a search without results proves nothing.
  if (!logs) throw new NotTried('Workers Logs show no request of this rehearsal: deploy with LOG_REQUESTS=1 for it')
  if (logs.isSample) throw new NotTried('Workers Logs returned a sample')
  const { found, secrets } = secretsIn(logs.text, client, key)
  return {
    isYes: found === 0,
    seen: `${found} of ${secrets} tokens and keys in ${logs.text.length} characters of Workers Logs`,
  }
}

/** Requests addresses that hold a token, mistyped ones too: no log may hold it. */
export async function callAddressesWithTokens({ ask, tokens }: Client) {
  const [token = ''] = tokens
  for (const path of [`/manage/${token}`, `/Manage/${token}`, `/manage/${token}/x`, `/docs?from=${token}`])
    await ask(path)
  await ask(routes.pathOf(routes.renameContent, { token }), { method: 'POST' })
}

/** Returns how many tokens and keys there are, and how many of them a text holds. */
export function secretsIn(text: string, { tokens }: Client, key: string | undefined) {
  const secrets = [...tokens, ...(key === undefined ? [] : [withoutName(key)])]
  const found = secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))
  return { found: found.length, secrets: secrets.length }
}

async function askOtherZone({ origin, other, pollMs }: Questioned, client: Client) {
  if (other === undefined) throw new NotTried('it needs one of its domains in another zone: give --other')
  const image = client.uploaded(await client.upload(noisyPng(20_000)))
  const address = new URL(new URL(image.th_url, origin).pathname, other).href
  for (let times = 0; times < 2; times++) {
    const response = await client.ask(address)
    if (response.status !== 200) throw new NotTried(`${other} responds ${describe(response)}`)
  }
  const deleted = await client.remove(tokenOf(image))
  if (deleted.status !== 200) throw new NotTried(`the response to the delete is ${describe(deleted)}`)
  const deletedMs = Date.now()
  const { status } = await client.ask(address)
  if (status !== 200) return { isYes: true, seen: `${status} after the delete` }
  const missing = await polled(
    pollMs,
    () => client.ask(address),
    (response) => response.status !== 200,
  )
  const seconds = ((Date.now() - deletedMs) / 1000).toFixed(1)
  return { isYes: false, seen: missing ? `gone after ${seconds} s` : `still there after ${seconds} s` }
}

async function askWorkerClient({ via }: Questioned, client: Client) {
  if (via === undefined) throw new NotTried('it needs a Worker of another zone that passes requests on: give --via')
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"urls":["x"]}' }
  let direct = await client.ask(routes.imageStatus, init)
  for (let times = 0; times < 7 && direct.status === 200; times++) direct = await client.ask(routes.imageStatus, init)
  if (direct.status !== 429) throw new NotTried(`the rate limit does not refuse: ${describe(direct)}`)
  const { status } = await client.ask(new URL(routes.imageStatus, via).href, init)
  if (status !== 200 && status !== 429) throw new NotTried(`${via} responds ${status}`)
  return {
    isYes: status === 429,
    seen: status === 429 ? 'the Worker hands on its client' : 'all clients of Workers share one address',
  }
}

/** Whether a response comes from the service, not from the edge before it. */
function isOwn({ header }: RawResponse) {
  return header('X-Request-ID') !== undefined
}

function summaryOf({ status, header, text }: RawResponse) {
  const [code] = /error code: \d+/.exec(text) ?? []
  return [status, header('Content-Type')?.replace(/;.*/, ''), code].filter((word) => word).join(' ')
}

/** Polls until the result is the wanted one, and returns it; undefined if that takes too long. */
async function polled<T>(pollMs: number, read: () => Promise<T>, isWanted: (found: T) => boolean) {
  for (let polls = 0; polls < POLLS; polls++) {
    const found = await read()
    if (isWanted(found)) return found
    await wait(pollMs)
  }
  return undefined
}
