import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ASSETS } from '#generated/assets.ts'
import { configFileOf, hostsOf } from '../../../tools/deploy/deployment.ts'
import { readStaticText } from '../../support/static-assets.ts'
import { runScript } from '../running.ts'
import { undescribed } from './described-bodies.ts'
import { assetPathsOf, currentOf, type FakeCloudflare, startFakeCloudflare } from './fake-cloudflare.ts'

const MIGRATIONS = readdirSync(join(import.meta.dirname, '../../../migrations')).filter((name) => name.endsWith('.sql'))
/** The triggers that the migrations leave, by their names. */
const TRIGGERS = [
  ...MIGRATIONS.flatMap((name) => [
    ...readFileSync(join(import.meta.dirname, '../../../migrations', name), 'utf8').matchAll(
      /^(CREATE|DROP) TRIGGER (\w+)/gm,
    ),
  ]).reduce((left, [, verb, name = '']) => {
    if (verb === 'CREATE') left.add(name)
    else left.delete(name)
    return left
  }, new Set<string>()),
].sort()
const TIMEOUT_MS = 240_000

// Names that no operator of this checkout uses.
const [FIRST, SECOND] = [`first-${process.pid}`, `second-${process.pid}`]
const folder = mkdtempSync(join(tmpdir(), 'tintype-deploy-'))
const deploymentFile = join(folder, 'deployment.json')
const secondFile = join(folder, 'deployment.second.json')
afterAll(() => {
  rmSync(folder, { recursive: true })
  for (const name of [FIRST, SECOND]) rmSync(configFileOf(name), { force: true })
})

test('behind a button, without options, Cloudflare provides the address; --dry-run shows it, and stores nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { code, stdout, stderr } = await deploy(['--dry-run'], { env: { WORKERS_CI: '1' } })
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('"workers_dev": true')
  expect(stdout).toContain('env.PUBLIC_DOMAINS ("workers.dev")')
  expect(() => readFileSync(deploymentFile)).toThrow('ENOENT')
})

