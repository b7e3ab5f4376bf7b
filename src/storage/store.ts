import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'

/** The storage of the service: records in D1, files in R2. */
export interface Store {
  db: DrizzleD1Database
  files: R2Bucket
}

/** The store over the Worker's bindings. */
export function openStore(bindings: { DB: D1Database; FILES: R2Bucket }): Store {
  return { db: drizzle(bindings.DB), files: bindings.FILES }
}
