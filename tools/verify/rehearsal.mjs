// The checks of `npm run rehearse`, each a row of its table.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { BODY_ADMISSION, IMAGE_MAX_PIXELS, MEDIA_EDGE_CACHE_S, UPLOAD_MAX_BYTES } from '../../src/limits.ts'
import * as routes from '../../src/routes.ts'
import { messageOf } from '../shared/command-line.ts'
import { withoutName } from '../shared/operator-key.ts'
import { createClient, describe, originalOf, tokenOf } from './rehearsal-client.mjs'
import { noisyPng, plainJpeg, plainPng } from './rehearsal-pictures.mjs'
import { askQuestions, callAddressesWithTokens, secretsIn } from './rehearsal-questions.mjs'

/** @typedef {import('./rehearsal-client.mjs').Client} Client */
/**
 * @typedef {Omit<import('./rehearsal-questions.mjs').Questioned, 'pollMs'> & {
 *   log: string | undefined, quick: boolean, questionsOnly: boolean,
 * }} Rehearsal
 */

const FULL = {
  uploads: 8,
  uploadBytes: UPLOAD_MAX_BYTES,
  pixels: IMAGE_MAX_PIXELS,
  cacheS: MEDIA_EDGE_CACHE_S + 30,
  pollMs: 1000,
  questionPollMs: 2000,
}
const QUICK = { uploads: 3, uploadBytes: 1_000_000, pixels: 1_000_000, cacheS: 8, pollMs: 250, questionPollMs: 25 }
/** After it, an upload that is told to come again is given up. */
const PATIENCE_MS = 5 * 60_000
const UNKNOWN_TOKEN = 'Unknown0'.repeat(6).slice(0, 43)
/** An event as `wrangler tail --format json` prints it. */
const TAIL = /"eventTimestamp":/
/** How long a line of the log may take to come. */
const LOG_MS = 3000

/** The check does not apply here. */
class Skipped extends Error {}

/**
 * Makes all checks and puts all questions, prints a table of them, and returns whether nothing failed and no response was no.
 * @param {Rehearsal} rehearsal
 * @param {(line: string) => void} print
 */
export async function rehearse(rehearsal, print) {
  const client = createClient(rehearsal.origin)
  const sizes = rehearsal.quick ? QUICK : FULL
  const tell = (/** @type {string} */ what, /** @type {string} */ result, /** @type {string} */ seen) =>
    print(`${what.padEnd(52)} ${result.padEnd(9)} ${client.withoutTokens(seen)}`)
  tell('check or question', 'result', 'what was seen')
  const isPassed = await makeChecks(rehearsal.questionsOnly ? [] : checksOf(rehearsal, client, sizes), tell)
  const isAllYes = await askQuestions({ ...rehearsal, pollMs: sizes.questionPollMs }, client, tell)
  const isClean = await makeChecks(closingChecks(rehearsal, client), tell)
  return isPassed && isAllYes && isClean
}

/** @typedef {[string, () => Promise<string>][]} Checks */

/**
 * @param {Rehearsal} rehearsal
 * @param {Client} client
 * @param {typeof FULL} sizes
 * @returns {Checks}
 */
function checksOf({ key }, client, sizes) {
  return [
    ['it is healthy', () => checkHealth(client)],
    ['headers are those of src/http/responses/headers.ts', () => checkHeaders(client)],
    [`memory: ${sizes.uploads} uploads of ${sizes.uploadBytes} bytes at once`, () => checkMemory(client, sizes)],
    [`CPU: a JPEG of ${sizes.pixels / 1e6} megapixels`, () => checkPicture(client, 'jpeg', sizes.pixels)],
    [`CPU: a PNG of ${sizes.pixels / 1e6} megapixels`, () => checkPicture(client, 'png', sizes.pixels)],
    ['the rate limit counts', () => checkRateLimit(client)],
    ['a deleted picture goes from the caches', () => checkCache(client, sizes)],
    ['metrics, for the operator alone', () => checkMetrics(client, key)],
    ['it is healthy after all that', () => checkHealth(client)],
  ]
}

/**
 * @param {Rehearsal} rehearsal
 * @param {Client} client
 * @returns {Checks}
 */
function closingChecks(rehearsal, client) {
  return [
    ['what was uploaded can be deleted', () => deleteAll(client)],
    ...(rehearsal.questionsOnly
      ? []
      : /** @type {Checks} */ ([['no token is in the log', () => checkLog(client, rehearsal)]])),
  ]
}

