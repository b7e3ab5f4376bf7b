import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCertificate } from '../../clients/support/certificate.ts'
import { apiAt } from '../../contract/support/api.ts'
import { runCommand } from '../../contract/support/command.ts'
import { freePort, type StartOptions, startService, temporaryData } from '../../contract/support/service.ts'
import { uploadImage } from '../../contract/support/steps.ts'
import { BUCKET, OWNER, READER } from '../support/accounts.ts'
import { keysFile } from '../support/keys-file.ts'
import { type S3Proxy, startProxy } from '../support/proxy.ts'
import { type Swift, startSwift } from '../support/swift.ts'

/** Returns the processes whose command line names a data folder, and their children. */
function runningOf(data: string) {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
        const [, name = '', , parent = ''] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(read('stat')) ?? []
        return [{ pid, name, parent, arguments: read('cmdline'), environment: read('environ') }]
      } catch {
        // The process has ended in the meantime.
        return []
      }
    })
  const named = all.filter(({ arguments: list }) => list.includes(data))
  return [...named, ...all.filter(({ parent }) => named.some(({ pid }) => pid === parent))]
}

let swift: Swift
let proxy: S3Proxy
const owner = keysFile(OWNER)
beforeAll(async () => {
  swift = await startSwift()
  proxy = await startProxy(swift.endpoint)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await swift[Symbol.asyncDispose]()
})

const inFolder = (folder: string, keys = owner) => [
  ...['--files', `s3://${BUCKET}/${folder}`],
  ...['--s3-endpoint', swift.endpoint, '--s3-keys', keys],
]

/** Returns why a service did not start. */
async function refusal(options: StartOptions): Promise<string> {
  const service = await startService(options).catch((error: unknown) => String(error))
  if (typeof service === 'string') return service.replace(/^Error: /, '')
  await service.stop()
  return 'it started'
}

describe('an unusable bucket is reported with a sentence', () => {
  const wrong = (change: Partial<typeof OWNER>) => keysFile({ ...OWNER, ...change })

  test.for([
    ['a wrong secret', () => inFolder('a', wrong({ secretAccessKey: 'wrong' })), 'refuses the keys: check AWS_ACCESS'],
    [
      'a wrong key id',
      () => inFolder('a', wrong({ accessKeyId: 'test:nobody' })),
      'refuses the keys: check AWS_ACCESS',
    ],
    ['somebody who may only read', () => inFolder('a', keysFile(READER)), 'the keys may not write in s3://pictures/a'],
    ['another region', () => [...inFolder('a'), '--s3-region', 'eu-west-1'], 'start with --s3-region us-east-1'],
    ['no such bucket', () => [...inFolder('a'), '--files', 's3://nothing'], 'has no bucket "nothing": make it'],
    [
      'nothing listens',
      () => [...inFolder('a'), '--s3-endpoint', 'http://127.0.0.1:2'],
      'cannot be reached (ECONNREFUSED)',
    ],
    ['no such host', () => [...inFolder('a'), '--s3-endpoint', 'http://s3.invalid'], 'cannot be reached (ENOTFOUND)'],
  ] as const)('%s', async ([, args, sentence]) => {
    const refused = await refusal({ args: args() })
    expect(refused).toContain(sentence)
    expect(refused).not.toContain('secret-of')
  })

  test('a clock that is wrong', async () => {
    await using strict = await startSwift({ skewSeconds: 1 })
    await using late = await startProxy(strict.endpoint)
    // The proxy holds signed requests until they are too old, as if the clock of this machine were slow.
    late.treat(() => ({ holdMs: 3000 }))
    const args = [...inFolder('a'), '--s3-endpoint', late.endpoint]
    expect(await refusal({ args })).toContain("set this machine's clock (S3 GET 403 RequestTimeTooSkewed)")
  })

  test('keys that may write and not delete', async () => {
    proxy.treat(({ method }) =>
      method === 'DELETE' ? { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' } : 'pass',
    )
    const args = [...inFolder('undeletable'), '--s3-endpoint', proxy.endpoint]
    expect(await refusal({ args })).toContain('the keys may not delete in s3://pictures/undeletable')
  })

  test.for([
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, 'redirects to another address'],
    [
      'a redirect to another region',
      {
        status: 301,
        headers: { 'x-amz-bucket-region': 'eu-west-1' },
        body: '<Error><Code>PermanentRedirect</Code></Error>',
      },
      'start with --s3-region eu-west-1',
    ],
    [
      'a web server',
      { status: 200, body: '<!doctype html><p>It works' },
      's3://pictures/odd cannot be used: S3 GET 200 OddResponse',
    ],
    ['a service that has no room', { status: 507 }, 's3://pictures/odd has no room left'],
  ] as const)('%s', async ([, treatment, sentence]) => {
    proxy.treat(() => treatment)
    const { requests } = proxy
    const before = requests.length
    expect(await refusal({ args: [...inFolder('odd'), '--s3-endpoint', proxy.endpoint] })).toContain(sentence)
    expect(requests.length).toBe(before + 1)
  })
})

test('a file of keys that others can read is rejected', async () => {
  const keys = keysFile(OWNER)
  chmodSync(keys, 0o640)
  expect(await refusal({ args: inFolder('a', keys) })).toBe(
    `the keys of S3 cannot be read from ${keys}: others can read it: chmod 600 ${keys}`,
  )
})

