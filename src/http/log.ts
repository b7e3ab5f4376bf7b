import { type Backlog, sumBacklog } from '../domain/maintenance/maintenance.ts'
import type { ProblemLogger } from '../domain/problem-logger.ts'
import { UnreadableSetting } from '../domain/settings/unreadable-setting.ts'
import { DEFERRED_PROBLEMS_MAX, MANAGEMENT_TOKEN_LENGTH, UPLOAD_TOKEN_LENGTH } from '../limits.ts'
import * as routes from '../routes.ts'
import { StorageUnavailable } from '../storage/bounded-calls.ts'
import { SECOND_MS } from '../units.ts'
import { countUp } from './counters.ts'

/** In a path, or in an address that a query holds. */
const SECRET_PATH = new RegExp(
  [routes.manage, routes.renameContent, routes.addImages, routes.guestImages]
    .map((route) => routes.prefixOf(route).replaceAll('/', '(?:/|%2f)'))
    .join('|'),
  'i',
)

/** As long as a token. Those with capital letters are no image names. */
const LONG_RUNS = new RegExp(`[\\w-]{${Math.min(MANAGEMENT_TOKEN_LENGTH, UPLOAD_TOKEN_LENGTH)},}`, 'g')

/** Problems of requests whose paths hold tokens, in this isolate, until another invocation logs them. */
let deferred: string[] = []
let deferredCount = 0

/**
 * Returns the function that logs problems of a request. Workers Logs add the path of an invocation to each of its
 * lines. So a request with a management token in its path logs nothing: a later one does, with its own first problem,
 * or the next tick.
 */
export function problemLoggerOf({ url }: Pick<Request, 'url'>): ProblemLogger {
  return SECRET_PATH.test(url) ? deferProblem : logProblem
}

/** Logs a problem that no response reports, in an invocation whose path may be logged. */
export function logProblem(what: string, error: unknown): void {
  logDeferred()
  console.error(lineOf(what, error))
}

function deferProblem(what: string, error: unknown): void {
  deferredCount++
  if (deferred.length < DEFERRED_PROBLEMS_MAX) deferred.push(lineOf(what, error))
}

/** Logs deferred problems, if there are any. */
function logDeferred(): void {
  if (deferredCount === 0) return
  console.error([`problems of earlier management requests: ${deferredCount}`, ...deferred].join('\n'))
  deferred = []
  deferredCount = 0
}

/** The fields of a logged request: numbers, and words of closed sets. */
interface RequestFacts {
  request_id: string
  isolate: string
  method: string
  /** The pattern of the path. */
  route: string
  host: string
  status: number
  error: string | undefined
  ms: number
  bytes_in: number | undefined
  bytes_out: number | undefined
}

/** Logs one line of JSON about a request, unless its address may hold a token: Workers Logs attach that to the line. */
export function logRequest({ url }: Pick<Request, 'url'>, facts: RequestFacts): void {
  if (!mayHoldToken(url)) console.log(JSON.stringify({ event: 'request', ...facts }))
}

/** Returns whether any part of an address may be a token. */
function mayHoldToken(url: string): boolean {
  if (SECRET_PATH.test(url)) return true
  try {
    const runs = decodeURIComponent(url).match(LONG_RUNS) ?? []
    return runs.some((run) => /[A-Z]/.test(run))
  } catch {
    return true
  }
}

function lineOf(what: string, error: unknown): string {
  countUp('problems')
  return `${what}: ${describeCause(error)}`
}

/**
 * Returns the loggable part of an error. The message of a failed query contains its parameters, which may be digests of
 * tokens; the message of its cause does not.
 */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an Error was thrown'
  let innermost = error
  let unavailable: StorageUnavailable | undefined
  for (;;) {
    if (innermost instanceof StorageUnavailable) unavailable = innermost
    if (!(innermost.cause instanceof Error)) break
    innermost = innermost.cause
  }
  // No mistake of this code: a stack would say nothing, for each request while a disk is full.
  if (unavailable)
    return unavailable === innermost ? unavailable.message : `${unavailable.message}: ${innermost.message}`
  if (innermost instanceof UnreadableSetting) return innermost.message
  if (innermost.message.startsWith('Failed query')) return 'a query failed for no given cause'
  return innermost.stack ?? `${innermost.name}: ${innermost.message}`
}

const NO_BACKLOG = 'maintenance backlog: none'
let lastBacklog: string | undefined

/** Logs the work that a tick left; that there is none, only if the tick before left some. Deferred problems come first. */
export function logBacklog(backlog: Backlog, nowMs: number): void {
  logDeferred()
  const line = describeBacklog(backlog, nowMs)
  if (line !== NO_BACKLOG || line !== lastBacklog) console.log(line)
  lastBacklog = line
}

/** Describes the work that is due by kind: how much, for how many seconds the oldest, and how much of it failed before. */
export function describeBacklog(backlog: Backlog, nowMs: number): string {
  const { deletedGalleries, purges, ...kinds } = sumBacklog(backlog)
  const named = { ...kinds, 'deleted galleries': deletedGalleries, purges }
  const due = Object.entries(named).filter(([, { count }]) => count > 0)
  const parts = due.map(([kind, { count, oldestMs, failing }]) => {
    const facts = [
      ...(oldestMs === undefined ? [] : [`oldest ${Math.floor((nowMs - oldestMs) / SECOND_MS)} s`]),
      ...(failing === 0 ? [] : [`${failing} failing`]),
    ]
    return `${kind} ${count}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
  })
  const missing = backlog.unavailable.map(({ number }) => `shard ${number} unavailable`)
  const all = [...parts, ...missing]
  return all.length === 0 ? NO_BACKLOG : `maintenance backlog: ${all.join(', ')}`
}
