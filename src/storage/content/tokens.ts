import { eq, type SQL, sql } from 'drizzle-orm'
import { STORED_DIGEST_CHARACTERS } from '../../limits.ts'
import { type ContentRecord, galleries, images, managementTokens, revokedTokens } from '../schema.ts'
import type { Shard } from '../store.ts'

/** Returns the standalone image or the gallery of a token's digest, in any state; undefined if there is no such token. */
export async function findManaged(shard: Shard, digest: string): Promise<ContentRecord | undefined> {
  const [row] = await shard.db
    .select({ image: images, gallery: galleries })
    .from(managementTokens)
    .leftJoin(images, eq(images.id, managementTokens.imageId))
    .leftJoin(galleries, eq(galleries.id, managementTokens.galleryId))
    .where(eq(managementTokens.digest, digest))
  if (row?.image) return { kind: 'image', image: row.image }
  if (row?.gallery) return { kind: 'gallery', gallery: row.gallery }
  return undefined
}

/** Whether the token of this digest was one of content that is deleted. */
export async function isRevoked(shard: Shard, digest: string): Promise<boolean> {
  const stored = digest.slice(0, STORED_DIGEST_CHARACTERS)
  return (await shard.db.select().from(revokedTokens).where(eq(revokedTokens.digest, stored))).length > 0
}

/** Keeps of tokens of deleted content only that they were revoked: statements for the batch that forgets the content. */
export function revokeTokens(shard: Shard, which: SQL) {
  return [
    shard.db
      .insert(revokedTokens)
      .select(sql`SELECT substr(digest, 1, ${STORED_DIGEST_CHARACTERS}) FROM ${managementTokens} WHERE ${which}`)
      .onConflictDoNothing(),
    shard.db.delete(managementTokens).where(which),
  ] as const
}
