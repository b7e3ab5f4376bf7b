import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AccountApi } from '../../../tools/deploy/account-api.ts'
import { findAccount } from '../../../tools/deploy/account-workers.ts'
import { deploymentConfig, storageNames } from '../../../tools/deploy/deployment.ts'
import { linesOf } from '../../../tools/deploy/finding.ts'
import { preflight } from '../../../tools/deploy/preflight.ts'
import { lacksMigrations, makeStorage, verifyLogs } from '../../../tools/deploy/roll-out.ts'
import { deviations } from './described-bodies.ts'
import { addTintype, addWorker, type FakeCloudflare, readyZone, startFakeCloudflare } from './fake-cloudflare.ts'

const BASE = parse(readFileSync(join(import.meta.dirname, '../../../wrangler.toml'), 'utf8'))
const ACCOUNT = { id: 'account', name: 'Example' }

type Deployment = Parameters<typeof deploymentConfig>[1]

let cloudflare: FakeCloudflare
let api: AccountApi
beforeEach(async () => {
  cloudflare = await startFakeCloudflare('pics.example')
  api = new AccountApi({ address: cloudflare.api, token: 'token', retryMs: 0 })
})
afterEach(() => cloudflare.close())

function planOf(given: Partial<Deployment>) {
  const deployment = { domains: ['pics.example'], ...given }
  const named = { ...deployment, ...storageNames(BASE, deployment, undefined) }
  return { deployment: named, config: deploymentConfig(BASE, named, { root: '/srv', folder: '/srv/generated' }) }
}

/** Returns the findings of a state, as `check: text`. */
async function findings(state: string, given: Partial<Deployment> = {}, options: Partial<Options> = {}) {
  const wanted = { account: ACCOUNT, ...planOf(given), isNew: true, mayAdopt: false, mayRebind: false, ...options }
  const { findings: all } = await preflight(api, wanted)
  expect(cloudflare.unknown).toEqual([])
  expect(cloudflare.requests.filter(({ operation }) => !operation.startsWith('GET '))).toEqual([])
  return all.filter((one) => one.state === state).map(({ check, text }) => `${check}: ${text}`)
}

interface Options {
  isNew: boolean
  mayAdopt: boolean
  mayRebind: boolean
}

test('a complete account passes', async () => {
  const all = { domains: ['pics.example', 'workers.dev'] }
  expect(await findings('ok', all)).toEqual([
    'account: Example (account)',
    'plan: Workers Paid',
    'D1: 0 databases',
    'R2: on',
    'names: Worker my-tintype, storage of its own: my-tintype, my-tintype-files',
    'settings: complete',
    'workers.dev: https://my-tintype.account.workers.dev',
    'zone: pics.example is in the zone pics.example',
    'routes: 5 of pics.example',
    'DNS: 5 hosts of pics.example have proxied records',
    'certificate: for 5 hosts of pics.example',
  ])
  for (const state of ['wrong', 'later', 'unknown']) expect(await findings(state, all)).toEqual([])
})

test('a setting that lacks the secret that it needs stops the deployment, and the other way round', async () => {
  const given = { vars: { TURNSTILE_SITE_KEY: 'key' } }
  const lacksSecret = 'settings: TURNSTILE_SITE_KEY needs TURNSTILE_SECRET, which is not set: set both, or neither'
  expect(await findings('wrong', given)).toEqual([lacksSecret])
  addTintype(cloudflare, 'my-tintype', 'my-tintype', 'my-tintype-files')
  const known = { isNew: false }
  expect(await findings('wrong', given, known)).toEqual([lacksSecret])
  cloudflare.workers.get('my-tintype')?.secrets.push('TURNSTILE_SECRET')
  expect(await findings('wrong', given, known)).toEqual([])
  expect(await findings('wrong', {}, known)).toEqual([
    'settings: TURNSTILE_SECRET needs TURNSTILE_SITE_KEY, which is not set: set both, or neither',
  ])
})

