// `npm run tintype -- bench:api`: the cost of each operation, compared with an empty Worker on the same runtime, and with a database of millions of
// images. Then it sends a mixed load at 80 % of the capacity. It fails if a request does, or if a p99 grows by more than 1.5 times.

import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fail, ROOT } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import type { Ask } from './support/clients.ts'
import { addressOf, keepingAgent, send, uploadForm } from './support/clients.ts'
import { cpuMs, memory, workerdOf } from './support/process.ts'
import { newDataFolder, startService, startTrivialService } from './support/service.ts'
import { quantile } from './support/statistics.ts'

interface Measured {
  ms: number[]
  seconds: number
  cpu: number
  failures: string[]
}
interface Operation {
  name: string
  ask: (turn: number) => Omit<Ask, 'port' | 'address'>
  status?: number
}

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:api [options]
Measures what each operation costs, with few pictures and with many, and a mixed load.
  --rows N      how many pictures are many (20000000)
  --few N       how many are few (1000)
  --seconds N   how long each operation is asked for in a round (3)
  --rounds N    how many rounds (5)
  --minutes N   how long the mixed load lasts (10)
  --help        this text`,
  numbers: { rows: 20_000_000, few: 1000, seconds: 3, rounds: 5, minutes: 10 },
})
runScript('build/build.ts')
const { seed } = await import('./support/seeded-data.ts')

const CLIENTS = 4
const MOST_GROWTH = 1.5
const GALLERY_IMAGES = 10_000
const GALLERY_PAGE = 1000
const UPLOADED = 50
const LOAD_SHARE = 0.8
const FORM = 'application/x-www-form-urlencoded'
const PNG = readFileSync(path.join(ROOT, 'test/fixtures/valid/png/rgb.png'))
const agent = keepingAgent()
/** Each request comes from another address, since the limits of one client are not what is measured. */
let requests = 0

const trivial = await startTrivial(18_801)
const few = await startSeeded(18_802, numbers.few)
const many = await startSeeded(18_803, numbers.rows)
try {
  await compare()
  await loadForLong()
} finally {
  for (const one of [trivial, few, many]) await one.stop()
}

/** Measures all in turns, so that what else the machine does meets each alike. */
async function compare() {
  const results = new Map<string, Measured[]>()
  const services = { trivial, few, many }
  for (let round = 0; round < numbers.rounds; round++) {
    for (const [name, service] of round % 2 === 0 ? Object.entries(services) : Object.entries(services).reverse()) {
      for (const operation of service.operations) {
        const key = `${name} ${operation.name}`
        results.set(key, [...(results.get(key) ?? []), await measure(service, operation)])
      }
    }
  }
  const rowOf = (key: string) => summed(results.get(key) ?? [])
  const nothing = rowOf('trivial nothing')
  const head = ['operation', 'requests/s', 'CPU ms', 'of nothing', 'p50 ms', 'p99 ms', 'failures']
  console.log(
    `\nwith ${numbers.few} pictures, ${CLIENTS} clients\n\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`,
  )
  print('a Worker that does nothing', nothing, nothing)
  for (const { name } of few.operations) print(name, rowOf(`few ${name}`), nothing)

  console.log(`\nwith ${numbers.rows} pictures of ${many.rowBytes.toFixed(0)} bytes each, times those of above\n`)
  console.log('| operation | CPU | p50 | p99 | failures |\n|---|---|---|---|---|')
  const grown = many.operations.flatMap(({ name }) => {
    const [one, other] = [rowOf(`few ${name}`), rowOf(`many ${name}`)]
    const growth = other.p99 / one.p99
    const cells = [other.cpu / one.cpu, other.p50 / one.p50, growth].map((ratio) => ratio.toFixed(2))
    console.log(`| ${name} | ${cells.join(' | ')} | ${other.failures.length} |`)
    return growth > MOST_GROWTH ? [`the p99 of "${name}" grew ${growth.toFixed(2)} times`] : []
  })
  const failures = [...results].flatMap(([key, all]) =>
    all.flatMap((one) => one.failures.map((what) => `${key}: ${what}`)),
  )
  complain([...grown, ...new Set(failures)])
}

/** Measures the capacity of the service, then sends 80 % of that at an even rate, independent of response times. */
async function loadForLong() {
  const mixed = { name: 'mixed', ask: (turn: number) => askOf(turn).ask(turn) }
  const askOf = (turn: number) => {
    const operation = many.operations[turn % many.operations.length]
    if (operation === undefined) throw new Error('there are no operations')
    return operation
  }
  let knee = 0
  for (const clients of [1, 2, 4, 8, 16, 32]) {
    const { ms, seconds } = await measure(many, mixed, clients)
    knee = Math.max(knee, ms.length / seconds)
  }
  const everyMs = 1000 / (LOAD_SHARE * knee)
  console.log(
    `\nmixed: at most ${knee.toFixed(0)} requests/s; ${numbers.minutes} minutes at ${LOAD_SHARE * 100} % of that\n`,
  )
  console.log('| minute | requests | failures | p50 ms | p99 ms | workerd MB |\n|---|---|---|---|---|---|')
  const failures = new Set<string>()
  let turn = 0
  const beginMs = performance.now()
  for (let minute = 1; minute <= numbers.minutes; minute++) {
    const ms: number[] = []
    let failed = 0
    const underWay: Promise<void>[] = []
    for (; turn * everyMs < minute * 60_000; turn++) {
      const lateMs = turn * everyMs - (performance.now() - beginMs)
      if (lateMs > 0) await wait(lateMs)
      const { name, ask, status = 200 } = askOf(turn)
      const responded = send({ ...ask(turn), port: many.port, address: addressOf(++requests), agent }).then(
        (outcome) => {
          ms.push(outcome.ms)
          if (outcome.status === status) return
          failed++
          failures.add(`${name}: ${outcome.status} ${outcome.text.slice(0, 200)}`)
        },
      )
      underWay.push(responded)
    }
    await Promise.all(underWay)
    const [p50, p99] = [quantile(ms, 0.5), quantile(ms, 0.99)]
    const cells = [minute, ms.length, failed, p50.toFixed(1), p99.toFixed(1), memory(many.workerd, 'VmRSS')]
    console.log(`| ${cells.join(' | ')} |`)
  }
  complain([...failures])
}

function complain(faults: string[]) {
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}

/** Asks for the same again and again. */
async function measure(
  { port, workerd }: { port: number; workerd: number },
  { name, ask, status }: Operation,
  clients = CLIENTS,
) {
  const measured: Measured = { ms: [], seconds: 0, cpu: 0, failures: [] }
  const beginMs = performance.now()
  const cpuBefore = cpuMs(workerd)
  const client = async () => {
    while (performance.now() - beginMs < numbers.seconds * 1000) {
      const turn = ++requests
      const outcome = await send({ ...ask(turn), port, address: addressOf(turn), agent })
      measured.ms.push(outcome.ms)
      const isRight = status === undefined ? outcome.status >= 200 && outcome.status < 400 : outcome.status === status
      if (!isRight) measured.failures.push(`${name}: ${outcome.status} ${outcome.text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  measured.cpu = cpuMs(workerd) - cpuBefore
  measured.seconds = (performance.now() - beginMs) / 1000
  return measured
}

