// The checks of `npm run rehearse`, each a row of its table.

import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { BODY_ADMISSION, IMAGE_MAX_PIXELS, MEDIA_EDGE_CACHE_S, UPLOAD_MAX_BYTES } from '../../src/limits.ts'
import * as routes from '../../src/routes.ts'
import { messageOf } from '../shared/command-line.ts'
import { parseAs } from '../shared/json.ts'
import { withoutName } from '../shared/operator-key.ts'
import type { Client } from './rehearsal-client.ts'
import { createClient, describe, originalOf, tokenOf } from './rehearsal-client.ts'
import { noisyPng, plainJpeg, plainPng } from './rehearsal-pictures.ts'
import type { Questioned } from './rehearsal-questions.ts'
import { askQuestions, callAddressesWithTokens, secretsIn } from './rehearsal-questions.ts'

type Rehearsal = Omit<Questioned, 'pollMs'> & {
  log: string | undefined
  quick: boolean
  questionsOnly: boolean
}

const FULL = {
  uploads: 8,
  uploadBytes: UPLOAD_MAX_BYTES,
  pixels: IMAGE_MAX_PIXELS,
  cacheS: MEDIA_EDGE_CACHE_S + 30,
  pollMs: 1000,
  questionPollMs: 2000,
}
const QUICK = { uploads: 3, uploadBytes: 1_000_000, pixels: 1_000_000, cacheS: 8, pollMs: 250, questionPollMs: 25 }
/** Timeout of an upload that is retried after 503. */
const UPLOAD_TIMEOUT_MS = 5 * 60_000
const UNKNOWN_TOKEN = 'Unknown0'.repeat(6).slice(0, 43)
/** An event as `wrangler tail --format json` prints it. */
const TAIL = /"eventTimestamp":/
/** Delay of a line of the log. */
const LOG_MS = 3000

/** The check does not apply here. */
class Skipped extends Error {}

/** Makes all checks, asks all questions and prints a table. Returns whether no check failed and no observation was `no`. */
export async function rehearse(rehearsal: Rehearsal, print: (line: string) => void) {
  const client = createClient(rehearsal.origin)
  const sizes = rehearsal.quick ? QUICK : FULL
  const tell = (what: string, result: string, seen: string) =>
    print(`${what.padEnd(52)} ${result.padEnd(9)} ${client.withoutTokens(seen)}`)
  tell('check or question', 'result', 'what was seen')
  const isPassed = await makeChecks(rehearsal.questionsOnly ? [] : checksOf(rehearsal, client, sizes), tell)
  const isAllYes = await askQuestions({ ...rehearsal, pollMs: sizes.questionPollMs }, client, tell)
  const isClean = await makeChecks(closingChecks(rehearsal, client), tell)
  return isPassed && isAllYes && isClean
}

export type Checks = [string, () => Promise<string>][]

function checksOf({ key }: Rehearsal, client: Client, sizes: typeof FULL): Checks {
  return [
    ['it is healthy', () => checkHealth(client)],
    ['headers are those of src/http/responses/headers.ts', () => checkHeaders(client)],
    [`memory: ${sizes.uploads} uploads of ${sizes.uploadBytes} bytes at once`, () => checkMemory(client, sizes)],
    [`CPU: a JPEG of ${sizes.pixels / 1e6} megapixels`, () => checkImage(client, 'jpeg', sizes.pixels)],
    [`CPU: a PNG of ${sizes.pixels / 1e6} megapixels`, () => checkImage(client, 'png', sizes.pixels)],
    ['the rate limit counts', () => checkRateLimit(client)],
    ['a deleted image leaves the caches', () => checkCache(client, sizes)],
    ['metrics, for the operator alone', () => checkMetrics(client, key)],
    ['it is healthy after all that', () => checkHealth(client)],
  ]
}

function closingChecks(rehearsal: Rehearsal, client: Client): Checks {
  const checks: Checks = [['what was uploaded can be deleted', () => deleteAll(client)]]
  if (!rehearsal.questionsOnly) checks.push(['no token is in the log', () => checkLog(client, rehearsal)])
  return checks
}

async function makeChecks(checks: Checks, tell: (what: string, result: string, seen: string) => void) {
  let isPassed = true
  for (const [what, check] of checks) {
    const { result, seen } = await outcomeOf(check)
    isPassed &&= result !== 'FAILED'
    tell(what, result, seen)
  }
  return isPassed
}

async function outcomeOf(check: () => Promise<string>) {
  try {
    return { result: 'passed', seen: await check() }
  } catch (error) {
    return { result: error instanceof Skipped ? 'skipped' : 'FAILED', seen: messageOf(error) }
  }
}

