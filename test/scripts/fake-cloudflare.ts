import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createFakeDatabase, type FakeDatabase } from './fake-d1.ts'

/** One request that wrangler sent: `POST /d1/database`, below the account, and its body as text. */
export interface ApiRequest {
  operation: string
  body: string
}

/** Cloudflare's API as far as wrangler asks it to deploy to an account that may have nothing yet. */
export interface FakeCloudflare {
  /** What makes wrangler ask here. */
  env: Record<string, string>
  requests: ApiRequest[]
  /** The databases that were queried, by their names. */
  databases: ReadonlyMap<string, FakeDatabase>
  close(): Promise<unknown>
}

/** The databases differ in the ends of their names and ids. */
const DATABASE = /^tintype(?:-(\d))?$/
const QUERY = /^POST \/d1\/database\/(aaaaaaaa-0000-4000-8000-00000000000\d)\/query$/
const NOT_FOUND = { bucket: 10006, worker: 10090 }
const QUERY_REFUSED = 7500
/** What a token is told that lacks a permission. */
const DENIED = { code: 10000, status: 403, message: 'Authentication error' }

/** What the API answers: a result, or an error. */
type Answer = { result: unknown } | { code: number; status?: number; message?: string }

/** Starts it with these databases in the account, for a token that may not do what `denied` matches. */
export async function startFakeCloudflare(databases: string[], denied?: RegExp): Promise<FakeCloudflare> {
  const requests: ApiRequest[] = []
  const queried = new Map<string, FakeDatabase>()
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('latin1')
    const operation = operationOf(request)
    requests.push({ operation, body })
    const answer = denied?.test(operation)
      ? DENIED
      : (queryTo(operation, body, queried) ?? answerTo(operation, body, databases))
    const isFound = 'result' in answer
    response.writeHead(isFound ? 200 : (answer.status ?? 404), { 'Content-Type': 'application/json' })
    const errors = isFound ? [] : [{ code: answer.code, message: answer.message ?? 'not found' }]
    response.end(JSON.stringify({ success: isFound, errors, messages: [], result: isFound ? answer.result : null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${address.port}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
    requests,
    databases: queried,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The database of this name, or the one of this id. */
function databaseOf(name: string) {
  const number = DATABASE.exec(name)?.[1] ?? (name.startsWith('tintype') ? '0' : name.slice(-1))
  return {
    uuid: `aaaaaaaa-0000-4000-8000-00000000000${number}`,
    name: number === '0' ? 'tintype' : `tintype-${number}`,
  }
}

function operationOf({ method, url = '' }: IncomingMessage): string {
  return `${method} ${url.replace(/\?.*/, '').replace('/client/v4/accounts/account', '')}`
}

/** The response to a query of a database; undefined to other operations. */
function queryTo(operation: string, body: string, queried: Map<string, FakeDatabase>): Answer | undefined {
  const [, id] = QUERY.exec(operation) ?? []
  if (id === undefined) return undefined
  const { name } = databaseOf(id)
  const database = queried.get(name) ?? createFakeDatabase()
  queried.set(name, database)
  const response = database.query(JSON.parse(body).sql)
  return 'error' in response
    ? { code: QUERY_REFUSED, status: 400, message: response.error }
    : { result: response.results }
}

function answerTo(operation: string, body: string, databases: string[]): Answer {
  switch (operation) {
    case 'GET /d1/database':
      return { result: databases.map(databaseOf) }
    case 'POST /d1/database':
      return { result: databaseOf(JSON.parse(body).name) }
    case 'GET /r2/buckets/tintype-files':
      return { code: NOT_FOUND.bucket }
    case 'GET /r2/buckets':
      return { result: { buckets: [] } }
    case 'GET /workers/subdomain':
      return { result: { subdomain: 'account' } }
  }
  const [, name] = /^GET \/d1\/database\/([\w-]+)$/.exec(operation) ?? []
  if (name !== undefined) return { result: databaseOf(name) }
  if (operation.startsWith('GET /workers/services/') || /^GET .*\/settings$/.test(operation)) {
    return { code: NOT_FOUND.worker }
  }
  if (operation.startsWith('GET /workers/workers/')) {
    return { result: { subdomain: { enabled: false, previews_enabled: false } } }
  }
  if (/^GET .*\/(?:secrets|zones)$/.test(operation)) return { result: [] }
  if (/^GET .*\/deployments$/.test(operation)) return { result: { deployments: [] } }
  if (/^PUT .*\/routes$/.test(operation)) return { result: JSON.parse(body) }
  return { result: {} }
}
