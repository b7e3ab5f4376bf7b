import { describe, expect, inject, test } from 'vitest'
import { freePort } from '../contract/support/service.ts'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { namesOnPage } from './support/gallery-page.ts'
import { type Fate, type Passing, startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Treats requests as listed, and all later ones like the last. */
function inTurn(...fates: Fate[]): Promise<Passing> {
  return startProxy((_, index) => fates[Math.min(index, fates.length - 1)] ?? 'pass')
}

async function uploadOne(proxy: Passing, ...options: string[]) {
  const cwd = await folderWith({ 'a.png': SMALL_PNG })
  return runCli(['upload', 'a.png', '--url', proxy.url, ...options], { cwd })
}

describe('retried', () => {
  test.for([
    ['a connection that is cut', 'cut'],
    ['500', { status: 500, body: 'something went wrong' }],
    ['502 with a page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['503', { status: 503 }],
    ['429', { status: 429, headers: { 'retry-after': '0' } }],
    ['409 that asks to come back', { status: 409, headers: { 'retry-after': '0' } }],
    ['417 whose error code passes', { status: 417, headers: { 'x-error-code': 'gallery_not_finalizable' } }],
  ] as [string, Fate][])('%s: the same bytes under the same Idempotency-Key', async ([, fate]) => {
    const proxy = await inTurn(fate, fate, 'pass')
    const { code, lines } = await uploadOne(proxy)
    expect({ code, lines }).toEqual({ code: 0, lines: [expect.stringMatching(/_a\.png$/)] })
    const [first, ...others] = proxy.requests
    expect(first?.key).toMatch(UUID)
    expect(others.map(({ key, body }) => ({ key, same: first?.body.equals(body) }))).toEqual(
      Array(2).fill({ key: first?.key, same: true }),
    )
  })

  test('another file has another key', async () => {
    const proxy = await startProxy()
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG })
    await runCli(['upload', '.', '--url', proxy.url, '--gallery'], { cwd })
    const keys = proxy.requests.slice(0, 3).map(({ key }) => key)
    expect(new Set(keys).size).toBe(3)
    for (const key of keys) expect(key).toMatch(UUID)
  })

  test('a lost response stores nothing twice', async () => {
    const proxy = await startProxy((_, index) => (index % 2 === 0 ? 'cut-after' : 'pass'))
    const { code, lines } = await uploadOne(proxy, '--gallery')
    expect(code).toBe(0)
    const operations = proxy.requests.map(({ path }) => path.replace(/^\/galleries\/\w+/, ''))
    expect(operations).toEqual(['/galleries', '/galleries', '/images', '/images', '/finalize', '/finalize'])
    expect(await namesOnPage(lines.at(-1)?.replace('gallery: ', '') ?? '')).toEqual(['a.png'])
  })

  test('not before Retry-After, nor is any other request of the command sent', async () => {
    const proxy = await inTurn({ status: 429, headers: { 'retry-after': '2' } }, 'pass')
    const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, 'c.png': SMALL_PNG })
    const args = ['upload', '.', '--concurrency', '1', '--url', proxy.url]
    expect((await runCli(args, { cwd })).stderr).toContain('the host responded with 429; trying again in 2 s')
    const [first, ...others] = proxy.requests.map(({ atMs }) => atMs)
    for (const atMs of others) expect(atMs - (first ?? 0)).toBeGreaterThanOrEqual(2000)
  })

  test('a date in Retry-After', async () => {
    const date = new Date(Date.now() + 3000).toUTCString()
    const proxy = await inTurn({ status: 503, headers: { 'retry-after': date } }, 'pass')
    expect((await uploadOne(proxy)).code).toBe(0)
    expect(proxy.requests[1]?.atMs).toBeGreaterThanOrEqual(Date.parse(date))
  })

  test('not when the host asks to wait for hours', async () => {
    const proxy = await inTurn({ status: 503, headers: { 'retry-after': '7200' }, body: 'we are moving' })
    expect(await uploadOne(proxy)).toMatchObject({ code: 1, stderr: expect.stringContaining('a.png: we are moving') })
    expect(proxy.requests).toHaveLength(1)
  })

  test.for([
    [0, 1],
    [2, 3],
  ] as const)('--retries %i: at most %i tries, then the failure', async ([retries, tries]) => {
    const proxy = await inTurn({ status: 500, body: 'something went wrong on our side' })
    const { code, stderr } = await uploadOne(proxy, '--retries', String(retries))
    expect(code).toBe(1)
    expect(stderr).toContain('1 of 1 failed:\n  a.png: something went wrong on our side\n')
    expect(proxy.requests).toHaveLength(tries)
  })
})

describe('never retried', () => {
  test.for([400, 404, 409, 413, 414, 415, 416, 422, 501, 505])('%i, and its sentence is printed', async (status) => {
    const proxy = await inTurn({ status, body: 'img must be better' })
    const { code, stderr } = await uploadOne(proxy)
    expect(code).toBe(1)
    expect(stderr).toContain('  a.png: img must be better\n')
    expect(proxy.requests).toHaveLength(1)
  })

  test('a status that is retried elsewhere, with an error code that is not', async () => {
    const proxy = await inTurn({
      status: 503,
      headers: { 'x-error-code': 'unsupported_format' },
      body: 'no such format',
    })
    expect(await uploadOne(proxy)).toMatchObject({ code: 1, stderr: expect.stringContaining('a.png: no such format') })
    expect(proxy.requests).toHaveLength(1)
  })

  test.for([
    ['a success that is no response of this API', { status: 200, body: '<html>Log in</html>' }, /not like this API/],
    ['JSON of something else', { status: 200, body: '{"ok":true}' }, /not like this API/],
    [
      'a redirection',
      { status: 301, headers: { location: 'https://new.example/images' } },
      /redirects to https:\/\/new\.example: call that with --url/,
    ],
  ] as [string, Fate, RegExp][])('%s', async ([, fate, sentence]) => {
    const proxy = await inTurn(fate)
    expect(await uploadOne(proxy)).toMatchObject({ code: 1, stderr: expect.stringMatching(sentence) })
    expect(proxy.requests).toHaveLength(1)
  })
})

test('https of a host that speaks http alone: reported, and not retried', async () => {
  const host = new URL(inject('baseUrl')).host
  const cwd = await folderWith({ 'a.png': SMALL_PNG })
  expect(await runCli(['upload', 'a.png', '-q', '--url', `https://${host}`], { cwd })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `1 of 1 failed:\n  a.png: ${host} speaks no TLS: is its address (--url) one of http://?\n`,
  })
})

test('a host that is down: reported at once if the first file has waited long enough', async () => {
  const host = `127.0.0.1:${await freePort()}`
  const cwd = await folderWith(Object.fromEntries(['a.png', 'b.png', 'c.png'].map((name) => [name, SMALL_PNG])))
  const sentence = `no service responds at ${host}: is it running, and the address (--url) right?`
  const { code, stdout, stderr } = await runCli(['upload', '.', '--retries', '1', '--url', `http://${host}`], { cwd })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  for (const name of ['a.png', 'b.png', 'c.png']) expect(stderr).toContain(`  ${name}: ${sentence}\n`)
  const gallery = ['upload', '.', '--gallery', '--retries', '0', '--url', `http://${host}`]
  expect(await runCli(gallery, { cwd })).toMatchObject({ code: 1, stderr: `tintype-cli: ${sentence}\n` })
})
