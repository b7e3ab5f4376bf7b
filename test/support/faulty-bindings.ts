import { type CallRunner, runBucketCalls, runDatabaseCalls } from '../../src/storage/calls.ts'

/**
 * What may become of a call to D1 or R2: it fails and did nothing; it takes effect and its reply is lost; it does nothing and
 * never answers; it fails, and takes effect afterwards, when `release` is called.
 */
export type Fault = 'throws before' | 'throws after' | 'hangs' | 'takes effect late'

/** The words with which D1 says that a connection was lost, as Cloudflare lists them. */
export const CONNECTION_LOST = 'D1_ERROR: Network connection lost.'

/** Which calls of a flow meet a fault. */
export interface FaultPlan {
  fault: Fault
  /** Whether this call meets it; `number` counts all calls of the flow from 1, `name` is one like `D1.batch` or `R2.put`. */
  strikes: (number: number, name: string) => boolean
  message?: string
}

/** Bindings that go wrong as planned. They are the real ones but for that. */
export interface FaultyBindings {
  DB: D1Database
  FILES: R2Bucket
  /** The names of all calls so far, in their order. */
  calls: string[]
  /** Lets the calls that were late take effect. */
  release: () => Promise<void>
}

/** Wraps real bindings so that the calls that the plan names go wrong. Without a plan they are only counted. */
export function faultyBindings(real: { DB: D1Database; FILES: R2Bucket }, plan?: FaultPlan): FaultyBindings {
  const calls: string[] = []
  const late: (() => Promise<unknown>)[] = []
  const run: CallRunner = async (name, call) => {
    calls.push(name)
    if (!plan?.strikes(calls.length, name)) return call()
    if (plan.fault === 'hangs') return new Promise(() => {})
    if (plan.fault === 'throws after') await call()
    if (plan.fault === 'takes effect late') late.push(call)
    throw new Error(plan.message ?? CONNECTION_LOST)
  }
  return {
    DB: runDatabaseCalls(real.DB, run),
    FILES: runBucketCalls(real.FILES, run),
    calls,
    async release() {
      for (const call of late.splice(0)) await call().catch(() => {})
    },
  }
}

/** Only the call of this number. */
export function onlyCall(wanted: number): FaultPlan['strikes'] {
  return (number) => number === wanted
}

/** Only the `nth` call of this name. */
export function onlyNth(wanted: string, nth = 1): FaultPlan['strikes'] {
  let count = 0
  return (_, name) => name === wanted && ++count === nth
}

/** Every call of this name. */
export function every(wanted: string): FaultPlan['strikes'] {
  return (_, name) => name === wanted
}
