import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSnapshot } from '../../../tools/operate/read-snapshot.ts'
import { copiesInSnapshots, forgetSnapshots, listSnapshots } from '../../../tools/operate/snapshots.ts'
import { takeSnapshot } from '../../../tools/operate/take-snapshot.ts'
import { databasePath } from '../../../tools/serve/data/stored-data.ts'

const KEY = 'images/0/2000_a.png'
const BYTES = 'the bytes of an image'
const BLOB = hashOf('sha256', `${KEY} ${hashOf('md5', BYTES)}`)
const DATABASE = databasePath('a database')
/** Rows of the index, as SQL. */
const ROW = `'${KEY}', '${BLOB}', ${BYTES.length}, '${hashOf('sha256', BYTES)}', '${hashOf('md5', BYTES)}', 1700000000000, 1`

/** A change of a backup by an attacker who updates its digests. */
interface Change {
  manifest?: (manifest: Manifest) => unknown
  index?: string
  files?: (backup: Backup) => void
}

interface Manifest {
  databases: { file: string; sha256: string }[]
  index: string
  files: number
  [name: string]: unknown
}

interface Backup {
  folder: string
  snapshot: string
  /** A file of the operator outside of the backup. */
  outside: string
}

let work: string
/** An unchanged backup of one database and one image. */
let genuine: string

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'hostile-backups-'))
  const data = join(work, 'data')
  mkdirSync(dirname(join(data, DATABASE)), { recursive: true })
  change(
    join(data, DATABASE),
    readdirSync('migrations')
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => readFileSync(join('migrations', name), 'utf8'))
      .join(';'),
  )
  genuine = join(work, 'genuine')
  await takeSnapshot(data, genuine)
  mkdirSync(join(genuine, 'blobs', BLOB.slice(0, 2)))
  writeFileSync(join(genuine, 'blobs', BLOB.slice(0, 2), BLOB), BYTES)
  adapt(genuine, {
    index: `INSERT INTO backup_files VALUES (${ROW})`,
    manifest: (manifest) => ({ ...manifest, files: 1 }),
  })
})
afterAll(() => rmSync(work, { recursive: true }))

function hashOf(algorithm: string, bytes: string | Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex')
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

function snapshotOf(folder: string): string {
  return join(folder, 'snapshots', listSnapshots(folder)[0] ?? '')
}

function adapt(folder: string, { manifest, index, files }: Change): Backup {
  const backup = { folder, snapshot: snapshotOf(folder), outside: join(work, 'outside') }
  const [facts, indexFile] = [join(backup.snapshot, 'snapshot.json'), join(backup.snapshot, 'files.sqlite')]
  if (index !== undefined) change(indexFile, index)
  const present = { ...JSON.parse(readFileSync(facts, 'utf8')), index: hashOf('sha256', readFileSync(indexFile)) }
  writeFileSync(facts, JSON.stringify(manifest ? manifest(present) : present))
  files?.(backup)
  return backup
}

function changed(by: Change): Backup {
  rmSync(join(work, 'outside'), { force: true, recursive: true })
  writeFileSync(join(work, 'outside'), BYTES)
  const folder = mkdtempSync(join(work, 'changed-'))
  cpSync(genuine, folder, { recursive: true })
  return adapt(folder, by)
}

const setRow = (column: string, value: string) => ({ index: `UPDATE backup_files SET ${column} = ${value}` })
const databaseAt = (file: string): Change => ({
  manifest: (manifest) => ({ ...manifest, databases: manifest.databases.map((database) => ({ ...database, file })) }),
})
/** Replaces a part of the backup by a symbolic link to it. */
const linked = (...names: string[]): Change => ({
  files: ({ folder, snapshot, outside }) => {
    const path = names[0] === 'blobs' || names[0] === 'snapshots' ? join(folder, ...names) : join(snapshot, ...names)
    rmSync(outside)
    try {
      renameSync(path, outside)
    } catch {
      writeFileSync(outside, '{}')
    }
    symlinkSync(outside, path)
  },
})
const TABLE = 'key TEXT, blob TEXT, bytes INTEGER, sha256 TEXT, md5 TEXT, stored_ms INTEGER, round INTEGER'
/** Replaces the index's table by one that accepts a key twice. */
const twice = (second: string): Change => ({
  index: `DROP TABLE backup_files; CREATE TABLE backup_files (${TABLE});
    INSERT INTO backup_files VALUES (${ROW}), (${second})`,
  manifest: (manifest) => ({ ...manifest, files: 2 }),
})

test('an unchanged backup is complete, and is restored', async () => {
  const { folder, snapshot } = changed({})
  const name = snapshot.split(sep).at(-1) ?? ''
  expect(await readSnapshot(folder, name)).toMatchObject({ files: 1 })
  const data = join(mkdtempSync(join(work, 'restored-')), 'data')
  await readSnapshot(folder, name, data)
  expect(readFileSync(join(data, 'files', KEY), 'utf8')).toBe(BYTES)
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['d1', 'files']))
})

