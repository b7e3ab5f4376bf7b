// Takes a snapshot of a data folder while its service runs. The databases are copied first, then the files of all images in
// them. If an image is deleted meanwhile, its files may be missing: then the databases are copied again, without it, and the
// files that are new since. This terminates: each round copies what is new since the one before, and only files deleted
// during that round can be missing.

import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { readDigests } from '../serve/data/digests.ts'
import { openBucketOf, readLocation } from '../serve/data/file-location.ts'
import { findDatabases, withDatabase } from '../serve/data/stored-data.ts'
import {
  copyIfThere,
  makeFolder,
  syncFile,
  syncFolder,
  syncFolders,
  syncTree,
  writeDurably,
} from '../shared/durable-files.ts'
import type { SnapshotFacts } from './backup-parts.ts'
import { copiesIn, FORMAT, fileOfSnapshot, MANIFEST, snapshotsIn } from './backup-parts.ts'
import { openFileCopier } from './file-copier.ts'
import { INDEX, listSnapshots, PARTIAL, SMALL_FILES } from './snapshots.ts'

const MAX_ROUNDS = 100

/**
 * The result of a backup: the name of the snapshot, the number of copied files and rounds, and the keys of damaged
 * files.
 */
export interface Backup {
  name: string
  facts: SnapshotFacts
  copied: number
  rounds: number
  damaged: string[]
}

interface BackupOptions {
  /** Called each time the databases have been copied. */
  onDatabases?: (round: number) => void | Promise<void>
  /** Whether files in S3 stay there alone. */
  withoutFiles?: boolean
  /** The file with the keys of S3, if it is not the service's. */
  keysFile?: string
}

/** Takes a snapshot of a data folder. Nobody else may write into the backup folder. Throws where there is no data. */
export async function takeSnapshot(
  data: string,
  folder: string,
  { onDatabases = () => {}, withoutFiles = false, keysFile }: BackupOptions = {},
): Promise<Backup> {
  const filesIn = withoutFiles ? readLocation(data)?.s3.S3_URL : undefined
  if (withoutFiles && filesIn === undefined)
    throw new Error(`the files of ${data} are on its disk: leave out --without-files`)
  const databases = findDatabases(data)
  if (databases.length === 0)
    throw new Error(`${data} holds no database: name the data folder of the service with --data`)
  const snapshots = snapshotsIn(folder)
  const partial = path.join(snapshots, PARTIAL)
  await rm(partial, { recursive: true, force: true })
  makeFolder(partial, 0o700)
  makeFolder(copiesIn(folder), 0o700)
  const latest = listSnapshots(folder).at(-1)
  const copies = databases.map((file) => path.join(partial, path.basename(file)))
  const bucket = filesIn === undefined ? await openBucketOf(data, keysFile) : undefined
  const copier = await openFileCopier(data, folder, partial, latest && fileOfSnapshot(folder, latest, INDEX), bucket)
  let takenAt = new Date()
  let missing: string[] = []
  let round = 0
  try {
    for (let isComplete = false; !isComplete; ) {
      if (++round > MAX_ROUNDS) throw new Error(`files vanished before they were copied, ${MAX_ROUNDS} times in a row`)
      takenAt = new Date()
      for (const file of databases) await copyDatabase(path.join(data, file), path.join(partial, path.basename(file)))
      await onDatabases(round)
      // A file that is missing twice was not deleted meanwhile: the database would say so by now.
      const missedBefore = new Set(missing)
      missing = filesIn === undefined ? await copier.copyFilesOf(copies, round) : []
      isComplete = missing.every((key) => missedBefore.has(key))
    }
    const { files, bytes } = copier.finish(round)
    for (const file of SMALL_FILES) await copyIfThere(path.join(data, file), path.join(partial, file))
    const digestOf = async (file: string) => (await readDigests(file)).sha256
    const facts: SnapshotFacts = {
      format: FORMAT,
      takenAt: takenAt.toISOString(),
      databases: await Promise.all(
        databases.map(async (file, at) => ({ file, sha256: await digestOf(copies[at] ?? '') })),
      ),
      index: await digestOf(path.join(partial, INDEX)),
      files,
      bytes,
      ...(filesIn === undefined ? {} : { filesIn }),
      missing,
    }
    // All that it names is on the disk before there is a snapshot.
    syncFolders(copiesIn(folder))
    syncTree(partial)
    writeDurably(path.join(partial, MANIFEST), `${JSON.stringify(facts, null, 2)}\n`)
    const name = facts.takenAt.replaceAll(':', '-')
    await rename(partial, path.join(snapshots, name))
    syncFolder(snapshots)
    return { name, facts, copied: copier.copied(), rounds: round, damaged: copier.damaged }
  } finally {
    copier.close()
  }
}

async function copyDatabase(file: string, copy: string) {
  await rm(copy, { force: true })
  withDatabase(file, (database) => database.prepare('VACUUM INTO ?').run(copy))
  syncFile(copy)
}
