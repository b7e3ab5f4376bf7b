import { desc, eq, lte, sql } from 'drizzle-orm'
import { blockedFiles, blockedFingerprints, type Image, images } from './schema.ts'
import type { Store } from './store.ts'

const FINGERPRINT_KEY = [blockedFingerprints.band, blockedFingerprints.value, blockedFingerprints.fingerprint]
/** As sent, and as stored. */
const MOST_FILES_OF_ONE = 2

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

/** Blocks a picture. What is blocked already stays so, from now on as this picture's: it is the one that the operator last saw. */
export async function insertBlocked(store: Store, picture: BlockedPicture, nowMs: number): Promise<void> {
  const { imageId, digests, fingerprint } = picture
  const files = digests.map((digest) => ({ digest, imageId, blockedAt: nowMs }))
  const bands = fingerprint === undefined ? [] : bytesOf(fingerprint)
  await store.db.batch([
    store.db
      .insert(blockedFiles)
      .values(files)
      .onConflictDoUpdate({ target: blockedFiles.digest, set: { imageId, blockedAt: nowMs } }),
    ...bands.map((value, band) =>
      store.db
        .insert(blockedFingerprints)
        .values({ band, value, fingerprint: fingerprint ?? '', imageId })
        .onConflictDoUpdate({ target: FINGERPRINT_KEY, set: { imageId } }),
    ),
  ])
}

/** A picture that is blocked. */
export interface Block {
  image: Image
  blockedAt: number
}

/** The pictures that were blocked last, the last first. */
export async function listBlocks(store: Store, nowMs: number, limit: number): Promise<Block[]> {
  const rows = await store.db
    .select({ image: images, blockedAt: blockedFiles.blockedAt })
    .from(blockedFiles)
    .innerJoin(images, eq(images.id, blockedFiles.imageId))
    .where(lte(blockedFiles.blockedAt, nowMs))
    .orderBy(desc(blockedFiles.blockedAt))
    .limit(limit * MOST_FILES_OF_ONE)
  return [...new Map(rows.map((row) => [row.image.id, row])).values()].slice(0, limit)
}

/** Takes back the block of a picture, or of each in a gallery, and gives the number of pictures that were blocked. */
export async function deleteBlocks(store: Store, which: { imageId: number } | { galleryId: number }): Promise<number> {
  const ids =
    'imageId' in which ? sql`(${which.imageId})` : sql`(SELECT id FROM ${images} WHERE gallery_id = ${which.galleryId})`
  const those = sql`image_id IN ${ids}`
  const [blocked] = await store.db.batch([
    store.db.selectDistinct({ imageId: blockedFiles.imageId }).from(blockedFiles).where(those),
    store.db.delete(blockedFiles).where(those),
    store.db.delete(blockedFingerprints).where(those),
  ])
  return blocked.length
}

function bytesOf(hexadecimal: string): number[] {
  return Array.from({ length: hexadecimal.length / 2 }, (_, i) =>
    Number.parseInt(hexadecimal.slice(2 * i, 2 * i + 2), 16),
  )
}
