import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import {
  deploymentConfig,
  parseDeployment,
  storageNames,
  upgradeOf,
  warningsOf,
  workerName,
  writtenDomains,
} from '../../../tools/deploy/deployment.ts'
import { parsePublicDomain, parsePublicDomains } from '../../../tools/shared/public-domain.ts'

const BASE = parse(readFileSync(join(import.meta.dirname, '../../../wrangler.toml'), 'utf8'))
const FOLDERS = { root: '/srv/tintype', folder: '/srv/tintype/generated' }
const configOf = (deployment: Parameters<typeof deploymentConfig>[1]) => deploymentConfig(BASE, deployment, FOLDERS)

test.for([
  ['pics.example', 'pics.example'],
  [' Pics.EXAMPLE ', 'pics.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['a.b.c.example', 'a.b.c.example'],
] as const)('the domain "%s" is %s', ([text, domain]) => {
  expect(parsePublicDomain(text)).toBe(domain)
})

test.for([
  'https://pics.example/',
  'pics.example/',
  'pics.example:443',
  'me@pics.example',
  'pics',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '*.pics.example',
  'pics..example',
  'pics.example.',
  '-pics.example',
  'pi cs.example',
  'pics%2eexample',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(130)}example`,
])('"%s" is no domain', (text) => {
  expect(() => parsePublicDomain(text)).toThrow(`a domain must be a bare name such as pics.example: received "${text}"`)
})

test.for(['www', 'api', 't1', 'img12'])('%s. is not named', (prefix) => {
  expect(() => parsePublicDomain(`${prefix}.pics.example`)).toThrow('name the domain alone, "pics.example"')
})

test('a repeated domain counts once', () => {
  expect(parsePublicDomains(['b.example,A.example', 'a.example', ''])).toEqual(['b.example', 'a.example'])
})

const ROUTES_OF_A = ['a.example/*', 'www.a.example/*', 'api.a.example/*', 't1.a.example/*', 'img1.a.example/*']

test('each host of a link has a route, and no other host', () => {
  const config = configOf({ domains: ['a.example', 'b.example'] })
  expect(config.routes).toEqual([...ROUTES_OF_A, ...ROUTES_OF_A.map((route) => route.replace('a.', 'b.'))])
  expect(config.vars).toEqual({ PUBLIC_DOMAINS: 'a.example,b.example' })
  expect(config.workers_dev).toBe(false)
})

test('shared settings are repeated unchanged', () => {
  const { name, compatibility_date, r2_buckets, durable_objects, migrations, triggers, limits, observability } = BASE
  expect(configOf({ domains: ['a.example'] })).toMatchObject({
    ...{ name, compatibility_date, r2_buckets, durable_objects, migrations, triggers, limits, observability },
    main: '../src/index.ts',
    preview_urls: false,
    d1_databases: [{ binding: 'DB', database_name: 'tintype', migrations_dir: 'migrations' }],
  })
  expect(observability).toMatchObject({ logs: { invocation_logs: false }, traces: { enabled: false } })
})

test('wrangler.toml contains no id, route or domain of one operator', () => {
  expect(Object.keys(BASE)).not.toEqual(expect.arrayContaining(['env']))
  expect(BASE).not.toHaveProperty('routes')
  expect(BASE.d1_databases).toEqual([expect.not.objectContaining({ database_id: expect.anything() })])
  expect(BASE.vars).toEqual({ PUBLIC_DOMAINS: 'localhost' })
})

test('an id in wrangler.toml is preserved', () => {
  const base = { ...BASE, d1_databases: [{ binding: 'DB', database_name: 'mine', database_id: 'id' }] }
  expect(deploymentConfig(base, { domains: ['a.example'] }, FOLDERS).d1_databases).toEqual([
    { binding: 'DB', database_name: 'mine', database_id: 'id', migrations_dir: 'migrations' },
  ])
})

describe("D55: names of a deployment's storage", () => {
  const staging = { domains: ['staging.example'], name: 'my-staging', shards: 2 }
  const namesOf = ({ d1_databases: databases, r2_buckets: buckets }: ReturnType<typeof configOf>) => [
    ...(databases ?? []).map(({ database_id: id, database_name: name }) => id ?? name),
    ...(buckets ?? []).map(({ bucket_name: name }) => name),
  ]

  test('a new deployment shares none with another', () => {
    const production = { domains: ['pics.example'] }
    const names = [staging, production].map((deployment) =>
      namesOf(configOf({ ...deployment, ...storageNames(BASE, deployment, undefined) })),
    )
    expect(names).toEqual([
      ['my-staging', 'my-staging-1', 'my-staging-files'],
      ['my-tintype', 'my-tintype-files'],
    ])
  })

  test('an existing deployment keeps its names', () => {
    const names = { database: 'tintype', bucket: 'tintype-files' }
    expect(storageNames(BASE, staging, names)).toEqual(names)
    expect(storageNames(BASE, { ...staging, database: 'mine', bucket: 'my-files' }, names)).toEqual({
      database: 'mine',
      bucket: 'my-files',
    })
    expect(namesOf(configOf({ ...staging, ...names }))).toEqual(['tintype', 'tintype-1', 'tintype-files'])
  })

  test('bindings written by the operator, or by the page behind a button, take precedence', () => {
    const wrangler = { d1_databases: [{ binding: 'DB', database_name: 'restored', database_id: 'id' }] }
    const restored = { ...staging, wrangler }
    expect(storageNames(BASE, restored, undefined)).toEqual({ bucket: 'my-staging-files' })
    expect(namesOf(configOf({ ...restored, bucket: 'my-staging-files' }))).toEqual(['id', 'my-staging-files'])
    const made = { ...BASE, d1_databases: [{ binding: 'DB', database_name: 'made', database_id: 'id' }] }
    const names = storageNames(made, { domains: ['a.example'] }, undefined)
    expect(names).toEqual({ database: 'made', bucket: 'tintype-files' })
    expect(deploymentConfig(made, { domains: ['a.example'], ...names }, FOLDERS).d1_databases).toMatchObject([
      { database_id: 'id' },
    ])
  })
})

test('a domain without subdomains has one route, and a variable that says so', () => {
  const config = configOf({ domains: ['a.example', 'b.a.example'], singleHostDomains: ['b.a.example'] })
  expect(config.routes).toEqual([...ROUTES_OF_A, 'b.a.example/*'])
  expect(config.vars).toEqual({ PUBLIC_DOMAINS: 'a.example,b.a.example', SINGLE_HOST_DOMAINS: 'b.a.example' })
})

test('all hosts of a domain are routed on request, with a warning', () => {
  const deployment = { domains: ['a.example', 'b.example'], allHostsOf: ['b.example'] }
  expect(configOf(deployment).routes).toEqual([...ROUTES_OF_A, 'b.example/*', '*.b.example/*'])
  expect(warningsOf(configOf(deployment), deployment)).toEqual([
    expect.stringMatching(/^\*\.b\.example leads to this Worker/),
  ])
  expect(() => configOf({ ...deployment, domains: ['a.example'] })).toThrow('received "b.example"')
})

test.for(['workers.dev', 'pics.account.workers.dev'])('%s needs no route', (domain) => {
  expect(configOf({ domains: [domain] })).toMatchObject({
    workers_dev: true,
    routes: [],
    vars: { PUBLIC_DOMAINS: domain },
  })
})

test('the operator’s variables and keys of wrangler override ours', () => {
  const vars = { SECURITY_CONTACT: 'me@a.example' }
  expect(configOf({ domains: ['a.example'], vars, wrangler: { account_id: 'abc', preview_urls: true } })).toMatchObject(
    {
      vars: { PUBLIC_DOMAINS: 'a.example', ...vars },
      account_id: 'abc',
      preview_urls: true,
    },
  )
})

test('the Worker has its own name, that of its address, or the default', () => {
  expect(workerName(BASE, { domains: ['a.example'] })).toBe('my-tintype')
  expect(workerName(BASE, { domains: ['pics.account.workers.dev'] })).toBe('pics')
  expect(workerName(BASE, { domains: ['pics.account.workers.dev'], name: 'pics' })).toBe('pics')
  expect(() => workerName(BASE, { domains: ['a.b.workers.dev', 'c.b.workers.dev'] })).toThrow('are two')
  expect(() => workerName(BASE, { domains: ['account.workers.dev'] })).toThrow('<name>.<account>.workers.dev')
})

test('domains in wrangler.toml are read there', () => {
  expect(writtenDomains(BASE)).toEqual([])
  expect(writtenDomains({ vars: { PUBLIC_DOMAINS: 'Pics.example, localhost' } })).toEqual(['pics.example'])
  expect(() => writtenDomains({ vars: { PUBLIC_DOMAINS: 'https://pics.example' } })).toThrow('bare name')
})

test('a host that begins with t causes a warning', () => {
  const warned = (deployment: Parameters<typeof deploymentConfig>[1]) => warningsOf(configOf(deployment), deployment)
  expect(warned({ domains: ['tintype.account.workers.dev'] })).toEqual([
    expect.stringMatching(/^tintype\..*begins with "t"/),
  ])
  expect(warned({ domains: ['t.example'], singleHostDomains: ['t.example'] })).toHaveLength(1)
  expect(warned({ domains: ['workers.dev', 'tintype.example'] })).toEqual([])
})

test.for([
  ['{ "domains": "a.example" }', '"domains" must be a list such as ["pics.example"]'],
  ['{ "domains": ["https://a.example"] }', 'a domain must be a bare name'],
  ['{ "name": 1 }', '"name" must be a text'],
  ['{ "routes": [] }', 'it holds "routes", which is not known'],
  ['{ "shards": "2" }', '"shards" must be of the type number'],
  ['{ "vars": { "A": 1 } }', '"vars.A" must be a text'],
  ['[]', 'it must be of the type object'],
  ['{', 'JSON'],
] as const)('deployment.json with %s is rejected', ([text, sentence]) => {
  expect(() => parseDeployment(text)).toThrow(sentence)
})

test('an operator who edited [env.production] is told the alternative', () => {
  const production = {
    vars: { PUBLIC_DOMAINS: 'a.example,b.example' },
    d1_databases: [{ binding: 'DB', database_name: 'mine', database_id: 'id' }],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'tintype-files' }],
  }
  expect(upgradeOf({ ...BASE, env: { production } })).toMatch(
    /Remove it .*, write database_name = "mine", and say once: npm run deploy -- --domain a\.example,b\.example --name tintype-production$/,
  )
  expect(upgradeOf(BASE)).toBeUndefined()
})
