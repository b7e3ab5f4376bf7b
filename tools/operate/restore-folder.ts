// Puts a restored data folder into place. Until all of a backup is in a folder `restoring-…` on the disk, the data folder is
// unchanged. Then the old content moves to `replaced-…` and the new one moves in. A journal with both lists is written before, so
// that a restore which was killed is undone by the next one.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { INCOMPLETE } from '../serve/data/data-folder.ts'
import { codeOf } from '../shared/command-line.ts'
import { makeFolder, syncFolder, writeDurably } from '../shared/durable-files.ts'

const RESTORING = 'restoring-'
/** Folders that restores leave in a data folder. */
const MOVED = /^(?:restoring|replaced)-/
const LOCK = 'service.lock'

/** The content of the journal: the entries that move out, and those that move in. */
interface Journal {
  stamp: string
  held: string[]
  fresh: string[]
}

/** The disk operations of a restore, which tests replace to cut it off anywhere. */
export const STEPS = {
  makeFolder(folder: string): void {
    makeFolder(folder, 0o700)
  },
  rename: (from: string, to: string) => renameSync(from, to),
  remove: (target: string) => rmSync(target, { recursive: true, force: true }),
  write: (file: string, text: string) => writeDurably(file, text),
  sync: (folder: string) => syncFolder(folder),
}

/** The data folder has content, and may not be replaced. */
export class FolderInUse extends Error {}

/**
 * Fills a data folder, which this process has locked. Returns the folder of the old content; undefined if there was none. If it
 * fails, the data folder has its old content. Throws FolderInUse.
 */
export async function restoreFolder(
  data: string,
  { replace }: { replace: boolean },
  fill: (folder: string) => Promise<void>,
  steps: typeof STEPS = STEPS,
): Promise<string | undefined> {
  undoRestore(data, steps)
  const before = entriesOf(data)
  if (before.length > 0 && !replace) throw new FolderInUse()
  try {
    return await fillFolder(data, before, fill, steps)
  } catch (error) {
    undoRestore(data, steps)
    throw error
  }
}

async function fillFolder(
  data: string,
  before: readonly string[],
  fill: (folder: string) => Promise<void>,
  steps: typeof STEPS,
): Promise<string | undefined> {
  let stamp = new Date().toISOString().replaceAll(':', '-')
  while (existsSync(asideOf(data, stamp))) stamp += '-2'
  const restoring = path.join(data, RESTORING + stamp)
  steps.makeFolder(restoring)
  await fill(restoring)
  const held = before.filter((entry) => !MOVED.test(entry) && entry !== INCOMPLETE)
  const fresh = readdirSync(restoring)
  const journal: Journal = { stamp, held, fresh }
  // From here to the end, a service must not start on this folder.
  steps.write(path.join(data, INCOMPLETE), JSON.stringify(journal))
  const aside = asideOf(data, journal.stamp)
  if (held.length > 0) moveAll(held, data, aside, steps)
  moveAll(fresh, restoring, data, steps)
  steps.remove(restoring)
  steps.remove(path.join(data, INCOMPLETE))
  steps.sync(data)
  return held.length > 0 ? aside : undefined
}

/** Undoes a restore that failed or was killed: the data folder has its old content again. It may be killed, and repeated. */
export function undoRestore(data: string, steps: typeof STEPS = STEPS): void {
  const journal = readJournal(data)
  if (journal) {
    const { held, fresh } = journal
    const aside = asideOf(data, journal.stamp)
    const movedOut = held.filter((entry) => readEntries(aside).includes(entry))
    // Of these names, the data folder has the new entry, if any.
    for (const entry of movedOut) {
      steps.remove(path.join(data, entry))
      steps.rename(path.join(aside, entry), path.join(data, entry))
    }
    for (const entry of fresh) if (!held.includes(entry)) steps.remove(path.join(data, entry))
    steps.remove(aside)
    steps.sync(data)
  }
  for (const entry of readEntries(data)) {
    if (entry.startsWith(RESTORING) || entry === `${INCOMPLETE}.new`) steps.remove(path.join(data, entry))
  }
  if (journal) steps.remove(path.join(data, INCOMPLETE))
  steps.sync(data)
}

/** Removes a data folder that a failed restore made: nothing but the lock is in it. */
export function removeEmptyFolder(data: string): void {
  if (entriesOf(data).length === 0) rmSync(data, { recursive: true })
}

function asideOf(data: string, stamp: string): string {
  return path.join(data, `replaced-${stamp}`)
}

function moveAll(entries: readonly string[], from: string, to: string, steps: typeof STEPS): void {
  steps.makeFolder(to)
  for (const entry of entries) steps.rename(path.join(from, entry), path.join(to, entry))
  steps.sync(to)
  steps.sync(from)
}

/** Returns the journal of a restore; undefined without one, and for the empty journal of versions before 2.1, which cannot be undone. */
function readJournal(data: string): Journal | undefined {
  let text: string
  try {
    text = readFileSync(path.join(data, INCOMPLETE), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  const value: unknown = text === '' ? undefined : JSON.parse(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { stamp, held, fresh } = { stamp: '', held: [], fresh: [], ...value }
  return { stamp: String(stamp), held: namesIn(held), fresh: namesIn(fresh) }
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String).filter((name) => name === path.basename(name)) : []
}

/** Returns the entries that a restore must not overwrite. */
function entriesOf(data: string): string[] {
  return readEntries(data).filter((entry) => entry !== LOCK && entry !== 'lost+found')
}

function readEntries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
