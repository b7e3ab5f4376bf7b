// The steps of `npm run deploy` that change something: names are stored, storage is created and migrated, then the Worker is deployed.
// After an interruption, the same command finds what exists and continues.

import { readdirSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { type AccountApi, AccountApiError } from './account-api.ts'
import { DATABASE, NAMES, SCRIPT_SETTINGS } from './account-responses.ts'
import type { WranglerConfig } from './deployment.ts'

/** Creates the databases and the bucket that are missing. Returns the configuration with the ids of its databases. */
export async function makeStorage(
  api: AccountApi,
  {
    account,
    config,
    databases,
    hasBucket,
    log,
  }: {
    account: string
    config: WranglerConfig
    /** The ids of those that exist, by name. */
    databases: ReadonlyMap<string, string>
    hasBucket: boolean
    log: (line: string) => void
  },
): Promise<WranglerConfig> {
  const root = `/accounts/${account}`
  const bound: NonNullable<WranglerConfig['d1_databases']> = []
  for (const database of config.d1_databases ?? []) {
    const name = database.database_name ?? ''
    const id = database.database_id ?? databases.get(name) ?? (await makeDatabase(api, root, name, log))
    bound.push({ ...database, database_id: id })
  }
  const bucket = config.r2_buckets?.[0]?.bucket_name
  if (!hasBucket && bucket !== undefined) await makeBucket(api, root, bucket, log)
  return { ...config, account_id: account, d1_databases: bound }
}

function makeDatabase(api: AccountApi, root: string, name: string, log: (line: string) => void) {
  return api.retried(async () => {
    const made = await unlessThere(() => api.post(`${root}/d1/database`, { name }))
    if (made !== undefined) log(`Made the database ${name}`)
    const databases = await api.list(`${root}/d1/database?name=${name}`, DATABASE)
    const found = databases.find((one) => one.name === name)
    if (found === undefined) throw new AccountApiError(`Cloudflare does not list the database ${name} that it made`, 0)
    return found.uuid
  })
}

function makeBucket(api: AccountApi, root: string, name: string, log: (line: string) => void) {
  return api.retried(async () => {
    const made = await unlessThere(() => api.post(`${root}/r2/buckets`, { name }))
    if (made !== undefined) log(`Made the bucket ${name}`)
  })
}

/** Returns undefined where it exists already: an earlier attempt succeeded although its response was lost. */
async function unlessThere(make: () => Promise<unknown>) {
  try {
    return await make()
  } catch (error) {
    if (error instanceof AccountApiError && (error.status === 409 || /exists/.test(error.message))) return undefined
    throw error
  }
}

/** Whether a database lacks a migration. The query costs a request; wrangler, which applies them, costs seconds. */
export async function lacksMigrations(
  api: AccountApi,
  { account, database }: { account: string; database: string | undefined },
) {
  const sql = 'SELECT name FROM d1_migrations'
  const results = await api.post(`/accounts/${account}/d1/database/${database}/query`, { sql }).catch((error) => {
    // A new database has no such table. Any other refusal is left to wrangler, which reports it.
    if (error instanceof AccountApiError) return undefined
    throw error
  })
  const [first] = NAMES.safeParse(results).data ?? []
  const applied = new Set((first?.results ?? []).map(({ name }) => name))
  return migrations().some((name) => !applied.has(name))
}

/** Throws a sentence where the Worker logs addresses, which hold tokens: wrangler only warns when it could not set what is logged. */
export async function verifyLogs(api: AccountApi, { account, config }: { account: string; config: WranglerConfig }) {
  const { observability } = await api.get(
    `/accounts/${account}/workers/scripts/${config.name}/script-settings`,
    SCRIPT_SETTINGS,
  )
  const logsAddresses = observability?.enabled && observability.logs?.invocation_logs !== false
  const isLeft = config.observability?.logs?.invocation_logs === false && logsAddresses
  const isTraced = config.observability?.traces?.enabled === false && observability?.traces?.enabled
  if (!isLeft && !isTraced) return
  throw new Error('the Worker was deployed, but its logs still hold addresses: Cloudflare did not take its settings')
}

/** Returns the number of the last migration, such as `0017`: each version of the Worker is tagged with it. */
export function lastMigration() {
  return migrations().toSorted().at(-1)?.slice(0, 4) ?? '0000'
}

function migrations() {
  return readdirSync(path.join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'))
}

/** Returns the tag of a version that knows migrations up to this one. */
export function tagOf(migration: string) {
  return `migrations-${migration}`
}
