import { type CallRunner, runDatabaseCalls } from '../../src/storage/calls.ts'
import type { StorageBindings } from '../../src/storage/store.ts'

/**
 * Effect on a call to D1 or R2. It fails without effect. It takes effect, but its reply is lost. It has no effect and
 * never returns. Or it fails, and takes effect later, when `release` is called.
 */
export type Fault = 'throws before' | 'throws after' | 'hangs' | 'takes effect late'

/** The message of a lost connection, as Cloudflare documents it. */
export const CONNECTION_LOST = 'D1_ERROR: Network connection lost.'

/** Calls of a flow that meet a fault. */
export interface FaultPlan {
  fault: Fault
  /**
   * Returns whether this call meets the fault. `number` counts all calls of the flow from 1; `name` is like `D1.batch`
   * or `R2.put`.
   */
  strikes: (number: number, name: string) => boolean
  message?: string
}

/** The real bindings, except that planned calls fail. */
export interface FaultyBindings {
  DB: D1Database
  FILES: R2Bucket
  /** The wrapped bindings, and all other databases. */
  bindings: StorageBindings
  /** Runs a call to any other binding, which is counted and fails like the others. */
  run: CallRunner
  /** The names of all calls so far, in order. */
  calls: string[]
  /** Whether a call has met its fault. */
  wasStruck: () => boolean
  /** The names of the calls that have met it. */
  struckCalls: readonly string[]
  /** Resolves when the first call meets its fault. */
  struck: Promise<void>
  /** Lets the late calls take effect. */
  release: () => Promise<void>
}

/**
 * Wraps real bindings so that the planned calls fail. Without a plan it only counts calls. `before` is awaited before
 * each call, with its number.
 */
export function faultyBindings(
  real: StorageBindings,
  plan?: FaultPlan,
  before?: (number: number) => Promise<void>,
): FaultyBindings {
  const calls: string[] = []
  const late: (() => Promise<unknown>)[] = []
  const struckCalls: string[] = []
  const struck = Promise.withResolvers<void>()
  const run: CallRunner = async (name, call) => {
    const number = calls.push(name)
    await before?.(number)
    if (!plan?.strikes(number, name)) return call()
    struckCalls.push(name)
    struck.resolve()
    if (plan.fault === 'hangs') return new Promise(() => {})
    if (plan.fault === 'throws after') await call()
    if (plan.fault === 'takes effect late') late.push(call)
    throw new Error(plan.message ?? CONNECTION_LOST)
  }
  if (!real.FILES) throw new Error('faults are planted in calls to R2')
  const struckDatabases = databasesIn(real).map(([name, database]) => [name, runDatabaseCalls(database, run)])
  const bindings = {
    ...Object.fromEntries(struckDatabases),
    DB: runDatabaseCalls(real.DB, run),
    FILES: runBucketCalls(real.FILES, run),
  }
  return {
    DB: bindings.DB,
    FILES: bindings.FILES,
    bindings,
    run,
    calls,
    wasStruck: () => struckCalls.length > 0,
    struckCalls,
    struck: struck.promise,
    async release() {
      for (const call of late.splice(0)) await call().catch(() => {})
    },
  }
}

/** Returns the bound databases by name. */
export function databasesIn(bindings: StorageBindings): [string, D1Database][] {
  const isDatabase = (entry: [string, unknown]): entry is [string, D1Database] => /^DB(?:_\d+)?$/.test(entry[0])
  return Object.entries<unknown>({ ...bindings }).filter(isDatabase)
}

/** Returns the same bucket, with `run` around each of its calls, named like `R2.put`. Reading a body is no call. */
export function runBucketCalls(bucket: R2Bucket, run: CallRunner): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => run(`R2.${String(name)}`, async () => Reflect.apply(member, target, args))
    },
  })
}

/** Selects the call with this number. */
export function onlyCall(wanted: number): FaultPlan['strikes'] {
  return (number) => number === wanted
}

/** Selects the `nth` call of this name. */
export function onlyNth(wanted: string, nth = 1): FaultPlan['strikes'] {
  let count = 0
  return (_, name) => name === wanted && ++count === nth
}

/** Selects the call with this number and the next one of its name, which is its retry if nothing else runs. */
export function callAndRetry(wanted: number): FaultPlan['strikes'] {
  let struck: string | undefined
  let left = 2
  return (number, name) => {
    if (number === wanted) struck = name
    return struck === name && left-- > 0
  }
}

/** Selects the call with this number and all later ones. */
export function fromCallOn(wanted: number): FaultPlan['strikes'] {
  return (number) => number >= wanted
}

/** Selects every call of this name. */
export function every(wanted: string): FaultPlan['strikes'] {
  return (_, name) => name === wanted
}
