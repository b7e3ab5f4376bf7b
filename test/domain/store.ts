import { env } from 'cloudflare:workers'
import type { ProblemLogger } from '../../src/domain/problem-logger.ts'
import { openStore } from '../../src/storage/store.ts'

/** The real D1 and R2 of the test's own storage. */
export const store = openStore(env)

/** No test expects a problem that no client is told about, unless it says so. */
export const logProblem: ProblemLogger = (what, error) => {
  throw new Error(what, { cause: error })
}

/** Every key in R2. */
export async function storedKeys(): Promise<string[]> {
  const { objects } = await env.FILES.list()
  return objects.map(({ key }) => key)
}

/** The rows of a query. */
export async function rows(query: string): Promise<Record<string, unknown>[]> {
  return (await env.DB.prepare(query).all()).results
}

/** A GIF of one white pixel. */
export const PIXEL_GIF = new Uint8Array([
  0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0,
  2, 2, 0x44, 1, 0, 0x3b,
])

/** Empties D1 and R2: storage is kept from one test of a file to the next. */
export async function emptyStore(): Promise<void> {
  // In one call, for there are tests that make hundreds of stores.
  const tables = [
    'moderation_audit',
    'reports',
    'revoked_tokens',
    'management_tokens',
    'file_cleanup',
    'gallery_cleanup',
    'images',
    'gallery_marks',
    'gallery_retries',
    'galleries',
    'idempotency_keys',
    'blocked_files',
    'blocked_fingerprints',
  ]
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)))
  const keys = await storedKeys()
  if (keys.length > 0) await env.FILES.delete(keys)
}
