import { APPS } from './app.ts'
import { nowMs } from './clock.ts'
import { maintain } from './domain/maintenance.ts'
import { type Bindings, publicDomains } from './env.ts'
import { parseRequestUrl, resolveHost } from './http/hosts.ts'
import { logProblem } from './http/log.ts'
import { openStore } from './storage/store.ts'

export { RateLimiter } from './rate-limiter.ts'

export default {
  fetch(request, env, ctx) {
    const { role } = resolveHost(parseRequestUrl(request), publicDomains(env), env.LOCAL_PORT)
    return APPS[role].fetch(request, env, ctx)
  },

  async scheduled(_controller, env) {
    await maintain(openStore(env), nowMs(env), logProblem)
  },
} satisfies ExportedHandler<Bindings>
