// Backups of a data folder. A backup folder has snapshots/<time>/, each with a copy of the databases, and blobs/, the files of
// all snapshots, each copied once.

import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { LOCATION_FILE } from '../serve/data/file-location.ts'
import { entriesOf, withDatabase } from '../serve/data/stored-data.ts'
import { syncFolder } from '../shared/durable-files.ts'
import { LAYOUT_FILES } from '../shared/shards.ts'
import { copiesIn, copyIn, fileOfSnapshot, rowReader, snapshotsIn } from './backup-parts.ts'

/** The index of a snapshot's files. */
export const INDEX = 'files.sqlite'
/** A snapshot that is being written or removed. */
export const PARTIAL = 'partial'
/** Files of images that are copied at the same time. */
export const COPIED_AT_ONCE = 4
/** Small files beside the databases. Without the number of shards, the next start would ignore some databases. */
export const SMALL_FILES = ['operator.key', LOCATION_FILE, ...LAYOUT_FILES]

/** The names of the snapshots in a backup folder, the oldest first. */
export function listSnapshots(folder: string) {
  return entriesOf(snapshotsIn(folder))
    .filter((name) => name !== PARTIAL)
    .sort()
}

/** Yields the copies of a file in these snapshots, with their digests as they were taken. */
export async function* copiesInSnapshots(
  folder: string,
  names: readonly string[],
  key: string,
): AsyncGenerator<{ snapshot: string; file: string; sha256: string; md5: string }> {
  const readRow = await rowReader()
  for (const snapshot of names) {
    const found = withDatabase(fileOfSnapshot(folder, snapshot, INDEX), (database) =>
      database.prepare(`${filesQuery(database)} WHERE f.key = ?`).get(key),
    )
    if (!found) continue
    const { copy, sha256, md5 } = readRow(found)
    yield { snapshot, file: copyIn(folder, copy), sha256, md5 }
  }
}

/** Removes all snapshots but the newest, and the files that none of those left has. Returns how many snapshots went. */
export async function forgetSnapshots(folder: string, keep: number) {
  const names = listSnapshots(folder)
  const old = names.slice(0, Math.max(0, names.length - keep))
  const snapshots = snapshotsIn(folder)
  for (const name of old) {
    // One that is removed by halves, or lacks files, is never in the list.
    const partial = path.join(snapshots, PARTIAL)
    await rename(path.join(snapshots, name), partial)
    syncFolder(snapshots)
    await rm(partial, { recursive: true })
    syncFolder(snapshots)
  }
  for (const start of entriesOf(copiesIn(folder))) {
    const group = copiesIn(folder, start)
    const unknown = new Set(entriesOf(group))
    for (const name of names.slice(old.length)) {
      withDatabase(fileOfSnapshot(folder, name, INDEX), (database) => {
        const find = database.prepare('SELECT 1 FROM backup_files WHERE blob = ?')
        for (const blob of unknown) if (find.get(blob)) unknown.delete(blob)
      })
    }
    for (const blob of unknown) await rm(path.join(group, blob))
  }
  return old.length
}

/** Returns the query of all files in an index, with their MD5 and the time when they were stored. */
export function filesQuery(index: DatabaseSync) {
  const hasBucket = index.prepare("SELECT 1 FROM sqlite_master WHERE name = '_mf_objects'").get()
  return hasBucket
    ? `SELECT f.key, f.blob, f.bytes, f.sha256, o.etag AS md5, o.uploaded AS stored_ms
       FROM backup_files AS f JOIN _mf_objects AS o ON o.key = f.key`
    : 'SELECT f.key, f.blob, f.bytes, f.sha256, f.md5, f.stored_ms FROM backup_files AS f'
}
