import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { blockedFiles, blockedFingerprints, blockLists, listedFiles, listedFingerprints } from '../schema.ts'
import type { Shard } from '../store.ts'

/** Entries of a block list, in hexadecimal. */
export interface BlockEntries {
  digests: readonly string[]
  fingerprints: readonly string[]
}

/** An imported block list. */
export interface BlockList {
  name: string
  importedAt: number
  files: number
  fingerprints: number
}

/** The first byte of a fingerprint: each has one row of this band. */
const FIRST_BAND = 0

/** Adds entries to a list, and returns the number of new ones. A repeated call adds nothing. */
export async function addToList(
  shard: Shard,
  list: string,
  { digests, fingerprints }: BlockEntries,
  nowMs: number,
): Promise<number> {
  const bands = fingerprints.flatMap((fingerprint) =>
    Array.from({ length: fingerprint.length / 2 }, (_, band) => ({
      band,
      value: Number.parseInt(fingerprint.slice(2 * band, 2 * band + 2), 16),
      fingerprint,
    })),
  )
  const [, files, , firstBands] = await shard.db.batch([
    shard.db
      .insert(blockLists)
      .values({ name: list, importedAt: nowMs })
      .onConflictDoUpdate({ target: blockLists.name, set: { importedAt: nowMs } }),
    shard.db
      .insert(listedFiles)
      .select(sql`SELECT value, ${list} FROM json_each(${JSON.stringify(digests)}) WHERE 1`)
      .onConflictDoNothing(),
    shard.db
      .insert(listedFingerprints)
      .select(
        bandsOf(
          bands.filter(({ band }) => band !== FIRST_BAND),
          list,
        ),
      )
      .onConflictDoNothing(),
    shard.db
      .insert(listedFingerprints)
      .select(
        bandsOf(
          bands.filter(({ band }) => band === FIRST_BAND),
          list,
        ),
      )
      .onConflictDoNothing(),
  ])
  return files.meta.changes + firstBands.meta.changes
}

function bandsOf(bands: readonly { band: number; value: number; fingerprint: string }[], list: string) {
  return sql`SELECT value ->> 'band', value ->> 'value', value ->> 'fingerprint', ${list}
    FROM json_each(${JSON.stringify(bands)}) WHERE 1`
}

/** Returns the number of fingerprints in all lists. */
export async function countListedFingerprints(shard: Shard): Promise<number> {
  const [found] = await shard.db
    .select({ count: sql<number>`count(*)` })
    .from(listedFingerprints)
    .where(eq(listedFingerprints.band, FIRST_BAND))
  return found?.count ?? 0
}

/** Removes at most `limit` entries of each kind from a list, and returns their number. The list goes with its last entries. */
export async function removeFromList(shard: Shard, list: string, limit: number): Promise<number> {
  const [files, fingerprints] = await shard.db.batch([
    shard.db
      .delete(listedFiles)
      .where(
        and(
          eq(listedFiles.list, list),
          sql`digest IN (SELECT digest FROM ${listedFiles} WHERE list = ${list} ORDER BY digest LIMIT ${limit})`,
        ),
      ),
    shard.db.delete(listedFingerprints).where(
      and(
        eq(listedFingerprints.list, list),
        sql`(band, fingerprint) IN (
          SELECT band, fingerprint FROM ${listedFingerprints} WHERE list = ${list} ORDER BY band, fingerprint LIMIT ${limit})`,
      ),
    ),
    shard.db
      .delete(blockLists)
      .where(
        and(
          eq(blockLists.name, list),
          sql`NOT EXISTS (SELECT 1 FROM ${listedFiles} WHERE list = ${list})`,
          sql`NOT EXISTS (SELECT 1 FROM ${listedFingerprints} WHERE list = ${list})`,
        ),
      ),
  ])
  return files.meta.changes + fingerprints.meta.changes
}

/** Returns all lists, by their names. */
export async function findBlockLists(shard: Shard): Promise<BlockList[]> {
  return shard.db
    .select({
      name: blockLists.name,
      importedAt: blockLists.importedAt,
      files: sql<number>`(SELECT count(*) FROM listed_files WHERE list = name)`,
      fingerprints: sql<number>`(SELECT count(*) FROM listed_fingerprints WHERE list = name AND band = ${FIRST_BAND})`,
    })
    .from(blockLists)
    .orderBy(asc(blockLists.name))
}

/** Returns digests after this one: of a list, or those that the operator blocked. */
export async function exportDigests(
  shard: Shard,
  list: string | undefined,
  after: string,
  limit: number,
): Promise<string[]> {
  const table = list === undefined ? blockedFiles : listedFiles
  const rows = await shard.db
    .select({ digest: table.digest })
    .from(table)
    .where(and(gt(table.digest, after), list === undefined ? undefined : eq(listedFiles.list, list)))
    .orderBy(asc(table.digest))
    .limit(limit)
  return rows.map(({ digest }) => digest)
}

/** Returns fingerprints after this one, as `exportDigests` does. */
export async function exportFingerprints(
  shard: Shard,
  list: string | undefined,
  after: string,
  limit: number,
): Promise<string[]> {
  const table = list === undefined ? blockedFingerprints : listedFingerprints
  const ofList = list === undefined ? undefined : eq(listedFingerprints.list, list)
  const rows = await shard.db
    .select({ fingerprint: table.fingerprint })
    .from(table)
    .where(and(eq(table.band, FIRST_BAND), gt(table.fingerprint, after), ofList))
    .orderBy(asc(table.fingerprint))
    .limit(limit)
  return rows.map(({ fingerprint }) => fingerprint)
}
