import { crc32 } from 'node:zlib'
import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { RECONCILE_BATCH_FILES } from '../../limits.ts'
import { chunksOf } from '../files/chunks.ts'
import { type FileKind, fileKey } from '../files.ts'
import { fileCleanup, galleries, galleryCleanup, images } from '../schema.ts'
import type { Shard, WithFiles } from '../store.ts'

/** A stored file, as the store lists it. */
export interface StoredFile {
  key: string
  bytes: number
  /** Time of its creation, in milliseconds since 1970. */
  storedAtMs: number
}

/** Returns at most `limit` files in the order of their keys, after `afterKey`, and whether they are the last. */
export async function listStoredFiles(
  store: WithFiles,
  afterKey: string,
  limit: number,
): Promise<{ files: StoredFile[]; isLast: boolean }> {
  const page = await store.files.list({ limit, ...(afterKey === '' ? {} : { after: afterKey }) })
  const files = page.files.map(({ key, size, uploaded }) => ({ key, bytes: size, storedAtMs: uploaded.getTime() }))
  return { files, isLast: page.isLast }
}

/** Returns the keys of one kind in a directory, from this id on: at most a thousand. */
export async function listKeysFrom(store: WithFiles, kind: FileKind, directory: number, id: number): Promise<string[]> {
  const prefix = fileKey(kind, `${directory}/`)
  const { files } = await store.files.list({ prefix, after: `${prefix}${id}`, limit: RECONCILE_BATCH_FILES })
  return files.map(({ key }) => key)
}

/** Returns whether a file has this key. */
export async function isStored(store: WithFiles, key: string): Promise<boolean> {
  return (await store.files.head(key)) !== undefined
}

/** The names of images that the files of an id may belong to. */
export interface FileOwners {
  id: number
  /** The image that is shown, or will be with its gallery. */
  live: string | null
  /** The image whose files are to be removed by the sweep. */
  due: string | null
  /** The image of a deleted gallery that the sweep has yet to reach. */
  dueWithGallery: string | null
}

/** The owners of the files of these ids, one row for each id. */
export async function findFileOwners(shard: Shard, ids: readonly number[]): Promise<FileOwners[]> {
  return shard.db
    .select({
      id: sql<number>`wanted.value`,
      live: sql<string | null>`CASE WHEN ${isLive} THEN ${images.name} END`,
      due: fileCleanup.name,
      dueWithGallery: sql<
        string | null
      >`CASE WHEN ${galleryCleanup.afterImageId} < ${images.id} THEN ${images.name} END`,
    })
    .from(sql`json_each(${JSON.stringify(ids)}) AS wanted`)
    .leftJoin(images, sql`${images.id} = wanted.value`)
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
    .leftJoin(fileCleanup, sql`${fileCleanup.imageId} = wanted.value`)
    .leftJoin(galleryCleanup, eq(galleryCleanup.galleryId, images.galleryId))
}

/** A record, with the expected facts of its files. */
export interface RecordedImage {
  id: number
  name: string
  galleryId: number | null
  isLive: boolean
  original: FileFacts
  thumbnail: FileFacts
  /** Null where none is stored. */
  preview: FileFacts | null
}

/** Facts of a file's bytes. The CRC-32 is null where the record is older than its column. */
export interface FileFacts {
  bytes: number
  crc32: number | null
}

/** Returns at most `limit` records in the order of their ids, after `afterId`. */
export async function listRecords(shard: Shard, afterId: number, limit: number): Promise<RecordedImage[]> {
  const rows = await shard.db
    .select({
      id: images.id,
      name: images.name,
      galleryId: images.galleryId,
      isLive: sql<number>`${isLive}`,
      original: { bytes: images.bytes, crc32: images.crc32 },
      thumbnail: { bytes: images.thumbnailBytes, crc32: images.thumbnailCrc32 },
      previewBytes: images.previewBytes,
      previewCrc32: images.previewCrc32,
    })
    .from(images)
    .leftJoin(galleries, eq(galleries.id, images.galleryId))
    .where(gt(images.id, afterId))
    .orderBy(asc(images.id))
    .limit(limit)
  return rows.map(({ previewBytes: bytes, previewCrc32: crc32, ...row }) => {
    return { ...row, isLive: row.isLive === 1, preview: bytes === null ? null : { bytes, crc32 } }
  })
}

/** A stored file as it reads now. */
export interface ReadFile extends FileFacts {
  crc32: number
  /** MD5 as the store keeps it, and of the bytes that were read; undefined where the store keeps none. */
  md5: { stored: Uint8Array; read: Uint8Array } | undefined
}

/** Reads a file to its end and returns the facts of its bytes; undefined for a missing file. Only one chunk is in memory. */
export async function readWhole(store: WithFiles, key: string): Promise<ReadFile | undefined> {
  const file = await store.files.read(key)
  if (!file) return undefined
  const md5 = file.md5 && new crypto.DigestStream('MD5')
  const writer = md5?.getWriter()
  const read = { bytes: 0, crc32: 0 }
  for await (const chunk of chunksOf(file.body)) {
    read.bytes += chunk.length
    read.crc32 = crc32(chunk, read.crc32)
    await writer?.write(chunk)
  }
  await writer?.close()
  return { ...read, md5: file.md5 && md5 && { stored: file.md5, read: new Uint8Array(await md5.digest) } }
}

/** Removes files, at most a thousand. */
export async function deleteKeys(store: WithFiles, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await store.files.delete(keys)
}

/** SQL: whether an image is deleted neither by itself nor with its gallery. */
const isLive = and(isNull(images.deletedAt), isNull(galleries.deletedAt))
