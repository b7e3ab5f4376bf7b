import { Buffer } from 'node:buffer'
import { desc, lte, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { listOf } from '../json-list.ts'
import { blockedFiles, blockedFingerprints, listedFiles, listedFingerprints } from '../schema.ts'
import type { Shard } from '../store.ts'

const FINGERPRINT_KEY = [blockedFingerprints.band, blockedFingerprints.value, blockedFingerprints.fingerprint]
/** As sent, and as stored. */
const MOST_FILES_OF_ONE = 2

/** The digests of a blocked image's files, and its fingerprint if it has one, in hexadecimal. */
interface BlockedImage {
  imageId: number
  digests: readonly string[]
  fingerprint: string | undefined
}

/** Whether one of these files is blocked, and whether any image is by its fingerprint. */
export async function findBlockedFiles(
  shard: Shard,
  digests: readonly string[],
): Promise<{ isBlocked: boolean; hasFingerprints: boolean }> {
  const [found] = await shard.db
    .select({
      isBlocked: sql<number>`EXISTS (SELECT 1 FROM ${blockedFiles} WHERE digest IN ${listOf(digests)})
        OR EXISTS (SELECT 1 FROM ${listedFiles} WHERE digest IN ${listOf(digests)})`,
      hasFingerprints: sql<number>`EXISTS (SELECT 1 FROM ${blockedFingerprints} WHERE band = 0)
        OR EXISTS (SELECT 1 FROM ${listedFingerprints} WHERE band = 0)`,
    })
    .from(sql`(SELECT 1)`)
  return { isBlocked: found?.isBlocked === 1, hasFingerprints: found?.hasFingerprints === 1 }
}

/**
 * The blocked fingerprints, also of lists, that have a byte in common with this one, in its place: all that differ in seven bits or
 * fewer.
 */
export async function findSimilarFingerprints(shard: Shard, fingerprint: string): Promise<string[]> {
  const similarIn = (table: typeof blockedFingerprints | typeof listedFingerprints) =>
    shard.db
      .select({ fingerprint: table.fingerprint })
      .from(sql`json_each(${JSON.stringify(bytesOf(fingerprint))}) AS byte`)
      .crossJoin(table)
      .where(sql`${table.band} = byte.key AND ${table.value} = byte.value`)
  const rows = await union(similarIn(blockedFingerprints), similarIn(listedFingerprints))
  return rows.map((row) => row.fingerprint)
}

/** Blocks an image. What is blocked already stays so, from now on as this image's: it is the one that the operator last saw. */
export async function insertBlocked(shard: Shard, image: BlockedImage, nowMs: number): Promise<void> {
  const { imageId, digests, fingerprint } = image
  const files = digests.map((digest) => ({ digest, imageId, blockedAt: nowMs }))
  const bands = fingerprint === undefined ? [] : bytesOf(fingerprint)
  await shard.db.batch([
    shard.db
      .insert(blockedFiles)
      .values(files)
      .onConflictDoUpdate({ target: blockedFiles.digest, set: { imageId, blockedAt: nowMs } }),
    ...bands.map((value, band) =>
      shard.db
        .insert(blockedFingerprints)
        .values({ band, value, fingerprint: fingerprint ?? '', imageId })
        .onConflictDoUpdate({ target: FINGERPRINT_KEY, set: { imageId } }),
    ),
  ])
}

/** An image that is blocked, and since when. */
interface BlockedSince {
  imageId: number
  blockedAt: number
}

/** The images that were blocked last, the last first. */
export async function listBlocked(shard: Shard, nowMs: number, limit: number): Promise<BlockedSince[]> {
  const rows = await shard.db
    .select({ imageId: blockedFiles.imageId, blockedAt: blockedFiles.blockedAt })
    .from(blockedFiles)
    .where(lte(blockedFiles.blockedAt, nowMs))
    .orderBy(desc(blockedFiles.blockedAt))
    .limit(limit * MOST_FILES_OF_ONE)
  return [...new Map(rows.map((row) => [row.imageId, row])).values()].slice(0, limit)
}

/** Takes back the blocks of these images, and returns the number of those that were blocked. */
export async function deleteBlocks(shard: Shard, imageIds: readonly number[]): Promise<number> {
  const those = sql`image_id IN ${listOf(imageIds)}`
  const [blocked] = await shard.db.batch([
    shard.db.selectDistinct({ imageId: blockedFiles.imageId }).from(blockedFiles).where(those),
    shard.db.delete(blockedFiles).where(those),
    shard.db.delete(blockedFingerprints).where(those),
  ])
  return blocked.length
}

function bytesOf(hexadecimal: string): number[] {
  return [...Buffer.from(hexadecimal, 'hex')]
}
