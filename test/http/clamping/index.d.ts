import type { Bindings } from '../../../src/env.ts'

/** The Worker as it is built. */
declare const service: {
  fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response>
  scheduled(controller: ScheduledController, env: Bindings, context: ExecutionContext): Promise<void>
}
export default service
export { RateLimiter } from '../../../src/rate-limiter.ts'
