// The built service beside the scenarios, for a workerd of January 2026.
import service, { RateLimiter } from './index.js'
import { SCENARIOS } from './scenarios.ts'
import { type SlowedBindings, slowed } from './slowed.ts'

export { RateLimiter }

export default {
  async fetch(request, env, context) {
    const ms = request.headers.get('Slow-Ms') ?? '0'
    const bindings = slowed(env, ms)
    const scenario = SCENARIOS[request.headers.get('Scenario') ?? '']
    return scenario ? Response.json(await scenario(bindings)) : service.fetch(request, bindings, context)
  },
  scheduled: (controller, env, context) => service.scheduled(controller, slowed(env, '30'), context),
} satisfies ExportedHandler<SlowedBindings>
