import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { ProblemLogger } from '../../src/domain/problem-logger.ts'
import { homeOf, openStore, type Shard, type StorageBindings, type Store } from '../../src/storage/store.ts'

/** The real D1 and R2 of the test's own storage. */
export const store = openStore(env)

/** Its first database, which is the only one by default. */
export const shard = homeOf(store)

const SPARES = [env.SPARE_1, env.SPARE_2, env.SPARE_3, env.SPARE_4, env.SPARE_5, env.SPARE_6, env.SPARE_7]

/** The databases that `rows` and `emptyStore` use. */
let databases = [env.DB]

/** Binds this many databases from now on, all with the schema. Returns the bindings of the storage. */
export async function bindShards(count: number): Promise<StorageBindings> {
  const spares = SPARES.slice(0, count - 1)
  for (const spare of spares) await applyD1Migrations(spare, env.TEST_MIGRATIONS)
  databases = [env.DB, ...spares]
  return bindingsOf(databases)
}

/** Returns the bindings of a storage with these databases as shards. */
export function bindingsOf([first = env.DB, ...further]: readonly D1Database[]): StorageBindings {
  const named = further.map((database, at) => [`DB_${at + 1}`, database])
  return { ...Object.fromEntries(named), DB: first, FILES: env.FILES }
}

/** Returns a store of this database alone. */
export function onShard(only: Shard): Store {
  return { ...store, shards: [only], open: [only], files: only.files }
}

/** Throws, because no test expects a problem that is only logged, unless it says so. */
export const logProblem: ProblemLogger = (what, error) => {
  throw new Error(what, { cause: error })
}

/** Returns every key in R2. */
export async function storedKeys(): Promise<string[]> {
  const { objects } = await env.FILES.list()
  return objects.map(({ key }) => key)
}

/** Returns the rows of a query, on all shards. */
export async function rows(query: string): Promise<Record<string, unknown>[]> {
  const results = await Promise.all(databases.map((database) => database.prepare(query).all()))
  return results.flatMap((result) => result.results)
}

/** A GIF of one white pixel. */
export const PIXEL_GIF = new Uint8Array([
  0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0,
  2, 2, 0x44, 1, 0, 0x3b,
])

/** Empties D1 and R2, because storage persists from one test of a file to the next. */
export async function emptyStore(): Promise<void> {
  // In one call, because some tests make hundreds of stores.
  const tables = [
    'moderation_audit',
    'reports',
    'revoked_tokens',
    'management_tokens',
    'file_cleanup',
    'gallery_cleanup',
    'images',
    'gallery_marks',
    'gallery_order_marks',
    'gallery_retries',
    'image_retries',
    'guest_links',
    'galleries',
    'idempotency_keys',
    'heartbeat',
    'edge_purges',
    'edge_purge_calls',
    'blocked_files',
    'blocked_fingerprints',
    'upload_events',
    'block_lists',
    'listed_files',
    'listed_fingerprints',
  ]
  for (const database of databases) {
    await database.batch(tables.map((table) => database.prepare(`DELETE FROM ${table}`)))
  }
  const keys = await storedKeys()
  if (keys.length > 0) await env.FILES.delete(keys)
}
