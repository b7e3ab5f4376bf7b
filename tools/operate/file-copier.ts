// The copies of images' files in a backup, and their index.

import { createHash } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Bucket } from '../serve/data/bucket.ts'
import { copyFromBucket } from '../serve/data/bucket.ts'
import type { Digests } from '../serve/data/digests.ts'
import { readDigests } from '../serve/data/digests.ts'
import { readKeysOfImages } from '../serve/data/stored-data.ts'
import type { FoundFile } from '../serve/data/stored-files.ts'
import { openFilesOnDisk } from '../serve/data/stored-files.ts'
import { ignoreAbsence } from '../shared/command-line.ts'
import { makeFolder } from '../shared/durable-files.ts'
import { inParallel } from '../shared/in-parallel.ts'
import { begunCopyIn, copyIn, rowReader } from './backup-parts.ts'
import { COPIED_AT_ONCE, filesQuery, INDEX } from './snapshots.ts'

/** Prefix of the names of copies that were damaged in the service already. */
const DAMAGED = 'damaged-'
/**
 * Copies the files of a backup, and writes their index. `earlierIndex` is that of the snapshot before, `bucket` that of the files
 * where they are in S3.
 */
export async function openFileCopier(
  data: string,
  folder: string,
  partial: string,
  earlierIndex: string | undefined,
  bucket: Bucket | undefined,
) {
  const keysOf = await readKeysOfImages()
  const index = new DatabaseSync(path.join(partial, INDEX))
  index.exec(`PRAGMA journal_mode = OFF; BEGIN;
    CREATE TABLE backup_files (key TEXT PRIMARY KEY, blob TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL,
      md5 TEXT NOT NULL, stored_ms INTEGER NOT NULL, round INTEGER NOT NULL);
    CREATE INDEX backup_blobs ON backup_files (blob)`)
  const earlier = earlierIndex === undefined ? undefined : new DatabaseSync(earlierIndex, { readOnly: true })
  const findEarlier = earlier?.prepare(`${filesQuery(earlier)} WHERE f.key = ?`)
  const again = index.prepare('UPDATE backup_files SET round = ? WHERE key = ?')
  const note = index.prepare('INSERT INTO backup_files VALUES (?, ?, ?, ?, ?, ?, ?)')
  const damaged: string[] = []
  let copied = 0

  const readRow = await rowReader()

  /** Returns the copy of a file in an earlier backup. */
  async function findCopy(key: string) {
    const found = findEarlier?.get(key)
    if (!found) return undefined
    const { copy: blob, bytes, sha256, md5, storedMs } = readRow(found)
    // The service may have a good file again.
    if (blob.startsWith(DAMAGED)) return undefined
    const there = await stat(copyIn(folder, blob)).catch(ignoreAbsence)
    return there?.size === bytes ? { blob, bytes, sha256, md5, storedMs } : undefined
  }

  /** Moves a copy to its final name. A file that was damaged or replaced by hand gets another name than a good copy of it. */
  async function settle(begun: string, key: string, digests: Digests, storedMd5: string | undefined) {
    const isDamaged = storedMd5 !== undefined && storedMd5 !== digests.md5
    if (isDamaged) damaged.push(key)
    const name = createHash('sha256').update(`${key} ${digests.md5}`).digest('hex')
    const blob = isDamaged ? DAMAGED + name : name
    const copy = copyIn(folder, blob)
    makeFolder(path.dirname(copy))
    await rename(begun, copy)
    copied++
    return { blob, ...digests, md5: storedMd5 ?? digests.md5 }
  }

  /** Copies a file from the disk, unless it was deleted. */
  async function copyFromDisk({ key, filePath, md5, storedMs }: FoundFile) {
    const known = md5 === undefined ? undefined : await findCopy(key)
    if (known && known.md5 === md5) return known
    const begun = begunCopyIn(folder)
    const digests = await readDigests(filePath, begun).catch(ignoreAbsence)
    return digests && { ...(await settle(begun, key, digests, md5)), storedMs }
  }

  /** Copies files from S3. Files of an earlier backup are not read again: a file never changes. */
  async function copyFromS3(from: Bucket, key: string) {
    const known = await findCopy(key)
    if (known) return known
    const begun = begunCopyIn(folder)
    const found = await copyFromBucket(from, key, () => begun)
    if (!found) return undefined
    const { storedMd5, storedMs, filePath: _, ...digests } = found
    return { ...(await settle(begun, key, digests, storedMd5)), storedMs }
  }

  /** Copies the files of all images in these databases that are not copied yet. Returns the keys of missing files. */
  async function copyFilesOf(databases: string[], round: number) {
    const missing: string[] = []
    const stored = openFilesOnDisk(data)
    try {
      for (const file of databases) {
        const database = new DatabaseSync(file, { readOnly: true })
        await inParallel(keysOf(database), COPIED_AT_ONCE, async (key) => {
          if (again.run(round, key).changes > 0) return
          const found = bucket ? undefined : stored.find(key)
          const made = bucket ? await copyFromS3(bucket, key) : found && (await copyFromDisk(found))
          if (!made) return missing.push(key)
          note.run(key, made.blob, made.bytes, made.sha256, made.md5, made.storedMs, round)
        }).finally(() => database.close())
      }
    } finally {
      stored.close()
    }
    return missing
  }

  return {
    copyFilesOf,
    damaged,
    copied: () => copied,
    /** Drops files that the last round did not find, and returns the number and the bytes of the others. */
    finish(lastRound: number) {
      index.prepare('DELETE FROM backup_files WHERE round < ?').run(lastRound)
      const sums = index.prepare('SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes FROM backup_files').get()
      index.exec('COMMIT')
      return { files: Number(sums?.files), bytes: Number(sums?.bytes) }
    },
    close() {
      index.close()
      earlier?.close()
    },
  }
}
