// Copies files between a data folder and a bucket of R2. Files never change, so each is copied once: the list of the bucket, and the
// files on the disk, show what remains to be done after an interruption. R2's entity tag of a file is its MD5.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRetryable } from '../../src/storage/files/s3-error.ts'
import type { FileStore } from '../../src/storage/files/store.ts'
import { type Digests, readDigests } from '../serve/data/digests.ts'
import { FILES, factsPath, formatFacts, pathOf } from '../serve/data/layout.ts'
import { mediaTypeOf } from '../serve/data/media-type.ts'
import { openFilesOnDisk } from '../serve/data/stored-files.ts'
import { codeOf } from '../shared/command-line.ts'
import { syncFolder } from '../shared/durable-files.ts'
import { inParallel } from '../shared/in-parallel.ts'

const PAGE = 1000
const DELETED_AT_ONCE = 1000
const COPIED_AT_ONCE = 6
const ATTEMPTS = 5

/** The MD5s of files by their keys. */
export type Listed = Map<string, string>

/** Files that were copied, and keys of files that the source lacks, or that are not what was stored there. */
export interface CopiedFiles {
  copied: number
  bytes: number
  missing: string[]
  damaged: string[]
}

/** Returns the files of a bucket. */
export async function listFiles(files: FileStore): Promise<Listed> {
  const listed: Listed = new Map()
  let after: string | undefined
  for (;;) {
    const from = after
    const page = await files.list({ limit: PAGE, ...(from !== undefined && { after: from }) })
    for (const { key, etag } of page.files) listed.set(key, md5OfTag(etag))
    after = page.files.at(-1)?.key
    if (page.isLast || after === undefined) return listed
  }
}

/** Copies files from a data folder to a bucket, unless it has them. Adds them to `listed`. */
export async function uploadFiles(
  data: string,
  files: FileStore,
  keys: Iterable<string>,
  listed: Listed,
): Promise<CopiedFiles> {
  const outcome: CopiedFiles = { copied: 0, bytes: 0, missing: [], damaged: [] }
  const stored = openFilesOnDisk(data)
  try {
    await inParallel(keys, COPIED_AT_ONCE, async (key) => {
      const found = stored.find(key)
      if (!found) return void outcome.missing.push(key)
      const known = listed.get(key)
      if (known !== undefined && known === found.md5) return
      const bytes = readFileSync(found.filePath)
      const md5 = createHash('md5').update(bytes).digest('hex')
      if (found.md5 !== undefined && found.md5 !== md5) outcome.damaged.push(key)
      if (known === md5) return
      // An earlier attempt, or another program, put other bytes there.
      if (known !== undefined) await files.delete([key])
      await files.create(key, bytes, { mediaType: mediaTypeOf(key, bytes) })
      listed.set(key, md5)
      outcome.copied++
      outcome.bytes += bytes.length
    })
  } finally {
    stored.close()
  }
  return outcome
}

/** Copies files from a bucket to a data folder, unless it has them. Each is read once more from the disk. */
export async function downloadFiles(data: string, files: FileStore, listed: Listed): Promise<CopiedFiles> {
  const outcome: CopiedFiles = { copied: 0, bytes: 0, missing: [], damaged: [] }
  const folder = path.join(data, FILES)
  const stored = openFilesOnDisk(data)
  try {
    await inParallel(listed, COPIED_AT_ONCE, async ([key, etag]) => {
      const filePath = pathOf(folder, key)
      if (filePath === undefined || stored.find(key)?.md5 === etag) return
      const copied = await downloadFile(files, key, filePath)
      if (!copied) return
      outcome.copied++
      outcome.bytes += copied.bytes
      if (copied.md5 !== etag || (await readDigests(filePath)).md5 !== etag) {
        throw new Error(`${key} arrived with another MD5 than R2 lists: repeat the move`)
      }
      const storedMs = copied.uploaded.getTime()
      utimesSync(filePath, copied.uploaded, copied.uploaded)
      rmSync(factsPath(filePath), { force: true })
      symlinkSync(formatFacts({ md5: etag, storedMs }), factsPath(filePath))
      syncFolder(path.dirname(filePath))
    })
  } finally {
    stored.close()
  }
  return outcome
}

/** Deletes files of a bucket. */
export async function deleteFiles(files: FileStore, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += DELETED_AT_ONCE) {
    await files.delete(keys.slice(from, from + DELETED_AT_ONCE))
  }
}

/** Returns the MD5 of each file of a data folder, as it was stored; of its bytes where that is not known. */
export async function digestsOf(data: string, keys: Iterable<string>): Promise<Listed> {
  const digests: Listed = new Map()
  const stored = openFilesOnDisk(data)
  try {
    for (const key of keys) {
      const found = stored.find(key)
      if (found) digests.set(key, found.md5 ?? (await readDigests(found.filePath)).md5)
    }
  } finally {
    stored.close()
  }
  return digests
}

/** Copies one file; returns undefined if it was deleted meanwhile. A connection that breaks is tried again. */
async function downloadFile(
  files: FileStore,
  key: string,
  filePath: string,
): Promise<(Digests & { uploaded: Date }) | undefined> {
  for (let tries = 1; ; tries++) {
    const found = await files.read(key)
    if (!found) return undefined
    try {
      const digests = await readDigests(found.body, filePath, 0o666)
      if (digests.bytes === found.size) return { ...digests, uploaded: found.uploaded }
    } catch (error) {
      // An error of the disk says why.
      if (tries === ATTEMPTS || String(codeOf(error)).startsWith('E')) throw error
    }
    if (tries === ATTEMPTS) throw new Error(`${key} arrives incomplete`)
  }
}

function md5OfTag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '')
}

/** Returns a file store that repeats each call after temporary errors. */
export function retryingFiles(files: FileStore, retryMs: number): FileStore {
  async function attempt<Result>(call: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await call()
      } catch (error) {
        if (!isRetryable(error) || tries === ATTEMPTS) throw error
        await wait(retryMs * 2 ** (tries - 1))
      }
    }
  }
  return {
    create: (...args) => attempt(() => files.create(...args)),
    read: (...args) => attempt(() => files.read(...args)),
    head: (...args) => attempt(() => files.head(...args)),
    delete: (...args) => attempt(() => files.delete(...args)),
    list: (...args) => attempt(() => files.list(...args)),
  }
}
