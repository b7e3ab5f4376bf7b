import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayStartServices } from './support/api.ts'
import { runCommand } from './support/command.ts'
import { startFakeEdge } from './support/fake-edge.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'

/** Returns the rows of the table, by what they check. */
function rowsOf(stdout: string): Map<string, string> {
  const rows = stdout.split('\n').flatMap((line) => {
    const [, what = '', result = ''] = /^(.*?) +(passed|FAILED|skipped|yes|no|not tried) +\S/.exec(line) ?? []
    return result === '' ? [] : [[what.replace(/:.*/, ''), result] as const]
  })
  return new Map(
    rows.map(([what, result], at) => [
      rows.findIndex(([other]) => other === what) === at ? what : `${what}, again`,
      result,
    ]),
  )
}

const CHECKS = [
  'it is healthy',
  'headers are those of src/http/responses/headers.ts',
  'memory',
  'CPU',
  'CPU, again',
  'the rate limit counts',
  'a deleted image leaves the caches',
  'metrics, for the operator alone',
  'it is healthy after all that',
  'what was uploaded can be deleted',
  'no token is in the log',
]

const QUESTIONS = [
  'does the service know how long a decode took?',
  'does a purge by tag reach what the Worker cached?',
  'are clients served whatever their User-Agent?',
  'are //images and /%69mages other paths (D19)?',
  'is a body over 100 MB refused with 413?',
  'does HEAD tell the length, over HTTP/3 too?',
  'do files and pages arrive unaltered?',
  'do styles and scripts arrive as they were built?',
  'are Workers Logs without a token?',
  'does a delete reach the other zone at once?',
  'have clients behind a Worker own addresses?',
]
/** An environment without an account and without curl. */
const NO_ACCOUNT = { CLOUDFLARE_API_TOKEN: '', PATH: '' }
/** Checks that need an account, another zone, or a curl that speaks HTTP/3. */
const NEEDY = [1, 5, 8, 9, 10]

