// The check that a deployment uses storage of its own.

import type { AccountApi } from './account-api.ts'
import type { Database } from './account-responses.ts'
import { type BoundWorker, databaseIdOf, findWorker, isTintype, otherWorkers } from './account-workers.ts'
import type { Deployment, WranglerConfig } from './deployment.ts'
import type { Finding } from './finding.ts'

/** A deployment that is to be made. */
export interface Wanted {
  account: { id: string; name: string }
  config: WranglerConfig
  deployment: Deployment
  /** No file knows the deployment. */
  isNew: boolean
  /** A new deployment may take over Workers, databases and buckets that have its names. */
  mayAdopt: boolean
  /** The Worker may leave its database or bucket. */
  mayRebind: boolean
}

/** The storage that the account has. */
interface Stored {
  databases: readonly Database[]
  /** Whether the bucket of the deployment exists. */
  hasBucket: boolean
}

/** The names that the deployment wants, with the ids of databases that exist. */
interface Names {
  name: string
  bucket: string | undefined
  databases: readonly { binding: string; name: string; id: string | undefined }[]
}

const FILE = 'this deployment file'
const UNLESS_SHARED = '. Nothing is shared unless both deployments say so ("sharesWith")'

/** Checks that the deployment takes over nothing and shares nothing (D55). */
export async function checkNames(api: AccountApi, wanted: Wanted, stored: Stored): Promise<Finding[] | string> {
  const { config } = wanted
  const name = config.name ?? ''
  const bucket = config.r2_buckets?.[0]?.bucket_name
  const databases = (config.d1_databases ?? []).map(({ binding, database_name: database, database_id: id }) => {
    const existing = stored.databases.find((one) => (id === undefined ? one.name === database : one.uuid === id))
    return { binding, name: database ?? existing?.name ?? id ?? '', id: id ?? existing?.uuid }
  })
  const names = { name, bucket, databases }
  const problems = [...(await takenOver(api, wanted, stored, names)), ...(await shared(api, wanted, names))]
  if (problems.length > 0) return problems.map((text) => ({ check: 'names', state: 'wrong', text }))
  return `Worker ${name}, storage of its own: ${[...databases.map((one) => one.name), bucket].join(', ')}`
}

/** Returns what the deployment would take over, or leave behind. */
async function takenOver(
  api: AccountApi,
  { account, isNew, mayAdopt, mayRebind }: Wanted,
  stored: Stored,
  { name, bucket, databases }: Names,
) {
  const own = await findWorker(api, account.id, name)
  if (own && !isTintype(own)) {
    return [`the account has another Worker of the name "${name}", which would be overwritten: choose another --name`]
  }
  if (own && isNew && !mayAdopt) {
    return [
      `the account has a Tintype "${name}" that ${FILE} does not know. Take it over by --adopt, or choose another --name`,
    ]
  }
  if (own) return changesOf(own, { databases, bucket, mayRebind, stored })
  if (!isNew || mayAdopt) return []
  const existing = databases.filter(({ id }) => id !== undefined).map((one) => `database "${one.name}"`)
  if (stored.hasBucket) existing.push(`bucket "${bucket}"`)
  return existing.map((one) => `the account has a ${one} already. Take it over by --adopt, or choose another --name`)
}

/** Returns what other Workers of the account would share with the deployment, although it does not say so. */
async function shared(api: AccountApi, { account, config, deployment }: Wanted, { name, bucket, databases }: Names) {
  const problems: string[] = []
  const scriptOf = config.durable_objects?.bindings?.find(
    ({ script_name: script }) => script !== undefined && script !== name,
  )
  const partners = deployment.sharesWith ?? []
  if (scriptOf !== undefined && !partners.includes(scriptOf.script_name ?? '')) {
    problems.push(`${scriptOf.name} is the Durable Object of the Worker "${scriptOf.script_name}"${UNLESS_SHARED}`)
  }
  for (const other of await otherWorkers(api, account.id, name)) {
    if (partners.includes(other.name)) continue
    for (const { type, script_name: script, bucket_name: used, ...binding } of other.bindings) {
      const id = databaseIdOf({ type, ...binding })
      const database = databases.find((one) => type === 'd1' && one.id !== undefined && one.id === id)
      if (database)
        problems.push(`the database "${database.name}" belongs to the Worker "${other.name}" too${UNLESS_SHARED}`)
      if (type === 'r2_bucket' && used === bucket) {
        problems.push(`the bucket "${bucket}" belongs to the Worker "${other.name}" too${UNLESS_SHARED}`)
      }
      if (type === 'durable_object_namespace' && script === name) {
        problems.push(`the Worker "${other.name}" is bound to the Durable Object of "${name}"${UNLESS_SHARED}`)
      }
    }
  }
  return problems
}

/** Returns what the Worker would leave behind. */
function changesOf(
  { name, bindings }: BoundWorker,
  {
    databases,
    bucket,
    mayRebind,
    stored,
  }: Pick<Names, 'databases' | 'bucket'> & Pick<Wanted, 'mayRebind'> & { stored: Stored },
) {
  if (mayRebind) return []
  return bindings.flatMap((bound) => {
    if (bound.type === 'd1') {
      const next = databases.find(({ binding }) => binding === bound.name)
      const id = databaseIdOf(bound)
      if (next?.id === id) return []
      const present = stored.databases.find(({ uuid }) => uuid === id)?.name ?? id
      return [
        `${bound.name} of the Worker "${name}" is the database "${present}", and would be ${next ? `"${next.name}"` : 'gone'}: its images would not be found any more. Name the old one in ${FILE}, or pass --rebind`,
      ]
    }
    if (bound.name !== 'FILES' || bound.bucket_name === bucket) return []
    return [
      `the bucket of the Worker "${name}" is "${bound.bucket_name}", and would be "${bucket}": its files would not be found any more. Name the old one in ${FILE}, or pass --rebind`,
    ]
  })
}
