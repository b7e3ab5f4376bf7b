import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Linux's folder in memory; in containers it is often small. */
const IN_MEMORY = '/dev/shm'
const NEEDED_BYTES = 2 * 1024 ** 3
const NAME = /^tintype-tests-(\d+)$/

/**
 * Creates a folder for the temporary files of this process and its children, and removes it at the end. It is in memory
 * if there is room, because databases wait for the disk at every write; otherwise the usual one.
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

/** Removes folders of processes that were killed. */
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
    // The folder belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
