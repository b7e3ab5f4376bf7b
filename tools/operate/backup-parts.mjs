// The parts of a backup. Others may have written to its disk, so it is not trusted to contain paths. Paths are derived
// from names of a known form; other names and links are refused.
import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseFacts } from '../serve/data/layout.ts'
import { DATABASES } from '../serve/data/stored-data.ts'

const FORMAT = 2
/** The format of a time when files were in a bucket: its index is in that of the snapshot, as the table `_mf_objects`. */
const WITH_BUCKET = 1
const MANIFEST = 'snapshot.json'
const SNAPSHOTS = 'snapshots'
const COPIES = 'blobs'
const BEGUN = 'begun'
/** The name of a copy: a SHA-256, in format 1 the id that Miniflare's R2 made up. */
const COPY = /^(?:damaged-)?[0-9a-f]{64}(?:[0-9a-f]{16})?$/
/** Manifests that were written on Windows have backslashes. */
const DATABASE = /^d1[/\\]miniflare-D1DatabaseObject[/\\]([0-9a-f]{64}\.sqlite)$/
const SHA256 = /^[0-9a-f]{64}$/
const PLAIN_NAME = /^(?!\.{1,2}$)[^/\\\0]+$/

/**
 * The manifest of a snapshot.
 * @typedef {object} SnapshotFacts
 * @property {number} format
 * @property {string} takenAt When the databases were copied for the last time.
 * @property {{ file: string, sha256: string }[]} databases Their paths in a data folder, and the digests of the copies.
 * @property {string} index SHA-256 of the index of files.
 * @property {number} files The number of files that the images have.
 * @property {number} bytes
 * @property {string} [filesIn] Where the files stayed, in S3, of a backup without them.
 * @property {string[]} missing The keys of those that the service itself has lost.
 */

/**
 * A row of the index: a file of an image, with the name of its copy.
 * @typedef {{ key: string, copy: string, bytes: number, sha256: string, md5: string, storedMs: number }} FileRow
 */

/**
 * Returns the path of a folder in a backup, which need not be there yet. Throws where it, or one on the way to it, is no folder.
 * @param {string} backups
 * @param {...string} names
 */
function folderIn(backups, ...names) {
  return names.reduce((folder, name) => {
    const place = childOf(folder, name)
    const found = lstatSync(place, { throwIfNoEntry: false })
    if (found && !found.isDirectory()) throw new Error(`${place} is a link or no folder: ${REFUSED}`)
    return place
  }, backups)
}

/**
 * Returns the path of a file in a backup, which need not be there yet. Throws where it is anything else, or behind a link.
 * @param {string} backups
 * @param {...string} names
 */
function fileIn(backups, ...names) {
  const place = childOf(folderIn(backups, ...names.slice(0, -1)), names.at(-1) ?? '')
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Error(`${place} is a link or no file: ${REFUSED}`)
  return place
}

/**
 * Returns the path of the folder of all snapshots, or of one.
 * @param {string} backups
 * @param {...string} names
 */
export function snapshotsIn(backups, ...names) {
  return folderIn(backups, SNAPSHOTS, ...names)
}

/**
 * Returns the path of a file of a snapshot.
 * @param {string} backups
 * @param {string} snapshot
 * @param {string} name
 */
export function fileOfSnapshot(backups, snapshot, name) {
  return fileIn(backups, SNAPSHOTS, snapshot, name)
}

/**
 * Returns the path of the folder of all copies, or of those whose names begin with the same two characters.
 * @param {string} backups
 * @param {...string} names
 */
export function copiesIn(backups, ...names) {
  return folderIn(backups, COPIES, ...names)
}

/**
 * Returns the path of a copy.
 * @param {string} backups
 * @param {string} name
 */
export function copyIn(backups, name) {
  return fileIn(backups, COPIES, name.slice(0, 2), name)
}

/**
 * Returns the path of a copy that is being written: its name depends on its content.
 * @param {string} backups
 */
export function begunCopyIn(backups) {
  return fileIn(backups, COPIES, BEGUN, randomUUID())
}

/**
 * Reads the manifest of a snapshot. Throws a sentence where it has another form.
 * @param {string} backups
 * @param {string} snapshot
 * @returns {Promise<SnapshotFacts>}
 */
