// Finds the files of a data folder by their keys, while a service may use it. They are in the folder of files, or in a
// bucket of an older version that no start has converted yet.
import { readlinkSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from '../../shared/command-line.ts'
import { FILES, factsPath, parseFacts, pathOf } from './layout.ts'
import { findBucket } from './stored-data.ts'

export interface FoundFile {
  key: string
  filePath: string
  /** The MD5 that was stored, if it is known. */
  md5: string | undefined
  storedMs: number
}

/** Opens the files of a data folder. Close them afterwards. */
export function openFilesOnDisk(data: string) {
  const bucket = findBucket(data)
  const index = bucket && new DatabaseSync(path.join(data, bucket.index), { readOnly: true, timeout: 10_000 })
  const find = index?.prepare('SELECT blob_id, etag, uploaded FROM _mf_objects WHERE key = ?')
  return {
    find(key: string): FoundFile | undefined {
      const found = findInFolder(path.join(data, FILES), key)
      if (found || !bucket) return found
      const row = find?.get(key)
      return (
        row && {
          key,
          filePath: path.join(data, bucket.files, String(row.blob_id)),
          md5: String(row.etag),
          storedMs: Number(row.uploaded),
        }
      )
    },
    close() {
      index?.close()
    },
  }
}

function findInFolder(folder: string, key: string): FoundFile | undefined {
  const filePath = pathOf(folder, key)
  const stats = filePath === undefined ? undefined : statSync(filePath, { throwIfNoEntry: false })
  if (filePath === undefined || !stats?.isFile()) return undefined
  return { key, filePath, md5: undefined, storedMs: Math.floor(stats.mtimeMs), ...readFacts(filePath) }
}

/** Returns the facts beside a file; undefined where there are none. */
export function readFacts(filePath: string) {
  try {
    return parseFacts(readlinkSync(factsPath(filePath)))
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EINVAL') return undefined
    throw error
  }
}