function summed(all: Measured[]) {
  const ms = all.flatMap((one) => one.ms)
  const total = (what: 'cpu' | 'seconds') => all.reduce((sum, one) => sum + one[what], 0)
  const failures = all.flatMap((one) => one.failures)
  return {
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
    cpu: total('cpu') / ms.length,
    perSecond: ms.length / total('seconds'),
    failures,
  }
}

function print(
  name: string,
  { perSecond, cpu, p50, p99, failures }: ReturnType<typeof summed>,
  nothing: ReturnType<typeof summed>,
) {
  const cells = [perSecond.toFixed(0), cpu.toFixed(2), (cpu / nothing.cpu).toFixed(1), p50.toFixed(1), p99.toFixed(1)]
  console.log(`| ${[name, ...cells, failures.length].join(' | ')} |`)
}

async function startTrivial(port: number) {
  const service = await startTrivialService(port)
  const operations: Operation[] = [{ name: 'nothing', ask: () => ({ path: '/', method: 'GET' }) }]
  return { port, workerd: workerdOf(service.pid), operations, stop: service.stop }
}

/** A service whose database holds so many images, a gallery of many, and some that have files. */
async function startSeeded(port: number, images: number) {
  const data = newDataFolder()
  const create = { path: '/galleries', type: FORM, body: 'gallery_name=Benchmark' }
  const before = await startService(port, {}, data)
  const gallery = JSON.parse((await sendTo(port, create)).text)
  await before.stop()
  const { pathOf, rowBytes } = seed(data, {
    images,
    gallery: gallery.gallery_hash,
    galleryImages: GALLERY_IMAGES,
  })
  const service = await startService(port, {}, data)
  const finalize = `/galleries/${gallery.gallery_hash}/finalize`
  await sendTo(port, { path: finalize, type: FORM, body: `gallery_upload_hash=${gallery.gallery_upload_hash}` })
  const form = uploadForm(PNG, { content_type: '0' })
  const upload = { path: '/images', ...form }
  const thumbnails: string[] = []
  for (let i = 0; i < UPLOADED; i++) {
    thumbnails.push(new URL(JSON.parse((await sendTo(port, upload)).text).th_url).pathname)
  }

  const get = (at: string, headers = {}) => ({ path: at, method: 'GET', headers })
  /** Far from each other, so that they are on different pages of the database. */
  const anyPath = (turn: number) => pathOf(1 + ((turn * 7919) % images))
  const anyThumbnail = (turn: number) => thumbnails[turn % thumbnails.length] ?? ''
  const statusOf = (turn: number, count: number) => ({
    path: '/images/status',
    type: 'application/json',
    body: JSON.stringify({
      urls: Array.from({ length: count }, (_, i) => `http://localhost:${port}/show/${anyPath(turn * count + i)}`),
    }),
  })
  const page = (number: number) => get(`/gallery/${gallery.gallery_hash}?page=${number}`)
  const operations: Operation[] = [
    { name: 'status of 1 URL', ask: (turn) => statusOf(turn, 1) },
    { name: 'status of 100 URLs', ask: (turn) => statusOf(turn, 100) },
    { name: 'page of a picture', ask: (turn) => get(`/show/${anyPath(turn)}`) },
    { name: 'first page of a gallery of 10,000', ask: () => page(1) },
    { name: 'its last page', ask: () => page(GALLERY_IMAGES / GALLERY_PAGE) },
    { name: 'thumbnail', ask: (turn) => get(anyThumbnail(turn)) },
    { name: 'thumbnail, unchanged', ask: (turn) => get(anyThumbnail(turn), { 'If-None-Match': '*' }), status: 304 },
    { name: 'thumbnail, a range', ask: (turn) => get(anyThumbnail(turn), { Range: 'bytes=10-49' }), status: 206 },
    { name: 'create a gallery', ask: () => create },
    { name: 'upload of a small PNG', ask: () => upload },
  ]
  const stop = async () => {
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
  return { port, workerd: workerdOf(service.pid), operations, rowBytes, stop }
}

async function sendTo(port: number, ask: Omit<Ask, 'port' | 'address'>) {
  const outcome = await send({ ...ask, port, address: addressOf(++requests), agent })
  return outcome.status === 200 ? outcome : fail(`${ask.path}: ${outcome.status} ${outcome.text}`)
}
