import { type CallRunner, runDatabaseCalls } from '../../src/storage/calls.ts'
import type { StorageBindings } from '../../src/storage/store.ts'

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
  /** These and all other databases. */
  bindings: StorageBindings
  /** What runs a call to any other binding, for it to be counted with the others, and to go wrong as they do. */
  run: CallRunner
  /** The names of all calls so far, in their order. */
  calls: string[]
  /** Whether a call has met its fault. */
  wasStruck: () => boolean
  /** Comes when the first call meets its fault. */
  struck: Promise<void>
  /** Lets the calls that were late take effect. */
  release: () => Promise<void>
}

/**
 * Wraps real bindings so that the calls that the plan names go wrong. Without a plan they are only counted. `before` is awaited
 * before each call, which it gets the number of.
 */
export function faultyBindings(
  real: StorageBindings,
  plan?: FaultPlan,
  before?: (number: number) => Promise<void>,
): FaultyBindings {
  const calls: string[] = []
  const late: (() => Promise<unknown>)[] = []
  let wasStruck = false
  const struck = Promise.withResolvers<void>()
  const run: CallRunner = async (name, call) => {
    const number = calls.push(name)
    await before?.(number)
    if (!plan?.strikes(number, name)) return call()
    wasStruck = true
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
    wasStruck: () => wasStruck,
    struck: struck.promise,
    async release() {
      for (const call of late.splice(0)) await call().catch(() => {})
    },
  }
}

/** The databases that are bound, by their names. */
export function databasesIn(bindings: StorageBindings): [string, D1Database][] {
  const isDatabase = (entry: [string, unknown]): entry is [string, D1Database] => /^DB(?:_\d+)?$/.test(entry[0])
  return Object.entries<unknown>({ ...bindings }).filter(isDatabase)
}

/** The same bucket, with `run` around each of its calls, named as `R2.put`. Reading a body is not one of them. */
export function runBucketCalls(bucket: R2Bucket, run: CallRunner): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => run(`R2.${String(name)}`, async () => Reflect.apply(member, target, args))
    },
  })
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

/** The call of this number and the next one of its name, which is its retry if nothing else is under way. */
export function callAndRetry(wanted: number): FaultPlan['strikes'] {
  let struck: string | undefined
  let left = 2
  return (number, name) => {
    if (number === wanted) struck = name
    return struck === name && left-- > 0
  }
}

/** The call of this number and all that follow. */
export function fromCallOn(wanted: number): FaultPlan['strikes'] {
  return (number) => number >= wanted
}

/** Every call of this name. */
export function every(wanted: string): FaultPlan['strikes'] {
  return (_, name) => name === wanted
}
