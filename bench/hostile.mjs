// `npm run bench:hostile`: the effect of attacks on honest clients. Eight clients upload photographs and read them,
// first alone, then during attacks. Senders stall or drip and reconnect at once. A script creates galleries, one posts
// bytes that resemble delimiters, and one guesses management tokens. It fails if an honest request does: its final
// status must be 200, and each earlier one 503 with Retry-After.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { readNumbers } from '../scripts/command-line.mjs'
import { continueInOwnNode, ensureInstalled, runScript } from '../scripts/installed.mjs'
import { addressOf, byStatus, keepingAgent, send, sendPatiently, stall, uploadForm } from './clients.mjs'
import { padded } from './padded.mjs'
import { memory, workerdOf } from './process.mjs'
import { startService } from './service.mjs'

/** @typedef {import('./clients.mjs').Ask} Ask */
/** @typedef {import('./clients.mjs').Outcome} Outcome */

const { numbers, flags } = readNumbers({
  usage: `Usage: npm run bench:hostile -- [options]
Measures what honest clients notice of others that attack, and fails where one of them is not served.
  --minutes N     how long they are attacked (60)
  --alone N       for how many minutes they are alone before (2)
  --clients N     how many are honest (8)
  --stalled N     how many senders stall (50)
  --one-address   all have the same network address
  --help          this text`,
  numbers: { minutes: 60, alone: 2, clients: 8, stalled: 50 },
  flags: ['one-address'],
})
ensureInstalled('all')
continueInOwnNode()
runScript('build.mjs')
const { picture } = await import('./pictures.mjs')

const PORT = 18_795
/** The pause of a reader between two images. */
const PAUSE_MS = 2000
const REPORT_MS = 60_000
/** Half of the stalling senders go on at a byte a second. */
const DRIP_MS = 1000

const photos = await Promise.all(
  /** @type {[string, number][]} */ ([
    ['jpeg', 12],
    ['png', 3],
    ['gif', 3],
    ['webp', 12],
    ['avif', 12],
  ]).map(async ([kind, size]) => readFileSync(await picture(kind, size))),
)
const service = await startService(PORT)
const workerd = workerdOf(service.pid)
const leaving = new AbortController()
const beginMs = Date.now()
const attackMs = beginMs + numbers.alone * 60_000
const endMs = attackMs + numbers.minutes * 60_000

/** The number of responses to each attack, by status. @type {Map<string, Map<string, number>>} */
const refusals = new Map()
/** @type {{ ask: string, isAlone: boolean, tries: Outcome[] }[]} */
const honest = []

console.log('| minute | honest requests | failures | workerd MB |\n|---|---|---|---|')
const reporting = setInterval(report, REPORT_MS)
try {
  const clients = Array.from({ length: numbers.clients }, (_, i) => honestClient(i))
  await wait(attackMs - Date.now())
  const attacks = [...stallingSenders(), ...attackAll()]
  await Promise.all(clients)
  leaving.abort()
  await Promise.all(attacks)
} finally {
  clearInterval(reporting)
  report()
  print()
  await service.stop()
}

function stallingSenders() {
  const png = readFileSync(new URL('../test/fixtures/valid/png/rgb.png', import.meta.url))
  const form = uploadForm(padded('png', png, 10_000_000), { content_type: '0' })
  return Array.from({ length: numbers.stalled }, (_, i) => {
    const drips = i % 2 === 1
    const ask = { ...asked(1000 + i, '/images'), ...form, ...(drips ? { dripMs: DRIP_MS } : {}) }
    return stall(ask, leaving.signal, (outcome) => count(drips ? 'drips' : 'stalls', outcome))
  })
}

/** The other three. Each may have four requests under way. */
function attackAll() {
  const agent = keepingAgent()
  const nearly = '\r\n--aX'
  const file = Buffer.alloc(10_000_000, nearly).fill(0, 10_000_000 - nearly.length)
  /** @type {Record<string, () => Ask>} */
  const attacks = {
    'creates galleries': () => ({
      ...asked(2000, '/galleries'),
      type: 'application/x-www-form-urlencoded',
      body: 'gallery_name=x',
      agent,
    }),
    'posts near-boundaries': () => ({ ...asked(2001, '/images'), ...uploadForm(file, { content_type: '0' }, 'a') }),
    'guesses tokens': () => ({
      ...asked(2002, `/manage/${randomBytes(32).toString('base64url')}`),
      method: 'GET',
      agent,
    }),
  }
  return Object.entries(attacks).flatMap(([name, ask]) => Array.from({ length: 4 }, () => attack(name, ask)))
}

