import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createFakeDatabase, type FakeDatabase } from './fake-d1.ts'
import { type FakeObjects, respondStorage } from './fake-storage.ts'

/** One request: `POST /d1/database`, below the account, and its body as text. */
export interface ApiRequest {
  operation: string
  body: string
  /** The method and the whole path. */
  url: string
}

/** Where a binding of a Worker leads. */
export interface Binding {
  name: string
  type: string
  id?: string
  bucket_name?: string
  class_name?: string
  script_name?: string
  text?: string
}

/** Metadata that wrangler uploads with the modules of a Worker. */
export interface Metadata {
  bindings: Binding[]
  migrations?: { new_tag: string; steps: object[] }
  annotations?: Record<string, string>
  /** `jwt` proves that the files of a manifest were uploaded. */
  assets?: { jwt: string; config?: object }
  [setting: string]: unknown
}

interface Version {
  id: string
  number: number
  metadata: Metadata
}

/** A Worker of the account, with the version that is deployed last. */
interface FakeWorker {
  versions: Version[]
  /** Deployments, the newest last. */
  deployed: { version: string; message?: string | undefined }[]
  schedules: string[]
  secrets: string[]
  /** The texts of the secrets, which the API never shows. */
  secretTexts: Map<string, string>
  hasWorkersDev: boolean
  migrationTag: string | undefined
  /** Settings of the logs, which are no part of a version. */
  observability: unknown
}

/** A zone, and what Cloudflare's dashboard shows of it. */
interface FakeZone {
  id: string
  name: string
  status: 'active' | 'pending'
  account: string
  records: { name: string; type: string; proxied: boolean }[]
  /** The names on its certificate. */
  certificate: string[]
  routes: { id: string; pattern: string; script: string }[]
}

/** An account, which tests change between commands. */
interface FakeAccount {
  accounts: { id: string; name: string }[]
  databases: Map<string, { uuid: string; database: FakeDatabase }>
  buckets: Set<string>
  /** The objects of the buckets, by bucket and key. */
  objects: FakeObjects
  /** SQL that was uploaded for imports, or exported, by name. */
  transfers: Map<string, string>
  workers: Map<string, FakeWorker>
  /** Static assets of all Workers by their hashes, as wrangler uploads them. */
  assets: Map<string, Buffer>
  zones: FakeZone[]
  customDomains: { hostname: string; service: string }[]
  hasR2: boolean
  plans: string[]
  subdomain: string | undefined
}

/** A fault of one request: a status, the process is killed after it was carried out, or the request never arrives. */
export type Fault = 403 | 429 | 500 | 'kill' | 'unreachable'

/** Cloudflare's API as far as `npm run deploy` and wrangler use it, of one account. */
export interface FakeCloudflare extends FakeAccount {
  /** Makes wrangler and our scripts call it. */
  env: Record<string, string>
  api: string
  requests: ApiRequest[]
  /** Operations that it does not know. */
  unknown: string[]
  /** Refuses with 403 what this matches: the token lacks a permission. */
  denied: RegExp | undefined
  /** Returns the fault of a request, by its number since `requests` was emptied. */
  faultOf: ((number: number, operation: string) => Fault | undefined) | undefined
  /** Called when a request with the fault `kill` has been carried out and gets no response. */
  onKill: () => void
  close(): Promise<unknown>
}

const ACCOUNT = 'account'
const PAGE = { page: 1, per_page: 1000, count: 0, total_count: 0, total_pages: 1 }

/** A result, or an error with its code. */
type Result = { result: unknown } | { code: number; status: number; message: string }

const notFound = (code = 7003): Result => ({ code, status: 404, message: 'not found' })
const FAULTS: Record<403 | 429 | 500, Result> = {
  403: { code: 10000, status: 403, message: 'Authentication error' },
  429: { code: 971, status: 429, message: 'Please wait and consider throttling your request speed' },
  500: { code: 10013, status: 500, message: 'An unknown error has occurred' },
}