const HEALTH = z.object({ checks: z.record(z.string(), z.string()) })

async function checkHealth({ ask }: Client) {
  const { status, text } = await ask(routes.health)
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`)
  return Object.entries(parseAs(HEALTH, text).checks)
    .map(([part, state]) => `${part} ${state}`)
    .join(', ')
}

async function checkHeaders(client: Client) {
  const { ask } = client
  const image = client.uploaded(await client.upload(noisyPng(20_000)))
  const asset = /\/assets\/[^"]+\.css/.exec((await ask(routes.home)).text)?.[0] ?? 'no style sheet'
  const manage = routes.pathOf(routes.manage, { token: tokenOf(image) })
  const table = await readHeaders()
  const rows: [string, string, RequestInit?][] = [
    [routes.home, 'page'],
    [image.show_url, 'page'],
    ['/nothing-is-here', 'privatePage'],
    [manage, 'privatePage'],
    [image.th_url, 'file'],
    [originalOf(image), 'file'],
    [asset, 'asset'],
    [routes.robotsTxt, 'data'],
    [routes.openApi, 'data'],
    [routes.health, 'privateData'],
    [routes.images, 'privateData', { method: 'POST' }],
    [`${routes.prefixOf(routes.thumbnail)}1/2_a.png`, 'privateData'],
  ]
  const wrong = []
  for (const [address, kind, init] of rows) {
    const { headers } = await ask(address, init)
    for (const [name, wanted] of Object.entries(table[kind] ?? {})) {
      const found = headers.get(name)
      // The policy of a page has a nonce.
      if (kind.endsWith('age') && name === 'Content-Security-Policy') continue
      if (found !== wanted)
        wrong.push(`${new URL(address, 'http://host').pathname}: ${name} is ${found}, not ${wanted}`)
    }
    const policy = headers.get('Content-Security-Policy') ?? ''
    if (!policy.startsWith("default-src 'none'")) wrong.push(`${address}: its policy is ${policy}`)
    if (headers.has('Set-Cookie')) wrong.push(`${address} sets a cookie`)
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return `${rows.length} kinds of responses`
}

/** Reads the headers of responses by kind. The compiler does not follow this import: here it lacks the types of Workers. */
async function readHeaders(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const { HEADERS } = await import(new URL('../../src/http/responses/headers.ts', import.meta.url).href)
  return HEADERS
}

async function checkMemory(client: Client, { uploads, uploadBytes }: { uploads: number; uploadBytes: number }) {
  const beganMs = Date.now()
  let waited = 0
  const one = async () => {
    const bytes = noisyPng(uploadBytes)
    for (;;) {
      const response = await client.upload(bytes)
      if (response.status !== 503) return client.uploaded(response)
      // An isolate that Cloudflare ends for its memory sends no Retry-After.
      const retryAfterS = Number(response.headers.get('Retry-After') ?? Number.NaN)
      if (Number.isNaN(retryAfterS)) throw new Error(`${describe(response)} without Retry-After: was it out of memory?`)
      if (Date.now() - beganMs > UPLOAD_TIMEOUT_MS) throw new Error(`503 for ${UPLOAD_TIMEOUT_MS / 1000} s`)
      waited++
      await wait(retryAfterS * 1000)
    }
  }
  const stored = await Promise.all(Array.from({ length: uploads }, one))
  for (const image of stored) {
    const { status } = await client.ask(image.th_url)
    if (status !== 200) throw new Error(`a thumbnail is ${status}`)
  }
  const budgetMib = Math.round(BODY_ADMISSION.largeBudgetBytes / 1024 / 1024)
  return `all stored in ${seconds(beganMs)}; ${waited} times 503 with Retry-After (an isolate takes ${budgetMib} MiB at once)`
}

async function checkImage(client: Client, format: 'jpeg' | 'png', pixels: number) {
  const side = Math.floor(Math.sqrt(pixels))
  const bytes = format === 'jpeg' ? plainJpeg(side, side) : plainPng(side, side)
  const times = []
  for (const optimize of ['0', '1']) {
    const beganMs = Date.now()
    client.uploaded(await client.upload(bytes, { optimize_for_web: optimize }))
    times.push(`${seconds(beganMs)}${optimize === '1' ? ' optimized' : ''}`)
  }
  return times.join(', ')
}

async function checkRateLimit({ ask }: Client) {
  const headers = { 'Content-Type': 'application/json' }
  const responses = []
  for (let count = 0; count < 7; count++) {
    responses.push(await ask(routes.imageStatus, { method: 'POST', headers, body: '{"urls":["x"]}' }))
  }
  const refused = responses.find(({ status }) => status === 429)
  if (!refused) throw new Error(`7 requests for a status in a row: ${responses.map(({ status }) => status).join(' ')}`)
  if (!refused.headers.get('Retry-After')) throw new Error('429 without Retry-After')
  return `429 after ${responses.indexOf(refused)} requests`
}

async function checkCache(client: Client, { cacheS, pollMs }: { cacheS: number; pollMs: number }) {
  const image = client.uploaded(await client.upload(noisyPng(20_000)))
  const addresses = [image.th_url, originalOf(image)]
  const before: string[] = []
  for (let times = 0; times < 2; times++) {
    for (const address of addresses) {
      const response = await client.ask(address)
      if (response.status !== 200) throw new Error(`a file is ${response.status} before it is deleted`)
      before.push(response.headers.get('CF-Cache-Status') ?? 'no cache')
    }
  }
  const token = tokenOf(image)
  const deleted = await client.remove(token)
  if (deleted.status !== 200) throw new Error(`the response to the delete is ${describe(deleted)}`)
  const deletedMs = Date.now()
  const page = await client.ask(image.show_url)
  if (page.status < 400) throw new Error(`the page is ${page.status} after the delete`)
  if ((await client.ask(routes.pathOf(routes.manage, { token }))).status !== 410) throw new Error('its link is not 410')
  const seen = await Promise.all(addresses.map((address) => seenFor(client, address, deletedMs, cacheS, pollMs)))
  return `${seen.join('; ')}; before: ${[...new Set(before)].join(', ')}`
}

/** Returns how long a deleted file was still served, and by which data centres. */
async function seenFor(client: Client, address: string, deletedMs: number, cacheS: number, pollMs: number) {
  const { host } = new URL(address)
  const dataCentres = new Set()
  for (;;) {
    const { status, headers } = await client.ask(address)
    if (status >= 500) throw new Error(`${host} responded ${status}`)
    if (status >= 400) break
    dataCentres.add((headers.get('CF-Ray') ?? '').split('-')[1] ?? 'no data centre')
    if (Date.now() - deletedMs > cacheS * 1000)
      throw new Error(`${host} still has it after ${cacheS} s, at ${[...dataCentres]}`)
    await wait(pollMs)
  }
  return dataCentres.size === 0
    ? `${host} gone at once`
    : `${host} gone after ${seconds(deletedMs)} (seen at ${[...dataCentres]})`
}

async function checkMetrics({ ask }: Client, key: string | undefined) {
  const { status } = await ask(routes.metrics)
  if (status !== 401 && status !== 404) throw new Error(`without a key it is ${status}`)
  if (key === undefined) throw new Skipped(`${status} without a key; with --key more is checked`)
  const wrong = await ask(routes.metrics, { headers: { Authorization: `Bearer ${UNKNOWN_TOKEN}` } })
  if (wrong.status !== 401) throw new Error(`with another key it is ${wrong.status}`)
  const response = await ask(routes.metrics, { headers: { Authorization: `Bearer ${withoutName(key)}` } })
  if (response.status !== 200) throw new Error(`with the key it is ${describe(response)}`)
  const broken = [...response.text.matchAll(/^tintype_part_works\{part="(\w+)"\} 0$/gm)].map(([, part]) => part)
  if (broken.length > 0) throw new Error(`these do not work: ${broken.join(', ')}`)
  const series = response.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return `${series.length} series; ${status} without the key`
}

async function deleteAll(client: Client) {
  const wanted = [...client.live]
  for (const token of wanted) await client.remove(token)
  if (client.live.size > 0) throw new Error(`${client.live.size} of ${wanted.length} images could not be deleted`)
  return `${wanted.length} images`
}

async function checkLog(client: Client, { log, key }: Rehearsal) {
  if (log === undefined)
    throw new Skipped('name what `npm start` prints with --log; of Workers Logs there is a question')
  if (TAIL.test(readFileSync(log, 'utf8'))) {
    throw new Error(`${log} is of wrangler tail, which redacts tokens by itself: it proves nothing`)
  }
  await callAddressesWithTokens(client)
  await wait(LOG_MS)
  const text = readFileSync(log, 'utf8')
  if (text.trim() === '') throw new Error(`${log} is empty: does the log go there?`)
  const { found, secrets } = secretsIn(text, client, key)
  if (found > 0) throw new Error(`${found} of ${secrets} tokens and keys are in ${log}`)
  return `${secrets} tokens and keys in none of ${text.length} characters`
}

function seconds(sinceMs: number) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}