test('all errors are in one list, and warnings do not stop the deployment', async () => {
  cloudflare.hasR2 = false
  cloudflare.plans = []
  cloudflare.subdomain = undefined
  const [zone = readyZone('')] = cloudflare.zones
  zone.records = [{ name: '*.pics.example', type: 'AAAA', proxied: true }]
  zone.certificate = ['pics.example', 'www.pics.example']
  zone.routes = [{ id: '1', pattern: 'api.pics.example/*', script: 'blog' }]
  cloudflare.customDomains = [{ hostname: 'pics.example', service: 'shop' }]
  cloudflare.zones.push({ ...readyZone('others.example'), account: 'other' })
  cloudflare.zones.push({ ...readyZone('new.example'), status: 'pending' })
  const domains = ['pics.example', 'others.example', 'new.example', 'none.example', 'workers.dev']
  expect(await findings('wrong', { domains })).toEqual([
    'R2: R2 is off: switch it on in the dashboard, under "R2 Object Storage"',
    'workers.dev: the account has no name on workers.dev: open "Workers & Pages" in the dashboard once',
    'routes: api.pics.example/* leads to the Worker "blog": remove that route first',
    'routes: pics.example/* leads to the Worker "shop": remove that route first',
    'zone: the zone others.example belongs to another account',
    'zone: the zone new.example is pending: set the name servers that Cloudflare asks for',
    'zone: none.example is in no zone of this account: add its domain to Cloudflare first',
  ])
  expect(await findings('later', { domains })).toEqual([
    expect.stringMatching(/^plan: no paid Workers plan was found/),
    'DNS: add proxied records (AAAA 100::) for pics.example',
    'certificate: no certificate for api.pics.example, t1.pics.example, img1.pics.example: order one, or deploy with --single-host-domain pics.example',
  ])
})

