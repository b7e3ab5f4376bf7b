// D1's import and export of whole databases, as wrangler uses them.
// https://developers.cloudflare.com/api/resources/d1/subresources/database/methods/import/ and /export/
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type AccountApi, AccountApiError } from '../deploy/account-api.ts'

/** A database of an account. `path` is that of the API, such as `/accounts/<id>/d1/database/<id>`. */
export interface RemoteDatabase {
  api: AccountApi
  path: string
  pollMs: number
}

/** A state of an import or an export. */
interface TransferState {
  success?: boolean
  status?: string
  error?: string
  at_bookmark?: string
  filename?: string
  upload_url?: string
  signed_url?: string
  result?: { signed_url?: string }
}

/** Executes SQL in a database, all of it or nothing. It may be sent again after a failure, so the SQL must be idempotent. */
export async function importSql(database: RemoteDatabase, sql: string): Promise<void> {
  const etag = createHash('md5').update(sql).digest('hex')
  const begun = await post(database, 'import', { action: 'init', etag })
  const { upload_url: url, filename } = begun
  // Without an address, Cloudflare has this file from an earlier attempt, and imports it.
  let state = begun
  if (url !== undefined) {
    await upload(url, sql, etag)
    state = await post(database, 'import', { action: 'ingest', etag, filename })
  }
  await untilComplete(database, 'import', state, (bookmark) => ({ action: 'poll', current_bookmark: bookmark }))
}

/** Returns a database as SQL. D1 serves nothing else meanwhile. */
export async function exportSql(database: RemoteDatabase): Promise<string> {
  const body = (bookmark?: string) => ({
    output_format: 'polling',
    ...(bookmark !== undefined && { current_bookmark: bookmark }),
  })
  const state = await untilComplete(database, 'export', await post(database, 'export', body()), body)
  const url = state.result?.signed_url ?? state.signed_url
  if (url === undefined) throw new Error('D1 exported the database, and named no address of the export')
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the export of a database could not be downloaded: ${response.status}`)
  return response.text()
}

/** Returns the rows of a query. */
export async function query(database: RemoteDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const result: unknown = await database.api.retried(() => database.api.post(`${database.path}/query`, { sql }))
  const [first] = Array.isArray(result) ? result : []
  return first?.results ?? []
}

async function upload(url: string, sql: string, etag: string): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body: sql })
  const stored = response.headers.get('etag')?.replaceAll('"', '')
  if (!response.ok || stored !== etag) throw new Error(`SQL could not be uploaded for an import: ${response.status}`)
}

async function untilComplete(
  database: RemoteDatabase,
  action: 'import' | 'export',
  first: TransferState,
  bodyFor: (bookmark: string) => object,
): Promise<TransferState> {
  let state = first
  for (;;) {
    if (state.status === 'complete') return state
    // D1 says so where an import was ingested before.
    if (state.error === 'Not currently importing anything.') return state
    if (state.status === 'error' || state.success === false) throw new Error(`D1's ${action} failed: ${state.error}`)
    await wait(database.pollMs)
    state = await post(database, action, bodyFor(state.at_bookmark ?? ''))
  }
}

function post(database: RemoteDatabase, action: string, body: object): Promise<TransferState> {
  return database.api.retried(async () => {
    const state: unknown = await database.api.post(`${database.path}/${action}`, body)
    if (typeof state === 'object' && state !== null) return state
    throw new AccountApiError(`Cloudflare's API gave no result of an ${action}`, 0)
  })
}
