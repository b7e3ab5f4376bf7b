// `npm run backup`: a consistent copy of the data of a service on this machine, which may run meanwhile.
import path from 'node:path'
import { continueInOwnNode, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'

const USAGE = `Usage: npm run backup -- DIR [options]
Copies what is new in the data of a service on this machine into the folder DIR; the service may run.
  --data DIR    the data folder of the service (.data)
  --keep N      how many backups are kept in DIR, the newest (7)
  --without-files   leaves files that are in S3 there alone
  --s3-keys FILE    the keys of S3, in a file of mode 600 (those that the service has)
  --help        this text`

const { values, positionals } = readCommandLine({
  usage: USAGE,
  allowPositionals: true,
  options: {
    data: { type: 'string', default: path.join(ROOT, '.data') },
    keep: { type: 'string', default: '7' },
    'without-files': { type: 'boolean', default: false },
    's3-keys': { type: 'string' },
  },
})
const [folder] = positionals
if (folder === undefined || positionals.length > 1) fail(`name one folder for the backups\n${USAGE}`)
if (!/^[1-9][0-9]{0,5}$/.test(values.keep)) fail(`--keep must be a whole number from 1 on: received "${values.keep}"`)
const data = path.resolve(values.data)
const backups = path.resolve(folder)
if (backups === data || backups.startsWith(data + path.sep))
  fail(`${folder} lies in the data folder: choose another one`)
ensureInstalled('service')
continueInOwnNode()
// An older Node.js has no SQLite.
const { takeDataFolder } = await import('../serve/data/data-folder.ts')
const { forgetSnapshots } = await import('./snapshots.ts')
const { takeSnapshot } = await import('./take-snapshot.ts')

try {
  if (!(await takeDataFolder(backups, 'backup.lock'))) fail(`another backup writes into ${folder}: wait for it`)
  const { name, facts, copied, rounds, damaged } = await takeSnapshot(data, backups, {
    withoutFiles: values['without-files'],
    ...(values['s3-keys'] === undefined ? {} : { keysFile: path.resolve(values['s3-keys']) }),
  })
  const forgotten = await forgetSnapshots(backups, Number(values.keep))
  const more = [
    `${copied} copied now`,
    ...(rounds > 1 ? [`in ${rounds} rounds`] : []),
    ...(facts.filesIn === undefined ? [] : [`files stay in ${facts.filesIn} alone`]),
    ...(forgotten > 0 ? [`${forgotten} older removed`] : []),
  ]
  console.log(`${name}: ${facts.files} files, ${facts.bytes} bytes (${more.join(', ')})`)
  for (const key of facts.missing) console.error(`missing in the service: ${key}`)
  for (const key of damaged) console.error(`not what was stored, in the service: ${key}`)
  if (facts.missing.length + damaged.length > 0) fail('the backup has all else; npm run reconcile tells more')
} catch (error) {
  fail(`no backup was taken: ${messageOf(error)}`)
}
