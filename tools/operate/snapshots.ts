// Backs up a data folder while its service runs. A backup folder has snapshots/<time>/, each with a copy of the
// databases, and blobs/, the files of all snapshots, each copied once.
// The databases are copied first, then the files of all images in them. If an image is deleted meanwhile, its files may
// be missing: then the databases are copied again, without it, and the files that are new since. This terminates: each
// round copies what is new since the one before, and only files deleted during that round can be missing.

import { createHash } from 'node:crypto'
import { copyFile, rename, rm, stat, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Digests } from '../serve/data/digests.ts'
import { readDigests } from '../serve/data/digests.ts'
import type { Bucket } from '../serve/data/file-location.ts'
import {
  claimBucket,
  copyFromBucket,
  copyToBucket,
  isInBucket,
  LOCATION_FILE,
  openBucketOf,
  readLocation,
} from '../serve/data/file-location.ts'
import type { Facts } from '../serve/data/layout.ts'
import { FILES, factsPath, formatFacts, pathOf } from '../serve/data/layout.ts'
import { entriesOf, findDatabases, readKeysOfImages, withDatabase } from '../serve/data/stored-data.ts'
import type { FoundFile } from '../serve/data/stored-files.ts'
import { openFilesOnDisk } from '../serve/data/stored-files.ts'
import { codeOf, messageOf } from '../shared/command-line.ts'
import { makeFolder, syncFile, syncFolder, syncFolders, syncTree, writeDurably } from '../shared/durable-files.ts'
import { inParallel } from '../shared/in-parallel.ts'
import { keepShards, LAYOUT_FILES, readShards } from '../shared/shards.ts'
import type { FileRow, SnapshotFacts } from './backup-parts.ts'
import {
  begunCopyIn,
  copiesIn,
  copyIn,
  databaseOf,
  fileOfSnapshot,
  readManifest,
  requireRows,
  rowReader,
  snapshotsIn,
} from './backup-parts.ts'

const FORMAT = 2
const FACTS = 'snapshot.json'
const INDEX = 'files.sqlite'
const KEYS = 'operator.key'
/** Small files beside the databases. Without the number of shards, the next start would ignore some databases. */
const SMALL_FILES = [KEYS, LOCATION_FILE, ...LAYOUT_FILES]
const PARTIAL = 'partial'
/** Prefix of the names of copies that were damaged in the service already. */
const DAMAGED = 'damaged-'
const COPIED_AT_ONCE = 4
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
  const copier = await openCopier(data, folder, partial, latest && fileOfSnapshot(folder, latest, INDEX), bucket)
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
    for (const file of SMALL_FILES) await copySmall(path.join(data, file), path.join(partial, file))
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
    writeDurably(path.join(partial, FACTS), `${JSON.stringify(facts, null, 2)}\n`)
    const name = facts.takenAt.replaceAll(':', '-')
    await rename(partial, path.join(snapshots, name))
    syncFolder(snapshots)
    return { name, facts, copied: copier.copied(), rounds: round, damaged: copier.damaged }
  } finally {
    copier.close()
  }
}

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

/** One damaged part of a backup. `key` is that of a file of an image, without which all else can be restored. */
export interface Damage {
  message: string
  key?: string
}

/** A backup is not as it was taken. */
export class DamagedBackup extends Error {
  readonly damage: Damage

  constructor(damage: Damage) {
    super(damage.message)
    this.damage = damage
  }
}

/** An image with a damaged file: its address, and what is wrong with the file. */
interface Affected {
  address: string
  message: string
}

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
 * Reads a snapshot as a whole, and holds it against its digests; where a folder is given, that gets the copy, as a data folder that
 * is on the disk. Files that were in S3 are put there where they are missing. With `skipDamaged`, images with a damaged original or
 * thumbnail are left out: their records are marked deleted, as if their owners had deleted them. Others lose a damaged preview. With `toDisk`, files go to the disk wherever they were.
 * `keysFile` has the keys of S3. Throws DamagedBackup for other damage.
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
    const file = path.join(snapshotsIn(folder, name), FACTS)
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
  if (data !== undefined) for (const { file, copy } of small) await copySmall(copy, path.join(data, file))
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
    if (filePath !== undefined) await keepFacts(filePath, known)
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

