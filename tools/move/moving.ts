// Moves a service between a data folder and a deployment on Cloudflare. Files are copied first, and most records, while the source
// serves. Then the source is read-only, and a last pass carries over what changed. Every step may be interrupted: the same call continues.
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FileStore } from '../../src/storage/files/store.ts'
import type { AccountApi } from '../deploy/account-api.ts'
import { FILES, KINDS } from '../serve/data/layout.ts'
import { type Journal, MOVING, readJournal, writeJournal } from '../serve/data/move-journal.ts'
import { readKeysOfImages, withDatabase } from '../serve/data/stored-data.ts'
import { makeFolder, syncFile, syncFolder, syncTree } from '../shared/durable-files.ts'
import { keepShards } from '../shared/shards.ts'
import { exportSql, importSql, query, type RemoteDatabase } from './d1-transfer.ts'
import {
  type CopiedFiles,
  deleteFiles,
  digestsOf,
  downloadFiles,
  type Listed,
  listFiles,
  uploadFiles,
} from './move-files.ts'
import { changingSql, countRows, differences, loadSql, migrationsOf, replacingSql } from './records.ts'

/** A deployed Worker with its storage. */
export interface Deployed {
  api: AccountApi
  account: string
  worker: string
  /** The ids of the databases, by shard. */
  databases: string[]
  files: FileStore
}

/** A data folder on this machine, with its databases by shard, as paths in it. */
export interface LocalData {
  data: string
  databases: string[]
}

export interface MoveOptions {
  log: (line: string) => void
  /** Time for requests that began before the Worker became read-only: an upload takes 45 s at most. */
  settleMs: number
  pollMs: number
}

/** Results of a move. */
export interface Moved {
  files: number
  bytes: number
  rows: Record<string, number>
  /** Keys of files that the source lacks. */
  missing: string[]
  /** Keys of files that are not what was stored in the source. */
  damaged: string[]
}

/**
 * Moves a data folder to a deployment. `waitForPause` resolves when the service of the data folder is stopped or read-only. It calls
 * `forbid` at that moment: from then on only a read-only service starts.
 */
export async function moveToCloudflare(
  local: LocalData,
  target: Deployed,
  {
    waitForPause,
    operatorKey,
    ...options
  }: MoveOptions & { waitForPause: (forbid: () => void) => Promise<void>; operatorKey: string },
): Promise<Moved> {
  const { data } = local
  const { log } = options
  const remotes = remotesOf(target, options)
  const journal = await beginMove(data, 'to cloudflare', target)
  if (journal.doneAt !== undefined) {
    await open(data, journal, target)
    return { files: 0, bytes: 0, rows: {}, missing: [], damaged: [] }
  }
  if (journal.hasSnapshots === undefined) await requireEmpty(local, target, remotes)
  await pause(data, journal, target, options)

  const first = local.databases.map((_, shard) => scratch(data, `first-${shard}.sqlite`))
  if (!journal.hasSnapshots) {
    copyDatabases(local, first)
    update(data, journal, { hasSnapshots: true })
  }
  const listed = await listFiles(target.files)
  log(`First pass: files, while the service runs (the bucket has ${listed.size})`)
  const copied = await uploadFiles(data, target.files, await keysOf(first), listed)
  log(`Copied ${copied.copied} files, ${copied.bytes} bytes`)
  const imported = journal.importedParts ?? first.map(() => 0)
  for (const [shard, file] of first.entries()) {
    log(`First pass: records of shard ${shard}`)
    let part = 0
    for (const sql of replacingSql(file)) {
      if (part++ < (imported[shard] ?? 0)) continue
      await importSql(at(remotes, shard), sql)
      imported[shard] = part
      update(data, journal, { importedParts: imported })
    }
  }

  await waitForPause(() => update(data, journal, { lastPassAt: new Date().toISOString() }))
  log('Last pass: what changed since')
  const last = local.databases.map((_, shard) => scratch(data, `last-${shard}.sqlite`))
  copyDatabases(local, last)
  for (const [shard, file] of last.entries()) {
    const snapshot = at(first, shard)
    for (const sql of changingSql(snapshot, file)) await importSql(at(remotes, shard), sql)
  }
  const keys = await keysOf(last)
  const more = await uploadFiles(data, target.files, keys, listed)
  const wanted = new Set(keys)
  // Of images that were deleted during the move.
  const extra = [...listed.keys()].filter((key) => !wanted.has(key))
  await deleteFiles(target.files, extra)

  log('Comparing both sides')
  await compareFiles(await listFiles(target.files), await digestsOf(data, keys))
  const rows: Record<string, number> = {}
  for (const [shard, file] of last.entries()) {
    const exported = scratch(data, `exported-${shard}.sqlite`)
    const readBack = async () => loadSql(exported, await exportSql(at(remotes, shard)))
    await readBack()
    // An earlier attempt may have carried over what was deleted since.
    const corrections = [...changingSql(exported, file)]
    for (const sql of corrections) await importSql(at(remotes, shard), sql)
    if (corrections.length > 0) await readBack()
    refuseDifferences(shard, file, exported)
    addRows(rows, countRows(file))
  }
  requireNoChange(local, last)
  await putSecret(target, 'OPERATOR_KEY', operatorKey)
  update(data, journal, { doneAt: new Date().toISOString() })
  await open(data, journal, target)
  return { ...total(copied, more), rows, missing: more.missing, damaged: union(copied.damaged, more.damaged) }
}

