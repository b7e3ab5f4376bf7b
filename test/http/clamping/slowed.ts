import type { Bindings } from '../../../src/env.ts'
import { type CallRunner, runDatabaseCalls } from '../../../src/storage/calls.ts'

/** Bindings of a Worker, and a service that slows calls to them. */
export type SlowedBindings = Bindings & { SLOW: Fetcher }

/**
 * Returns the bindings with each call to D1, R2 and the limiter slowed by a separate service, because a timer of the
 * request would count from a lagging clock.
 */
export function slowed<Env extends SlowedBindings>(env: Env, ms: string): Env {
  const run: CallRunner = async (_, call) => {
    await (await env.SLOW.fetch(`http://slow/${ms}`)).text()
    return call()
  }
  const slowCalls = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get(real, name) {
        const member: unknown = Reflect.get(real, name)
        if (typeof member !== 'function') return member
        if (name === 'getByName') return (...args: unknown[]) => slowCalls(Reflect.apply(member, real, args))
        return (...args: unknown[]) => run(String(name), async () => Reflect.apply(member, real, args))
      },
    })
  return {
    ...env,
    DB: runDatabaseCalls(env.DB, run),
    ...(env.FILES && { FILES: slowCalls(env.FILES) }),
    RATE_LIMITER: slowCalls(env.RATE_LIMITER),
  }
}
