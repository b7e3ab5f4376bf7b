// `npm run tintype -- previews`: makes the previews of images that were uploaded without one, one at a time. It calls the service as
// `npm run moderate` does; one on this machine that does not run is started meanwhile.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { ensureInstalled, fail } from '../install/installed.mjs'
import { codeOf, messageOf, readCommandLine } from '../shared/command-line.ts'
import {
  ask,
  count,
  NoResponse,
  NotNow,
  parsed,
  plain,
  readService,
  SERVICE_OPTIONS,
  WRONG_USE,
} from './operated-service.ts'
import { startForNow } from './started-service.ts'

const USAGE = `Usage: npm run tintype -- previews [options]
Makes the previews of images that were uploaded before previews existed, or while they were off. Images are read
again, one at a time. A run that was killed can be repeated: it makes what is missing.
  --rest N               rest N times as long as each image took (1)
  --limit N              stop after N previews, and say where to go on
  --after PLACE          go on where an earlier run stopped
  --state FILE           keep the place in this file, and go on there the next time
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --help                 this text`

const REST = 1
const MB = 1e6
const SECOND_MS = 1000
const BUSY_MAX_TRIES = 60

const options = readOptions()
let service = readService(options)
// Zod checks the responses.
ensureInstalled('service')
const { PreviewBatch } = await import('./responses.ts')
let next: string | null = options.after ?? readState() ?? '0/0'
let stopService: () => Promise<void> = async () => {}
let isTold = false

const sum = { records: 0, made: 0, bytes: 0, missing: 0, unreadable: 0 }
const unavailable: Set<number> = new Set()
// However this process ends, it prints the cursor to continue from.
process.on('exit', () => {
  if (!isTold && next !== null && sum.records > 0) console.error(`go on with --after ${plain(next)}`)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))

while (next !== null && sum.made < options.limit) {
  const startedMs = performance.now()
  const batch: z.infer<typeof PreviewBatch> = parsed(PreviewBatch, await askStarting({ after: next }))
  for (const { finding, key, url } of batch.findings) {
    sum[finding]++
    console.log(`${finding} ${plain(key)} of ${plain(url)}`)
  }
  for (const name of ['records', 'made', 'bytes'] as const) sum[name] += batch[name]
  for (const shard of batch.unavailable_shards) unavailable.add(shard)
  next = batch.next
  writeState(next)
  if (next !== null && batch.made > 0) await wait((performance.now() - startedMs) * options.rest)
}
if (unavailable.size > 0 || sum.missing + sum.unreadable > 0) process.exitCode = 1
console.log(formatSum())
isTold = true
await stopService()

function readOptions() {
  const { values } = readCommandLine({
    usage: USAGE,
    wrongUse: WRONG_USE,
    options: {
      ...SERVICE_OPTIONS,
      rest: { type: 'string' },
      limit: { type: 'string' },
      after: { type: 'string' },
      state: { type: 'string' },
    },
  })
  if (values.limit !== undefined && !/^[1-9][0-9]{0,11}$/.test(values.limit)) {
    fail(`--limit must be a number of previews: received "${values.limit}"`, WRONG_USE)
  }
  if (values.rest !== undefined && !/^[0-9]{1,4}(?:\.[0-9]{1,3})?$/.test(values.rest)) {
    fail(`--rest must be a number, such as 0 or 2.5: received "${values.rest}"`, WRONG_USE)
  }
  if (values.after !== undefined && values.state !== undefined) {
    fail('--after and --state both say where to go on: give one of them', WRONG_USE)
  }
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit)
  return { ...values, limit, rest: Number(values.rest ?? REST) }
}

/** Returns the cursor that an earlier run has left in the file; undefined without one. */
function readState() {
  if (options.state === undefined) return undefined
  try {
    return readFileSync(options.state, 'utf8').trim() || undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    return fail(`--state: ${messageOf(error)}`)
  }
}

/** After the last image there is no file: the next run begins anew. */
function writeState(cursor: string | null) {
  if (options.state === undefined) return
  try {
    if (cursor === null) rmSync(options.state, { force: true })
    else writeFileSync(options.state, `${cursor}\n`)
  } catch (error) {
    fail(`--state: ${messageOf(error)}`)
  }
}

/** Calls the service. A local service that is not running is started for as long as this process lives. */
async function askStarting(wanted: object) {
  try {
    return await askPatiently(wanted)
  } catch (error) {
    const { data } = service
    if (!(error instanceof NoResponse) || data === undefined || sum.records > 0) return fail(messageOf(error))
    console.error(`${messageOf(error)}: starting it for now`)
    const started = await startForNow(data, options.port)
    stopService = started.stop
    service = { ...service, origin: started.origin }
    return askPatiently(wanted).catch((failure) => fail(messageOf(failure)))
  }
}

/** Calls the service again while it is busy with uploads. */
async function askPatiently(wanted: object) {
  for (let tries = 1; ; tries++) {
    try {
      return await ask(service, 'POST', '/operator/previews', wanted, { retries: true })
    } catch (error) {
      if (!(error instanceof NotNow) || tries === BUSY_MAX_TRIES) throw error
      await wait(error.retryAfterS * SECOND_MS)
    }
  }
}

function formatSum() {
  const { records, made, bytes, missing, unreadable } = sum
  const shards =
    unavailable.size > 0 ? `\nThese shards did not respond: ${[...unavailable].join(', ')}. Run it again later.` : ''
  const end = next === null ? '' : `\nGo on with --after ${plain(next)}`
  return `${count(records, 'image')}: ${count(made, 'preview')} made (${(bytes / MB).toFixed(1)} MB), ${missing} missing, ${unreadable} \
unreadable.${shards}${end}`
}