describe('in one account', () => {
  let cloudflare: FakeCloudflare
  beforeAll(async () => {
    cloudflare = await startFakeCloudflare('pics.example', 'photos.example', 'staging.example')
  })
  afterAll(() => cloudflare.close())
  const workerOf = (name: string) => cloudflare.workers.get(name) ?? expect.fail(`no Worker ${name}`)
  const storageOf = (name: string) =>
    (currentOf(workerOf(name))?.metadata.bindings ?? []).flatMap(({ id, bucket_name: bucket }) => id ?? bucket ?? [])

  test('a token without a permission changes nothing, and nothing is remembered', async () => {
    cloudflare.denied = / \/d1\//
    const { code, stdout, stderr } = await deploy(['--domain', 'pics.example', '--name', FIRST], { cloudflare })
    cloudflare.denied = undefined
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Nothing was changed: 1 check failed (see docs/deploying.md#permissions)'),
    ])
    expect(stdout).toMatch(/WRONG +D1 +the token needs the permission "Account, D1, Edit"/)
    expect(cloudflare.requests.filter(({ operation }) => !operation.startsWith('GET'))).toEqual([])
    expect(existsSync(deploymentFile)).toBe(false)
    expect(existsSync(configFileOf(FIRST))).toBe(false)
  })

  test('the first deployment creates what is missing, and migrates each database before the Worker', async () => {
    cloudflare.requests.length = 0
    const where = ['--domain', 'Pics.example,photos.example', '--workers-dev', '--name', FIRST]
    const { code, stdout, stderr } = await deploy([...where, '--shards', '2', '--write-shards', '1'], { cloudflare })
    expect(code, stderr).toBe(0)
    expect(cloudflare.unknown).toEqual([])
    expect(undescribed(cloudflare.requests)).toEqual([])
    expect(stdout).toContain(
      `Deployed: https://pics.example, https://photos.example, https://${FIRST}.account.workers.dev`,
    )
    const upload = indexOf(cloudflare, `PUT /workers/scripts/${FIRST}`)
    expect([...cloudflare.databases.keys()]).toEqual([FIRST, `${FIRST}-1`])
    expect([...cloudflare.buckets]).toEqual([`${FIRST}-files`])
    for (const { uuid, database } of cloudflare.databases.values()) {
      const applied = MIGRATIONS.map((name) =>
        cloudflare.requests.findIndex(
          ({ operation, body }) =>
            operation.includes(uuid) && operation.startsWith('POST') && body.includes(`'${name}'`),
        ),
      )
      const steps = [indexOf(cloudflare, 'POST /d1/database'), ...applied, upload]
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      expect(steps).not.toContain(-1)
      expect(database.query('SELECT name FROM d1_migrations ORDER BY name')).toMatchObject({
        results: [{ results: MIGRATIONS.map((name) => ({ name })) }],
      })
      expect(database.query("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")).toMatchObject({
        results: [{ results: TRIGGERS.map((name) => ({ name })) }],
      })
    }
    expect(indexOf(cloudflare, 'POST /r2/buckets')).toBeLessThan(upload)
    expect(cloudflare.zones.map(({ routes }) => routes.map(({ pattern }) => pattern))).toEqual([
      hostsOf('pics.example').map((host) => `${host}/*`),
      hostsOf('photos.example').map((host) => `${host}/*`),
      [],
    ])
    expect(workerOf(FIRST)).toMatchObject({ schedules: ['* * * * *'], hasWorkersDev: true })
    expect(currentOf(workerOf(FIRST))?.metadata).toMatchObject({
      bindings: expect.arrayContaining([
        { name: 'PUBLIC_DOMAINS', type: 'plain_text', text: 'pics.example,photos.example,workers.dev' },
        { name: 'FILES', type: 'r2_bucket', bucket_name: `${FIRST}-files` },
        ...['DB', 'DB_1'].map((name) => expect.objectContaining({ name, type: 'd1' })),
        { name: 'WRITE_SHARDS', type: 'plain_text', text: '1' },
        { name: 'RATE_LIMITER', type: 'durable_object_namespace', class_name: 'RateLimiter' },
        { name: 'ASSETS', type: 'assets' },
      ]),
      migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['RateLimiter'] }] },
      annotations: { 'workers/tag': `migrations-${MIGRATIONS.at(-1)?.slice(0, 4)}` },
      limits: { cpu_ms: 30_000 },
      observability: { enabled: true, logs: { enabled: true, invocation_logs: false } },
    })
  })

  test('its static assets are uploaded before the Worker, which alone decides about them', () => {
    const version = currentOf(workerOf(FIRST)) ?? expect.fail()
    expect(version.metadata.assets?.config).toMatchObject({
      ...{ html_handling: 'none', not_found_handling: 'none', run_worker_first: true },
    })
    expect(assetPathsOf(version)).toEqual(
      expect.arrayContaining(['/contract/openapi.json', ...Object.values(ASSETS).map(({ path }) => path)]),
    )
    const uploaded = [...cloudflare.assets.values()].map((bytes) => bytes.toString())
    expect(uploaded).toContain(readStaticText(ASSETS.style.path))
    expect(indexOf(cloudflare, 'POST /workers/assets/upload')).toBeLessThan(
      indexOf(cloudflare, `PUT /workers/scripts/${FIRST}`),
    )
  })

  test('a second one beside it shares nothing, and leaves the first unchanged', async () => {
    const before = JSON.stringify([workerOf(FIRST), readFileSync(configFileOf(FIRST), 'utf8')])
    const where = ['--deployment', secondFile, '--name', SECOND, '--domain', 'staging.example']
    // The reply to its upload is lost, and the command ends. The next run continues.
    cloudflare.faultOf = (_, operation) => (operation === `PUT /workers/scripts/${SECOND}` ? 'kill' : undefined)
    expect((await deploy(where, { cloudflare })).code).toBe(null)
    cloudflare.faultOf = undefined
    expect(JSON.parse(readFileSync(secondFile, 'utf8'))).toMatchObject({ domains: [], database: SECOND })
    const { code, stderr } = await deploy(where, { cloudflare })
    expect(code, stderr).toBe(0)
    expect(storageOf(SECOND)).toHaveLength(2)
    expect(storageOf(SECOND).filter((one) => storageOf(FIRST).includes(one))).toEqual([])
    expect(JSON.stringify([workerOf(FIRST), readFileSync(configFileOf(FIRST), 'utf8')])).toBe(before)
    expect(cloudflare.zones[2]?.routes.map(({ script }) => script)).toEqual(Array(5).fill(SECOND))
  })

  test('an upgrade needs no option, and keeps everything', async () => {
    const [before, { bindings = undefined } = {}] = [storageOf(FIRST), currentOf(workerOf(FIRST))?.metadata]
    expect(JSON.parse(readFileSync(deploymentFile, 'utf8'))).toMatchObject({ shards: 2, vars: { WRITE_SHARDS: '1' } })
    const { code, stderr } = await deploy([], { cloudflare })
    expect(code, stderr).toBe(0)
    expect(workerOf(FIRST).versions).toHaveLength(2)
    expect(storageOf(FIRST)).toEqual(before)
    expect(currentOf(workerOf(FIRST))?.metadata.bindings).toEqual(bindings)
    expect(undescribed(cloudflare.requests)).toEqual([])
    expect(cloudflare.databases.size).toBe(3)
    const [older, newer] = workerOf(FIRST).versions.map(assetPathsOf)
    expect(newer).toEqual(older)
  })

  test('a command that fits both deployments asks which one', async () => {
    const unclear = await runScript('tintype.ts', ['secret', 'list'], { cloudflare })
    expect([unclear.code, unclear.stderr]).toEqual([
      1,
      expect.stringMatching(`Say which: .*--name ${FIRST}.*--name ${SECOND}`),
    ])
    const other = await runScript('tintype.ts', ['secret', 'list', '--config', 'x.json'], { cloudflare })
    expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/^--config may take another deployment/)])
    workerOf(SECOND).secrets.push('OPERATOR_KEY')
    const { code, stdout, stderr } = await runScript('tintype.ts', ['secret', 'list', '--name', SECOND], {
      cloudflare,
    })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(`${SECOND} (staging.example)`)
    expect(stdout).toContain('OPERATOR_KEY')
  })

  test('a rollback lists what the older version does not know, and hides what is hidden', async () => {
    const [oldest] = workerOf(FIRST).versions
    if (oldest) oldest.metadata.annotations = { 'workers/tag': 'migrations-0010' }
    const hidden = `INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width,
      thumbnail_height, nsfw, hidden_at) VALUES (1, 'a.png', 'image/png', 1, 1, 1, 1, 1, 1, 0, 1)`
    cloudflare.databases.get(`${FIRST}-1`)?.database.query(hidden)
    const args = ['rollback', '--name', FIRST]
    const refused = await runScript('tintype.ts', args, { cloudflare })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^Not rolled back: 1 hidden images/m)])
    expect(refused.stdout).toMatch(/0011_moderation +images and galleries that operators have hidden are public \(1\)/)
    expect(refused.stdout).not.toContain('0010_crc32')
    expect(currentOf(workerOf(FIRST))?.number).toBe(2)
    const { code, stderr } = await runScript('tintype.ts', [...args, '--force'], { cloudflare })
    expect(code, stderr).toBe(0)
    expect(currentOf(workerOf(FIRST))?.number).toBe(1)
    const again = await runScript('tintype.ts', args, { cloudflare })
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('was rolled back already')])
    expect(currentOf(workerOf(FIRST))?.number).toBe(1)
    expect(cloudflare.unknown).toEqual([])
    expect(undescribed(cloudflare.requests)).toEqual([])
  })
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
] as const)('%j is rejected with a sentence', { timeout: TIMEOUT_MS }, async ([args, sentence]) => {
  const { code, stderr } = await deploy([...args, '--dry-run'])
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toContain('    at ')
  expect(code).toBe(1)
})

test('an invalid file of the operator is named', { timeout: TIMEOUT_MS }, async () => {
  writeFileSync(deploymentFile, '{ "domain": "pics.example" }')
  const { code, stderr } = await deploy(['--dry-run'])
  expect(stderr).toMatch(/deployment\.json: it holds "domain", which is not known/)
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
  'a setting that the Worker cannot read is rejected: %j',
  { timeout: TIMEOUT_MS },
  async ([vars, sentence]) => {
    writeFileSync(deploymentFile, JSON.stringify({ domains: ['pics.example'], vars }))
    const { code, stderr } = await deploy(['--dry-run'])
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/ at |secret/)
    expect(code).toBe(1)
  },
)

function deploy(args: readonly string[], options?: Parameters<typeof runScript>[2]) {
  return runScript('deploy/deploy.ts', ['--deployment', deploymentFile, ...args], options)
}

function indexOf({ requests }: FakeCloudflare, operation: string): number {
  return requests.findIndex((request) => request.operation === operation)
}
