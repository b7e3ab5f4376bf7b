// `npm run tintype -- bench:memory`: the memory of an isolate while clients upload files of 10 MB of every format, half of them to be optimized,
// beside stalled senders. It also measures the memory that remains afterwards, and after rounds of 64 such uploads at once.

import { cpSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { STATIC_OF_WORKER } from '../tools/build/build.ts'
import { STATIC } from '../tools/build/static.ts'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript, runTool } from '../tools/shared/processes.ts'
import { GENERATED } from '../tools/shared/when-changed.ts'
import { addressOf, byStatus, type Outcome, send, sendPatiently, stall, uploadForm } from './support/clients.ts'
import type { IsolateMemory } from './support/inspector.ts'
import { ISOLATES, inspect } from './support/inspector.ts'
import { memory, workerdOf } from './support/process.ts'
import { startService } from './support/service.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:memory [options]
Measures what the isolate holds, and the whole service, while clients send files of 10 MB, and afterwards.
  --seconds N   for how long they are sent (60)
  --clients N   how many send them (8)
  --stalled N   how many senders stall beside them (50)
  --rounds N    how many rounds of 64 uploads at once follow (10)
  --help        this text`,
  numbers: { seconds: 60, clients: 8, stalled: 50, rounds: 10 },
})
runScript('build/build.ts')
const { largeFiles } = await import('./images/large-files.ts')

const PORT = 18_793
const INSPECTOR_PORT = 18_794
const ROUND_UPLOADS = 64
const SAMPLE_MS = 100
const A_WHILE_MS = 15_000
const SHOWN_ROUNDS = [1, 3, 10]
const PARTS = ['heap', 'buffers', 'wasm', 'sum', 'workerd', 'all'] as const
const OF_ISOLATE = [
  ['heap', 'heap'],
  ['buffers', 'array buffers'],
  ['wasm', 'WebAssembly'],
  ['sum', 'together, at one moment'],
] as const

const forms = [...(await largeFiles())].flatMap(([kind, file]) =>
  ['0', '1'].map((optimize) => ({ kind, ...uploadForm(file, { content_type: '0', optimize_for_web: optimize }) })),
)
const MEASURED_WORKER = buildMeasuredWorker()
const service = await startService(PORT, { MEASURED_WORKER, INSPECTOR_PORT: String(INSPECTOR_PORT) })
try {
  await measure(service.pid)
} finally {
  await service.stop()
}

async function measure(pid: number) {
  const workerd = workerdOf(pid)
  const isolate = await inspect(INSPECTOR_PORT, ISOLATES.worker)
  const peaks = { heap: 0, buffers: 0, wasm: 0, sum: 0, workerd: 0, all: 0 }
  /** The parts of the highest sum. */
  let atHighest: IsolateMemory = { heap: 0, buffers: 0, wasm: 0 }
  const moments: [moment: string, workerd: number, all: number][] = []
  const note = (moment: string) => {
    const rss = memory(workerd, 'VmRSS')
    moments.push([moment, rss, rss + memory(pid, 'VmRSS')])
  }
  const sample = async () => {
    const own = await isolate.memory()
    const rss = memory(workerd, 'VmRSS')
    const now = { ...own, sum: sumOf(own), workerd: rss, all: rss + memory(pid, 'VmRSS') }
    if (now.sum > peaks.sum) atHighest = own
    for (const part of PARTS) peaks[part] = Math.max(peaks[part], now[part])
    await wait(SAMPLE_MS)
  }

  note('before')
  const minute = await during(sample, () => crowd(numbers.seconds * 1000))
  console.log(`responses to ${numbers.clients} clients: ${byStatus(minute.honest)}`)
  for (const [kind, outcomes] of Map.groupBy(minute.honest, ({ kind }) => kind))
    console.log(`  ${kind}: ${byStatus(outcomes)}`)
  console.log(`responses to ${numbers.stalled} senders that stall: ${byStatus(minute.stalled)}\n`)
  console.log('| of the isolate | peak MB |\n|---|---|')
  for (const [part, title] of OF_ISOLATE) console.log(`| ${title} | ${(peaks[part] / 1e6).toFixed(1)} |`)
  console.log(
    `\nthat moment: ${Object.entries(atHighest).map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(1)}`)}`,
  )
  moments.push(['highest in that time', peaks.workerd, peaks.all])
  await wait(A_WHILE_MS)
  note('a quarter of a minute later')

  let uploads = minute.honest.filter(({ status }) => status === 200).length
  for (let round = 1; round <= numbers.rounds; round++) {
    const outcomes = await during(sample, () => roundOf(round))
    uploads += outcomes.filter(({ status }) => status === 200).length
    if (SHOWN_ROUNDS.includes(round) || round === numbers.rounds)
      note(`round ${round} of ${ROUND_UPLOADS} at once (${byStatus(outcomes)})`)
  }
  await wait(A_WHILE_MS)
  note('a quarter of a minute later')
  isolate.end()

  console.log('\n| resident memory | workerd MB | with Node.js MB |\n|---|---|---|')
  for (const row of [...moments, ['highest of all', peaks.workerd, peaks.all]]) console.log(`| ${row.join(' | ')} |`)
  console.log(`\nuploads with the response 200: ${uploads}`)
}