test.for([
  ['d1', / \/d1\//, 'wrong', 'D1', 'Account, D1, Edit'],
  ['r2', / \/r2\//, 'wrong', 'R2', 'Account, Workers R2 Storage, Edit'],
  ['workers', / \/workers\/scripts/, 'wrong', 'names', 'Account, Workers Scripts, Edit'],
  ['zones', / \/zones$/, 'wrong', 'zone', 'Zone, Zone, Read'],
  ['routes', /\/workers\/routes/, 'wrong', 'routes', 'Zone, Workers Routes, Edit'],
  ['records', /\/dns_records/, 'unknown', 'DNS', 'Zone, DNS, Read'],
  ['certificates', /\/ssl\//, 'unknown', 'certificate', 'Zone, SSL and Certificates, Read'],
  ['plan', /\/subscriptions/, 'unknown', 'plan', 'Account, Billing, Read'],
] as const)('a token without the permission for %s', async ([, denied, state, check, permission]) => {
  cloudflare.denied = denied
  expect(await findings(state)).toEqual([`${check}: the token needs the permission "${permission}"`])
})

describe('D55: nothing is shared, and nothing taken over', () => {
  test('storage of another Worker is rejected, unless this deployment says so', async () => {
    addTintype(cloudflare, 'my-tintype', 'tintype', 'tintype-files')
    const staging = { name: 'my-staging', database: 'tintype', bucket: 'tintype-files' }
    expect(await findings('wrong', staging, { isNew: false })).toEqual([
      expect.stringMatching(/^names: the database "tintype" belongs to the Worker "my-tintype" too/),
      expect.stringMatching(/^names: the bucket "tintype-files" belongs to the Worker "my-tintype" too/),
    ])
    const shared = { ...staging, sharesWith: ['my-tintype'] }
    expect(await findings('wrong', shared, { isNew: false })).toEqual([])
  })

  test('a database that is bound by its id is also found, and a Durable Object of another Worker', async () => {
    addTintype(cloudflare, 'my-tintype', 'tintype', 'tintype-files')
    addWorker(cloudflare, 'tool', [{ name: 'X', type: 'durable_object_namespace', script_name: 'my-staging' }])
    const id = cloudflare.databases.get('tintype')?.uuid ?? ''
    const wrangler = { d1_databases: [{ binding: 'DB', database_id: id }] }
    expect(await findings('wrong', { name: 'my-staging', wrangler }, { isNew: false })).toEqual([
      expect.stringMatching(/^names: the database "tintype" belongs to the Worker "my-tintype" too/),
      expect.stringMatching(/^names: the Worker "tool" is bound to the Durable Object of "my-staging"/),
    ])
  })

  test('a new deployment takes over a Tintype, a database or a bucket only by --adopt', async () => {
    addTintype(cloudflare, 'my-tintype', 'my-tintype', 'my-tintype-files')
    expect(await findings('wrong')).toEqual([
      expect.stringMatching(/^names: the account has a Tintype "my-tintype" .* --adopt/),
    ])
    expect(await findings('wrong', {}, { mayAdopt: true })).toEqual([])
    cloudflare.workers.clear()
    expect(await findings('wrong')).toEqual([
      expect.stringMatching(/^names: the account has a database "my-tintype" already. .* --adopt/),
      expect.stringMatching(/^names: the account has a bucket "my-tintype-files" already. .* --adopt/),
    ])
    expect(await findings('wrong', {}, { mayAdopt: true })).toEqual([])
  })

  test('a Worker that is no Tintype is never overwritten', async () => {
    addWorker(cloudflare, 'blog', [{ name: 'DB', type: 'd1', id: 'x' }])
    expect(await findings('wrong', { name: 'blog' }, { mayAdopt: true, isNew: false })).toEqual([
      expect.stringMatching(/^names: the account has another Worker of the name "blog"/),
    ])
  })

  test('a Worker is detached from its database or its bucket only by --rebind', async () => {
    addTintype(cloudflare, 'my-tintype', 'tintype', 'tintype-files')
    expect(await findings('wrong', {}, { isNew: false })).toEqual([
      expect.stringMatching(
        /^names: DB of the Worker "my-tintype" is the database "tintype", and would be "my-tintype"/,
      ),
      expect.stringMatching(/^names: the bucket of the Worker "my-tintype" is "tintype-files", and would be/),
    ])
    expect(await findings('wrong', {}, { isNew: false, mayRebind: true })).toEqual([])
  })
})

describe('the account', () => {
  test('is the only one, or the named one', async () => {
    const none = { remembered: undefined, named: undefined }
    expect(await findAccount(api, none)).toEqual(ACCOUNT)
    cloudflare.accounts.push({ id: 'second', name: 'Second' })
    await expect(findAccount(api, none)).rejects.toThrow('--account account (Example), --account second (Second)')
    expect(await findAccount(api, { ...none, named: 'second' })).toEqual({ id: 'second', name: 'Second' })
    await expect(findAccount(api, { remembered: 'account', named: 'second' })).rejects.toThrow(
      'this deployment is in the account account, but CLOUDFLARE_ACCOUNT_ID is second',
    )
  })

  test('need not be listed if it is named', async () => {
    cloudflare.denied = /GET \/accounts/
    expect(await findAccount(api, { remembered: undefined, named: 'account' })).toMatchObject({ id: 'account' })
    cloudflare.denied = undefined
    cloudflare.accounts = []
    await expect(findAccount(api, { remembered: undefined, named: undefined })).rejects.toThrow('reaches no account')
  })
})

describe('storage is made once', () => {
  const make = async () => {
    const { config } = planOf({ shards: 2 })
    const { databases, hasBucket } = await preflight(api, {
      ...{ account: ACCOUNT, ...planOf({ shards: 2 }), isNew: false, mayAdopt: false, mayRebind: false },
    })
    return makeStorage(api, { account: 'account', config, databases, hasBucket, log: () => undefined })
  }

  test.for([403, 429, 500, 'kill'] as const)('any single failing request with %s', async (fault) => {
    let calls = 0
    for (let failing = 0; failing === 0 || failing < calls; failing++) {
      for (const part of [cloudflare.databases, cloudflare.buckets, cloudflare.requests]) {
        if (Array.isArray(part)) part.length = 0
        else part.clear()
      }
      cloudflare.faultOf = (number) => (number === failing ? fault : undefined)
      const first = await make().catch((error: Error) => error)
      // Only a permanent rejection is reported. The others are retried.
      if (fault !== 403) expect(first, `request ${failing}`).not.toBeInstanceOf(Error)
      cloudflare.faultOf = undefined
      calls = Math.max(calls, cloudflare.requests.length)
      const { d1_databases: databases } = await make()
      const ids = [...cloudflare.databases.values()].map(({ uuid }) => uuid)
      expect(databases?.map(({ database_id: id }) => id)).toEqual(ids)
      expect([...cloudflare.databases.keys()]).toEqual(['my-tintype', 'my-tintype-1'])
      expect([...cloudflare.buckets]).toEqual(['my-tintype-files'])
    }
    expect(calls).toBeGreaterThan(10)
  })
})

test('logs that would contain addresses are reported, because wrangler only warns', async () => {
  addTintype(cloudflare, 'my-tintype', 'tintype', 'tintype-files')
  const worker = cloudflare.workers.get('my-tintype') ?? expect.fail()
  const verify = () => verifyLogs(api, { account: 'account', config: planOf({}).config })
  worker.observability = BASE.observability
  await verify()
  for (const wrong of [
    { enabled: true },
    { enabled: true, logs: { invocation_logs: false }, traces: { enabled: true } },
  ]) {
    worker.observability = wrong
    await expect(verify()).rejects.toThrow('its logs still hold addresses')
  }
})

/**
 * Returns the calls that Cloudflare's own client knows. It is generated from the OpenAPI description and part of
 * wrangler.
 */
function knownCalls(): RegExp[] {
  const source = readFileSync(join(import.meta.dirname, '../../../node_modules/wrangler/wrangler-dist/cli.js'), 'utf8')
  const calls = source.matchAll(/_client\.(get|post|getAPIList)\([`"](\/[^`"]+)[`"](?:, [^\n]*(method: "post"))?/g)
  return [...calls].map(([, method = '', template = '', posted]) => {
    const verb = method === 'post' || posted ? 'POST' : 'GET'
    return new RegExp(`^${verb} ${template.replaceAll(/\$\{\w+\}/g, '[\\w-]+')}$`)
  })
}

test('each call is one of Cloudflare’s OpenAPI description', async () => {
  addTintype(cloudflare, 'other', 'other', 'other-files')
  const { config, deployment } = planOf({ domains: ['pics.example', 'workers.dev'] })
  await findAccount(api, { remembered: undefined, named: undefined })
  const options = { isNew: true, mayAdopt: false, mayRebind: false }
  const { databases, hasBucket } = await preflight(api, { account: ACCOUNT, config, deployment, ...options })
  await makeStorage(api, { account: 'account', config, databases, hasBucket, log: () => undefined })
  const [database] = [...cloudflare.databases.values()].slice(-1)
  await lacksMigrations(api, { account: 'account', database: database?.uuid })
  await verifyLogs(api, { account: 'account', config: { ...config, name: 'other' } })
  const known = knownCalls()
  expect(known.length).toBeGreaterThan(100)
  const calls = [...new Set(cloudflare.requests.map(({ url }) => url))]
  expect(calls.length).toBeGreaterThan(15)
  expect(calls.filter((call) => !known.some((pattern) => pattern.test(call)))).toEqual([])
  expect(cloudflare.requests.some(({ body }) => body !== '')).toBe(true)
  expect(deviations(cloudflare.requests)).toEqual([])
})

test.for([
  ['POST /d1/database', { name: 'a' }, []],
  ['POST /d1/database', { name: 1, color: 'red' }, ['name is no string', 'color is not described']],
  ['POST /zones/abc/workers/routes', { script: 'a' }, ['pattern is missing']],
  [
    'PUT /workers/scripts/a/schedules',
    [{ cron: '* * * * *' }, { at: 1 }],
    ['[].cron is missing', '[].at is not described'],
  ],
  ['PUT /workers/scripts/a', { bindings: [{ type: 'kv', name: 'a' }] }, ['bindings[]: the type kv is not described']],
  ['DELETE /r2/buckets', {}, ['not described']],
] as const)('a body that differs from the description is found: %s %o', ([operation, body, lines]) => {
  const found = deviations([{ operation, body: JSON.stringify(body) }])
  expect(found.map((line) => line.replace(/^[^:]+: /, ''))).toEqual(lines.toSorted())
})

test('the list ends with the errors, which are read first', () => {
  const lines = linesOf([
    { check: 'zone', state: 'wrong', text: 'b' },
    { check: 'plan', state: 'ok', text: 'a' },
  ])
  expect(lines).toEqual(['  ok          plan        a', '  WRONG       zone        b'])
})
