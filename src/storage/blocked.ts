import { sql } from 'drizzle-orm'
import { blockedFiles, blockedFingerprints } from './schema.ts'
import type { Store } from './store.ts'

/** What is blocked of one picture: the digests of its files, and its fingerprint if it has one, all in hexadecimal. */
export interface BlockedPicture {
  imageId: number
  digests: readonly string[]
  fingerprint: string | undefined
}

/** Whether one of these files is blocked, and whether any picture is by its fingerprint. */
export async function findBlockedFiles(
  store: Store,
  digests: readonly string[],
): Promise<{ isBlocked: boolean; hasFingerprints: boolean }> {
  const wanted = sql`(SELECT value FROM json_each(${JSON.stringify(digests)}))`
  const [found] = await store.db
    .select({
      isBlocked: sql<number>`EXISTS (SELECT 1 FROM ${blockedFiles} WHERE digest IN ${wanted})`,
      hasFingerprints: sql<number>`EXISTS (SELECT 1 FROM ${blockedFingerprints} WHERE band = 0)`,
    })
    .from(sql`(SELECT 1)`)
  return { isBlocked: found?.isBlocked === 1, hasFingerprints: found?.hasFingerprints === 1 }
}

/** The blocked fingerprints that have a byte in common with this one, in its place: at least those that differ in seven bits or fewer. */
export async function findSimilarFingerprints(store: Store, fingerprint: string): Promise<string[]> {
  const rows = await similarFingerprints(store, fingerprint)
  return rows.map((row) => row.fingerprint)
}

/** The query of `findSimilarFingerprints`. */
export function similarFingerprints(store: Store, fingerprint: string) {
  return store.db
    .selectDistinct({ fingerprint: blockedFingerprints.fingerprint })
    .from(sql`json_each(${JSON.stringify(bytesOf(fingerprint))}) AS byte`)
    .crossJoin(blockedFingerprints)
    .where(sql`${blockedFingerprints.band} = byte.key AND ${blockedFingerprints.value} = byte.value`)
}

/** Blocks a picture. What is blocked already stays so. */
export async function insertBlocked(store: Store, picture: BlockedPicture, nowMs: number): Promise<void> {
  const { imageId, digests, fingerprint } = picture
  const files = digests.map((digest) => ({ digest, imageId, blockedAt: nowMs }))
  const bands = fingerprint === undefined ? [] : bytesOf(fingerprint)
  await store.db.batch([
    store.db.insert(blockedFiles).values(files).onConflictDoNothing(),
    ...bands.map((value, band) =>
      store.db
        .insert(blockedFingerprints)
        .values({ band, value, fingerprint: fingerprint ?? '', imageId })
        .onConflictDoNothing(),
    ),
  ])
}

function bytesOf(hexadecimal: string): number[] {
  return Array.from({ length: hexadecimal.length / 2 }, (_, i) =>
    Number.parseInt(hexadecimal.slice(2 * i, 2 * i + 2), 16),
  )
}
