// One command at a time installs packages or builds in a checkout: two would remove each other's files.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const FILE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'generated', 'build.lock')
const POLL_MS = 200
/** Set for child commands of a holder, such as wrangler's build: they need no lock of their own. */
const HELD = 'TINTYPE_BUILD_LOCK'
/** The number of parts of this process that hold the lock: they may work side by side. */
let holders = 0

/**
 * Waits until no other command installs or builds, then takes the lock. Returns a function that releases it. The lock is a file that
 * names its process, so that a killed process holds nothing.
 * @param {{ file?: string, print?: (line: string) => void }} [options]
 * @returns {() => void}
 */
export function takeBuildLock({ file = FILE, print = console.log } = {}) {
  if (holders > 0) return hold(file)
  if (process.env[HELD] === file) return () => {}
  const own = `${process.pid} ${startOf(process.pid)}`
  const fresh = `${file}.${process.pid}`
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(fresh, own)
  for (let hasPrinted = false; !isLinked(fresh, file); ) {
    if (removeStale(file, fresh)) continue
    if (!hasPrinted) print('Another command is installing or building here: waiting for it ...')
    hasPrinted = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)
  }
  rmSync(fresh)
  return hold(file)
}

/** Counts the parts of this process that hold the lock. The last one releases it, or the end of the process. */
function hold(/** @type {string} */ file) {
  const release = () => rmSync(file, { force: true })
  holders++
  process.env[HELD] = file
  process.on('exit', release)
  return () => {
    process.off('exit', release)
    if (--holders > 0) return
    delete process.env[HELD]
    release()
  }
}

/** Links the file as the lock, atomically. Returns false where there is a lock. */
function isLinked(/** @type {string} */ fresh, /** @type {string} */ file) {
  try {
    linkSync(fresh, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Removes a lock whose process has ended. It is renamed first, so that only one of two processes removes it. */
function removeStale(/** @type {string} */ file, /** @type {string} */ fresh) {
  const holder = read(file)
  if (holder === undefined) return true
  const [pid, start] = holder.split(' ')
  if (startOf(Number(pid)) === start) return false
  const stale = `${fresh}.stale`
  try {
    renameSync(file, stale)
  } catch {
    return true
  }
  // Between the two another may have removed the stale one and taken the lock.
  if (read(stale) !== holder) isLinked(stale, file)
  rmSync(stale)
  return true
}

function read(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns when a process started, which distinguishes it from a later one with the same pid (proc(5), field 22 of stat); undefined where it
 * is gone. Where there is no /proc, a process that lives is taken for the same.
 */
function startOf(/** @type {number} */ pid) {
  const stat = read(`/proc/${pid}/stat`)
  // The second field is the command in brackets, and may hold any character.
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  if (process.platform === 'linux') return undefined
  try {
    process.kill(pid, 0)
    return 'running'
  } catch {
    return undefined
  }
}