export async function readManifest(backups, snapshot) {
  const file = fileOfSnapshot(backups, snapshot, MANIFEST)
  /** @type {unknown} */
  const manifest = JSON.parse(await readFile(file, 'utf8'))
  const { format } = isRecord(manifest) ? manifest : {}
  if (typeof format === 'number' && format > FORMAT) {
    throw new Error(`${snapshot} is a backup of a newer version, in the format ${format}`)
  }
  if (format !== FORMAT && format !== WITH_BUCKET) throw new Error(`${file} names no format: ${REFUSED}`)
  requireManifest(manifest, file)
  const paths = manifest.databases.map((database) => databaseOf(database.file).path)
  if (new Set(paths).size < paths.length) throw new Error(`${file} names a database twice: ${REFUSED}`)
  return manifest
}

/**
 * Returns the name of a database's copy, and the path of the database in a data folder. Throws where a manifest names another file.
 * @param {string} file as the manifest has it
 */
export function databaseOf(file) {
  const name = DATABASE.exec(file)?.[1]
  if (name === undefined) {
    throw new Error(`the backup holds ${JSON.stringify(file)}, which is no database of a service: ${REFUSED}`)
  }
  return { name, path: path.join(DATABASES, name) }
}

/** Returns a function that reads rows of an index. It throws a sentence about a row that no backup has. */
export async function rowReader() {
  const { imagePath, parseImagePath } = await import('../../src/domain/links.ts')
  const isKey = (/** @type {string} */ key) => {
    const [, rest = ''] = /^(?:images|thumbs)\/(.+)$/.exec(key) ?? []
    const parsed = parseImagePath(rest)
    return parsed && imagePath({ id: parsed.id, name: rest.slice(rest.indexOf('_') + 1) }) === rest
  }
  return (/** @type {Record<string, unknown>} */ row) => {
    const [key, copy, sha256, md5] = [String(row.key), String(row.blob), String(row.sha256), String(row.md5)]
    const refuse = (/** @type {string} */ sentence) => {
      throw new Error(`the backup holds ${JSON.stringify(key)}, ${sentence}: ${REFUSED}`)
    }
    if (!isKey(key)) refuse('which is no file of an image')
    if (!COPY.test(copy)) refuse(`as ${JSON.stringify(copy)}, which is no name of a copy`)
    if (!SHA256.test(sha256)) refuse('without a SHA-256')
    // The text of a link beside the file.
    const facts = parseFacts(`${md5}-${row.stored_ms}`)
    if (!facts) refuse('without an MD5 and the time it was stored')
    return { key, copy, bytes: Number(row.bytes), sha256, md5, storedMs: Number(row.stored_ms) }
  }
}

/**
 * Throws a sentence where an index has not the number of files that the manifest says, or one of them twice.
 * @param {readonly FileRow[]} rows
 * @param {SnapshotFacts} manifest
 */
export function requireRows(rows, { files }) {
  if (rows.length !== files) {
    throw new Error(`the index names ${rows.length} files and the manifest ${files} files: ${REFUSED}`)
  }
  const keys = new Set(rows.map(({ key }) => key))
  if (keys.size < rows.length) throw new Error(`the index names a file twice: ${REFUSED}`)
}

const REFUSED = 'somebody has changed this backup, choose another one'

function childOf(/** @type {string} */ folder, /** @type {string} */ name) {
  if (!PLAIN_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a file in a backup: ${REFUSED}`)
  return path.join(folder, name)
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {unknown} manifest
 * @param {string} file
 * @returns {asserts manifest is SnapshotFacts}
 */
function requireManifest(manifest, file) {
  const { databases, index, takenAt, files, bytes, missing, filesIn } = isRecord(manifest) ? manifest : {}
  const isDigest = (/** @type {unknown} */ value) => typeof value === 'string' && SHA256.test(value)
  const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0
  const isText = (/** @type {unknown} */ value) => typeof value === 'string'
  const isListOf = (/** @type {unknown} */ list, /** @type {(value: unknown) => boolean} */ isOne) =>
    Array.isArray(list) && list.every(isOne)
  const parts = {
    databases: isListOf(databases, (one) => isRecord(one) && isText(one.file) && isDigest(one.sha256)),
    index: isDigest(index),
    takenAt: isText(takenAt) && !Number.isNaN(Date.parse(String(takenAt))),
    files: isCount(files),
    bytes: isCount(bytes),
    missing: isListOf(missing, isText),
    filesIn: filesIn === undefined || /^s3:\/\/\P{Cc}+$/u.test(String(filesIn)),
  }
  for (const [name, isValid] of Object.entries(parts)) {
    if (!isValid) throw new Error(`${file} has no valid "${name}": ${REFUSED}`)
  }
}
