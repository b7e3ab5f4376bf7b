import { answer } from './app.ts'
import { nowMs } from './clock.ts'
import { maintain } from './domain/maintenance.ts'
import type { Bindings } from './env.ts'
import { logProblem } from './http/log.ts'
import { openStore } from './storage/store.ts'

export { RateLimiter } from './rate-limiter.ts'

export default {
  fetch: answer,

  async scheduled(_controller, env) {
    await maintain(openStore(env), nowMs(env), logProblem)
  },
} satisfies ExportedHandler<Bindings>
