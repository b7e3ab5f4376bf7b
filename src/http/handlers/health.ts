import { type Checks, checkFiles, checkHealth, type Health } from '../../domain/maintenance/health.ts'
import { storageFull } from '../../domain/storage-failure.ts'
import { HEALTH_CHECK_MAX_MS, HEALTH_FRESH_MS } from '../../limits.ts'
import { inTime } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import { keepFresh } from '../cache/fresh.ts'
import type { AppContext } from '../context.ts'
import { diskRoom } from '../limits/disk-room.ts'
import { retryAfter } from '../responses/failures.ts'

const freshHealth = keepFresh<Health>(HEALTH_FRESH_MS)

/**
 * `GET /healthz`: 200 if database, files, limiter and disk work, otherwise 503; as JSON, which of them do, and which shards of the
 * database. Why one does not is in the log alone.
 */
export async function serveHealth(c: AppContext): Promise<Response> {
  const { parts, shards } = await currentHealth(c)
  const isHealthy = [...parts.values()].every((problem) => problem === undefined)
  const body = { status: isHealthy ? 'ok' : 'failing', checks: verdicts(parts), shards: verdicts(shards) }
  return c.body(JSON.stringify(body), isHealthy ? 200 : 503, {
    'Content-Type': 'application/json; charset=UTF-8',
    ...retryAfter(isHealthy ? undefined : HEALTH_FRESH_MS / SECOND_MS),
  })
}

function verdicts(problems: ReadonlyMap<string | number, unknown>): Record<string, 'ok' | 'failing'> {
  return Object.fromEntries([...problems].map(([name, problem]) => [name, problem === undefined ? 'ok' : 'failing']))
}

/** Returns the result of the checks, at most a second old, or the previous one while a check is running. */
export function currentHealth(c: AppContext): Promise<Health> {
  return freshHealth(() => checkAndLog(c))
}

async function checkAndLog(c: AppContext): Promise<Health> {
  const { store, logProblem } = c.var
  const checks: Checks = [
    ['files', () => checkFiles(store)],
    ['limiter', () => askLimiter(c)],
    ...(c.env.DISK === undefined ? [] : [['disk', () => askDisk(c)] as const]),
  ]
  const health = await checkHealth(store, checks, (what, check) => inTime(HEALTH_CHECK_MAX_MS, what, check))
  for (const [shard, problem] of health.shards) {
    if (problem !== undefined) logProblem(`health of the database, shard ${shard}`, problem)
  }
  for (const [part, problem] of health.parts) {
    if (problem !== undefined && part !== 'database') logProblem(`health of the ${part}`, problem)
  }
  return health
}

async function askLimiter({ env }: AppContext): Promise<void> {
  await env.RATE_LIMITER.getByName('health').ready()
}

async function askDisk(c: AppContext): Promise<void> {
  if ((await diskRoom(c))?.hasRoom === false) throw storageFull()
}
