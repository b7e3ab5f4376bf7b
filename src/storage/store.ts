import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { REQUEST_STORAGE_LIMITS, SHARD_MAX_TRIES, type StorageLimits } from '../limits.ts'
import { boundCalls, StorageReadOnly, StorageUnavailable, unavailableShardOf } from './bounded-calls.ts'
import { type CallRunner, isWrite, runDatabaseCalls, runFileCalls, sessionOf } from './calls.ts'
import { type BreakerOf, type CircuitBreaker, createBreakers } from './circuit-breaker.ts'
import { boundFiles, type FileBindings } from './files/bound.ts'
import type { FileStore } from './files/store.ts'
import type { ReadCache } from './read-cache.ts'

/** Where records are read from. */
export interface Records {
  db: DrizzleD1Database
}

/** Where files are. */
export interface WithFiles {
  files: FileStore
}

/**
 * One of the databases: galleries, each with its images, and standalone images, with all records about them (docs/scaling.md#shards). The files of all shards are in one store.
 */
export interface Shard extends Records, WithFiles {
  /** 0 is `DB`, n is `DB_n`. */
  number: number
  /** A session on a D1 replica near the reader, which may lag. */
  replica: Records
  /** Every write that changes what is public goes through it (`changeImage`, `changeGallery`). */
  cache: ReadCache | undefined
  /** Fails with each call to the primary, and closes with a write of new content. */
  breaker: CircuitBreaker
}

/** The storage of the service: records in D1, on one shard or several, and files. */
export interface Store extends WithFiles {
  /** All that are bound, by their number: the first is shard 0. */
  shards: readonly [Shard, ...Shard[]]
  /** The shards that take new galleries and standalone images. */
  open: readonly [Shard, ...Shard[]]
  /** The isolate's cache of public images, where all writes go through it. */
  cache: ReadCache | undefined
  /** The number of calls to databases and files so far. */
  calls: () => number
}

/** The numbers of shards that may be there beside shard 0: SHARDS_MAX with that. */
const FURTHER_SHARDS = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
] as const

/** The binding of a further database. */
type FurtherBinding = `DB_${(typeof FURTHER_SHARDS)[number]}`

/** The bindings of the storage: `DB`, which is shard 0, `DB_1` to `DB_31`, as many as there are, and those of the files. */
export interface StorageBindings extends Partial<Record<FurtherBinding, D1Database>>, FileBindings {
  DB: D1Database
}

/** Options of `openStore`. Without `writeShards`, or if none of them is bound, all shards are open for writing. */
interface StoreOptions {
  /** Whether all writes are refused. */
  isReadOnly?: boolean
  limits?: StorageLimits
  writeShards?: readonly number[] | undefined
  cache?: ReadCache | undefined
  /** The isolate's circuit breakers. Without them, the store has its own. */
  breakers?: BreakerOf
}

/** The store over the Worker's bindings, for one request or one tick: all of its calls are bounded. */
export function openStore(
  bindings: StorageBindings,
  {
    limits = REQUEST_STORAGE_LIMITS,
    writeShards,
    cache,
    breakers = createBreakers(),
    isReadOnly = false,
  }: StoreOptions = {},
): Store {
  const bounded = boundCalls(limits)
  let calls = 0
  const runFor = (shard?: number): CallRunner => {
    const run = bounded(shard)
    return async (name, call, queries) => {
      if (isReadOnly && isWrite(name, queries)) throw new StorageReadOnly('the service is read-only', { shard })
      calls++
      return run(name, call)
    }
  }
  const files = runFileCalls(boundFiles(bindings), runFor())
  const openShard = (number: number, database: D1Database) =>
    createShard(number, database, { files, run: runFor(number), cache, breaker: breakers(number) })
  const shards: [Shard, ...Shard[]] = [openShard(0, bindings.DB)]
  for (const number of FURTHER_SHARDS) {
    const database = bindings[`DB_${number}` as const]
    if (database) shards.push(openShard(number, database))
  }
  const [first, ...others] = shards.filter(({ number }) => writeShards === undefined || writeShards.includes(number))
  return { shards, open: first ? [first, ...others] : shards, files, cache, calls: () => calls }
}

interface ShardParts extends Pick<Shard, 'files' | 'cache' | 'breaker'> {
  run: CallRunner
}

function createShard(number: number, database: D1Database, { run, ...parts }: ShardParts): Shard {
  let replica: Records | undefined
  return {
    number,
    db: drizzle(runDatabaseCalls(database, failing(parts.breaker, run))),
    get replica() {
      replica ??= { db: drizzle(sessionOf(runDatabaseCalls(database, run))) }
      return replica
    },
    ...parts,
  }
}

/** Has the breaker fail with each call that the shard did not serve. */
function failing(breaker: CircuitBreaker, run: CallRunner): CallRunner {
  return async (name, call, queries) => {
    try {
      return await run(name, call, queries)
    } catch (error) {
      if (error instanceof StorageUnavailable) breaker.fail()
      throw error
    }
  }
}

/**
 * The shard of things that belong to no image and no gallery: Idempotency-Keys and blocked files. It is there always.
 */
export function homeOf(store: Store): Shard {
  return store.shards[0]
}

/**
 * Returns the shard of this number. An identifier with the number of a shard that is not bound was forged: shard 0, where it is
 * not found, is returned.
 */
export function shardAt(store: Store, number: number): Shard {
  return store.shards.find((shard) => shard.number === number) ?? homeOf(store)
}

let turn: number | undefined

/**
 * Yields the shards that new content is tried on, one after the other, up to SHARD_MAX_TRIES: the open ones in turn, from a random one
 * on. Those whose circuit breaker refuses come last.
 */
export function* openShardsInTurn({ open }: Store): Generator<Shard, void, void> {
  const skipped: Shard[] = []
  let tries = 0
  // Other requests take their turns between the tries of this one.
  const first = ((turn ?? crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) + 1) % open.length
  turn = first
  for (let step = 0; step < open.length && tries < SHARD_MAX_TRIES; step++) {
    const at = (first + step) % open.length
    const shard = open[at] ?? open[0]
    if (!shard.breaker.admit()) skipped.push(shard)
    else {
      // The next request continues after the shard of this one.
      if (tries === 0) turn = at
      tries++
      yield shard
    }
  }
  yield* skipped.slice(0, SHARD_MAX_TRIES - tries)
}

/**
 * Returns what `act` returns for the first of these shards that is available. To be called with a write that nothing else depends on
 * if it fails.
 */
export async function onFirstAvailable<Result>(
  shards: Iterable<Shard>,
  act: (shard: Shard) => Promise<Result>,
): Promise<Result> {
  let failure: unknown
  for (const shard of shards) {
    try {
      const result = await act(shard)
      shard.breaker.succeed()
      return result
    } catch (error) {
      if (unavailableShardOf(error) !== shard.number) throw error
      failure = error
    }
  }
  throw failure
}
