import { eq } from 'drizzle-orm'
import { type Gallery, galleries, type Image, images, managementTokens } from './schema.ts'
import type { Store } from './store.ts'

/** What a management token addresses: a standalone picture or a gallery, in any state. */
export type ManagedRecord = { kind: 'image'; image: Image } | { kind: 'gallery'; gallery: Gallery }

/** What the token of this digest addresses; undefined if there is no such token. */
export async function findManaged(store: Store, digest: string): Promise<ManagedRecord | undefined> {
  const [row] = await store.db
    .select({ image: images, gallery: galleries })
    .from(managementTokens)
    .leftJoin(images, eq(images.id, managementTokens.imageId))
    .leftJoin(galleries, eq(galleries.id, managementTokens.galleryId))
    .where(eq(managementTokens.digest, digest))
  if (row?.image) return { kind: 'image', image: row.image }
  if (row?.gallery) return { kind: 'gallery', gallery: row.gallery }
  return undefined
}
