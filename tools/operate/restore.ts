// `npm run restore`: makes a data folder of a backup.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import type { Restored } from './read-snapshot.ts'

const USAGE = `Usage: npm run restore -- DIR [options]
Makes a data folder of a backup that npm run backup has taken into the folder DIR. The service must not run.
  --data DIR    the data folder (.data)
  --at NAME     which backup, by its name in DIR/snapshots (the newest)
  --replace     do so even if the data folder holds something: that is moved aside, into a folder in it
  --only NAME   put back the files of one image that are damaged or missing, while the service runs: by the address of its page or of
                a file, or by a name as images/<number>/<file>
  --check       only read the backup, compare it with its SHA-256 sums, and list all damage
  --skip-damaged    restore without the images whose files are damaged or missing in the backup, and list them: they are deleted
                from the restored records
  --files disk  put files that were in S3 into the data folder (as they were: into S3, where they are missing there)
  --s3-keys FILE    the keys of S3, in a file of mode 600 (those that the service had)
  --help        this text`

const { values, positionals } = readCommandLine({
  usage: USAGE,
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.join(ROOT, '.data') },
    at: { type: 'string' },
    replace: { type: 'boolean', default: false },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    'skip-damaged': { type: 'boolean', default: false },
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
const { releaseDataFolder, takeDataFolder } = await import('../serve/data/data-folder.ts')
const { DamagedBackup } = await import('./damaged-backup.ts')
const { findDamage, hasWholeRecords, readSnapshot } = await import('./read-snapshot.ts')
const { listSnapshots } = await import('./snapshots.ts')
const { FolderInUse, removeEmptyFolder, restoreFolder } = await import('./restore-folder.ts')
const names = listSnapshots(backups)
const name = values.at ?? names.at(-1)
if (name === undefined) fail(`${backups} holds no backup`)
if (!names.includes(name)) fail(`${backups} holds no backup "${name}": it has ${names.join(', ')}`)

try {
  if (values.check) await check(name)
  else if (values.only !== undefined) {
    // The newest first, if none is named.
    await putBackOnly(values.only, values.at === undefined ? names.toReversed() : [name])
  } else await restore(name)
} catch (error) {
  fail(`nothing was restored: ${messageOf(error)}${error instanceof DamagedBackup ? await adviceOn(error) : ''}`)
}

async function check(snapshot: string) {
  const { facts, damage } = await findDamage(backups, snapshot)
  if (facts && damage.length === 0) {
    console.log(`${snapshot} is whole: ${facts.files} files, ${facts.bytes} bytes`)
    return
  }
  for (const { message } of damage) console.error(message)
  const [one] = damage
  fail(`${snapshot} is damaged in ${damage.length} places${one ? await adviceOn(new DamagedBackup(one)) : ''}`)
}

/** Returns what to do about a damaged backup. */
async function adviceOn({ damage }: InstanceType<typeof DamagedBackup>) {
  if (damage.key !== undefined) return '\nrestore the rest with --skip-damaged; --check lists all damage'
  const others = []
  for (const other of names.toReversed())
    if (other !== name && (await hasWholeRecords(backups, other))) others.push(other)
  return others.length === 0
    ? ''
    : `\nchoose a backup with whole records: ${others.map((one) => `--at ${one}`).join(', ')}`
}

async function putBackOnly(wanted: string, snapshots: string[]) {
  const { putBack } = await import('./put-back.ts')
  const outcomes = await putBack(data, backups, snapshots, wanted)
  for (const one of outcomes) {
    if (one.outcome === 'healthy') console.log(`${one.key} is as it was stored: left alone`)
    else if (one.outcome === 'put back') console.log(`${one.key} is put back, as it is in ${one.from}`)
    else console.error(`${one.key}: no backup has it as it was stored`)
  }
  if (outcomes.some(({ outcome }) => outcome === 'no copy')) process.exitCode = 1
}

async function restore(snapshot: string) {
  const isNew = !existsSync(data)
  if (!(await takeDataFolder(data))) fail(`${data} is in use by a running Tintype: stop it first`)
  let restored: Restored | undefined
  let aside: string | undefined
  try {
    aside = await restoreFolder(data, { replace: values.replace }, async (folder) => {
      restored = await readSnapshot(backups, snapshot, folder, {
        toDisk: values.files === 'disk',
        skipDamaged: values['skip-damaged'],
        ...(values['s3-keys'] === undefined ? {} : { keysFile: path.resolve(values['s3-keys']) }),
      })
    })
  } catch (error) {
    if (isNew) removeEmptyFolder(data)
    releaseDataFolder(data)
    if (!(error instanceof FolderInUse)) throw error
    fail(`${data} is not empty: name another folder with --data, or add --replace to move what it holds aside`)
  }
  if (!restored) return
  const { files, bytes, takenAt, filesIn, leftOut, withoutPreview } = restored
  for (const { address, message } of leftOut) console.error(`left out: ${address} (${message})`)
  for (const { address, message } of withoutPreview) console.error(`without its preview: ${address} (${message})`)
  console.log(`${data} is as it was at ${takenAt}: ${files} files, ${bytes} bytes`)
  if (leftOut.length > 0) {
    console.log(`without ${leftOut.length} images, which are deleted there: their files are damaged in the backup`)
  }
  if (filesIn !== undefined) console.log(`the backup is without files: they are those of ${filesIn} now`)
  if (aside !== undefined) console.log(`what it held before is in ${aside}: remove that once all is well`)
}
