import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { galleryWithImage, SMALL_PNG, uploadImage } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { startProxy } from './support/proxy.ts'
import { runCli } from './support/run-cli.ts'

const api = sharedApi()
const host = new URL(api.baseUrl).host
const missing = (id: number) => `http://${host}/show/1/${id}_a.png`

test('every status, in the order of the arguments', async () => {
  const proxy = await startProxy()
  const standing = await uploadImage(api, {}, { host })
  const deleted = await uploadImage(api, { include_manage_url: '1' }, { host })
  await api.remove(deleted.managementToken)
  const { image: pending } = await galleryWithImage(api)
  const { code, lines } = await runCli([
    'status',
    ...[standing.showUrl, deleted.showUrl, missing(7), pending.showUrl, standing.thumbnailUrl, standing.showUrl],
    ...['--url', proxy.url],
  ])
  expect(code).toBe(0)
  for (const [url, failed] of [
    [standing.showUrl, 0],
    [deleted.showUrl, 1],
  ] as const) {
    expect((await runCli(['status', '--fail', url, '--url', proxy.url])).code).toBe(failed)
  }
  expect(lines).toEqual([
    `available  ${standing.showUrl}`,
    `deleted    ${deleted.showUrl}`,
    `not_found  ${missing(7)}`,
    `pending    ${pending.showUrl}`,
    `invalid    ${standing.thumbnailUrl}`,
    `available  ${standing.showUrl}`,
  ])
})

test('the output of upload is a list of URLs, and its management link is sent nowhere', async () => {
  const proxy = await startProxy()
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG })
  const uploaded = await runCli(['upload', 'a.png', 'b.png', '--gallery', '--manage'], { cwd })
  expect(uploaded.lines).toHaveLength(4)
  const list = `\ufeff# mine\r\n\r\n${uploaded.stdout}`
  const { lines } = await runCli(['status', '-', '--url', proxy.url], { stdin: list })
  expect(lines).toEqual(uploaded.lines.slice(0, 2).map((url) => `available  ${url}`))
  const link = uploaded.lines[3]?.replace('manage: ', '') ?? ''
  expect((await runCli(['status', link, '--url', proxy.url])).lines).toEqual([`invalid    ${link}`])
  expect(proxy.requests.map(({ body }) => body.toString()).join()).not.toContain('/manage/')
})

test('250 URLs of a file are sent in batches of 100, one after the other, and wait as the rate limit says', async () => {
  const proxy = await startProxy()
  const urls = Array.from({ length: 250 }, (_, at) => missing(at + 1))
  const cwd = await folderWith({ 'list.txt': urls.join('\n') })
  // Leaves one request of the burst of 5. By the RateLimit fields, the second batch waits 6 s, and so does the third.
  for (let time = 0; time < 4; time++) await runCli(['status', missing(1), '--url', proxy.url])
  const { code, stdout, stderr } = await runCli(['status', 'list.txt', '--json', '--url', proxy.url], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ results: urls.map((url) => ({ url, status: 'not_found' })) })
  const batches = proxy.requests.slice(4)
  expect(batches.map(({ body }) => JSON.parse(body.toString()).urls.length)).toEqual([100, 100, 50])
  // Another client has emptied the bucket: Retry-After. On a slow machine a token may have returned.
  const ask = () => runCli(['status', missing(1), '--url', proxy.url])
  let again = await ask()
  while (again.stderr === '') again = await ask()
  expect(again).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^the host responded with 429; trying again in \d s\n$/),
  })
})

test('a URL for which the host would reject a whole batch is invalid by itself: over 512 bytes, or 64 KiB together', async () => {
  const proxy = await startProxy()
  const long = `http://${host}/show/1/1_${'a'.repeat(600)}.png`
  const quotes = Array.from({ length: 99 }, (_, at) => `http://${host}/${'"'.repeat(450)}${at}`)
  const cwd = await folderWith({ 'list.txt': [missing(1), long, ...quotes].join('\n') })
  const { code, lines } = await runCli(['status', 'list.txt', '--url', proxy.url], { cwd })
  expect(code).toBe(0)
  expect(lines).toEqual([`not_found  ${missing(1)}`, `invalid    ${long}`, ...quotes.map((url) => `invalid    ${url}`)])
  expect(proxy.requests).toHaveLength(2)
})

test('a failure in the middle: known results are printed, and the number of the rest', async () => {
  const proxy = await startProxy((_, index) => (index === 0 ? 'pass' : { status: 400, body: '{"message":"no more"}' }))
  const cwd = await folderWith({ list: Array.from({ length: 101 }, (_, at) => missing(at + 1)).join('\n') })
  const { code, lines, stderr } = await runCli(['status', join(cwd, 'list'), '--url', proxy.url])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '100 of 101 URLs were asked for: no more\n' })
  expect(lines).toHaveLength(100)
})

test.for([
  [['nowhere.txt'], 2, 'tintype-cli: "nowhere.txt" is neither a URL nor a file\n'],
  [['-'], 1, 'tintype-cli: there is no URL to ask for\n'],
] as const)('no URLs: %s', async ([args, code, stderr]) => {
  expect(await runCli(['status', ...args])).toMatchObject({ code, stdout: '', stderr })
})
