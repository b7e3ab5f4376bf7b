import { checkHealth, type Health, storageChecks } from '../../domain/health.ts'
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
 * `GET /healthz`: 200 if database, files, limiter and disk work, otherwise 503; as JSON, which of them do. Why one does not is in
 * the log alone.
 */
export async function serveHealth(c: AppContext): Promise<Response> {
  const health = await currentHealth(c)
  const isHealthy = [...health.values()].every((problem) => problem === undefined)
  const body = {
    status: isHealthy ? 'ok' : 'failing',
    checks: Object.fromEntries([...health].map(([part, problem]) => [part, problem === undefined ? 'ok' : 'failing'])),
  }
  return c.body(JSON.stringify(body), isHealthy ? 200 : 503, {
    'Content-Type': 'application/json; charset=UTF-8',
    ...retryAfter(isHealthy ? undefined : HEALTH_FRESH_MS / SECOND_MS),
  })
}

/** Which parts work, as of a second ago at most, or of the look before while one is under way. */
export function currentHealth(c: AppContext): Promise<Health> {
  return freshHealth(() => lookAtHealth(c))
}

async function lookAtHealth(c: AppContext): Promise<Health> {
  const checks = Object.entries({ ...storageChecks(c.var.store), limiter: () => askLimiter(c), disk: () => askDisk(c) })
  const bounded = checks.filter(([part]) => part !== 'disk' || c.env.DISK !== undefined)
  const health = await checkHealth(
    Object.fromEntries(bounded.map(([part, check]) => [part, () => inTime(HEALTH_CHECK_MAX_MS, part, check)])),
  )
  for (const [part, problem] of health) if (problem !== undefined) c.var.logProblem(`health of the ${part}`, problem)
  return health
}

async function askLimiter({ env }: AppContext): Promise<void> {
  await env.RATE_LIMITER.getByName('health').ready()
}

async function askDisk(c: AppContext): Promise<void> {
  if ((await diskRoom(c))?.hasRoom === false) throw storageFull()
}
