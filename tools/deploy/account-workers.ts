// The account of a deployment, and its Workers.

import type { AccountApi } from './account-api.ts'
import { AccountApiError } from './account-api.ts'
import { ACCOUNT, type Binding, type Database, WORKER, WORKER_SETTINGS } from './account-responses.ts'
import { PERMISSIONS } from './permissions.ts'

const WORKERS_AT_ONCE = 8

/** A Worker of the account, and what it is bound to. */
export interface BoundWorker {
  name: string
  bindings: Binding[]
}

/** Returns the account to deploy to. Throws a sentence where the login has none, or several and none is named. */
export async function findAccount(
  api: AccountApi,
  { remembered, named }: { remembered: string | undefined; named: string | undefined },
): Promise<{ id: string; name: string }> {
  if (remembered !== undefined && named !== undefined && remembered !== named) {
    throw new Error(
      `this deployment is in the account ${remembered}, but CLOUDFLARE_ACCOUNT_ID is ${named}: unset it, or name another --deployment`,
    )
  }
  const wanted = remembered ?? named
  const accounts = await api.list('/accounts', ACCOUNT).catch((error) => {
    // A token may be restricted to what the account holds, without a right to list accounts.
    if (wanted !== undefined && error instanceof AccountApiError && error.status === 403) return []
    throw error
  })
  if (wanted !== undefined) return accounts.find(({ id }) => id === wanted) ?? { id: wanted, name: wanted }
  const [first, second] = accounts
  if (first === undefined) {
    throw new Error(
      `the login reaches no account: its token needs "${PERMISSIONS.accounts}", or set CLOUDFLARE_ACCOUNT_ID`,
    )
  }
  if (second === undefined) return first
  const list = accounts.map(({ id, name }) => `--account ${id} (${name})`).join(', ')
  throw new Error(`the login reaches ${accounts.length} accounts. Say which: ${list}`)
}

/** Returns the Worker of this name, or undefined. */
export async function findWorker(api: AccountApi, account: string, name: string): Promise<BoundWorker | undefined> {
  try {
    const { bindings } = await api.get(`/accounts/${account}/workers/scripts/${name}/settings`, WORKER_SETTINGS)
    return { name, bindings: bindings ?? [] }
  } catch (error) {
    if (error instanceof AccountApiError && error.isMissing) return undefined
    throw error
  }
}

/** Whether a Worker is a Tintype: it has the bindings of one. */
export function isTintype({ bindings }: BoundWorker) {
  return ['DB', 'FILES', 'RATE_LIMITER', 'PUBLIC_DOMAINS'].every((name) => bindings.some((one) => one.name === name))
}

/** Returns the names that a Worker stores under. `databases` are those of the account. */
export function namesBoundTo({ bindings }: BoundWorker, databases: readonly Database[]) {
  const first = bindings.find(({ name }) => name === 'DB')
  return {
    database: databases.find(({ uuid }) => uuid === databaseIdOf(first))?.name,
    bucket: bindings.find(({ name }) => name === 'FILES')?.bucket_name ?? undefined,
    shards: bindings.filter(({ name, type }) => type === 'd1' && /^DB(?:_\d+)?$/.test(name)).length,
  }
}

/** Returns the id of the database that a binding is of. */
export function databaseIdOf(binding: Binding | undefined) {
  return binding?.id ?? binding?.database_id ?? undefined
}

/** Returns the Workers of the account, without this one. */
export async function otherWorkers(api: AccountApi, account: string, own: string) {
  const workers = await api.list(`/accounts/${account}/workers/scripts`, WORKER)
  const others = workers.map(({ id }) => id).filter((id) => id !== own)
  const found: BoundWorker[] = []
  for (let at = 0; at < others.length; at += WORKERS_AT_ONCE) {
    const batch = others.slice(at, at + WORKERS_AT_ONCE).map((id) => findWorker(api, account, id))
    found.push(...(await Promise.all(batch)).filter((worker) => worker !== undefined))
  }
  return found
}
