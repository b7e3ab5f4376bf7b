// `npm run tintype -- rollback`: deploys an older version of the Worker again. The database stays as it is. So the command first lists
// the migrations that this version does not know, and refuses where hidden content would become public.

import { continueInOwnNode, ensureInstalled, fail } from '../install/installed.mjs'
import { messageOf, readCommandLine } from '../shared/command-line.ts'
import { runTool } from '../shared/processes.ts'
import { AccountApi, API } from './account-api.ts'
import { accountToken } from './account-login.ts'
import { COUNTS, DEPLOYMENTS, VERSION, type Version } from './account-responses.ts'
import { findDeployed } from './deployed.ts'
import { unknownTo } from './older-versions.ts'

const USAGE = `Usage: npm run tintype -- rollback [VERSION] [options]
Brings an older version of the Worker back: the one that served before, or the one of this id. The database stays as it is. What the
older version does not know of it is said first.
  --name WORKER       the deployment, where several were deployed from this folder
  --deployment FILE   the same, by its file
  --dry-run           says what would be, and changes nothing
  --force             also where hidden content becomes public, or the version stores elsewhere
  --help              this text`

/** Prefix of the message of a rollback. */
const MESSAGE = 'Rollback from '

const { values, positionals } = readCommandLine({
  usage: USAGE,
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    deployment: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
  },
})
ensureInstalled('service')
continueInOwnNode()
try {
  await rollBack()
} catch (error) {
  fail(messageOf(error))
}

async function rollBack() {
  const deployed = findDeployed(values)
  const api = new AccountApi({ address: API, token: accountToken() })
  const root = `/accounts/${deployed.config.account_id}`
  const script = `${root}/workers/scripts/${deployed.name}`
  const served = await servedVersions(api, script)
  const [serving] = served
  if (serving === undefined) throw new Error('the Worker has no deployment yet')
  // A rollback that is repeated because its end was not seen must not go forward again.
  if (positionals[0] === undefined && serving.message?.startsWith(MESSAGE)) {
    console.log(`${deployed.name} was rolled back already, to ${serving.id}. To go further, name a version`)
    return
  }
  const before = positionals[0] ?? served.find(({ id }) => id !== serving.id)?.id
  if (before === undefined) throw new Error('no other version has served: npm run tintype -- versions list')
  const current = await readVersion(api, script, serving.id)
  const target = await readVersion(api, script, before)
  if (target.id === current.id) throw new Error(`the version ${target.id} serves already`)
  console.log(`${deployed.name}: from ${nameOf(current)} back to ${nameOf(target)}`)

  const unknown = unknownTo(target.annotations?.['workers/tag'])
  if (unknown.length > 0) console.log(`It does not know these migrations:`)
  let exposed = 0
  for (const { migration, text, count } of unknown) {
    const counted = count === undefined ? 0 : await countAll(api, root, { deployed, sql: count })
    exposed += counted
    console.log(`  ${migration.padEnd(24)} ${text}${count === undefined ? '' : ` (${counted})`}`)
  }
  const moved = storageOf(target) !== storageOf(current)
  if (moved) console.log(`  It stores elsewhere: ${storageOf(target)}`)
  if (values['dry-run']) return
  if (!values.force && exposed > 0) {
    throw new Error(
      `Not rolled back: ${exposed} hidden images or galleries would be public. --force does it all the same`,
    )
  }
  if (!values.force && moved) {
    throw new Error('Not rolled back: images of today would not be found. --force does it all the same')
  }
  const message = `${MESSAGE}${current.id}`
  runTool('wrangler', ['rollback', target.id, '--config', deployed.file, '--message', message])
}

/** Returns the sum of a count over all databases. */
async function countAll(
  api: AccountApi,
  root: string,
  { deployed, sql }: { deployed: ReturnType<typeof findDeployed>; sql: string },
) {
  let all = 0
  for (const { database_id: id } of deployed.config.d1_databases ?? []) {
    const results = await api.retried(() => api.post(`${root}/d1/database/${id}/query`, { sql }))
    const [first] = COUNTS.safeParse(results).data ?? []
    all += first?.results?.[0]?.n ?? 0
  }
  return all
}

/** Returns the versions that served, the newest first, with the messages of their deployments. */
async function servedVersions(api: AccountApi, script: string) {
  const { deployments } = await api.get(`${script}/deployments`, DEPLOYMENTS)
  return deployments.flatMap(({ versions, annotations }) => {
    const [most] = versions.toSorted((a, b) => b.percentage - a.percentage)
    return most ? { id: most.version_id, message: annotations?.['workers/message'] } : []
  })
}

function readVersion(api: AccountApi, script: string, id: string): Promise<Version> {
  return api.get(`${script}/versions/${encodeURIComponent(id)}`, VERSION)
}

function nameOf({ id, annotations }: Version) {
  const message = annotations?.['workers/message']
  return message === undefined ? id : `${id} (${message})`
}

/** The databases and the bucket of a version, as one text. */
function storageOf({ resources }: Version) {
  return (resources?.bindings ?? [])
    .filter(({ type }) => type === 'd1' || type === 'r2_bucket')
    .map(({ name, id, database_id: database, bucket_name: bucket }) => `${name} ${id ?? database ?? bucket}`)
    .toSorted()
    .join(', ')
}