/** Returns a zone as it should be for a deployment on its name. */
export function readyZone(name: string, id = name.replaceAll('.', '').padEnd(32, '0')): FakeZone {
  const hosts = ['', 'www.', 'api.', 't1.', 'img1.'].map((prefix) => prefix + name)
  const records = hosts.map((host) => ({ name: host, type: 'AAAA', proxied: true }))
  const certificate = [name, `*.${name}`]
  return { id, name, status: 'active', account: ACCOUNT, records, certificate, routes: [] }
}

/** Starts it with an account that has these zones, R2, a paid plan and nothing else. */
export async function startFakeCloudflare(...zones: string[]): Promise<FakeCloudflare> {
  const cloudflare: Omit<FakeCloudflare, 'env' | 'api' | 'close'> = {
    accounts: [{ id: ACCOUNT, name: 'Example' }],
    databases: new Map(),
    buckets: new Set(),
    objects: new Map(),
    transfers: new Map(),
    workers: new Map(),
    assets: new Map(),
    zones: zones.map((name) => readyZone(name)),
    customDomains: [],
    hasR2: true,
    plans: ['workers_paid'],
    subdomain: 'account',
    requests: [],
    unknown: [],
    denied: undefined,
    faultOf: undefined,
    onKill: () => undefined,
  }
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request)
    const body = bytes.toString('latin1')
    const operation = operationOf(request)
    const fault = cloudflare.faultOf?.(cloudflare.requests.length, operation)
    if (fault === 'unreachable') return void request.socket.destroy()
    const stored = respondStorage(cloudflare, request, bytes)
    if (stored) {
      cloudflare.requests.push({ operation, body: '', url: `${request.method} ${request.url}` })
      if (fault === 'kill') return void request.socket.destroy()
      response.writeHead(stored.status, stored.headers)
      return void response.end(stored.body)
    }
    const url = `${request.method} ${request.url?.replace('/client/v4', '').replace(/\?.*/, '')}`
    cloudflare.requests.push({ operation, body, url })
    const result = resultOf(cloudflare, {
      operation,
      body,
      query: queryOf(request),
      token: request.headers.authorization?.replace('Bearer ', '') ?? '',
      fault,
      origin: `http://${request.headers.host}`,
    })
    if (fault === 'kill') {
      cloudflare.onKill()
      return void request.socket.destroy()
    }
    const isFound = 'result' in result
    response.writeHead(isFound ? 200 : result.status, { 'Content-Type': 'application/json' })
    const errors = isFound ? [] : [{ code: result.code, message: result.message }]
    const page = isFound && Array.isArray(result.result) ? { result_info: PAGE } : {}
    response.end(
      JSON.stringify({ success: isFound, errors, messages: [], result: isFound ? result.result : null, ...page }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const api = `http://127.0.0.1:${address.port}/client/v4`
  return Object.assign(cloudflare, {
    env: { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: 'token' },
    api,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
}

function operationOf({ method, url = '' }: IncomingMessage): string {
  return `${method} ${url.replace(/\?.*/, '').replace('/client/v4', '').replace(`/accounts/${ACCOUNT}/`, '/')}`
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://api').searchParams
}

interface Call {
  /** The address of this server. */
  origin: string
  operation: string
  body: string
  /** The bearer token of the request. */
  token: string
  query: URLSearchParams
}

function resultOf(
  cloudflare: Omit<FakeCloudflare, 'env' | 'api' | 'close'>,
  { fault, ...call }: Call & { fault: Fault | undefined },
): Result {
  if (fault !== undefined && fault !== 'kill' && fault !== 'unreachable') return FAULTS[fault]
  if (cloudflare.denied?.test(call.operation)) return FAULTS[403]
  for (const [pattern, respond] of OPERATIONS) {
    const match = pattern.exec(call.operation)
    if (match) return respond(cloudflare, call, match[1] ?? '', match[2] ?? '')
  }
  cloudflare.unknown.push(call.operation)
  return notFound()
}

type Operation = (account: FakeAccount, call: Call, name: string, further: string) => Result

const OPERATIONS: readonly (readonly [RegExp, Operation])[] = [
  [/^GET \/accounts$/, ({ accounts }) => ({ result: accounts })],
  [/^GET \/memberships$/, ({ accounts }) => ({ result: accounts.map((account) => ({ id: account.id, account })) })],
  [/^GET \/accounts\/\w+$/, ({ accounts: [first] }) => ({ result: first })],
  [/^GET \/subscriptions$/, ({ plans }) => ({ result: plans.map((id) => ({ rate_plan: { id } })) })],

  [/^GET \/d1\/database$/, ({ databases }) => ({ result: [...databases].map(databaseOf) })],
  [/^POST \/d1\/database$/, createDatabase],
  [
    /^GET \/d1\/database\/([\w-]+)$/,
    (account, _, id) => {
      const found = databaseById(account, id)
      return found ? { result: databaseOf(found) } : notFound(7404)
    },
  ],
  [/^POST \/d1\/database\/([\w-]+)\/query$/, queryDatabase],
  [/^POST \/d1\/database\/([\w-]+)\/(import|export)$/, transferDatabase],
  [/^GET \/user\/tokens\/verify$/, () => ({ result: { id: 'token-id', status: 'active' } })],

  [/^GET \/r2\/buckets\/([\w-]+)$/, withR2(({ buckets }, _, name) => bucketOf(buckets, name))],
  [/^GET \/r2\/buckets$/, withR2(({ buckets }) => ({ result: { buckets: [...buckets].map((name) => ({ name })) } }))],
  [
    /^POST \/r2\/buckets$/,
    withR2(({ buckets }, { body }) => {
      const { name } = JSON.parse(body)
      if (buckets.has(name)) return { code: 10004, status: 409, message: 'The bucket you tried to create exists' }
      buckets.add(name)
      return { result: { name } }
    }),
  ],

  [/^GET \/workers\/scripts$/, ({ workers }) => ({ result: [...workers.keys()].map((id) => ({ id })) })],
  [/^GET \/workers\/scripts\/([\w-]+)\/settings$/, ofWorker((worker) => ({ result: settingsOf(worker) }))],
  [/^GET \/workers\/scripts\/([\w-]+)\/script-settings$/, ofWorker((worker) => ({ result: settingsOf(worker) }))],
  [
    /^PATCH \/workers\/scripts\/([\w-]+)\/script-settings$/,
    ofWorker((worker, { body }) => {
      worker.observability = JSON.parse(body).observability ?? worker.observability
      return { result: settingsOf(worker) }
    }),
  ],
  [/^POST \/workers\/scripts\/([\w-]+)\/assets-upload-session$/, openAssetSession],
  [/^POST \/workers\/assets\/upload$/, uploadAssets],
  [/^PUT \/workers\/scripts\/([\w-]+)$/, uploadWorker],
  [/^POST \/workers\/scripts\/([\w-]+)\/versions$/, uploadVersion],
  [
    /^GET \/workers\/scripts\/([\w-]+)\/versions$/,
    ofWorker(({ versions }) => ({ result: { items: versions.toReversed().map(versionOf) } })),
  ],
  [
    /^GET \/workers\/scripts\/([\w-]+)\/versions\/([\w-]+)$/,
    ofWorker(({ versions }, _, id) => {
      const version = versions.find((one) => one.id === id)
      return version ? { result: versionOf(version) } : notFound()
    }),
  ],
  [
    /^GET \/workers\/scripts\/([\w-]+)\/deployments$/,
    ofWorker(({ deployed }) => ({ result: { deployments: deployed.toReversed().map(deploymentOf) } })),
  ],
  [
    /^POST \/workers\/scripts\/([\w-]+)\/deployments$/,
    ofWorker((worker, { body }) => {
      const { versions, annotations } = JSON.parse(body)
      worker.deployed.push({ version: versions[0].version_id, message: annotations?.['workers/message'] })
      return { result: { id: randomUUID() } }
    }),
  ],
  [
    /^PUT \/workers\/scripts\/([\w-]+)\/schedules$/,
    ofWorker((worker, { body }) => {
      worker.schedules = JSON.parse(body).map(({ cron }: { cron: string }) => cron)
      return { result: { schedules: [] } }
    }),
  ],
  [/^GET \/workers\/scripts\/([\w-]+)\/schedules$/, ofWorker(() => ({ result: { schedules: [] } }))],
  [
    /^(?:GET|POST) \/workers\/scripts\/([\w-]+)\/subdomain$/,
    ofWorker((worker, { body }) => {
      if (body !== '') worker.hasWorkersDev = JSON.parse(body).enabled
      return { result: { enabled: worker.hasWorkersDev, previews_enabled: false } }
    }),
  ],
  [
    /^GET \/workers\/scripts\/([\w-]+)\/secrets$/,
    ofWorker(({ secrets }) => ({ result: secrets.map((name) => ({ name, type: 'secret_text' })) })),
  ],
  [
    /^PUT \/workers\/scripts\/([\w-]+)\/secrets$/,
    ofWorker(({ secrets, secretTexts }, { body }) => {
      const { name, text } = JSON.parse(body)
      if (!secretTexts.has(name)) secrets.push(name)
      secretTexts.set(name, text)
      return { result: {} }
    }),
  ],
  [
    /^DELETE \/workers\/scripts\/([\w-]+)\/secrets\/(\w+)$/,
    ofWorker((worker, _, name) => {
      if (!worker.secretTexts.delete(name)) return notFound(10056)
      worker.secrets = worker.secrets.filter((one) => one !== name)
      return { result: null }
    }),
  ],
  [/^PUT \/workers\/scripts\/([\w-]+)\/routes$/, replaceRoutes],

  [
    /^GET \/workers\/services\/([\w-]+)$/,
    ofWorker((worker) => ({ result: { default_environment: { script: serviceOf(worker) } } })),
  ],
  [
    /^GET \/workers\/services\/([\w-]+)\/environments\/production$/,
    ofWorker((worker) => ({ result: { script: serviceOf(worker) } })),
  ],
  [
    /^GET \/workers\/services\/([\w-]+)\/environments\/production\/bindings$/,
    ofWorker((worker) => ({ result: currentOf(worker)?.metadata.bindings ?? [] })),
  ],
  [/^GET \/workers\/services\/([\w-]+)\/environments\/production\/routes$/, ofWorker(() => ({ result: [] }))],
  [
    /^GET \/workers\/services\/([\w-]+)\/environments\/production\/subdomain$/,
    ofWorker(({ hasWorkersDev }) => ({ result: { enabled: hasWorkersDev, previews_enabled: false } })),
  ],
  [
    /^GET \/workers\/workers\/([\w-]+)$/,
    ofWorker(({ hasWorkersDev }) => ({ result: { subdomain: { enabled: hasWorkersDev, previews_enabled: false } } })),
  ],
  [
    /^GET \/workers\/subdomain$/,
    ({ subdomain }) => (subdomain === undefined ? notFound(10007) : { result: { subdomain } }),
  ],
  [
    /^GET \/workers\/domains(?:\/records)?$/,
    ({ customDomains }, { query }) => ({
      result: customDomains.filter(({ hostname }) => [null, hostname].includes(query.get('hostname'))),
    }),
  ],
  [/^POST \/workers\/.*$/, () => ({ result: {} })],

  [
    /^GET \/zones$/,
    ({ zones }, { query }) => ({
      result: zones
        .filter(({ name }) => [null, name].includes(query.get('name')))
        .filter(({ account }) => [null, account].includes(query.get('account.id')))
        .map(({ id, name, status, account }) => ({ id, name, status, account: { id: account } })),
    }),
  ],
  [/^GET \/zones\/(\w+)\/workers\/routes$/, ofZone(({ routes }) => ({ result: routes }))],
  [
    /^POST \/zones\/(\w+)\/workers\/routes$/,
    ofZone(({ routes }, { body }) => {
      const route = { id: randomUUID(), ...JSON.parse(body) }
      routes.push(route)
      return { result: route }
    }),
  ],
  [
    /^GET \/zones\/(\w+)\/dns_records$/,
    ofZone(({ records }, { query }) => ({
      result: records.filter(({ name }) => name.endsWith(query.get('name.endswith') ?? '')),
    })),
  ],
  [
    /^GET \/zones\/(\w+)\/ssl\/certificate_packs$/,
    ofZone(({ certificate }) => ({ result: [{ type: 'universal', status: 'active', hosts: certificate }] })),
  ],
]

function databaseOf([name, { uuid }]: readonly [string, { uuid: string }]) {
  return { uuid, name, version: 'production' }
}

function databaseById({ databases }: FakeAccount, id: string) {
  return [...databases].find(([name, { uuid }]) => uuid === id || name === id)
}

function createDatabase({ databases }: FakeAccount, { body }: Call): Result {
  const { name } = JSON.parse(body)
  if (databases.has(name)) {
    return { code: 7502, status: 400, message: `A database with the name '${name}' already exists` }
  }
  const made = { uuid: randomUUID(), database: createFakeDatabase() }
  databases.set(name, made)
  return { result: databaseOf([name, made]) }
}

function queryDatabase(account: FakeAccount, { body }: Call, id: string): Result {
  const [, found] = databaseById(account, id) ?? []
  if (!found) return notFound(7404)
  const response = found.database.query(JSON.parse(body).sql)
  return 'error' in response ? { code: 7500, status: 400, message: response.error } : { result: response.results }
}

/** An import in three steps, or an export in two, as wrangler asks for them. The addresses are those of `respondStorage`. */
function transferDatabase(
  { transfers, ...account }: FakeAccount,
  { body, origin }: Call,
  id: string,
  action: string,
): Result {
  const [, found] = databaseById({ transfers, ...account }, id) ?? []
  if (!found) return notFound(7404)
  const asked = JSON.parse(body)
  if (action === 'export') {
    if (asked.current_bookmark === undefined)
      return { result: { success: true, status: 'active', at_bookmark: 'mark' } }
    const name = randomUUID()
    transfers.set(name, found.database.dump())
    return {
      result: {
        success: true,
        status: 'complete',
        result: { filename: name, signed_url: `${origin}/transfers/${name}` },
      },
    }
  }
  if (asked.action === 'init') {
    return { result: { success: true, filename: asked.etag, upload_url: `${origin}/transfers/${asked.etag}` } }
  }
  if (asked.action === 'poll')
    return { result: { success: false, status: 'error', error: 'Not currently importing anything.' } }
  const response = found.database.query(transfers.get(asked.filename) ?? '')
  if ('error' in response) return { result: { success: false, status: 'error', error: response.error } }
  return { result: { success: true, status: 'complete', result: { num_queries: response.results.length } } }
}

function bucketOf(buckets: ReadonlySet<string>, name: string): Result {
  if (buckets.has(name)) return { result: { name } }
  return { code: 10006, status: 404, message: 'The specified bucket does not exist.' }
}

function withR2(respond: Operation): Operation {
  const isOff: Result = { code: 10042, status: 403, message: 'Please enable R2 through the Cloudflare Dashboard.' }
  return (account, ...rest) => (account.hasR2 ? respond(account, ...rest) : isOff)
}

function ofWorker(respond: (worker: FakeWorker, call: Call, further: string) => Result): Operation {
  return ({ workers }, call, name, further) => {
    const worker = workers.get(name)
    return worker ? respond(worker, call, further) : notFound(call.operation.includes('/services/') ? 10090 : 10007)
  }
}

function ofZone(respond: (zone: FakeZone, call: Call) => Result): Operation {
  return ({ zones }, call, id) => {
    const zone = zones.find((one) => one.id === id)
    return zone ? respond(zone, call) : notFound()
  }
}

/** The version that serves. */
export function currentOf({ versions, deployed }: FakeWorker): Version | undefined {
  return versions.find(({ id }) => id === deployed.at(-1)?.version)
}

function settingsOf(worker: FakeWorker) {
  return { bindings: currentOf(worker)?.metadata.bindings ?? [], tags: [], observability: worker.observability }
}

function serviceOf({ migrationTag }: FakeWorker) {
  return { id: 'id', tag: 'tag', ...(migrationTag && { migration_tag: migrationTag }), last_deployed_from: 'wrangler' }
}

function versionOf({ id, number, metadata }: Version) {
  return {
    id,
    number,
    metadata: { created_on: '2026-11-23T00:00:00Z', source: 'wrangler', author_email: 'me@example.com' },
    annotations: metadata.annotations ?? {},
    resources: { bindings: metadata.bindings, script: { etag: 'etag', handlers: ['fetch'] }, script_runtime: {} },
  }
}

function deploymentOf({ version, message }: FakeWorker['deployed'][number], at: number) {
  return {
    id: `deployment-${at}`,
    created_on: '2026-11-23T00:00:00Z',
    source: 'wrangler',
    strategy: 'percentage',
    author_email: 'me@example.com',
    versions: [{ version_id: version, percentage: 100 }],
    annotations: { 'workers/message': message },
  }
}

/** Adds a Worker that serves with these bindings. */
export function addWorker({ workers }: FakeAccount, name: string, bindings: Binding[]): void {
  const version = { id: randomUUID(), number: 1, metadata: { bindings } }
  const rest = {
    schedules: [],
    secrets: [],
    secretTexts: new Map(),
    hasWorkersDev: false,
    migrationTag: undefined,
    observability: {},
  }
  workers.set(name, { versions: [version], deployed: [{ version: version.id }], ...rest })
}

/** Adds a Tintype with the storage of these names, as a deployment leaves it. */
export function addTintype(account: FakeAccount, name: string, database: string, bucket: string): void {
  const uuid = account.databases.get(database)?.uuid ?? randomUUID()
  account.databases.set(database, { uuid, database: createFakeDatabase() })
  account.buckets.add(bucket)
  addWorker(account, name, [
    { name: 'DB', type: 'd1', id: uuid },
    { name: 'FILES', type: 'r2_bucket', bucket_name: bucket },
    { name: 'RATE_LIMITER', type: 'durable_object_namespace', class_name: 'RateLimiter' },
    { name: 'PUBLIC_DOMAINS', type: 'plain_text', text: 'pics.example' },
  ])
}

/** Returns what the Worker is uploaded with, out of a body of several parts. */
function metadataOf(body: string): Metadata {
  return JSON.parse(/name="metadata"\r\n\r\n(.*)\r\n/.exec(body)?.[1] ?? '{"bindings":[]}')
}

/** Files of a Worker by their paths. */
type Manifest = Record<string, { hash: string; size: number }>

/** wrangler reads when the upload must end from a JSON Web Token, whose other parts it passes on. */
function tokenFor(manifest: Manifest): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'none' }), part({ exp: Math.floor(Date.now() / 1000) + 3600, manifest }), ''].join('.')
}