describe.each<[string, Change, RegExp]>([
  ['a database outside of the data folder', databaseAt(`../../escaped/${DATABASE.split(sep).at(-1)}`), /no database/],
  ['a database at an absolute path', databaseAt('/nowhere/escaped.sqlite'), /no database/],
  ['a database behind dots', databaseAt(`d1/../${DATABASE}`), /no database/],
  ['a database with a NUL in its name', databaseAt(`${DATABASE}\0`), /no database/],
  ['a database in the place of a lock', databaseAt('service.lock'), /no database/],
  [
    'a database twice',
    { manifest: (manifest) => ({ ...manifest, databases: [...manifest.databases, ...manifest.databases] }) },
    /twice/,
  ],
  ['a manifest without databases', { manifest: ({ databases: _, ...rest }) => rest }, /databases/],
  ['a manifest that is a list', { manifest: () => [] }, /format/],
  ['another number of files', { manifest: (manifest) => ({ ...manifest, files: 7 }) }, /7 files/],
  ['a file outside of the data folder', setRow('key', "'images/../../../../escaped'"), /no file of an image/],
  ['a file at an absolute path', setRow('key', "'/nowhere/escaped'"), /no file of an image/],
  ['a file with a NUL in its name', setRow('key', `'${KEY}' || char(0)`), /no file of an image/],
  ['a file in the folder of another id', setRow('key', "'images/3/2000_a.png'"), /no file of an image/],
  ['a file of the service', setRow('key', "'incoming/0/2000_a.png'"), /no file of an image/],
  ['a file twice', twice(ROW), /twice/],
  ['a copy outside of the backup', setRow('blob', "'../../../outside'"), /no name of a copy/],
  ['a copy at an absolute path', setRow('blob', "'/etc/hostname'"), /no name of a copy/],
  ['a digest that is a path', setRow('md5', "'/etc/passwd'"), /MD5/],
  ['a time that is none', setRow('stored_ms', "'../x'"), /time/],
  ['a link as a copy', linked('blobs', BLOB.slice(0, 2), BLOB), /link/],
  ['a link as a folder of copies', linked('blobs', BLOB.slice(0, 2)), /link/],
  ['a link as the folder of all copies', linked('blobs'), /link/],
  ['a link as the folder of all snapshots', linked('snapshots'), /link/],
  ['a link as a manifest', linked('snapshot.json'), /link/],
  ['a link as an index', linked('files.sqlite'), /link/],
  ['a link as a database', linked(DATABASE.split(sep).at(-1) ?? ''), /link/],
  ['a link as the operators’ keys', linked('operator.key'), /link/],
  ['a folder as the operators’ keys', { files: ({ snapshot }) => mkdirSync(join(snapshot, 'operator.key')) }, /link/],
])('%s', (_, by, sentence) => {
  test('is incomplete, and nothing of it is restored', async () => {
    const { folder, snapshot, outside } = changed(by)
    const name = snapshot.split(sep).at(-1) ?? ''
    await expect(readSnapshot(folder, name)).rejects.toThrow(sentence)
    const parent = mkdtempSync(join(work, 'restored-'))
    const before = readdirSync(work)
    await expect(readSnapshot(folder, name, join(parent, 'inner', 'data'))).rejects.toThrow(sentence)
    expect([readdirSync(work), readdirSync(parent)]).toEqual([before, []])
    expect(readdirSync(dirname(outside))).toContain('outside')
  })
})

test('a single file is not read from outside of the backup', async () => {
  const { folder } = changed(setRow('blob', "'../../../outside'"))
  const copies = copiesInSnapshots(folder, listSnapshots(folder), KEY)
  await expect(copies.next()).rejects.toThrow('no name of a copy')
})

test('copies behind a link are not removed', async () => {
  const elsewhere = mkdtempSync(join(work, 'elsewhere-'))
  writeFileSync(join(elsewhere, 'precious'), '')
  const { folder } = changed({ files: (backup) => symlinkSync(elsewhere, join(backup.folder, 'blobs', 'zz')) })
  await forgetSnapshots(folder, 1).catch(() => {})
  expect(readdirSync(elsewhere)).toEqual(['precious'])
})
