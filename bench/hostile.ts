// `npm run tintype -- bench:hostile`: the effect of attacks on honest clients. Eight clients upload photographs and read them, alone and
// during each attack in turns, then during all of them. It fails if an honest request does: its final status must be 200, and
// each earlier one 503 with Retry-After.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { padded } from './images/padded.ts'
import type { Ask, Outcome } from './support/clients.ts'
import { addressOf, byStatus, keepingAgent, send, sendPatiently, stall, uploadForm } from './support/clients.ts'
import { memory, workerdOf } from './support/process.ts'
import { startService } from './support/service.ts'
import { quantile } from './support/statistics.ts'

const { numbers, flags } = readNumbers({
  usage: `Usage: npm run tintype -- bench:hostile [options]
Measures what honest clients notice of others that attack, and fails where one of them is not served.
  --alone N       for how many minutes they are alone before each attack (1)
  --each N        for how many minutes they are beside each attack alone (1)
  --minutes N     for how many minutes they are beside all attacks (60)
  --clients N     how many are honest (8)
  --stalled N     how many senders stall (50)
  --one-address   all have the same network address
  --stalls, --drips, --galleries, --boundaries, --tokens, --pixels, --keys
                  only the attacks that are named (all)
  --help          this text`,
  numbers: { alone: 1, each: 1, minutes: 60, clients: 8, stalled: 50 },
  flags: ['one-address', 'stalls', 'drips', 'galleries', 'boundaries', 'tokens', 'pixels', 'keys'],
})
runScript('build/build.ts')
const { imageFile } = await import('./images/pictures.ts')

const PORT = 18_795
/** The pause of a reader between two images. */
const PAUSE_MS = 2000
const REPORT_MS = 60_000
/** Dripping senders continue at a byte a second. */
const DRIP_MS = 1000
/** Lossless WebPs of 4 KB and 100 megapixels, from one address. */
const PIXELS = { width: 12_000, height: 8333, atOnce: 70 }
/** Requests that wait for one Idempotency-Key. */
const KEYS_AT_ONCE = 400

/** Megapixels of the photographs, by their kinds. */
const PHOTOS = { jpeg: 12, png: 3, gif: 3, webp: 12, avif: 12 }
const photos = await Promise.all(
  Object.entries(PHOTOS).map(async ([kind, size]) => readFileSync(await imageFile(kind, size))),
)
const service = await startService(PORT)
const workerd = workerdOf(service.pid)
const beginMs = Date.now()
const png = readFileSync(new URL('../test/fixtures/valid/png/rgb.png', import.meta.url))
const smallForm = uploadForm(png, { content_type: '0' })
const largeForm = uploadForm(padded('png', png, 10_000_000), { content_type: '0' })
const pixelsForm = uploadForm(await pixels(), { content_type: '0' })

/** The number of responses to each attack, by status. */
const refusals = new Map<string, Map<string, number>>()
const honest: { name: string; beside: string; tries: Outcome[] }[] = []
const ATTACKS: Record<string, (signal: AbortSignal) => Promise<unknown>[]> = {
  stalls: (signal) => stallingSenders('stalls', numbers.stalled, signal),
  drips: (signal) => stallingSenders('drips', numbers.stalled, signal),
  ...smallAttacks(),
  pixels: (signal) => [inRounds('pixels', PIXELS.atOnce, () => ({ ...asked(2003, '/images'), ...pixelsForm }), signal)],
  keys: (signal) => [keys(signal)],
}
const UNDISTURBED = { name: 'nobody', minutes: numbers.alone, attacks: [] }
// In turns, since other work on the machine comes and goes.
const named = Object.entries(ATTACKS).filter(([name]) => flags.has(name))
const attacks = named.length > 0 ? named : Object.entries(ATTACKS)
const PHASES = [
  ...attacks.flatMap(([name, attack]) => [UNDISTURBED, { name, minutes: numbers.each, attacks: [attack] }]),
  { name: 'all', minutes: numbers.minutes, attacks: attacks.map(([, attack]) => attack) },
].filter(({ minutes }) => minutes > 0)
let phase = 'nobody'
let isOver = false

console.log('| minute | beside | honest requests | failures | workerd MB |\n|---|---|---|---|---|')
const reporting = setInterval(report, REPORT_MS)
try {
  const clients = Array.from({ length: numbers.clients }, (_, i) => honestClient(i))
  for (const { name, minutes, attacks: begun } of PHASES) {
    const leaving = new AbortController()
    phase = name
    const attacking = begun.flatMap((attack) => attack(leaving.signal))
    await wait(minutes * 60_000)
    // Requests that begin from here on are not counted.
    phase = ''
    leaving.abort()
    await Promise.all(attacking)
    await wait(2 * PAUSE_MS)
  }
  isOver = true
  await Promise.all(clients)
} finally {
  clearInterval(reporting)
  report()
  print()
  await service.stop()
}

async function pixels() {
  const { width, height } = PIXELS
  const create = { width, height, channels: 3 as const, background: { r: 20, g: 90, b: 200 } }
  return sharp({ create, limitInputPixels: false }).webp({ lossless: true, effort: 0 }).toBuffer()
}

function stallingSenders(name: 'stalls' | 'drips', senders: number, signal: AbortSignal) {
  return Array.from({ length: senders }, (_, i) => {
    const ask = { ...asked(1000 + i, '/images'), ...largeForm, ...(name === 'drips' ? { dripMs: DRIP_MS } : {}) }
    return stall(ask, signal, (outcome) => count(name, outcome))
  })
}