function manifestIn(token: string): Manifest {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).manifest
}

/** Returns the files of a Worker that Cloudflare lacks. Without any, the token of the session is that of the upload. */
function openAssetSession({ assets }: FakeAccount, { body }: Call): Result {
  const { manifest }: { manifest: Manifest } = JSON.parse(body)
  const missing = missingAssets(assets, manifest)
  return { result: { jwt: tokenFor(manifest), buckets: missing.length > 0 ? [missing] : [] } }
}

function missingAssets(assets: FakeAccount['assets'], manifest: Manifest): string[] {
  return [...new Set(Object.values(manifest).map(({ hash }) => hash))].filter((hash) => !assets.has(hash))
}

/** Takes files in Base64, each in a part that its hash names. */
function uploadAssets({ assets }: FakeAccount, { body, token }: Call): Result {
  for (const [, hash = '', content = ''] of body.matchAll(/name="(\w+)"[\s\S]*?\r\n\r\n([\w+/=]*)\r\n/g)) {
    assets.set(hash, Buffer.from(content, 'base64'))
  }
  return missingAssets(assets, manifestIn(token)).length > 0 ? { result: {} } : { result: { jwt: token } }
}

/** Returns the paths of the static assets of a version. */
export function assetPathsOf({ metadata: { assets } }: Version): string[] {
  // wrangler lists them in the order in which it read them.
  return assets === undefined ? [] : Object.keys(manifestIn(assets.jwt)).toSorted()
}

