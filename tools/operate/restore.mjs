// `npm run restore`: makes a data folder of a backup.
import { readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder, syncFolder, writeDurably } from '../install/durable-files.mjs'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.mjs'

const USAGE = `Usage: npm run restore -- DIR [options]
Makes a data folder of a backup that npm run backup has taken into the folder DIR. The service must not run.
  --data DIR    the data folder (.data)
  --at NAME     which backup, by its name in DIR/snapshots (the newest)
  --replace     do so even if the data folder holds something: that is moved aside, into a folder in it
  --only NAME   put back the files of one image that are damaged or missing, while the service runs: by the address of its page or of
                a file, or by a name as images/<number>/<file>
  --check       only read the backup, and compare it with its SHA-256 sums
  --files disk  put files that were in S3 into the data folder (as they were: into S3, where they are missing there)
  --s3-keys FILE    the keys of S3, in a file of mode 600 (those that the service had)
  --help        this text`

/** Folders that restores leave in a data folder. */
const MOVED = /^(?:restoring|replaced)-/
const LOCK = 'service.lock'

const { values, positionals } = readCommandLine({
  usage: USAGE,
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.join(ROOT, '.data') },
    at: { type: 'string' },
    replace: { type: 'boolean', default: false },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    files: { type: 'string' },
    's3-keys': { type: 'string' },
  },
})
if (positionals[0] === undefined || positionals.length > 1) fail(`name one folder of backups\n${USAGE}`)
if (values.files !== undefined && values.files !== 'disk') fail(`--files must be disk: received "${values.files}"`)
const backups = path.resolve(positionals[0])
const data = path.resolve(values.data)
ensureInstalled('service')
continueInOwnNode()
// An older Node.js has no SQLite.
const { INCOMPLETE, takeDataFolder } = await import('../serve/data/data-folder.mjs')
const { listSnapshots, readSnapshot } = await import('./snapshots.mjs')
const names = listSnapshots(backups)
const name = values.at ?? names.at(-1)
if (name === undefined) fail(`${backups} holds no backup`)
if (!names.includes(name)) fail(`${backups} holds no backup "${name}": it has ${names.join(', ')}`)

try {
  if (values.check) {
    const { files, bytes } = await readSnapshot(backups, name)
    console.log(`${name} is whole: ${files} files, ${bytes} bytes`)
  } else if (values.only !== undefined) {
    // The newest first, if none is named.
    await putBackOnly(values.only, values.at === undefined ? names.toReversed() : [name])
  } else await restore(name)
} catch (error) {
  fail(`nothing was restored: ${messageOf(error)}`)
}

/**
 * @param {string} wanted
 * @param {string[]} snapshots
 */
async function putBackOnly(wanted, snapshots) {
  const { putBack } = await import('./put-back.mjs')
  const outcomes = await putBack(data, backups, snapshots, wanted)
  for (const one of outcomes) {
    if (one.outcome === 'healthy') console.log(`${one.key} is as it was stored: left alone`)
    else if (one.outcome === 'put back') console.log(`${one.key} is put back, as it is in ${one.from}`)
    else console.error(`${one.key}: no backup has it as it was stored`)
  }
  if (outcomes.some(({ outcome }) => outcome === 'no copy')) process.exitCode = 1
}

/** @param {string} snapshot */
async function restore(snapshot) {
  if (!(await takeDataFolder(data))) fail(`${data} is in use by a running Tintype: stop it first`)
  const before = readdirSync(data).filter((entry) => entry !== LOCK && entry !== 'lost+found')
  if (before.length > 0 && !values.replace) {
    fail(`${data} is not empty: name another folder with --data, or add --replace to move what it holds aside`)
  }
  for (const entry of before) if (entry.startsWith('restoring-')) rmSync(path.join(data, entry), { recursive: true })
  const stamp = new Date().toISOString().replaceAll(':', '-')
  const fresh = path.join(data, `restoring-${stamp}`)
  makeFolder(fresh, 0o700)
  const { files, bytes, takenAt, filesIn } = await readSnapshot(backups, snapshot, fresh, {
    toDisk: values.files === 'disk',
    ...(values['s3-keys'] === undefined ? {} : { keysFile: path.resolve(values['s3-keys']) }),
  })
  // From here to the end, a service must not start on this folder.
  writeDurably(path.join(data, INCOMPLETE), '')
  // Its temporary file may be there of a restore that a power cut ended, and has just become the mark of this one.
  const held = before.filter((entry) => !MOVED.test(entry) && !entry.startsWith(INCOMPLETE))
  const aside = path.join(data, `replaced-${stamp}`)
  if (held.length > 0) moveAll(held, data, aside)
  moveAll(readdirSync(fresh), fresh, data)
  rmSync(fresh, { recursive: true })
  rmSync(path.join(data, INCOMPLETE))
  syncFolder(data)
  console.log(`${data} is as it was at ${takenAt}: ${files} files, ${bytes} bytes`)
  if (filesIn !== undefined) console.log(`the backup is without files: they are those of ${filesIn} now`)
  if (held.length > 0) console.log(`what it held before is in ${aside}: remove that once all is well`)
}

/** @param {string[]} entries @param {string} from @param {string} to */
function moveAll(entries, from, to) {
  makeFolder(to, 0o700)
  for (const entry of entries) renameSync(path.join(from, entry), path.join(to, entry))
  syncFolder(to)
  syncFolder(from)
}
