// The parts of a backup. Others may have written to its disk, so it is not trusted to contain paths. Paths are derived
// from names of a known form; other names and links are refused.
import { randomUUID } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseFacts } from '../serve/data/layout.ts'
import { DATABASES } from '../serve/data/stored-data.ts'

/** The format of manifests. */
export const FORMAT = 2
/** The format of a time when files were in a bucket: its index is in that of the snapshot, as the table `_mf_objects`. */
const WITH_BUCKET = 1
export const MANIFEST = 'snapshot.json'
const SNAPSHOTS = 'snapshots'
const COPIES = 'blobs'
const BEGUN = 'begun'
/** The name of a copy: a SHA-256, in format 1 the id that Miniflare's R2 made up. */
const COPY = /^(?:damaged-)?[0-9a-f]{64}(?:[0-9a-f]{16})?$/
/** Manifests that were written on Windows have backslashes. */
const DATABASE = /^d1[/\\]miniflare-D1DatabaseObject[/\\]([0-9a-f]{64}\.sqlite)$/
const SHA256 = /^[0-9a-f]{64}$/
const PLAIN_NAME = /^(?!\.{1,2}$)[^/\\\0]+$/

/** The manifest of a snapshot. */
export interface SnapshotFacts {
  format: number
  /** The time when the databases were copied for the last time. */
  takenAt: string
  /** Their paths in a data folder, and the digests of the copies. */
  databases: { file: string; sha256: string }[]
  /** SHA-256 of the index of files. */
  index: string
  /** The number of files that the images have. */
  files: number
  bytes: number
  /** The S3 location of the files, of a backup without them. */
  filesIn?: string
  /** The keys of those that the service itself has lost. */
  missing: string[]
}

/** A row of the index: a file of an image, with the name of its copy. */
export interface FileRow {
  key: string
  copy: string
  bytes: number
  sha256: string
  md5: string
  storedMs: number
}

/** Returns the path of a folder in a backup, which need not be there yet. Throws where it, or one on the way to it, is no folder. */
function folderIn(backups: string, ...names: string[]) {
  return names.reduce((folder, name) => {
    const filePath = childOf(folder, name)
    const found = lstatSync(filePath, { throwIfNoEntry: false })
    if (found && !found.isDirectory()) throw new Error(`${filePath} is a link or no folder: ${REFUSED}`)
    return filePath
  }, backups)
}

/** Returns the path of a file in a backup, which need not be there yet. Throws where it is anything else, or behind a link. */
function fileIn(backups: string, ...names: string[]) {
  const filePath = childOf(folderIn(backups, ...names.slice(0, -1)), names.at(-1) ?? '')
  const found = lstatSync(filePath, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Error(`${filePath} is a link or no file: ${REFUSED}`)
  return filePath
}

/** Returns the path of the folder of all snapshots, or of one. */
export function snapshotsIn(backups: string, ...names: string[]) {
  return folderIn(backups, SNAPSHOTS, ...names)
}

/** Returns the path of a file of a snapshot. */
export function fileOfSnapshot(backups: string, snapshot: string, name: string) {
  return fileIn(backups, SNAPSHOTS, snapshot, name)
}

/** Returns the path of the folder of all copies, or of those whose names begin with the same two characters. */
export function copiesIn(backups: string, ...names: string[]) {
  return folderIn(backups, COPIES, ...names)
}

/** Returns the path of a copy. */
export function copyIn(backups: string, name: string) {
  return fileIn(backups, COPIES, name.slice(0, 2), name)
}

/** Returns the path of a copy that is being written: its name depends on its content. */
export function begunCopyIn(backups: string) {
  return fileIn(backups, COPIES, BEGUN, randomUUID())
}

/** Reads the manifest of a snapshot. Throws a sentence where it has another form. */
export async function readManifest(backups: string, snapshot: string): Promise<SnapshotFacts> {
  const file = fileOfSnapshot(backups, snapshot, MANIFEST)
  const manifest: unknown = JSON.parse(await readFile(file, 'utf8'))
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

/** Returns the name of a database's copy, and its path in a data folder. Throws where a manifest names another file. */
export function databaseOf(file: string) {
  const name = DATABASE.exec(file)?.[1]
  if (name === undefined) {
    throw new Error(`the backup holds ${JSON.stringify(file)}, which is no database of a service: ${REFUSED}`)
  }
  return { name, path: path.join(DATABASES, name) }
}

/** Returns a function that reads rows of an index. It throws a sentence about a row that no backup has. */
export async function rowReader() {
  const { imagePath, parseImagePath } = await import('../../src/domain/ids/links.ts')
  const isKey = (key: string) => {
    const [, rest = ''] = /^(?:images|thumbs|previews)\/(.+)$/.exec(key) ?? []
    const parsed = parseImagePath(rest)
    return parsed && imagePath({ id: parsed.id, name: rest.slice(rest.indexOf('_') + 1) }) === rest
  }
  return (row: Record<string, unknown>) => {
    const [key, copy, sha256, md5] = [String(row.key), String(row.blob), String(row.sha256), String(row.md5)]
    const refuse = (sentence: string) => {
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

/** Throws a sentence where an index has not the number of files that the manifest says, or one of them twice. */
export function requireRows(rows: readonly FileRow[], { files }: SnapshotFacts) {
  if (rows.length !== files) {
    throw new Error(`the index names ${rows.length} files and the manifest ${files} files: ${REFUSED}`)
  }
  const keys = new Set(rows.map(({ key }) => key))
  if (keys.size < rows.length) throw new Error(`the index names a file twice: ${REFUSED}`)
}

const REFUSED = 'somebody has changed this backup, choose another one'

function childOf(folder: string, name: string) {
  if (!PLAIN_NAME.test(name)) throw new Error(`${JSON.stringify(name)} is no name of a file in a backup: ${REFUSED}`)
  return path.join(folder, name)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function requireManifest(manifest: unknown, file: string): asserts manifest is SnapshotFacts {
  const { databases, index, takenAt, files, bytes, missing, filesIn } = isRecord(manifest) ? manifest : {}
  const isDigest = (value: unknown) => typeof value === 'string' && SHA256.test(value)
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
  const isText = (value: unknown) => typeof value === 'string'
  const isListOf = (list: unknown, isOne: (value: unknown) => boolean) => Array.isArray(list) && list.every(isOne)
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