/** One upload that trickles holds a key, and others wait for it. */
async function keys(signal: AbortSignal) {
  while (!signal.aborted) {
    const from = { ...asked(2004, '/images'), headers: { 'Idempotency-Key': randomBytes(16).toString('hex') } }
    const held = new AbortController()
    const trickle = { ...from, ...largeForm, stallAfter: 100_000, dripMs: 100, dripBytes: 2000 }
    const ended = AbortSignal.any([signal, held.signal])
    const holding = send(trickle, ended)
    await wait(500)
    const rounds = inRounds('keys', KEYS_AT_ONCE, () => ({ ...from, ...smallForm }), ended)
    await Promise.race([holding, rounds])
    held.abort()
    await rounds
  }
}

/** Sends so many requests at once, and again when all of them have a response. */
async function inRounds(name: string, atOnce: number, ask: () => Ask, signal: AbortSignal) {
  while (!signal.aborted) {
    const outcomes = await Promise.all(Array.from({ length: atOnce }, () => send(ask(), signal)))
    if (signal.aborted) return
    for (const outcome of outcomes) count(name, outcome)
    await wait(100)
  }
}

/** The other three. Each may have four requests under way. */
function smallAttacks() {
  const agent = keepingAgent()
  const nearly = '\r\n--aX'
  const file = Buffer.alloc(10_000_000, nearly).fill(0, 10_000_000 - nearly.length)
  const asks: Record<string, () => Ask> = {
    galleries: () => ({
      ...asked(2000, '/galleries'),
      type: 'application/x-www-form-urlencoded',
      body: 'gallery_name=x',
      agent,
    }),
    boundaries: () => ({ ...asked(2001, '/images'), ...uploadForm(file, { content_type: '0' }, 'a') }),
    tokens: () => ({
      ...asked(2002, `/manage/${randomBytes(32).toString('base64url')}`),
      method: 'GET',
      agent,
    }),
  }
  return Object.fromEntries(
    Object.entries(asks).map(([name, ask]) => [
      name,
      (signal: AbortSignal) => Array.from({ length: 4 }, () => attack(name, ask, signal)),
    ]),
  )
}

async function attack(name: string, ask: () => Ask, signal: AbortSignal) {
  while (!signal.aborted) {
    const outcome = await send(ask(), signal)
    if (!signal.aborted) count(name, outcome)
  }
}

/** Uploads, looks at what it has uploaded, and does the next. */
async function honestClient(number: number) {
  let last = phase
  for (let turn = number; !isOver; turn++) {
    // Each phase begins with the same photographs.
    if (phase !== last) turn = number
    last = phase
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

async function request(name: string, ask: Ask) {
  const beside = phase
  const tries = await sendPatiently(ask)
  if (beside !== '') honest.push({ name, beside, tries: tries.map((outcome) => ({ ...outcome, text: '' })) })
  return tries.at(-1) ?? tries[0]
}

function asked(number: number, path: string) {
  return { port: PORT, path, address: addressOf(flags.has('one-address') ? 0 : number) }
}

function count(attack: string, outcome: Outcome) {
  const counts = refusals.get(attack) ?? new Map()
  refusals.set(attack, counts)
  const status = byStatus([outcome]).replace(/: 1$/, '')
  counts.set(status, (counts.get(status) ?? 0) + 1)
}

function tookMs({ tries }: { tries: Outcome[] }) {
  return tries.reduce((sum, { ms, retryAfterS = 0 }) => sum + ms + 1000 * retryAfterS, 0)
}

function failures() {
  return honest.filter(({ tries }) => tries.at(-1)?.status !== 200)
}

function report() {
  const minute = (Date.now() - beginMs) / 60_000
  console.log(
    `| ${minute.toFixed(0)} | ${phase} | ${honest.length} | ${failures().length} | ${memory(workerd, 'VmRSS')} |`,
  )
}

function print() {
  const head = '| honest clients | beside | requests | failures | tries | p50 ms | p99 ms | times p50 | times p99 |'
  console.log(`\n${head}\n|---|---|---|---|---|---|---|---|---|`)
  for (const [name, requests] of Map.groupBy(honest, (one) => one.name)) {
    const alone = timesOf(requests.filter(({ beside }) => beside === 'nobody'))
    for (const [beside, some] of Map.groupBy(requests, (one) => one.beside)) {
      const failed = some.filter(({ tries }) => tries.at(-1)?.status !== 200).length
      const { p50, p99 } = timesOf(some)
      const times = [p50 / alone.p50, p99 / alone.p99].map((ratio) => ratio.toFixed(1))
      const all = some.flatMap(({ tries }) => tries)
      const cells = [name, beside, some.length, failed, byStatus(all), p50, p99, ...times]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
  console.log('\n| attack | responses |\n|---|---|')
  for (const [name, counts] of refusals) {
    console.log(`| ${name} | ${[...counts].map(([status, times]) => `${status}: ${times}`).join(', ')} |`)
  }
  console.log(`\nhighest memory of workerd: ${memory(workerd, 'VmHWM')} MB`)
  process.exitCode = failures().length === 0 ? 0 : 1
}

/** Quantiles of the time of a request, with the waits before its retries. */
function timesOf(requests: { tries: Outcome[] }[]) {
  const ms = requests.map(tookMs)
  return { p50: Math.round(quantile(ms, 0.5)), p99: Math.round(quantile(ms, 0.99)) }
}
