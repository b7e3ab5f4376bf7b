import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hostsOf } from '../../scripts/deployment.mjs'
import { currentOf, type FakeCloudflare, startFakeCloudflare } from './fake-cloudflare.ts'

/** `npm run deploy` as its user runs it. */
const SCRIPT = join(import.meta.dirname, '../../scripts/deploy.mjs')
const MIGRATIONS = readdirSync(join(import.meta.dirname, '../../migrations')).filter((name) => name.endsWith('.sql'))
const TIMEOUT_MS = 240_000

const folder = mkdtempSync(join(tmpdir(), 'tintype-deploy-'))
const deploymentFile = join(folder, 'deployment.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('behind a button, where nothing is said, Cloudflare gives the address; --dry-run shows it, and keeps nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, stdout, stderr } = await deploy(['--dry-run'], { env: { WORKERS_CI: '1' } })
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('"workers_dev": true')
  expect(stdout).toContain('env.PUBLIC_DOMAINS ("workers.dev")')
  expect(() => readFileSync(deploymentFile)).toThrow('ENOENT')
})

test('databases that are missing are made, and all migrated, each by its name, before the Worker', {
  timeout: TIMEOUT_MS,
}, async () => {
  const cloudflare = await startFakeCloudflare('pics.example', 'photos.example')
  const where = ['--domain', 'Pics.example,photos.example', '--workers-dev']
  const { code, stdout, stderr } = await deploy([...where, '--shards', '2', '--write-shards', '1'], cloudflare)
  expect(code, stderr).toBe(0)
  expect(cloudflare.unknown).toEqual([])
  expect(stdout).toContain('Deployed: https://pics.example, https://photos.example')
  const upload = indexOf(cloudflare, 'PUT /workers/scripts/my-tintype')
  expect([...cloudflare.databases.keys()]).toEqual(['my-tintype', 'my-tintype-1'])
  expect([...cloudflare.buckets]).toEqual(['my-tintype-files'])
  for (const { uuid, database } of cloudflare.databases.values()) {
    const applied = MIGRATIONS.map((name) =>
      cloudflare.requests.findIndex(
        ({ operation, body }) => operation.includes(uuid) && operation.startsWith('POST') && body.includes(`'${name}'`),
      ),
    )
    const steps = [indexOf(cloudflare, 'POST /d1/database'), ...applied, upload]
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    expect(steps).not.toContain(-1)
    expect(database.query('SELECT name FROM d1_migrations ORDER BY name')).toMatchObject({
      results: [{ results: MIGRATIONS.map((name) => ({ name })) }],
    })
    expect(database.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")).toMatchObject({
      results: [{ results: ['image_added', 'image_back', 'image_gone'].map((name) => ({ name })) }],
    })
  }
  expect(indexOf(cloudflare, 'POST /r2/buckets')).toBeLessThan(upload)
  expect(cloudflare.zones.map(({ routes }) => routes.map(({ pattern }) => pattern))).toEqual([
    hostsOf('pics.example').map((host) => `${host}/*`),
    hostsOf('photos.example').map((host) => `${host}/*`),
  ])
  const worker = cloudflare.workers.get('my-tintype') ?? expect.fail()
  expect(worker).toMatchObject({ schedules: ['* * * * *'], hasWorkersDev: true })
  expect(currentOf(worker)?.metadata).toMatchObject({
    bindings: expect.arrayContaining([
      { name: 'PUBLIC_DOMAINS', type: 'plain_text', text: 'pics.example,photos.example,workers.dev' },
      { name: 'FILES', type: 'r2_bucket', bucket_name: 'my-tintype-files' },
      ...['DB', 'DB_1'].map((name) => expect.objectContaining({ name, type: 'd1' })),
      { name: 'WRITE_SHARDS', type: 'plain_text', text: '1' },
      { name: 'RATE_LIMITER', type: 'durable_object_namespace', class_name: 'RateLimiter' },
    ]),
    migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['RateLimiter'] }] },
    limits: { cpu_ms: 30_000 },
    observability: { enabled: true, logs: { enabled: true, invocation_logs: false } },
  })
  await cloudflare.close()
})

