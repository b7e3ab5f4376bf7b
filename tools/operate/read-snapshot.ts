// Reads a snapshot, compares it with its digests, and restores it to a data folder.

import { rm, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { copyToBucket, isInBucket } from '../serve/data/bucket.ts'
import { readDigests } from '../serve/data/digests.ts'
import { claimBucket, LOCATION_FILE, openBucketOf } from '../serve/data/file-location.ts'
import type { Facts } from '../serve/data/layout.ts'
import { FILES, factsPath, formatFacts, pathOf } from '../serve/data/layout.ts'
import { readKeysOfImages, withDatabase } from '../serve/data/stored-data.ts'
import { codeOf, messageOf } from '../shared/command-line.ts'
import { copyIfThere, syncFolders } from '../shared/durable-files.ts'
import { inParallel } from '../shared/in-parallel.ts'
import { keepShards, readShards } from '../shared/shards.ts'
import type { FileRow, SnapshotFacts } from './backup-parts.ts'
import {
  copyIn,
  databaseOf,
  fileOfSnapshot,
  MANIFEST,
  readManifest,
  requireRows,
  rowReader,
  snapshotsIn,
} from './backup-parts.ts'
import type { Damage } from './damaged-backup.ts'
import { DamagedBackup } from './damaged-backup.ts'
import type { Affected } from './leave-out.ts'
import { leaveOut } from './leave-out.ts'
import { COPIED_AT_ONCE, filesQuery, INDEX, SMALL_FILES } from './snapshots.ts'

/** A restored snapshot, with the images that were left out, and those that lost no more than their preview. */
export type Restored = SnapshotFacts & { leftOut: Affected[]; withoutPreview: Affected[] }

/** Lists all damage of a snapshot. `facts` is undefined where the manifest is damaged. */
export async function findDamage(
  folder: string,
  name: string,
): Promise<{ facts: SnapshotFacts | undefined; damage: Damage[] }> {
  const damage: Damage[] = []
  const onDamage = (one: Damage) => void damage.push(one)
  const facts = await attemptTo(() => readFacts(folder, name), onDamage)
  if (facts) await readParts(folder, name, facts, { onDamage })
  return { facts, damage }
}

/** Returns whether the manifest, the index and the databases of a snapshot are as they were taken. */
export async function hasWholeRecords(folder: string, name: string) {
  try {
    const manifest = await readManifest(folder, name)
    const isWhole = async (file: string, sha256: string) =>
      (await readDigests(fileOfSnapshot(folder, name, file))).sha256 === sha256
    for (const { file, sha256 } of manifest.databases) {
      if (!(await isWhole(databaseOf(file).name, sha256))) return false
    }
    return await isWhole(INDEX, manifest.index)
  } catch {
    return false
  }
}

/**
 * Reads a whole snapshot and compares it with its digests. If a data folder is given, it is restored there, synced to the disk.
 * Files that were in S3 are uploaded if they are missing there; with `toDisk`, all files go to the disk. With `skipDamaged`,
 * images with a damaged original or thumbnail are left out: their records are marked deleted, as if their owners had deleted
 * them. Others lose a damaged preview. `keysFile` has the keys of S3. Throws DamagedBackup for other damage.
 */
export async function readSnapshot(
  folder: string,
  name: string,
  data?: string,
  {
    toDisk = false,
    keysFile,
    skipDamaged = false,
  }: { toDisk?: boolean; keysFile?: string; skipDamaged?: boolean } = {},
): Promise<Restored> {
  const facts = await readFacts(folder, name)
  const damaged: Map<string, string> = new Map()
  const onDamage = (one: Damage) => {
    if (one.key === undefined || !skipDamaged) refuse(one)
    else damaged.set(one.key, one.message)
  }
  await readParts(folder, name, facts, { data, toDisk, keysFile, onDamage })
  if (data === undefined) return { ...facts, leftOut: [], withoutPreview: [] }
  const affected = await leaveOut(data, damaged)
  // An earlier version would not find the files.
  keepShards(data, readShards(data))
  syncFolders(data)
  return { ...facts, ...affected }
}

/** Reads the manifest of a snapshot. Throws DamagedBackup where it is missing, cannot be read or is not JSON. */
async function readFacts(folder: string, name: string) {
  try {
    return await readManifest(folder, name)
  } catch (error) {
    const file = path.join(snapshotsIn(folder, name), MANIFEST)
    if (codeOf(error) === 'ENOENT') throw new DamagedBackup({ message: `${file} is missing` })
    if (error instanceof SyntaxError) throw new DamagedBackup({ message: `${file} is not JSON` })
    throw new DamagedBackup({ message: messageOf(error) })
  }
}

function refuse(damage: Damage): never {
  throw new DamagedBackup(damage)
}

/**
 * Reads the parts that a manifest names, and copies them into a data folder, if one is given. Calls `onDamage` for each that is not
 * as it was taken, which may throw.
 */
async function readParts(
  folder: string,
  name: string,
  facts: SnapshotFacts,
  {
    data,
    toDisk = false,
    keysFile,
    onDamage,
  }: { data?: string | undefined; toDisk?: boolean; keysFile?: string | undefined; onDamage: (damage: Damage) => void },
) {
  const index = await attemptTo(async () => {
    const file = fileOfSnapshot(folder, name, INDEX)
    await readCopy(file, undefined, facts.index)
    return file
  }, onDamage)
  // Before anything is written, all that will be is known to have a place.
  const databases = []
  for (const { file, sha256 } of facts.databases) {
    const found = await attemptTo(() => {
      const { name: copy, path: filePath } = databaseOf(file)
      return { copy: fileOfSnapshot(folder, name, copy), filePath, sha256 }
    }, onDamage)
    if (found) databases.push(found)
  }
  const small = []
  for (const file of SMALL_FILES) {
    if (file === LOCATION_FILE && toDisk) continue
    const copy = await attemptTo(() => fileOfSnapshot(folder, name, file), onDamage)
    if (copy !== undefined) small.push({ file, copy })
  }
  const rows = index === undefined ? [] : await readRows(folder, index, facts, onDamage)
  const copies: string[] = []
  for (const { copy, filePath, sha256 } of databases) {
    await attemptTo(async () => {
      await readCopy(copy, data && path.join(data, filePath), sha256)
      copies.push(copy)
    }, onDamage)
  }
  if (facts.filesIn !== undefined && toDisk)
    throw new Error(`${name} is without files, which stayed in ${facts.filesIn}`)
  if (facts.filesIn === undefined && index !== undefined) {
    await requireFiles(copies, index, new Set(facts.missing), onDamage)
  }
  if (data !== undefined) for (const { file, copy } of small) await copyIfThere(copy, path.join(data, file))
  const bucket = data === undefined ? undefined : await openBucketOf(data, keysFile)
  if (bucket && facts.filesIn === undefined) await claimBucket(data ?? '', bucket)
  await inParallel(rows, COPIED_AT_ONCE, async ({ key, copy: copyName, sha256, ...known }) => {
    const copy = copyIn(folder, copyName)
    const filePath = data === undefined || bucket ? undefined : pathInData(data, key)
    try {
      await readCopy(copy, filePath, sha256, 0o666)
    } catch (error) {
      // The bucket may have the file still.
      if (bucket && (await isInBucket(bucket, key))) return
      if (filePath !== undefined) await rm(filePath, { force: true })
      onDamage({ ...damageOf(error), key })
      return
    }
    if (bucket) await copyToBucket(bucket, key, copy)
    if (filePath !== undefined) await restoreFacts(filePath, known)
  })
}

/** Reads the rows of an index. */
async function readRows(folder: string, index: string, facts: SnapshotFacts, onDamage: (damage: Damage) => void) {
  const readRow = await rowReader()
  const rows: FileRow[] = []
  for (const found of withDatabase(index, (database) => database.prepare(filesQuery(database)).all())) {
    const row = await attemptTo(() => {
      const read = readRow(found)
      // A link in the place of a copy is no damage of the disk.
      copyIn(folder, read.copy)
      return read
    }, onDamage)
    if (row) rows.push(row)
  }
  await attemptTo(() => requireRows(rows, facts), onDamage)
  return rows
}

/**
 * Reads a copy, and copies it to a place, if one is given. Throws DamagedBackup where it is missing, cannot be read, or is not what
 * was backed up.
 */
async function readCopy(from: string, to: string | undefined, sha256: unknown, mode: number = 0o600) {
  const found = await readDigests(from, to, mode).catch((error) => {
    // An error of the disk that is written to is no damage of the backup.
    if (!isReadError(error, from)) throw error
    throw new DamagedBackup({ message: codeOf(error) === 'ENOENT' ? `${from} is missing` : messageOf(error) })
  })
  if (found.sha256 === sha256) return
  throw new DamagedBackup({ message: `${from} is not what was backed up: its SHA-256 is ${found.sha256}` })
}

function isReadError(error: unknown, file: string) {
  if (!(error instanceof Error)) return false
  return ('path' in error && error.path === file) || ('syscall' in error && error.syscall === 'read')
}

/** Returns the result of a step, or reports its error as damage and returns undefined. */
async function attemptTo<Result>(
  step: () => Result | Promise<Result>,
  onDamage: (damage: Damage) => void,
): Promise<Result | undefined> {
  try {
    return await step()
  } catch (error) {
    onDamage(damageOf(error))
    return undefined
  }
}

/** Returns the damage that an error is about. Errors of the disk that is written to are none: they are thrown on. */
function damageOf(error: unknown) {
  if (error instanceof DamagedBackup) return error.damage
  if (error instanceof Error && 'syscall' in error) throw error
  return { message: messageOf(error) }
}

/** Returns the place of a file in a data folder. */
function pathInData(data: string, key: string) {
  const filePath = pathOf(path.join(data, FILES), key)
  if (filePath === undefined) throw new Error(`the backup holds ${key}, which is no file of an image`)
  return filePath
}

/** Returns a file that was restored the facts and the time that it had. */
async function restoreFacts(filePath: string, facts: Facts) {
  const stored = new Date(facts.storedMs)
  await utimes(filePath, stored, stored)
  await symlink(formatFacts(facts), factsPath(filePath))
}

/** Reports the files of images that the backup lacks, but the service had. */
async function requireFiles(
  databases: string[],
  index: string,
  missing: ReadonlySet<string>,
  onDamage: (damage: Damage) => void,
) {
  const keysOf = await readKeysOfImages()
  withDatabase(index, (files) => {
    const find = files.prepare('SELECT 1 FROM backup_files WHERE key = ?')
    for (const file of databases) {
      withDatabase(file, (database) => {
        for (const key of keysOf(database)) {
          if (!find.get(key) && !missing.has(key)) onDamage({ message: `the backup lacks ${key}`, key })
        }
      })
    }
  })
}