/**
 * Marks the images of these files deleted in the databases of a data folder. Their addresses then respond 404, and the service removes their remaining files. An image with only a damaged preview loses the preview. Returns the addresses.
 * `damaged` has the messages by the keys of the files.
 */
async function leaveOut(data: string, damaged: ReadonlyMap<string, string>) {
  if (damaged.size === 0) return { leftOut: [], withoutPreview: [] }
  const { parseImagePath, showUrl, singleHostSite } = await import('../../src/domain/ids/links.ts')
  const leftOut: AffectedImages = new Map()
  const withoutPreview: AffectedImages = new Map()
  // Previews last: an image that is left out has none to lose.
  const isPreview = (key: string) => key.startsWith('previews/')
  for (const [key, message] of [...damaged].toSorted(([one], [other]) => +isPreview(one) - +isPreview(other))) {
    const image = parseImagePath(key.slice(key.indexOf('/') + 1))
    if (!image || leftOut.has(image.id)) continue
    const name = key.slice(key.indexOf('_') + 1)
    const images = isPreview(key) ? withoutPreview : leftOut
    images.set(image.id, { address: showUrl(singleHostSite(''), { id: image.id, name }), message, name })
  }
  for (const file of findDatabases(data)) {
    withDatabase(path.join(data, file), (database) => updateRecords(database, leftOut, withoutPreview), {})
    syncFile(path.join(data, file))
  }
  const listed = (images: AffectedImages) => [...images.values()].map(({ address, message }) => ({ address, message }))
  return { leftOut: listed(leftOut), withoutPreview: listed(withoutPreview) }
}

/** By their ids. */
type AffectedImages = Map<number, Affected & { name: string }>

function updateRecords(database: DatabaseSync, leftOut: AffectedImages, withoutPreview: AffectedImages) {
  const nowMs = Date.now()
  const deleteImage = database.prepare('UPDATE images SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL')
  const sweep = database.prepare('INSERT OR IGNORE INTO file_cleanup (image_id, name, due_at) VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (const [id, { name }] of leftOut) if (deleteImage.run(nowMs, id).changes > 0) sweep.run(id, name, nowMs)
  if (withoutPreview.size > 0) {
    const forgetPreview = database.prepare(
      `UPDATE images SET preview_media_type = NULL, preview_bytes = NULL, preview_width = NULL, preview_height = NULL,
        preview_crc32 = NULL WHERE id = ?`,
    )
    for (const id of withoutPreview.keys()) forgetPreview.run(id)
  }
  database.exec('COMMIT')
}

/** Returns the query of all files in an index, with their MD5 and the time when they were stored. */
function filesQuery(index: DatabaseSync) {
  const hasBucket = index.prepare("SELECT 1 FROM sqlite_master WHERE name = '_mf_objects'").get()
  return hasBucket
    ? `SELECT f.key, f.blob, f.bytes, f.sha256, o.etag AS md5, o.uploaded AS stored_ms
       FROM backup_files AS f JOIN _mf_objects AS o ON o.key = f.key`
    : 'SELECT f.key, f.blob, f.bytes, f.sha256, f.md5, f.stored_ms FROM backup_files AS f'
}

/** Returns the place of a file in a data folder. */
function pathInData(data: string, key: string) {
  const filePath = pathOf(path.join(data, FILES), key)
  if (filePath === undefined) throw new Error(`the backup holds ${key}, which is no file of an image`)
  return filePath
}

/** Returns a file that was restored the facts and the time that it had. */
async function keepFacts(filePath: string, facts: Facts) {
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

async function copyDatabase(file: string, copy: string) {
  await rm(copy, { force: true })
  withDatabase(file, (database) => database.prepare('VACUUM INTO ?').run(copy))
  syncFile(copy)
}

/**
 * Copies the files of a backup, and writes their index. `earlierIndex` is that of the snapshot before, `bucket` that of the files
 * where they are in S3.
 */
async function openCopier(
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

/** Copies a file to the disk, if it is there; the caller syncs the folder. */
async function copySmall(from: string, to: string) {
  try {
    await copyFile(from, to)
    syncFile(to)
  } catch (error) {
    ignoreAbsence(error)
  }
}

function ignoreAbsence(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
  return undefined
}
