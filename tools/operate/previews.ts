// `npm run tintype -- previews`: makes the previews of images that were uploaded without one, one at a time. It calls the service as
// `npm run moderate` does; one on this machine that does not run is started meanwhile.
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { ensureInstalled, fail } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { ask, count, NotNow, type OperatedService, parsed, plain, WRONG_USE } from './operated-service.ts'
import { readLimit, WALK_OPTIONS, Walk } from './walk.ts'

const USAGE = `Usage: npm run tintype -- previews [options]
Makes the previews of images that were uploaded before previews existed, or while they were off. Images are read
again, one at a time. A run that was killed can be repeated: it makes what is missing.
  --rest N               rest N times as long as each image took (1)
  --limit N              stop after N previews, and print where to continue
  --after PLACE          continue where an earlier run stopped
  --state FILE           store the place in this file, and continue there the next time
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --help                 this text`

const REST = 1
const MB = 1e6
const SECOND_MS = 1000
const BUSY_MAX_TRIES = 60

const options = readOptions()
const walk = new Walk(options, '0/0', plain)
// Zod checks the responses.
ensureInstalled('service')
const { PreviewBatch } = await import('./responses.ts')

const sum = { records: 0, made: 0, bytes: 0, missing: 0, unreadable: 0 }
const unavailable: Set<number> = new Set()
while (walk.next !== null && sum.made < options.limit) {
  const wanted = { after: walk.next }
  const startedMs = performance.now()
  const batch: z.infer<typeof PreviewBatch> = parsed(
    PreviewBatch,
    await walk.ask((service) => askPatiently(service, wanted)),
  )
  for (const { finding, key, url } of batch.findings) {
    sum[finding]++
    console.log(`${finding} ${plain(key)} of ${plain(url)}`)
  }
  for (const name of ['records', 'made', 'bytes'] as const) sum[name] += batch[name]
  for (const shard of batch.unavailable_shards) unavailable.add(shard)
  walk.advance(batch.next, batch.records)
  if (batch.next !== null && batch.made > 0) await wait((performance.now() - startedMs) * options.rest)
}
if (unavailable.size > 0 || sum.missing + sum.unreadable > 0) process.exitCode = 1
console.log(formatSum())
await walk.end()

function readOptions() {
  const { values } = readCommandLine({
    usage: USAGE,
    wrongUse: WRONG_USE,
    options: {
      ...WALK_OPTIONS,
      rest: { type: 'string' },
    },
  })
  const limit = readLimit(values, 'previews')
  if (values.rest !== undefined && !/^[0-9]{1,4}(?:\.[0-9]{1,3})?$/.test(values.rest)) {
    fail(`--rest must be a number, such as 0 or 2.5: received "${values.rest}"`, WRONG_USE)
  }
  return { ...values, limit, rest: Number(values.rest ?? REST) }
}

/** Calls the service again while it is busy with uploads. */
async function askPatiently(service: OperatedService, wanted: object) {
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
  const end = walk.next === null ? '' : `\nGo on with --after ${plain(walk.next)}`
  return `${count(records, 'image')}: ${count(made, 'preview')} made (${(bytes / MB).toFixed(1)} MB), ${missing} missing, ${unreadable} \
unreadable.${shards}${end}`
}