/**
 * @param {string} name
 * @param {() => Ask} ask
 */
async function attack(name, ask) {
  while (!leaving.signal.aborted) {
    const outcome = await send(ask(), leaving.signal)
    if (!leaving.signal.aborted) count(name, outcome)
  }
}

/** Uploads, looks at what it has uploaded, and does the next. */
async function honestClient(/** @type {number} */ number) {
  for (let turn = number; Date.now() < endMs; turn++) {
    const photo = photos[turn % photos.length]
    if (photo === undefined) throw new Error('there are no photographs')
    const form = uploadForm(photo, {
      content_type: '0',
      optimize_for_web: String(Math.floor(turn / photos.length) % 2),
    })
    const uploaded = await request('upload', { ...asked(number, '/images'), ...form })
    if (uploaded.status === 200) {
      const { show_url, th_url } = JSON.parse(uploaded.text)
      await request('thumbnail', { ...asked(number, new URL(th_url).pathname), method: 'GET' })
      await request('page', { ...asked(number, new URL(show_url).pathname), method: 'GET' })
    }
    await wait(PAUSE_MS)
  }
}

/**
 * @param {string} name
 * @param {Ask} ask
 */
async function request(name, ask) {
  const isAlone = Date.now() < attackMs
  const tries = await sendPatiently(ask)
  honest.push({ ask: name, isAlone, tries: tries.map((outcome) => ({ ...outcome, text: '' })) })
  return tries.at(-1) ?? tries[0]
}

/**
 * @param {number} number
 * @param {string} path
 */
function asked(number, path) {
  return { port: PORT, path, address: addressOf(flags.has('one-address') ? 0 : number) }
}

/**
 * @param {string} attack
 * @param {Outcome} outcome
 */
function count(attack, outcome) {
  const counts = refusals.get(attack) ?? new Map()
  refusals.set(attack, counts)
  const status = byStatus([outcome]).replace(/: 1$/, '')
  counts.set(status, (counts.get(status) ?? 0) + 1)
}

function tookMs(/** @type {{ tries: Outcome[] }} */ { tries }) {
  return tries.reduce((sum, { ms, retryAfterS = 0 }) => sum + ms + 1000 * retryAfterS, 0)
}

function failures() {
  return honest.filter(({ tries }) => tries.at(-1)?.status !== 200)
}

function report() {
  const minute = (Date.now() - beginMs) / 60_000
  console.log(`| ${minute.toFixed(0)} | ${honest.length} | ${failures().length} | ${memory(workerd, 'VmRSS')} |`)
}

function print() {
  console.log(
    '\n| honest clients | beside | requests | failures | tries | p50 ms | p99 ms |\n|---|---|---|---|---|---|---|',
  )
  for (const [name, requests] of Map.groupBy(
    honest,
    ({ ask, isAlone }) => `${ask} | ${isAlone ? 'nobody' : 'attacks'}`,
  )) {
    const failed = requests.filter(({ tries }) => tries.at(-1)?.status !== 200).length
    const all = requests.flatMap(({ tries }) => tries)
    // With the time until it came again.
    const ms = requests.map(tookMs).sort((a, b) => a - b)
    const at = (/** @type {number} */ share) => Math.round(ms[Math.floor((ms.length - 1) * share)] ?? 0)
    console.log(`| ${name} | ${requests.length} | ${failed} | ${byStatus(all)} | ${at(0.5)} | ${at(0.99)} |`)
  }
  console.log('\n| attack | answers |\n|---|---|')
  for (const [name, counts] of refusals) {
    console.log(`| ${name} | ${[...counts].map(([status, times]) => `${status}: ${times}`).join(', ')} |`)
  }
  console.log(`\nhighest memory of workerd: ${memory(workerd, 'VmHWM')} MB`)
  process.exitCode = failures().length === 0 ? 0 : 1
}
