import { handleRequest } from './app.ts'
import { maintain } from './domain/maintenance/maintenance.ts'
import type { Bindings } from './env.ts'
import { makeDuePurges } from './http/cache/edge-purge.ts'
import { readCacheOf } from './http/cache/isolate-cache.ts'
import { logBacklog, logProblem } from './http/log.ts'
import { sendDueEvents } from './http/upload-webhook.ts'
import { MAINTENANCE_STORAGE_LIMITS } from './limits.ts'
import { openStore } from './storage/store.ts'
import { nowMs } from './time.ts'

export { RateLimiter } from './rate-limiter.ts'

/**
 * The Worker. In the comments of all files "D14" is a decision, in docs/decisions.md#d14, and "the specification" the
 * published API v2, which src/api describes. Where everything lives: docs/architecture.md.
 */
export default {
  fetch: handleRequest,

  async scheduled(_controller, env) {
    if (env.READ_ONLY === 'on') return
    const tickMs = nowMs(env)
    const store = openStore(env, { limits: MAINTENANCE_STORAGE_LIMITS, cache: readCacheOf(env) })
    // A webhook that hangs holds nothing up.
    const sending = sendDueEvents(env, store, tickMs, logProblem)
    await makeDuePurges(env, store, tickMs, logProblem)
    const backlog = await maintain(store, tickMs, logProblem)
    await sending
    if (backlog) logBacklog(backlog, tickMs)
  },
} satisfies ExportedHandler<Bindings>