describe.skipIf(!mayStartServices())('npm run rehearse (needs a service of its own)', () => {
  let data: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  let key: string
  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path, domains: ['localhost'] })
    key = readFileSync(join(data.path, 'operator.key'), 'utf8').trim()
  })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  test('npm start: all checks pass, no image is left, and no token is printed', async () => {
    const log = join(data.path, 'service.log')
    const writing = setInterval(() => writeFileSync(log, service.output()), 100)
    const args = ['--url', `http://localhost:${service.port}`, '--quick', '--log', log]
    const { code, stdout, stderr } = await runCommand('rehearse', args, { ...NO_ACCOUNT, TINTYPE_OPERATOR_KEY: key })
    clearInterval(writing)
    expect(Object.fromEntries(rowsOf(stdout)), stdout + stderr).toEqual({
      ...Object.fromEntries(CHECKS.map((what) => [what, 'passed'])),
      ...Object.fromEntries(QUESTIONS.map((asks, at) => [asks, NEEDY.includes(at) ? 'not tried' : 'yes'])),
    })
    expect(code).toBe(0)
    expect(stdout).not.toMatch(/[A-Za-z0-9_-]{43}/)
  })

  test('a service behind a faulty proxy: each fault is found', async () => {
    // The command line parser would take a key that begins with "-" for an option.
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    const log = join(data.path, 'proxy-log')
    const port = await freePort()
    const proxy = await breakingProxy(port, service.port, { log, key })
    const args = ['--url', `http://localhost:${port}`, '--quick', '--log', log, '--key', key]
    const { code, stdout } = await runCommand('rehearse', args, NO_ACCOUNT)
    proxy.close()
    // It contains tokens, as it should not.
    writeFileSync(log, '')
    const failed = [...rowsOf(stdout)].filter(([, result]) => result === 'FAILED').map(([what]) => what)
    expect(failed, stdout).toEqual([
      'headers are those of src/http/responses/headers.ts',
      'memory',
      'the rate limit counts',
      'a deleted image leaves the caches',
      'metrics, for the operator alone',
      'no token is in the log',
    ])
    expect(code).toBe(1)
    expect(stdout).not.toMatch(/[A-Za-z0-9_-]{43}/)
  })

  test.for([
    ['keeps to what is assumed', false, 'yes'],
    ['breaks each assumption', true, 'no'],
  ] as const)('in front of a service, an edge that %s is found', async ([, isBad, response]) => {
    const edge = await startFakeEdge(service.port, mkdtempSync(join(data.path, 'edge-')), isBad)
    const args = ['--url', edge.origin, '--quick', '--questions', ...edge.args]
    const { code, stdout, stderr } = await runCommand('rehearse', args, { ...edge.env, TINTYPE_OPERATOR_KEY: key })
    await edge.close()
    expect(Object.fromEntries(rowsOf(stdout)), stdout + stderr).toEqual({
      ...Object.fromEntries(QUESTIONS.map((asks) => [asks, response])),
      'what was uploaded can be deleted': 'passed',
    })
    expect(code).toBe(isBad ? 1 : 0)
    expect(stdout).not.toMatch(/[A-Za-z0-9_-]{43}/)
  })

  test("checks that the account's token does not allow are skipped: a search without results would prove nothing", async () => {
    const edge = await startFakeEdge(service.port, mkdtempSync(join(data.path, 'edge-')), false)
    const args = ['--url', edge.origin, '--quick', '--questions', ...edge.args]
    const key = { ...edge.env, TINTYPE_OPERATOR_KEY: '' }
    const [denied, another] = await Promise.all([
      runCommand('rehearse', args, { ...key, CLOUDFLARE_API_TOKEN: 'denied' }),
      runCommand('rehearse', [...args, '--worker', 'another'], key),
    ])
    await edge.close()
    expect(denied.stdout).toMatch(
      /cached\? +not tried because the token may not \(403\): it needs Zone, Cache Purge, Purge/,
    )
    expect(denied.stdout).toMatch(
      /a token\? +not tried because the token may not \(403\): it needs Account, Workers Observ/,
    )
    expect(denied.stdout).toMatch(/decode took\? +not tried because .* give --key/)
    expect(another.stdout).toMatch(/a token\? +not tried because Workers Logs show no request of this rehearsal/)
  })

  test('a missing service, a log without evidence, and wrong options are reported', async () => {
    const log = join(data.path, 'tail.log')
    writeFileSync(log, '{"eventTimestamp":1,"event":{"request":{"url":"https://pics.example/manage/REDACTED"}}}')
    const args = ['--url', `http://localhost:${await freePort()}`, '--quick', '--log', log]
    const nowhere = await runCommand('rehearse', args)
    expect([nowhere.code, nowhere.stdout]).toEqual([1, expect.stringContaining('ECONNREFUSED')])
    expect(nowhere.stdout).toMatch(/^no token is in the log +FAILED .* redacts tokens/m)
    const plain = await runCommand('rehearse', ['--url', 'http://staging.example'])
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('--url must begin with https://')])
    const without = await runCommand('rehearse', [])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--url must name the service')])
  })
})

/**
 * Caches images without an end, logs addresses, drops headers, and grants everybody the operator's rights and changing
 * addresses.
 */
async function breakingProxy(port: number, to: number, { log, key }: { log: string; key: string }): Promise<Server> {
  const cached = new Map<string, { headers: IncomingMessage['headers']; bytes: Buffer }>()
  let count = 0
  const server = createServer((incoming, outgoing) => {
    const { url = '', method = '' } = incoming
    appendFileSync(log, `${method} ${url}\n`)
    const known = cached.get(url)
    if (known) return void outgoing.writeHead(200, known.headers).end(known.bytes)
    const length = Number(incoming.headers['content-length'])
    if (length > 100_000_000) return void outgoing.writeHead(413).end()
    if (length > 900_000) {
      incoming.resume().on('end', () => outgoing.writeHead(503).end('error code: 1102'))
      return
    }
    const headers = {
      ...incoming.headers,
      'cf-connecting-ip': `192.0.2.${++count % 250}`,
      authorization: `Bearer ${key}`,
    }
    incoming.pipe(
      request({ port: to, host: '127.0.0.1', method, path: url, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { 'x-content-type-options': _, ...rest } = response.headers
          if (/^\/(?:images|thumbs|previews)\/\d/.test(url) && response.statusCode === 200)
            cached.set(url, { headers: rest, bytes })
          outgoing.writeHead(response.statusCode ?? 500, rest).end(bytes)
        })
      }),
    )
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}