/** Moves a deployment to a data folder, which is empty, and which this process has locked. The Worker stays read-only. */
export async function moveFromCloudflare(local: LocalData, source: Deployed, options: MoveOptions): Promise<Moved> {
  const { data } = local
  const { log } = options
  const remotes = remotesOf(source, options)
  const others = readdirSync(data).filter((name) => ![MOVING, 'service.lock', 'lost+found'].includes(name))
  if (readJournal(data) === undefined && others.length > 0) {
    throw new Error(`${data} is not empty: name another folder with --to`)
  }
  const journal = await beginMove(data, 'from cloudflare', source)
  const files = path.join(data, FILES)
  makeFolder(files)
  log('First pass: files, while the Worker serves')
  const copied = await downloadFiles(data, source.files, await listFiles(source.files))
  log(`Copied ${copied.copied} files, ${copied.bytes} bytes`)

  await pause(data, journal, source, options)
  log('Last pass: records, and what changed since')
  const exported = local.databases.map((_, shard) => scratch(data, `exported-${shard}.sqlite`))
  const rows: Record<string, number> = {}
  for (const [shard, file] of exported.entries()) {
    loadSql(file, await exportSql(at(remotes, shard)))
    await compareCounts(at(remotes, shard), shard, countRows(file))
    addRows(rows, countRows(file))
  }
  const listed = await listFiles(source.files)
  const more = await downloadFiles(data, source.files, listed)

  log('Comparing both sides')
  const keys = await keysOf(exported)
  const missing = keys.filter((key) => !listed.has(key))
  const wanted = new Set(keys)
  await compareFiles(new Map([...listed].filter(([key]) => wanted.has(key))), await digestsOf(data, keys))
  removeFilesWithoutRecord(files, wanted)
  syncTree(files)
  for (const [shard, file] of exported.entries()) {
    const database = path.join(data, at(local.databases, shard))
    makeFolder(path.dirname(database))
    syncFile(file)
    renameSync(file, database)
    syncFolder(path.dirname(database))
  }
  keepShards(data, local.databases.length)
  update(data, journal, { doneAt: new Date().toISOString() })
  removeScratch(data)
  return { ...total(copied, more), rows, missing, damaged: [] }
}

async function beginMove(
  data: string,
  direction: Journal['direction'],
  { account, worker }: Deployed,
): Promise<Journal> {
  const known = readJournal(data)
  if (known === undefined) {
    const journal: Journal = { direction, worker, account, begunAt: new Date().toISOString() }
    writeJournal(data, journal)
    return journal
  }
  if (known.direction !== direction || known.worker !== worker || known.account !== account) {
    throw new Error(
      `${data} has another move, ${known.direction} (${known.worker}): finish that one, or remove ${path.join(data, MOVING)}`,
    )
  }
  if (known.doneAt !== undefined && (direction === 'from cloudflare' || known.openedAt !== undefined)) {
    throw new Error(`this move was done at ${known.doneAt}: to move again, remove ${path.join(data, MOVING)}`)
  }
  return known
}

/** Throws if the deployment has images, other migrations, or another number of databases. */
async function requireEmpty(local: LocalData, target: Deployed, remotes: readonly RemoteDatabase[]): Promise<void> {
  if (local.databases.length !== target.databases.length) {
    throw new Error(
      `the data has ${local.databases.length} databases and "${target.worker}" ${target.databases.length}: deploy with --shards ${local.databases.length}`,
    )
  }
  for (const [shard, remote] of remotes.entries()) {
    const own = migrationsOf(path.join(local.data, at(local.databases, shard)))
    const there = (await query(remote, 'SELECT name FROM d1_migrations ORDER BY name')).map(({ name }) => String(name))
    if (own.join() !== there.join()) {
      throw new Error(
        'both sides need the same version of Tintype: start the service once, and deploy, from this folder',
      )
    }
    const [{ images } = {}] = await query(remote, 'SELECT count(*) AS images FROM images')
    if (images !== 0) {
      throw new Error(`"${target.worker}" has ${images} images: a move needs a deployment without any`)
    }
  }
}