function sumOf({ heap, buffers, wasm }: IsolateMemory) {
  return heap + buffers + wasm
}

/** Duration of the clients and of the stalled senders. */
async function crowd(ms: number) {
  const end = Date.now() + ms
  const leaving = new AbortController()
  const honest: (Outcome & { kind: string })[] = []
  const stalled: Outcome[] = []
  let next = 0
  const client = async (number: number) => {
    while (Date.now() < end) {
      const { kind, ...form } = formOf(next++)
      const outcome = await send({ port: PORT, path: '/images', address: addressOf(number), ...form })
      honest.push({ ...outcome, kind })
      if (outcome.retryAfterS !== undefined) await wait(outcome.retryAfterS * 1000)
    }
  }
  const stalling = Array.from({ length: numbers.stalled }, (_, i) => {
    const ask = { port: PORT, path: '/images', address: addressOf(1000 + i), ...formOf(i) }
    return stall(ask, leaving.signal, (outcome) => stalled.push(outcome))
  })
  await Promise.all(Array.from({ length: numbers.clients }, (_, i) => client(i)))
  leaving.abort()
  await Promise.all(stalling)
  return { honest, stalled }
}

/** Concurrent uploads, each from its own client, which retries when the response says so. */
async function roundOf(round: number) {
  const clients = Array.from({ length: ROUND_UPLOADS }, async (_, i) => {
    const address = addressOf(round * 1000 + i)
    const { type, body } = formOf(i)
    return (await sendPatiently({ port: PORT, path: '/images', address, type, body })).at(-1)
  })
  return (await Promise.all(clients)).filter((outcome) => outcome !== undefined)
}

function formOf(number: number) {
  const form = forms[number % forms.length]
  if (form === undefined) throw new Error('there are no forms')
  return form
}

/** Repeats one function while another runs; returns the result of the latter. */
async function during<T>(again: () => Promise<void>, work: () => Promise<T>) {
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  while (!isDone) await again()
  return working
}

/** Builds the Worker in its wrapping, as tools/build/build.ts does the one that is deployed; returns its folder. */
function buildMeasuredWorker() {
  const folder = path.join(GENERATED, 'measured-worker')
  rmSync(folder, { recursive: true, force: true })
  const entry = path.join('bench', 'support', 'measured-worker.ts')
  runTool('wrangler', ['deploy', entry, '--dry-run', '--env=', '--outdir', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // tools/serve/serve.ts begins with this one.
  renameSync(path.join(folder, 'measured-worker.js'), path.join(folder, 'index.js'))
  cpSync(STATIC, path.join(folder, STATIC_OF_WORKER), { recursive: true })
  return folder
}
