import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder in memory that Linux has; in containers it is often small. */
const IN_MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 * 1024 ** 3
const NAME = /^tintype-tests-(\d+)$/

/**
 * Makes a folder for the temporary files of this process and all that it starts, gone at its end: in memory where there is
 * room, for a database waits for the disk at every write. Else it is the usual one.
 */
export function temporaryFolder(): string {
  if (!hasRoom()) return tmpdir()
  removeLeftOver()
  const folder = path.join(IN_MEMORY, `tintype-tests-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function hasRoom(): boolean {
  if (!existsSync(IN_MEMORY)) return false
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  return bavail * bsize >= NEEDED_BYTES
}

/** Those of processes that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(path.join(IN_MEMORY, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
