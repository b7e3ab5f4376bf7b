// Backups of a data folder, taken while its service runs. A backup folder holds snapshots/<time>/, each a copy of the
// databases, and blobs/, the files of all of them: what an earlier snapshot has is not copied again.
//
// The databases are copied first, then the files of all pictures that they know. A picture that is deleted meanwhile may lose its
// files before they are copied: then the databases are copied again, where it is deleted, and the files that came since. That comes
// to an end: each round copies what is new since the one before, and only what is deleted in that time can be missing.
import { copyFile, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from './command-line.mjs'
import { readDigests } from './digests.mjs'
import { makeFolder, syncFile, syncFolder, syncFolders, syncTree, writeDurably } from './durable-files.mjs'
import { entriesOf, findStoredData, readKeysOfPictures, withDatabase } from './stored-data.mjs'

const FORMAT = 1
const FACTS = 'snapshot.json'
const INDEX = 'files.sqlite'
const KEYS = 'operator.key'
/** Beside the databases, for none of them to be forgotten by the next start. */
const SHARDS = 'shards.json'
const PARTIAL = 'partial'
const COPIED_AT_ONCE = 4
const MAX_ROUNDS = 100

/**
 * What a snapshot says of itself.
 * @typedef {object} SnapshotFacts
 * @property {number} format
 * @property {string} takenAt When the databases were copied for the last time.
 * @property {{ file: string, sha256: string }[]} databases Their places in a data folder, and what is in the copies.
 * @property {string} index What is in the copy of the bucket's index.
 * @property {{ index: string, files: string } | null} bucket Their places in a data folder; null where nothing was ever uploaded.
 * @property {number} files How many files the pictures have.
 * @property {number} bytes
 * @property {string[]} missing The keys of those that the service itself has lost.
 */

/**
 * What a backup did: the name of the snapshot, how many files it copied in how many rounds, and the keys of files whose bytes are
 * not those that were stored.
 * @typedef {{ name: string, facts: SnapshotFacts, copied: number, rounds: number, damaged: string[] }} Backup
 */

/**
 * Takes a snapshot of a data folder. Nobody else may write into the backup folder. Throws where there is no data.
 * @param {string} data
 * @param {string} folder
 * @param {(round: number) => void | Promise<void>} [onDatabases] is called each time the databases have been copied
 * @returns {Promise<Backup>}
 */
export async function takeSnapshot(data, folder, onDatabases = () => {}) {
  const { databases } = findStoredData(data)
  if (databases.length === 0)
    throw new Error(`${data} holds no database: name the data folder of the service with --data`)
  const snapshots = path.join(folder, 'snapshots')
  const partial = path.join(snapshots, PARTIAL)
  await rm(partial, { recursive: true, force: true })
  makeFolder(partial, 0o700)
  makeFolder(blobsOf(folder), 0o700)
  const latest = listSnapshots(folder).at(-1)
  const copies = databases.map((file) => path.join(partial, path.basename(file)))
  const copier = await openCopier(data, folder, partial, latest && path.join(snapshots, latest, INDEX))
  let takenAt = new Date()
  /** @type {string[]} */
  let missing = []
  let round = 0
  try {
    for (let isComplete = false; !isComplete; ) {
      if (++round > MAX_ROUNDS) throw new Error(`files vanished before they were copied, ${MAX_ROUNDS} times in a row`)
      takenAt = new Date()
      for (const file of databases) await copyDatabase(path.join(data, file), path.join(partial, path.basename(file)))
      await onDatabases(round)
      // What is missing twice was not deleted meanwhile: the database would say so by now.
      const missedBefore = new Set(missing)
      missing = await copier.copyFilesOf(copies, round)
      isComplete = missing.every((key) => missedBefore.has(key))
    }
    const { files, bytes } = copier.finish(round)
    for (const file of [KEYS, SHARDS]) await copySmall(path.join(data, file), path.join(partial, file))
    const digestOf = async (/** @type {string} */ file) => (await readDigests(file)).sha256
    /** @type {SnapshotFacts} */
    const facts = {
      format: FORMAT,
      takenAt: takenAt.toISOString(),
      databases: await Promise.all(
        databases.map(async (file, at) => ({ file, sha256: await digestOf(copies[at] ?? '') })),
      ),
      index: await digestOf(path.join(partial, INDEX)),
      bucket: copier.bucket() ?? null,
      files,
      bytes,
      missing,
    }
    // All that it names is on the disk before there is a snapshot.
    syncFolders(blobsOf(folder))
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

/**
 * The names of the snapshots in a backup folder, the oldest first.
 * @param {string} folder
 */
export function listSnapshots(folder) {
  return entriesOf(path.join(folder, 'snapshots'))
    .filter((name) => name !== PARTIAL)
    .sort()
}

/**
 * Removes all snapshots but the newest, and the files that none of those left has. Returns how many snapshots went.
 * @param {string} folder
 * @param {number} keep
 */
export async function forgetSnapshots(folder, keep) {
  const names = listSnapshots(folder)
  const old = names.slice(0, Math.max(0, names.length - keep))
  const snapshots = path.join(folder, 'snapshots')
  for (const name of old) {
    // One that is removed by halves, or lacks files, is never in the list.
    const partial = path.join(snapshots, PARTIAL)
    await rename(path.join(snapshots, name), partial)
    syncFolder(snapshots)
    await rm(partial, { recursive: true })
    syncFolder(snapshots)
  }
  const blobs = blobsOf(folder)
  for (const start of entriesOf(blobs)) {
    const unknown = new Set(entriesOf(path.join(blobs, start)))
    for (const name of names.slice(old.length)) {
      withDatabase(path.join(folder, 'snapshots', name, INDEX), (database) => {
        const find = database.prepare('SELECT 1 FROM backup_files WHERE blob = ?')
        for (const blob of unknown) if (find.get(blob)) unknown.delete(blob)
      })
    }
    for (const blob of unknown) await rm(path.join(blobs, start, blob))
  }
  return old.length
}

/**
 * Reads a snapshot as a whole, and holds it against its digests; where a folder is given, that gets the copy, as a data folder that
 * is on the disk. Throws a sentence about the first file that is not as it was written, or that a picture lacks.
 * @param {string} folder
 * @param {string} name
 * @param {string} [data]
 * @returns {Promise<SnapshotFacts>}
 */
export async function readSnapshot(folder, name, data) {
  const snapshot = path.join(folder, 'snapshots', name)
  /** @type {SnapshotFacts} */
  const facts = JSON.parse(await readFile(path.join(snapshot, FACTS), 'utf8'))
  if (facts.format !== FORMAT) throw new Error(`${name} is a backup of another version`)
  const placeOf = (/** @type {string} */ place) => (data === undefined ? undefined : path.join(data, place))
  const read = async (
    /** @type {string} */ from,
    /** @type {string | undefined} */ to,
    /** @type {unknown} */ sha256,
  ) => {
    const found = await readDigests(from, to)
    if (found.sha256 !== sha256) throw new Error(`${from} is not what was backed up: its SHA-256 is ${found.sha256}`)
  }
  const index = path.join(snapshot, INDEX)
  await read(index, facts.bucket ? placeOf(facts.bucket.index) : undefined, facts.index)
  const copies = facts.databases.map(({ file }) => path.join(snapshot, path.basename(file)))
  for (const [at, { file, sha256 }] of facts.databases.entries()) await read(copies[at] ?? '', placeOf(file), sha256)
  for (const file of data === undefined ? [] : [KEYS, SHARDS]) {
    await copySmall(path.join(snapshot, file), path.join(data ?? '', file))
  }
  await requireFiles(copies, index, new Set(facts.missing))
  const { bucket } = facts
  if (!bucket) {
    if (data !== undefined) syncFolders(data)
    return facts
  }
  const rows = withDatabase(index, (database) => database.prepare('SELECT blob, sha256 FROM backup_files').all())
  await sideBySide(rows, ({ blob, sha256 }) =>
    read(blobFile(folder, String(blob)), placeOf(path.join(bucket.files, String(blob))), sha256),
  )
  const ownIndex = placeOf(bucket.index)
  if (ownIndex) withDatabase(ownIndex, (database) => database.exec('DROP TABLE backup_files; VACUUM'), {})
  if (data !== undefined) syncFolders(data)
  return facts
}

/**
 * Throws where a picture has no file in the backup, but had one in the service.
 * @param {string[]} databases
 * @param {string} index
 * @param {ReadonlySet<string>} missing
 */
async function requireFiles(databases, index, missing) {
  const keysOf = await readKeysOfPictures()
  withDatabase(index, (files) => {
    const find = files.prepare('SELECT 1 FROM backup_files WHERE key = ?')
    for (const file of databases) {
      withDatabase(file, (database) => {
        for (const key of keysOf(database)) {
          if (!find.get(key) && !missing.has(key)) throw new Error(`the backup lacks ${key}`)
        }
      })
    }
  })
}

/** @param {string} file @param {string} copy */
async function copyDatabase(file, copy) {
  await rm(copy, { force: true })
  withDatabase(file, (database) => database.prepare('VACUUM INTO ?').run(copy))
  syncFile(copy)
}

/**
 * What copies the files of a backup, and keeps an index of them: that of the bucket with the rows of these files alone, and a table
 * `backup_files` with what is in them.
 * @param {string} data
 * @param {string} folder
 * @param {string} partial
 * @param {string | undefined} earlierIndex that of the snapshot before
 */
async function openCopier(data, folder, partial, earlierIndex) {
  const keysOf = await readKeysOfPictures()
  const index = new DatabaseSync(path.join(partial, INDEX))
  index.exec(`PRAGMA journal_mode = OFF; BEGIN;
    CREATE TABLE backup_files (key TEXT PRIMARY KEY, blob TEXT NOT NULL, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, round INTEGER NOT NULL);
    CREATE INDEX backup_blobs ON backup_files (blob)`)
  const earlier = earlierIndex === undefined ? undefined : new DatabaseSync(earlierIndex, { readOnly: true })
  const findEarlier = earlier?.prepare('SELECT bytes, sha256 FROM backup_files WHERE key = ? AND blob = ?')
  const again = index.prepare('UPDATE backup_files SET round = ? WHERE key = ?')
  const note = index.prepare('INSERT INTO backup_files VALUES (?, ?, ?, ?, ?)')
  /** @type {string[]} */
  const damaged = []
  let copied = 0
  /** @type {import('./stored-data.mjs').StoredData['bucket']} */
  let bucket

  /** What an earlier backup has copied of this file. */
  async function findCopy(/** @type {string} */ key, /** @type {string} */ blob) {
    const found = findEarlier?.get(key, blob)
    const there = found && (await stat(blobFile(folder, blob)).catch(ignoreAbsence))
    return there && there.size === found.bytes ? { bytes: there.size, sha256: String(found.sha256) } : undefined
  }

  /**
   * Copies a file of the bucket, if it is there yet.
   * @param {string} files
   * @param {string} key
   * @param {Record<string, import('node:sqlite').SQLOutputValue>} row of the bucket's index
   */
  async function copyBlob(files, key, row) {
    const blob = String(row.blob_id)
    const known = await findCopy(key, blob)
    if (known) return known
    const from = path.join(data, files, blob)
    const digests = await readDigests(from, blobFile(folder, blob)).catch(ignoreAbsence)
    if (!digests) return undefined
    copied++
    if (digests.bytes !== row.size || digests.md5 !== row.etag) damaged.push(key)
    return digests
  }

  /**
   * Copies the files of all pictures in these databases that are not copied yet. Gives the keys of those that are not there.
   * @param {string[]} databases
   * @param {number} round
   */
  async function copyFilesOf(databases, round) {
    /** @type {string[]} */
    const missing = []
    bucket ??= adoptBucket()
    const { files = '' } = bucket ?? {}
    const live = bucket && new DatabaseSync(path.join(data, bucket.index), { readOnly: true, timeout: 10_000 })
    const find = live?.prepare('SELECT * FROM _mf_objects WHERE key = ?')
    try {
      for (const file of databases) {
        const database = new DatabaseSync(file, { readOnly: true })
        await sideBySide(keysOf(database), async (key) => {
          if (again.run(round, key).changes > 0) return
          const row = find?.get(key)
          const found = row && (await copyBlob(files, key, row))
          if (!found) return missing.push(key)
          const values = Object.values(row)
          index.prepare(`INSERT INTO _mf_objects VALUES (${values.map(() => '?').join()})`).run(...values)
          note.run(key, String(row.blob_id), found.bytes, found.sha256, round)
        }).finally(() => database.close())
      }
    } finally {
      live?.close()
    }
    return missing
  }

  /** Where the bucket is, once there is one; the index gets its tables. */
  function adoptBucket() {
    const { bucket: found } = findStoredData(data)
    if (!found) return undefined
    const schema = withDatabase(path.join(data, found.index), (database) =>
      database
        .prepare(`SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name LIKE '\\_mf\\_%' ESCAPE '\\'`)
        .all(),
    )
    for (const { sql } of schema) index.exec(String(sql))
    return found
  }

  return {
    copyFilesOf,
    damaged,
    copied: () => copied,
    bucket: () => bucket,
    /** Leaves what the last round found alone, and gives how much that is. */
    finish(/** @type {number} */ lastRound) {
      index.prepare('DELETE FROM backup_files WHERE round < ?').run(lastRound)
      if (bucket) index.exec('DELETE FROM _mf_objects WHERE key NOT IN (SELECT key FROM backup_files)')
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

/** @param {string} folder @param {string} blob */
function blobFile(folder, blob) {
  return path.join(blobsOf(folder), blob.slice(0, 2), blob)
}

/** The folder of all snapshots' files. */
function blobsOf(/** @type {string} */ folder) {
  return path.join(folder, 'blobs')
}

/**
 * Does something for each of many, a few at a time.
 * @template Item
 * @param {Iterable<Item>} items
 * @param {(item: Item) => Promise<unknown>} work
 */
async function sideBySide(items, work) {
  const iterator = items[Symbol.iterator]()
  const workOn = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value)
  }
  const ended = await Promise.allSettled(Array.from({ length: COPIED_AT_ONCE }, workOn))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/**
 * Copies a file to the disk, if it is there; the caller syncs the folder.
 * @param {string} from @param {string} to
 */
async function copySmall(from, to) {
  try {
    await copyFile(from, to)
    syncFile(to)
  } catch (error) {
    ignoreAbsence(error)
  }
}

/** @returns {undefined} */
function ignoreAbsence(/** @type {unknown} */ error) {
  if (codeOf(error) !== 'ENOENT') throw error
  return undefined
}
