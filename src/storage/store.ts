import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { REQUEST_STORAGE_LIMITS, type StorageLimits } from '../limits.ts'
import { boundCalls } from './bounded-calls.ts'
import { runBucketCalls, runDatabaseCalls } from './calls.ts'

/** The storage of the service: records in D1, files in R2. */
export interface Store {
  db: DrizzleD1Database
  files: R2Bucket
}

/** The store over the Worker's bindings, for one request or one tick: all of its calls are bounded. */
export function openStore(
  bindings: { DB: D1Database; FILES: R2Bucket },
  limits: StorageLimits = REQUEST_STORAGE_LIMITS,
): Store {
  const run = boundCalls(limits)
  return { db: drizzle(runDatabaseCalls(bindings.DB, run)), files: runBucketCalls(bindings.FILES, run) }
}