test('two services have folders of their own in one bucket', async () => {
  const [one, other] = [await startService({ args: inFolder('one') }), await startService({ args: inFolder('two') })]
  try {
    const [mine, theirs] = [await uploadImage(apiAt(one.baseUrl)), await uploadImage(apiAt(other.baseUrl))]
    expect((await apiAt(one.baseUrl).follow(mine.originalUrl)).status).toBe(200)
    expect((await apiAt(other.baseUrl).follow(theirs.originalUrl)).status).toBe(200)
    expect(await refusal({ args: inFolder('one') })).toContain(
      's3://pictures/one has the files of another Tintype: give this one a folder of its own, such as s3://pictures/one/second',
    )
  } finally {
    await one.stop()
    await other.stop()
  }
})

test('a service remembers where its files are, and does not move them', async () => {
  const data = await temporaryData()
  const first = await startService({ data: data.path, args: inFolder('moved') })
  const { originalUrl } = await uploadImage(apiAt(first.baseUrl))
  await first.stop()

  const again = await startService({ data: data.path, args: [] })
  expect((await apiAt(again.baseUrl).follow(originalUrl)).status).toBe(200)
  await again.stop()

  const start = (...args: string[]) => refusal({ data: data.path, args })
  expect(await start('--files', 'disk')).toContain(`the files of ${data.path} are in s3://pictures/moved: copy them to`)
  expect(await start('--files', 'disk', '--files-moved')).toContain('files lacks images/')
  expect(await start(...inFolder('elsewhere'))).toContain(
    `s3://pictures/elsewhere does not have the files of ${data.path}`,
  )
  expect(await start(...inFolder('elsewhere'), '--files-moved')).toContain('s3://pictures/elsewhere lacks images/')
  expect(await start('--s3-region', 'eu-west-1')).toContain('start with --s3-region us-east-1')
  const last = await startService({ data: data.path, args: [] })
  expect((await apiAt(last.baseUrl).follow(originalUrl)).status).toBe(200)
  await last.stop()
  await data.remove()
})

test('data on the disk is not moved to S3 without its files', async () => {
  const data = await temporaryData()
  const first = await startService({ data: data.path, args: [] })
  await uploadImage(apiAt(first.baseUrl))
  await first.stop()
  const start = (...args: string[]) => refusal({ data: data.path, args })
  expect(await start(...inFolder('new'))).toContain(
    `the files of ${data.path} are on its disk: copy them to s3://pictures/new`,
  )
  expect(await start(...inFolder('new'), '--files-moved')).toContain('s3://pictures/new lacks images/')
  expect(await start('--s3-region', 'eu-west-1')).toBe('options of S3 go with --files s3://bucket')
  await data.remove()
})

test('the keys are in no argument, in no environment of workerd, and in no stored or printed text', async () => {
  const data = await temporaryData()
  const { accessKeyId, secretAccessKey } = OWNER
  process.env.AWS_ACCESS_KEY_ID = accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = secretAccessKey
  const args = ['--files', `s3://${BUCKET}/secret`, '--s3-endpoint', swift.endpoint]
  const service = await startService({ data: data.path, byCommand: true, args }).finally(() => {
    delete process.env.AWS_ACCESS_KEY_ID
    delete process.env.AWS_SECRET_ACCESS_KEY
  })
  try {
    await uploadImage(apiAt(service.baseUrl))
    const processes = runningOf(data.path)
    expect(processes.map(({ name }) => name)).toContain('workerd')
    for (const { name, arguments: list, environment } of processes) {
      expect(list, name).not.toContain(secretAccessKey)
      if (name === 'workerd') expect(environment).not.toContain(secretAccessKey)
    }
    await swift.stop()
    expect((await apiAt(service.baseUrl).get('/healthz')).status).toBe(503)
    await swift.start()
    expect(service.output()).not.toContain(secretAccessKey)
    expect(service.output()).not.toContain(accessKeyId)
    expect(readFileSync(path.join(data.path, 'files.json'), 'utf8')).not.toContain(accessKeyId)
  } finally {
    await service.stop()
    await data.remove()
  }
})

test('over TLS, with a certificate of a private authority, the bytes are not signed', async () => {
  const data = await temporaryData()
  writeCertificate(data.path, ['localhost'])
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(path.join(data.path, name)))
  if (!key || !cert) throw new Error('there is no certificate')
  await using secure = await startProxy(swift.endpoint, { key, cert })
  const digests = new Set<unknown>()
  secure.treat(({ method, headers }) => {
    if (method === 'PUT') digests.add(headers['x-amz-content-sha256'])
    return 'pass'
  })
  const args = [...inFolder('secure'), '--s3-endpoint', secure.endpoint]
  expect(await refusal({ data: data.path, args })).toMatch(/cannot be reached \((?:DEPTH_ZERO_)?SELF_SIGNED_CERT/)
  process.env.NODE_EXTRA_CA_CERTS = path.join(data.path, 'cert.pem')
  const service = await startService({ data: data.path, byCommand: true, args }).finally(() => {
    delete process.env.NODE_EXTRA_CA_CERTS
  })
  try {
    const { originalUrl } = await uploadImage(apiAt(service.baseUrl))
    expect((await apiAt(service.baseUrl).follow(originalUrl)).status).toBe(200)
    expect([...digests]).toEqual(['UNSIGNED-PAYLOAD'])
  } finally {
    await service.stop()
    await data.remove()
  }
})

test('files without a record, and records without a file, are found by a command that starts the service itself', async () => {
  const data = await temporaryData()
  const first = await startService({ data: data.path, args: inFolder('reconciled') })
  await uploadImage(apiAt(first.baseUrl))
  await first.stop()
  const port = String(await freePort())
  const { code, stdout } = await runCommand('reconcile', ['--data', data.path, '--port', port])
  expect(stdout).toContain('2 files and 1 record: 0 orphans, 0 missing, 0 unrecognized')
  expect(code).toBe(0)
  await data.remove()
})