/** Makes the Worker read-only, once, and waits for what it does at that moment. */
async function pause(
  data: string,
  journal: Journal,
  deployed: Deployed,
  { log, settleMs }: MoveOptions,
): Promise<void> {
  if (journal.pausedAt !== undefined) return
  await putSecret(deployed, 'READ_ONLY', 'on')
  log(`"${deployed.worker}" is read-only: waiting ${Math.round(settleMs / 1000)} s for requests that began before`)
  await wait(settleMs)
  update(data, journal, { pausedAt: new Date().toISOString() })
}

/** Lets the Worker accept changes, after a move to it. From here on its data is not compared again. */
async function open(data: string, journal: Journal, { api, account, worker }: Deployed): Promise<void> {
  await api.retried(() => api.delete(`/accounts/${account}/workers/scripts/${worker}/secrets/READ_ONLY`))
  update(data, journal, { openedAt: new Date().toISOString() })
  removeScratch(data)
}

async function putSecret({ api, account, worker }: Deployed, name: string, text: string): Promise<void> {
  const body = { name, text, type: 'secret_text' }
  await api.retried(() => api.put(`/accounts/${account}/workers/scripts/${worker}/secrets`, body))
}

function remotesOf({ api, account, databases }: Deployed, { pollMs }: MoveOptions): RemoteDatabase[] {
  return databases.map((id) => ({ api, path: `/accounts/${account}/d1/database/${id}`, pollMs }))
}

function update(data: string, journal: Journal, changes: Partial<Journal>): void {
  Object.assign(journal, changes)
  writeJournal(data, journal)
}

function copyDatabases({ data, databases }: LocalData, copies: readonly string[]): void {
  for (const [shard, file] of databases.entries()) {
    const copy = at(copies, shard)
    rmSync(copy, { force: true })
    withDatabase(path.join(data, file), (database) => database.prepare('VACUUM INTO ?').run(copy))
  }
}

async function keysOf(databases: readonly string[]): Promise<string[]> {
  const read = await readKeysOfImages()
  return databases.flatMap((file) => withDatabase(file, (database) => [...read(database)]))
}

/** Throws where a file is on one side alone, or has other bytes there. */
async function compareFiles(one: Listed, other: Listed): Promise<void> {
  const wrong = [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key))
  if (wrong.length > 0) throw new Error(`${wrong.length} files differ, such as ${wrong[0]}: repeat the move`)
}

function refuseDifferences(shard: number, one: string, other: string): void {
  const found = differences(one, other)
  if (found.length === 0) return
  const list = found.map(({ table, rows }) => `${table} (${rows})`).join(', ')
  throw new Error(`the records of shard ${shard} differ in ${list}: repeat the move`)
}

/** Throws where the source changed during the last pass. */
function requireNoChange({ data, databases }: LocalData, copies: readonly string[]): void {
  for (const [shard, file] of databases.entries()) {
    const changed = differences(at(copies, shard), path.join(data, file))
    if (changed.length > 0)
      throw new Error(`${data} changed during the last pass: keep its service read-only, and repeat`)
  }
}

async function compareCounts(remote: RemoteDatabase, shard: number, rows: Record<string, number>): Promise<void> {
  const counts = Object.keys(rows).map((table) => `(SELECT count(*) FROM "${table}") AS "${table}"`)
  const [there = {}] = await query(remote, `SELECT ${counts.join(', ')}`)
  const wrong = Object.entries(rows).find(([table, count]) => there[table] !== count)
  if (wrong) throw new Error(`"${wrong[0]}" of shard ${shard} changed during the export: repeat the move`)
}

function removeFilesWithoutRecord(files: string, wanted: ReadonlySet<string>): void {
  for (const kind of KINDS) {
    const folder = path.join(files, kind)
    if (!existsSync(folder)) continue
    for (const directory of readdirSync(folder)) {
      for (const name of readdirSync(path.join(folder, directory))) {
        if (!wanted.has(`${kind}/${directory}/${name.replace(/^\./, '')}`)) rmSync(path.join(folder, directory, name))
      }
    }
  }
}

function scratch(data: string, name: string): string {
  return path.join(data, MOVING, name)
}

function removeScratch(data: string): void {
  for (const name of readdirSync(path.join(data, MOVING))) {
    if (name.endsWith('.sqlite')) rmSync(scratch(data, name))
  }
}

function total(one: CopiedFiles, other: CopiedFiles): { files: number; bytes: number } {
  return { files: one.copied + other.copied, bytes: one.bytes + other.bytes }
}

function addRows(sum: Record<string, number>, rows: Record<string, number>): void {
  for (const [table, count] of Object.entries(rows)) sum[table] = (sum[table] ?? 0) + count
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])]
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`there is no database of shard ${index}`)
  return item
}