/** A new version, which inherits what its metadata says it does. */
function addVersion(account: FakeAccount, body: string, name: string): Version | Result {
  const metadata = metadataOf(body)
  for (const { type, id, bucket_name: bucket } of metadata.bindings) {
    if (type === 'd1' && !databaseById(account, id ?? '')) return notFound(10181)
    if (type === 'r2_bucket' && !account.buckets.has(bucket ?? '')) return notFound(10085)
  }
  if (metadata.assets && missingAssets(account.assets, manifestIn(metadata.assets.jwt)).length > 0)
    return notFound(10216)
  const worker: FakeWorker = account.workers.get(name) ?? {
    ...{
      versions: [],
      deployed: [],
      schedules: [],
      secrets: [],
      secretTexts: new Map<string, string>(),
      hasWorkersDev: false,
    },
    ...{ migrationTag: undefined, observability: {} },
  }
  account.workers.set(name, worker)
  worker.migrationTag = metadata.migrations?.new_tag ?? worker.migrationTag
  const version = { id: randomUUID(), number: worker.versions.length + 1, metadata }
  worker.versions.push(version)
  return version
}

function uploadWorker(account: FakeAccount, { body }: Call, name: string): Result {
  const version = addVersion(account, body, name)
  if (!('number' in version)) return version
  const worker = account.workers.get(name)
  worker?.deployed.push({ version: version.id })
  if (worker) worker.observability = version.metadata.observability
  return { result: { id: name, deployment_id: version.id, startup_time_ms: 10 } }
}

function uploadVersion(account: FakeAccount, { body }: Call, name: string): Result {
  const version = addVersion(account, body, name)
  return 'number' in version ? { result: { startup_time_ms: 10, ...versionOf(version) } } : version
}

/** All routes of a Worker, in place of those it had. */
function replaceRoutes({ zones }: FakeAccount, { body }: Call, script: string): Result {
  const patterns: string[] = JSON.parse(body).map((route: string | { pattern: string }) =>
    typeof route === 'string' ? route : route.pattern,
  )
  const zoneOf = (pattern: string) => {
    const host = pattern.replace(/\/.*/, '').replace('*.', '')
    return zones.find(({ name }) => host === name || host.endsWith(`.${name}`))
  }
  if (patterns.some((pattern) => !zoneOf(pattern))) return notFound(10082)
  for (const zone of zones) {
    if (zone.routes.some((route) => route.script !== script && patterns.includes(route.pattern))) {
      return { code: 10020, status: 409, message: 'A route with the same pattern already exists.' }
    }
    zone.routes = zone.routes.filter((route) => route.script !== script)
  }
  for (const pattern of patterns) zoneOf(pattern)?.routes.push({ id: randomUUID(), pattern, script })
  return { result: patterns.map((pattern) => ({ pattern })) }
}
