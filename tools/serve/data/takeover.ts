// Converts the files of a data folder of an older version, which are blobs of Miniflare's R2, with their keys in an SQLite database.
// Each gets a second name, without a copy of its bytes. The old names are removed when all new ones are on the disk. A start that was
// interrupted is continued by the next.

import system from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../shared/command-line.ts'
import { makeFolder, syncFile, syncFolder } from '../../shared/durable-files.ts'
import { FILES, factsPath, formatFacts, KINDS, pathOf } from './layout.ts'
import type { Bucket } from './stored-data.ts'
import { findBucket, withDatabase } from './stored-data.ts'

const OLD = 'r2'
/** The name of the old folder once its files have been taken over. */
const TAKEN = 'r2.taken'
/** Its name where it has files that are not of images: only the operator knows their purpose. */
const FOREIGN = 'r2.foreign'
const PROGRESS_MS = 2_000
/** Number of files after which other work of the process runs, such as handlers of signals. */
const FILES_AT_ONCE = 200

/** The disk operations of a takeover. Tests replace them to interrupt it anywhere. */
export const STEPS = {
  makeFolder: (folder: string) => void makeFolder(folder),
  syncFile,
  syncFolder,
  link(from: string, to: string) {
    try {
      system.linkSync(from, to)
    } catch (error) {
      // An earlier start may have reached this step.
      if (codeOf(error) !== 'EEXIST') throw error
    }
  },
  symlink(text: string, filePath: string) {
    try {
      system.symlinkSync(text, filePath)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  },
  rename: system.renameSync,
  remove: (filePath: string) => system.rmSync(filePath, { recursive: true, force: true }),
}

/** Converts the files of a data folder that has the old layout. This process must hold the folder's lock. */
export async function takeOverFiles(data: string, print: (line: string) => void, steps: typeof STEPS = STEPS) {
  const old = path.join(data, OLD)
  if (system.existsSync(old)) {
    const bucket = findBucket(data)
    const isForeign = bucket !== undefined && (await takeOver(data, bucket, print, steps))
    steps.rename(old, path.join(data, isForeign ? FOREIGN : TAKEN))
    steps.syncFolder(data)
  }
  if (!system.existsSync(path.join(data, TAKEN))) return
  steps.remove(path.join(data, TAKEN))
  steps.syncFolder(data)
}

/** Links each file of the bucket to its new path. Returns whether there are files that are not of images. */
async function takeOver(data: string, bucket: Bucket, print: (line: string) => void, steps: typeof STEPS) {
  const folder = path.join(data, FILES)
  for (const name of ['', ...KINDS]) steps.makeFolder(path.join(folder, name))
  // Opened for writing: workerd may have left a journal, which has to be applied.
  const rows = withDatabase(
    path.join(data, bucket.index),
    (database) => database.prepare('SELECT key, blob_id, etag, uploaded FROM _mf_objects ORDER BY key').all(),
    {},
  )
  if (rows.length > 0) print(`taking over ${rows.length} files`)
  let printedMs = Date.now()
  let foreign = 0
  let missing = 0
  let last = ''
  for (const [at, { key, blob_id: blob, etag, uploaded }] of rows.entries()) {
    const filePath = pathOf(folder, String(key))
    const from = path.join(data, bucket.files, String(blob))
    if (filePath === undefined) foreign++
    else if (!system.existsSync(from)) missing++
    else {
      const into = path.dirname(filePath)
      if (into !== last && last !== '') steps.syncFolder(last)
      if (into !== last) steps.makeFolder(into)
      last = into
      // Recent uploads may not be on the disk yet.
      steps.syncFile(from)
      steps.link(from, filePath)
      steps.symlink(formatFacts({ md5: String(etag), storedMs: Number(uploaded) }), factsPath(filePath))
    }
    if (at % FILES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
    if (Date.now() - printedMs < PROGRESS_MS) continue
    print(`taken over ${at + 1} of ${rows.length} files`)
    printedMs = Date.now()
  }
  if (last !== '') steps.syncFolder(last)
  if (missing > 0) print(`${missing} files were lost before this start: npm run reconcile tells which`)
  if (foreign > 0) print(`${foreign} files are not of images: they are left in ${path.join(data, FOREIGN)}`)
  return foreign > 0
}