test('a token that may not use D1 changes nothing, and is told what it lacks', { timeout: TIMEOUT_MS }, async () => {
  const cloudflare = await startFakeCloudflare('pics.example', 'photos.example')
  cloudflare.denied = / \/d1\//
  const { code, stderr } = await deploy(['--domain', 'pics.example,photos.example', '--workers-dev'], cloudflare)
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('the token lacks a permission: see docs/deploying.md#permissions'),
  ])
  expect(cloudflare.requests.filter(({ operation }) => /^(?:PUT|POST)/.test(operation))).toEqual([])
  await cloudflare.close()
})

test('the next needs no word: what was said is kept', { timeout: TIMEOUT_MS }, async () => {
  expect(JSON.parse(readFileSync(deploymentFile, 'utf8'))).toMatchObject({ shards: 2, vars: { WRITE_SHARDS: '1' } })
  const { code, stdout, stderr } = await deploy(['--dry-run'])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('"img1.photos.example/*"')
  expect(stdout).toContain('env.PUBLIC_DOMAINS ("pics.example,photos.example,workers.dev")')
  expect(stdout).toContain('env.WRITE_SHARDS ("1")')
  for (const database of ['env.DB (my-tintype)', 'env.DB_1 (my-tintype-1)']) expect(stdout).toContain(database)
})

test.for([
  [['--shards', '1'], /^--shards must be at least 2, as many as there are: what is on the last ones would not/m],
  [['--shards', '33'], /^--shards must be a whole number from 1 to 32: received "33"$/m],
  [['--write-shards', '0,2'], /^--write-shards must name shards from 0 to 1, as many as there are: received "2"$/m],
  [['--write-shards', 'all'], /^WRITE_SHARDS must be numbers of shards from 0 to 31 .*: received "all"$/m],
  [
    ['--domain', 'https://x/'],
    /^--domain: a domain must be a bare name such as pics\.example: received "https:\/\/x\/"$/m,
  ],
  [['--name', 'My Worker'], /^--name must be of a-z/],
  [['--domains', 'pics.example'], /^Unknown option '--domains'\nUsage: npm run deploy/],
  [
    ['--deployment', join(folder, 'none.json')],
    /^say where: npm run deploy -- --domain pics\.example, or --workers-dev$/m,
  ],
  [['--domain', 'a.b.workers.dev', '--name', 'c'], /^the Worker "c" has the address c\.b\.workers\.dev, not a\.b/m],
] as const)('%j is refused in a sentence', { timeout: TIMEOUT_MS }, async ([args, sentence]) => {
  const { code, stderr } = await deploy([...args, '--dry-run'])
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(1)
})

test('a file of the operator that is wrong is named', { timeout: TIMEOUT_MS }, async () => {
  writeFileSync(deploymentFile, '{ "domain": "pics.example" }')
  const { code, stderr } = await deploy(['--dry-run'])
  expect(stderr).toMatch(/deployment\.json: it holds "domain": it may hold domains, /)
  expect(code).toBe(1)
})

test.for([
  [{ CLIENT_LIMITS: 'uploads=many' }, /^CLIENT_LIMITS must be "off" or a list of .*: received "uploads=many"$/m],
  [
    { OPERATOR_KEY: 'anna:secret' },
    /^OPERATOR_KEY must hold keys of 32 characters or more: that of "anna" has 6\. openssl/m,
  ],
  [{ REPORT_WEBHOOK: 'ftp://hooks.example/secret' }, /^REPORT_WEBHOOK must be an address that begins with https:/m],
] as const)(
  'a setting that the Worker cannot read is refused: %j',
  { timeout: TIMEOUT_MS },
  async ([vars, sentence]) => {
    writeFileSync(deploymentFile, JSON.stringify({ domains: ['pics.example'], vars }))
    const { code, stderr } = await deploy(['--dry-run'])
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/ at |secret/)
    expect(code).toBe(1)
  },
)

async function deploy(args: readonly string[], cloudflare?: Pick<FakeCloudflare, 'env'>) {
  const { VITEST: _, NODE_ENV: __, WORKERS_CI: ___, ...env } = process.env
  const child = spawn(process.execPath, [SCRIPT, '--deployment', deploymentFile, ...args], {
    env: { ...env, CI: '1', ...cloudflare?.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

function indexOf({ requests }: FakeCloudflare, operation: string): number {
  return requests.findIndex((request) => request.operation === operation)
}