/**
 * @param {Checks} checks
 * @param {(what: string, result: string, seen: string) => void} tell
 */
async function makeChecks(checks, tell) {
  let isPassed = true
  for (const [what, check] of checks) {
    const { result, seen } = await outcomeOf(check)
    isPassed &&= result !== 'FAILED'
    tell(what, result, seen)
  }
  return isPassed
}

/** @param {() => Promise<string>} check */
async function outcomeOf(check) {
  try {
    return { result: 'passed', seen: await check() }
  } catch (error) {
    return { result: error instanceof Skipped ? 'skipped' : 'FAILED', seen: messageOf(error) }
  }
}

/** @param {Client} client */
async function checkHealth({ ask }) {
  const { status, text } = await ask(routes.health)
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 200)}`)
  return Object.entries(JSON.parse(text).checks)
    .map(([part, state]) => `${part} ${state}`)
    .join(', ')
}

/** @param {Client} client */
async function checkHeaders(client) {
  const { ask } = client
  const picture = client.uploaded(await client.upload(noisyPng(20_000)))
  const asset = /\/assets\/[^"]+\.css/.exec((await ask(routes.home)).text)?.[0] ?? 'no style sheet'
  const manage = routes.pathOf(routes.manage, { token: tokenOf(picture) })
  const table = await readHeaders()
  /** @type {[string, string, RequestInit?][]} */
  const rows = [
    [routes.home, 'page'],
    [picture.show_url, 'page'],
    ['/nothing-is-here', 'privatePage'],
    [manage, 'privatePage'],
    [picture.th_url, 'file'],
    [originalOf(picture), 'file'],
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
      // That of a page has a nonce.
      if (kind.endsWith('age') && name === 'Content-Security-Policy') continue
      if (found !== wanted)
        wrong.push(`${new URL(address, 'http://host').pathname}: ${name} is ${found}, not ${wanted}`)
    }
    const policy = headers.get('Content-Security-Policy') ?? ''
    if (!policy.startsWith("default-src 'none'")) wrong.push(`${address}: its policy is ${policy}`)
    if (headers.has('Set-Cookie')) wrong.push(`${address} sets a cookie`)
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return `${rows.length} kinds of answers`
}

/**
 * The headers of every response by its kind. By a name that the compiler does not follow: it knows no Workers here.
 * @returns {Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>}
 */
async function readHeaders() {
  const { HEADERS } = await import(new URL('../../src/http/responses/headers.ts', import.meta.url).href)
  return HEADERS
}

/** @param {Client} client @param {{ uploads: number, uploadBytes: number }} sizes */
async function checkMemory(client, { uploads, uploadBytes }) {
  const beganMs = Date.now()
  let waited = 0
  const one = async () => {
    const bytes = noisyPng(uploadBytes)
    for (;;) {
      const answer = await client.upload(bytes)
      if (answer.status !== 503) return client.uploaded(answer)
      // An isolate that Cloudflare ends for its memory does not say when to come again.
      const retryAfterS = Number(answer.headers.get('Retry-After') ?? Number.NaN)
      if (Number.isNaN(retryAfterS)) throw new Error(`${describe(answer)} without Retry-After: was it out of memory?`)
      if (Date.now() - beganMs > PATIENCE_MS) throw new Error(`503 for ${PATIENCE_MS / 1000} s`)
      waited++
      await wait(retryAfterS * 1000)
    }
  }
  const stored = await Promise.all(Array.from({ length: uploads }, one))
  for (const picture of stored) {
    const { status } = await client.ask(picture.th_url)
    if (status !== 200) throw new Error(`a thumbnail is ${status}`)
  }
  const budgetMib = Math.round(BODY_ADMISSION.largeBudgetBytes / 1024 / 1024)
  return `all stored in ${seconds(beganMs)}; ${waited} times 503 with Retry-After (an isolate takes ${budgetMib} MiB at once)`
}

/** @param {Client} client @param {'jpeg' | 'png'} format @param {number} pixels */
async function checkPicture(client, format, pixels) {
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

/** @param {Client} client */
async function checkRateLimit({ ask }) {
  const headers = { 'Content-Type': 'application/json' }
  const answers = []
  for (let count = 0; count < 7; count++) {
    answers.push(await ask(routes.imageStatus, { method: 'POST', headers, body: '{"urls":["x"]}' }))
  }
  const refused = answers.find(({ status }) => status === 429)
  if (!refused) throw new Error(`7 requests for a status in a row: ${answers.map(({ status }) => status).join(' ')}`)
  if (!refused.headers.get('Retry-After')) throw new Error('429 without Retry-After')
  return `429 after ${answers.indexOf(refused)} requests`
}

/** @param {Client} client @param {{ cacheS: number, pollMs: number }} sizes */
async function checkCache(client, { cacheS, pollMs }) {
  const picture = client.uploaded(await client.upload(noisyPng(20_000)))
  const addresses = [picture.th_url, originalOf(picture)]
  /** @type {string[]} */
  const before = []
  for (let times = 0; times < 2; times++) {
    for (const address of addresses) {
      const answer = await client.ask(address)
      if (answer.status !== 200) throw new Error(`a file is ${answer.status} before it is deleted`)
      before.push(answer.headers.get('CF-Cache-Status') ?? 'no cache')
    }
  }
  const token = tokenOf(picture)
  const deleted = await client.remove(token)
  if (deleted.status !== 200) throw new Error(`the delete was answered ${describe(deleted)}`)
  const deletedMs = Date.now()
  const page = await client.ask(picture.show_url)
  if (page.status < 400) throw new Error(`the page is ${page.status} after the delete`)
  if ((await client.ask(routes.pathOf(routes.manage, { token }))).status !== 410) throw new Error('its link is not 410')
  const seen = await Promise.all(addresses.map((address) => seenFor(client, address, deletedMs, cacheS, pollMs)))
  return `${seen.join('; ')}; before: ${[...new Set(before)].join(', ')}`
}

/**
 * How long a file can still be got, and from where.
 * @param {Client} client
 * @param {string} address
 * @param {number} deletedMs
 * @param {number} cacheS
 * @param {number} pollMs
 */
async function seenFor(client, address, deletedMs, cacheS, pollMs) {
  const { host } = new URL(address)
  const places = new Set()
  for (;;) {
    const { status, headers } = await client.ask(address)
    if (status >= 500) throw new Error(`${host} answered ${status}`)
    if (status >= 400) break
    places.add((headers.get('CF-Ray') ?? '').split('-')[1] ?? 'no data centre')
    if (Date.now() - deletedMs > cacheS * 1000)
      throw new Error(`${host} still has it after ${cacheS} s, at ${[...places]}`)
    await wait(pollMs)
  }
  return places.size === 0
    ? `${host} gone at once`
    : `${host} gone after ${seconds(deletedMs)} (seen at ${[...places]})`
}

/** @param {Client} client @param {string | undefined} key */
async function checkMetrics({ ask }, key) {
  const { status } = await ask(routes.metrics)
  if (status !== 401 && status !== 404) throw new Error(`without a key it is ${status}`)
  if (key === undefined) throw new Skipped(`${status} without a key; with --key more is looked at`)
  const wrong = await ask(routes.metrics, { headers: { Authorization: `Bearer ${UNKNOWN_TOKEN}` } })
  if (wrong.status !== 401) throw new Error(`with another key it is ${wrong.status}`)
  const answer = await ask(routes.metrics, { headers: { Authorization: `Bearer ${withoutName(key)}` } })
  if (answer.status !== 200) throw new Error(`with the key it is ${describe(answer)}`)
  const broken = [...answer.text.matchAll(/^tintype_part_works\{part="(\w+)"\} 0$/gm)].map(([, part]) => part)
  if (broken.length > 0) throw new Error(`these do not work: ${broken.join(', ')}`)
  const series = answer.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return `${series.length} series; ${status} without the key`
}

/** @param {Client} client */
async function deleteAll(client) {
  const wanted = [...client.live]
  for (const token of wanted) await client.remove(token)
  if (client.live.size > 0) throw new Error(`${client.live.size} of ${wanted.length} pictures could not be deleted`)
  return `${wanted.length} pictures`
}

/** @param {Client} client @param {Rehearsal} rehearsal */
async function checkLog(client, { log, key }) {
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
  if (found > 0) throw new Error(`${found} of ${secrets} tokens and keys stand in ${log}`)
  return `${secrets} tokens and keys in none of ${text.length} characters`
}

function seconds(/** @type {number} */ sinceMs) {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}
