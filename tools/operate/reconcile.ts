// `npm run reconcile`: compares the files of a service with its records, page by page, removes files that belong to nobody with --remove,
// and reads the files of images with --verify. It asks the service as `npm run moderate` does; one on this machine that does not run is started meanwhile.
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { ensureInstalled, fail } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { ask, count, parsed, plain, WRONG_USE } from './operated-service.ts'
import type { Finding } from './responses.ts'
import { readLimit, WALK_OPTIONS, Walk } from './walk.ts'

const USAGE = `Usage: npm run reconcile -- [options]
Compares the stored files with the records, and reports what does not fit.
  --remove               remove the files that belong to nobody
  --verify               read the files of images, and name those that are not as they were stored: ends with 1 if there are any
  --pace N               read at most so many MB a second (8)
  --limit N              stop after N files and records, and print where to continue
  --after PLACE          continue where an earlier run stopped
  --state FILE           store the place in this file, and continue there the next time
  --json                 one JSON object a line: each finding, then the counts
  --port N, --data DIR   those of the service on this machine (8787, .data)
  --url https://host     a deployed service, by the key in TINTYPE_OPERATOR_KEY
  --help                 this text`

// The maximum that src/limits.ts allows for a request.
const PAGE_MAX = 1000

const DAMAGES = {
  size: 'it has another size',
  crc32: 'its CRC-32 is another',
  md5: 'its MD5 is another',
  unreadable: 'it cannot be read',
} as const
const MB = 1e6
const PACE_MB = 8
const COUNTS = ['files', 'records', 'due', 'too_young', 'verified', 'unverifiable', 'bytes'] as const
const SECOND_MS = 1000

const options = readOptions()
const walk = new Walk(options, 'files:', quote)
// Zod checks the responses.
ensureInstalled('service')
const { Batch } = await import('./responses.ts')

const sum = {
  ...{ files: 0, records: 0, orphans: 0, removed: 0, unrecognized: 0, missing: 0, due: 0, too_young: 0 },
  ...{ verified: 0, unverifiable: 0, bytes: 0, damaged: 0 },
}
const unavailable: Set<number> = new Set()
let left = options.limit
while (walk.next !== null && left > 0) {
  const wanted = { after: walk.next, limit: Math.min(left, PAGE_MAX), remove: options.remove, verify: options.verify }
  const askedAt = performance.now()
  const batch: z.infer<typeof Batch> = parsed(
    Batch,
    await walk.ask((service) => ask(service, 'POST', '/operator/reconcile', wanted)),
  )
  if (options.verify && batch.verified === undefined) fail('this service reads no files: it is older than --verify')
  for (const finding of batch.findings) {
    countFinding(finding)
    console.log(options.json ? JSON.stringify(finding) : formatFinding(finding))
  }
  for (const name of COUNTS) sum[name] += batch[name] ?? 0
  for (const shard of batch.unavailable_shards) unavailable.add(shard)
  left -= batch.files + batch.records
  walk.advance(batch.next, batch.files + batch.records)
  if (batch.bytes > 0 && batch.next !== null) await keepPace(batch.bytes, askedAt)
}
if ((options.verify && sum.damaged + sum.missing > 0) || unavailable.size > 0) process.exitCode = 1
console.log(
  options.json
    ? JSON.stringify({ ...countsToPrint(), unavailable_shards: [...unavailable], next: walk.next })
    : formatSum(),
)
await walk.end()

function readOptions() {
  const { values } = readCommandLine({
    usage: USAGE,
    wrongUse: WRONG_USE,
    options: {
      ...WALK_OPTIONS,
      remove: { type: 'boolean', default: false },
      verify: { type: 'boolean', default: false },
      pace: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const limit = readLimit(values, 'files and records')
  if (values.pace !== undefined && !(/^[0-9]{1,6}(?:\.[0-9]{1,3})?$/.test(values.pace) && Number(values.pace) > 0)) {
    fail(`--pace must be a number of MB a second: received "${values.pace}"`, WRONG_USE)
  }
  if (values.pace !== undefined && !values.verify) fail('--pace goes with --verify', WRONG_USE)
  return { ...values, limit, pace: Number(values.pace ?? PACE_MB) }
}

function countFinding({ finding, removed }: Finding) {
  if (finding === 'orphan') sum.orphans++
  else sum[finding]++
  if (removed) sum.removed++
}

function formatFinding({ finding, key, bytes, stored_at: storedAt, removed, url, damage }: Finding) {
  const whose = url === undefined ? '' : ` of ${plain(url)}`
  if (damage !== undefined) return `damaged ${plain(key)}${whose}: ${DAMAGES[damage]}`
  if (finding === 'missing') return `missing ${plain(key)}${whose}`
  if (bytes === undefined || storedAt === undefined) return `${finding} ${plain(key)}`
  const when = `${storedAt.slice(0, 16).replace('T', ' ')} UTC`
  return `${finding} ${plain(key)} (${count(bytes, 'byte')}, ${when})${removed ? ', removed' : ''}`
}

function formatSum() {
  const { files, records, orphans, removed, unrecognized, missing, due, too_young: tooYoung } = sum
  const orphan = count(orphans, 'orphan') + (options.remove && orphans > 0 ? ` (${removed} removed)` : '')
  return `${count(files, 'file')} and ${count(records, 'record')}: ${orphan}, ${missing} missing, ${unrecognized} unrecognized; \
${due} due to be swept, ${tooYoung} too young to tell.
${formatVerified()}${formatUnavailable()}${walk.next === null ? formatEnd() : `Go on with --after ${quote(walk.next)}`}`
}

function formatEnd() {
  return unavailable.size > 0 ? 'Everything else was compared.' : 'Everything was compared.'
}

function formatUnavailable() {
  if (unavailable.size === 0) return ''
  return `These shards did not respond, so their files and records were not compared: ${[...unavailable].join(', ')}. Run it again later.\n`
}

/** Without --verify nothing was read. */
function countsToPrint() {
  const { verified, unverifiable, bytes, damaged, ...counts } = sum
  return options.verify ? sum : counts
}

function formatVerified() {
  if (!options.verify) return ''
  const { verified, unverifiable, bytes, damaged } = sum
  const sizeAlone = unverifiable > 0 ? `; of ${unverifiable} only the size is known` : ''
  return `${count(verified, 'file')} read (${count(bytes, 'byte')}): ${damaged} damaged${sizeAlone}.\n`
}

/** Waits until this number of bytes may have been read since this moment. */
async function keepPace(bytes: number, sinceMs: number) {
  const leftMs = (bytes / MB / options.pace) * SECOND_MS - (performance.now() - sinceMs)
  if (leftMs > 0) await wait(leftMs)
}

/** A word of a shell. */
function quote(text: string) {
  return `'${plain(text).replaceAll("'", "'\\''")}'`
}
