// The folder that keeps the data of a service on this machine. One service has it at a time.
import { closeSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { makeFolder } from '../../shared/durable-files.ts'

const IN_USE = 5 // SQLITE_BUSY
// A service that was just killed may take a moment to end.
const TRIES = 12
const TRY_MS = 250

/** A file in a data folder whose restore was cut off: half of the data may be missing. */
export const INCOMPLETE = 'restore.incomplete'

/** By their folders. A database that nothing refers to is closed, and its lock with it. */
const openLocks: Map<string, DatabaseSync> = new Map()

/**
 * Creates the folder if necessary, for its owner only, and locks it for this process. The lock is a system lock on a
 * file that SQLite keeps open, so it ends with the process. Returns false if another process has it. Throws if the
 * folder is not writable. `folder` is absolute, `name` that of the lock file.
 */
export async function takeDataFolder(folder: string, name: string = 'service.lock') {
  makeFolder(folder, 0o700)
  const file = path.join(folder, name)
  // SQLite would not say why it cannot open it.
  closeSync(openSync(file, 'a'))
  const lock = new DatabaseSync(file)
  for (let attempt = 1; ; attempt++) {
    if (isTaken(lock)) {
      openLocks.set(folder, lock)
      return true
    }
    if (attempt === TRIES) return false
    await wait(TRY_MS)
  }
}

/** Releases the lock of a folder before this process ends. */
export function releaseDataFolder(folder: string) {
  openLocks.get(folder)?.close()
  openLocks.delete(folder)
}

function isTaken(lock: DatabaseSync) {
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === IN_USE) return false
    throw error
  }
}

/**
 * Returns a warning for the operator if every user of this machine can read the folder, which has private links and
 * operator keys. The mode is not changed, because a web server may need it.
 */
export function warningOfRights(folder: string) {
  const mode = statSync(folder).mode & 0o777
  // Windows knows no such rights, and reports 666 or 777.
  if (process.platform === 'win32' || (mode & 0o007) === 0) return undefined
  return `Note: everybody on this machine may read ${folder} (${mode.toString(8)}): chmod 700 it, or 750 with the group of a web server`
}
