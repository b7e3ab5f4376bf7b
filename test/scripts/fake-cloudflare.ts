import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

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
  close(): Promise<unknown>
}

/** The databases differ in the ends of their names and ids. */
const DATABASE = /^tintype(?:-(\d))?$/
const QUERY = /^POST \/d1\/database\/aaaaaaaa-0000-4000-8000-00000000000\d\/query$/
const NOT_FOUND = { bucket: 10006, worker: 10090 }

/** What the API answers: a result, or the code of an error. */
type Answer = { result: unknown } | { code: number }

/** Starts it with these databases in the account. */
export async function startFakeCloudflare(databases: string[]): Promise<FakeCloudflare> {
  const requests: ApiRequest[] = []
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString('latin1')
    const operation = operationOf(request)
    requests.push({ operation, body })
    const answer = answerTo(operation, body, databases)
    const isFound = 'result' in answer
    response.writeHead(isFound ? 200 : 404, { 'Content-Type': 'application/json' })
    const errors = isFound ? [] : [{ code: answer.code, message: 'not found' }]
    response.end(JSON.stringify({ success: isFound, errors, messages: [], result: null, ...answer }))
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
  if (QUERY.test(operation)) return { result: [{ results: [], success: true, meta: {} }] }
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
