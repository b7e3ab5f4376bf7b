import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { noteTokens } from '../contract/support/issued-tokens.ts'
import { SMALL_PNG, statusOf } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { namesOnPage } from './support/gallery-page.ts'
import { type Fate, startProxy } from './support/proxy.ts'
import { BUNDLE, cliEnvironment, runCli } from './support/run-cli.ts'

const api = sharedApi()
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const STATELESS = { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } }

type Json = Record<string, unknown>

/** A client that speaks the protocol line by line. */
async function connect(args: readonly string[] = [], { env }: { env?: Record<string, string> } = {}) {
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, 'notes.txt': 'secret', 'in/c.png': SMALL_PNG })
  const child = spawn(process.execPath, [BUNDLE, 'mcp', ...args], { cwd, env: { ...cliEnvironment(), ...env } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const closed = once(child, 'close')
  const messages: Json[] = []
  const waiting = new Map<unknown, (message: Json) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    noteTokens(line)
    // Each line is a message: nothing else may be printed.
    const message = JSON.parse(line)
    messages.push(message)
    waiting.get(message.id)?.(message)
  })
  const write = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`)
  let lastId = 0
  const request = (method: string, params?: Json, id: string | number = ++lastId): Promise<Json> => {
    const response = new Promise<Json>((resolve) => waiting.set(id, resolve))
    write({ jsonrpc: '2.0', id, method, params })
    return response
  }
  /** Returns the result of a tool. */
  const call = async (name: string, args: Json, meta: Json = STATELESS): Promise<Json> => {
    const { result } = await request('tools/call', { name, arguments: args, ...meta })
    return Object(result)
  }
  return { cwd, child, closed, messages, write, request, call }
}

const errorOf = (message: Json) => Object(message.error)
const sentenceOf = (result: Json) => Object(Object(result.content)[0]).text
const structured = (result: Json) => Object(result.structuredContent)

describe('versions', () => {
  test.for([
    ['2024-11-05', '2024-11-05'],
    ['2025-03-26', '2025-03-26'],
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['2099-01-01', '2025-11-25'],
  ])('initialize with %s: %s', async ([asked, agreed]) => {
    const { request, write, child, closed } = await connect()
    const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    expect((await request('initialize', params)).result).toEqual({
      protocolVersion: agreed,
      capabilities: { tools: {} },
      serverInfo: { name: 'tintype-cli', title: 'Tintype', version: expect.any(String) },
      instructions: expect.any(String),
    })
    write({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await request('ping')).result).toEqual({})
    const { tools } = Object((await request('tools/list')).result)
    expect(tools.map(({ name }: Json) => name)).toEqual([
      'upload_image',
      'upload_gallery',
      'read_gallery',
      'image_status',
      'rename_gallery',
      'delete',
    ])
    child.stdin.end()
    expect(await closed).toEqual([0, null])
  })

  test('2026-07-28 needs no initialize: each request names its version', async () => {
    const { request } = await connect()
    const discovered = Object((await request('server/discover', STATELESS)).result)
    expect(discovered).toMatchObject({ resultType: 'complete', capabilities: { tools: {} }, cacheScope: 'public' })
    expect(discovered.supportedVersions[0]).toBe('2026-07-28')
    const listed = Object((await request('tools/list', STATELESS)).result)
    expect(listed).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000 })
    expect(errorOf(await request('ping', STATELESS)).code).toBe(-32601)
    expect(errorOf(await request('tools/list', { _meta: { [VERSION]: '2030-01-01', [CAPABILITIES]: {} } }))).toEqual({
      code: -32022,
      message: 'Unsupported protocol version',
      data: { supported: discovered.supportedVersions, requested: '2030-01-01' },
    })
    expect(errorOf(await request('tools/list', { _meta: { [VERSION]: '2026-07-28' } })).code).toBe(-32602)
  })
})

test.for([
  ['rubbish', null, -32700],
  ['{"jsonrpc":"2.0","id":1}', 1, -32600],
  ['{"id":1,"method":"ping"}', null, -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32600],
  ['[]', null, -32600],
  ['5', null, -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 1, -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"server/discover"}', 1, -32602],
  ['{"jsonrpc":"2.0","id":"x","method":"initialize"}', 'x', -32602],
] as const)('the response to %s is an error of JSON-RPC', async ([line, id, code]) => {
  const { stdout, stderr } = await runCli(['mcp'], { stdin: `${line}\n` })
  expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } })
  expect(stderr).toBe('')
})

test('notifications, responses and empty lines get no response; a batch gets one', async () => {
  const lines = [
    '',
    '{"jsonrpc":"2.0","method":"notifications/unknown"}',
    '{"jsonrpc":"2.0","id":9,"result":{}}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"no"},{"jsonrpc":"2.0","method":"n"}]',
  ]
  const { code, stdout } = await runCli(['mcp'], { stdin: lines.join('\n') })
  expect(code).toBe(0)
  expect(stdout.split('\n')).toHaveLength(2)
  expect(JSON.parse(stdout).map(({ id }: Json) => id)).toEqual([1, 2])
})

describe('tools', () => {
  test('upload_image uploads a file, or bytes, and says what it read', async () => {
    const { cwd, call } = await connect()
    const file = structured(await call('upload_image', { path: 'a.png', adult: true, thumbnail: 150 }))
    expect(file).toMatchObject({ name: 'a.png', file: join(cwd, 'a.png'), bytes: SMALL_PNG.length })
    expect(file).not.toHaveProperty('manage_url')
    expect(await statusOf(api, file.show_url)).toBe('available')
    const data = Buffer.from(SMALL_PNG).toString('base64')
    const named = structured(await call('upload_image', { data, name: 'Screen 1.png', private_link: true }))
    expect(named).toMatchObject({ name: 'screen-1.png', bytes: SMALL_PNG.length, manage_url: expect.any(String) })
    expect(named).not.toHaveProperty('file')
    expect(structured(await call('upload_image', { data: `data:image/png;base64,${data}` })).name).toBe('image.png')
    const expiring = structured(await call('upload_image', { path: 'a.png', expires_in: 3600 }))
    expect(Date.parse(expiring.expires_at)).toBeGreaterThan(Date.now() + 3_500_000)
    const result = await call('upload_image', { path: 'a.png' })
    // Clients of before 2025-06-18 read it as text.
    expect(JSON.parse(sentenceOf(result))).toEqual(structured(result))
  })

  test('upload_gallery, read_gallery, image_status, rename_gallery and delete', async () => {
    const { cwd, call, request, messages } = await connect()
    const images = [{ path: 'b.png' }, { path: join(cwd, 'a.png'), name: 'second.png' }]
    const args = { name: 'From a test', images, private_link: true }
    const meta = { _meta: { ...STATELESS._meta, progressToken: 'p' } }
    const gallery = structured(await call('upload_gallery', args, meta))
    expect(await namesOnPage(gallery.gallery_url)).toEqual(['b.png', 'second.png'])
    const progress = messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params)
    expect(progress).toEqual([
      { progressToken: 'p', progress: 1, total: 2 },
      { progressToken: 'p', progress: 2, total: 2 },
    ])

    const read = structured(await call('read_gallery', { url: gallery.gallery_url }))
    expect(read.gallery_name).toBe('From a test')
    expect(read.images.map(({ show_url }: Json) => show_url)).toEqual(
      gallery.images.map(({ show_url }: Json) => show_url),
    )
    const urls = [...gallery.images.map(({ show_url }: Json) => show_url), 'nonsense']
    const { results } = structured(await call('image_status', { urls }))
    expect(results.map(({ status }: Json) => status)).toEqual(['available', 'available', 'invalid'])

    const { manage_url } = gallery
    expect(structured(await call('rename_gallery', { manage_url, name: 'Other' })).gallery_name).toBe('Other')
    expect(structured(await call('delete', { manage_url }))).toEqual({ deleted: true, resource_type: 'gallery' })
    const again = await call('delete', { manage_url })
    expect(again.isError).toBe(true)
    expect(sentenceOf(again)).not.toContain(manage_url.split('/').at(-1))
    expect(errorOf(await request('tools/call', { name: 'toString', ...STATELESS })).code).toBe(-32602)
  })

  test.for([
    ['upload_image', {}, 'either path or data is required'],
    ['upload_image', { path: 'a.png', data: 'aaaa' }, 'either path or data is required'],
    ['upload_image', { path: 'none.png' }, 'none.png: there is no such file'],
    ['upload_image', { path: 'notes.txt' }, 'notes.txt: it is no JPEG, PNG, GIF, WebP or AVIF file'],
    ['upload_image', { path: 'in' }, 'in: it is a folder'],
    ['upload_image', { data: '!!' }, 'data must be base64'],
    ['upload_image', { data: 'aGVsbG8=' }, 'data: it is no JPEG, PNG, GIF, WebP or AVIF file'],
    ['upload_image', { path: 5 }, 'path must be a string'],
    ['upload_image', { path: 'a.png', thumbnail: 149 }, 'thumbnail must be an integer from 150 to 500'],
    ['upload_image', { path: 'a.png', expires_in: 59 }, 'expires_in must be an integer from 60 to 315360000'],
    ['upload_image', { path: 'a.png', size: 3 }, 'size is no argument: use path, data, '],
    ['upload_gallery', {}, 'images is missing'],
    ['upload_gallery', { images: [] }, 'images must be a list of 1 to 100'],
    ['upload_gallery', { images: ['a.png'] }, 'images[0] must be an object'],
    ['upload_gallery', { images: [{ path: 'a.png' }, { path: 'none.png' }] }, 'none.png: there is no such file'],
    ['read_gallery', { url: 'https://a.example/' }, 'is no link of a gallery'],
    ['delete', { manage_url: 'short' }, 'manage_url is no management link'],
  ] as const)('%s refuses %j with a sentence for the model', async ([name, args, sentence]) => {
    const { call } = await connect()
    const result = await call(name, args)
    expect(result.isError).toBe(true)
    expect(sentenceOf(result)).toContain(sentence)
  })

  test('a wrong path creates no gallery, and requests go to the configured host alone', async () => {
    const proxy = await startProxy(() => ({ status: 404, body: 'none' }))
    const { call } = await connect(['--url', proxy.url])
    await call('upload_gallery', { images: [{ path: 'a.png' }, { path: 'none.png' }] })
    expect(proxy.requests).toEqual([])
    const other = `http://127.0.0.1:1`
    await call('delete', { manage_url: `${other}/manage/${'T'.repeat(43)}` })
    await call('read_gallery', { url: `${other}/gallery/abc?page=2` })
    expect(proxy.requests.map(({ path }) => path)).toEqual([
      `/management/${'T'.repeat(43)}/delete`,
      '/gallery/abc?page=2',
    ])
  })
})

describe('--root', () => {
  test('keeps files outside of the folder from being read, also by links', async () => {
    const outside = await folderWith({ 'x.png': SMALL_PNG })
    const root = await folderWith({ 'a.png': SMALL_PNG, '..b.png': SMALL_PNG })
    symlinkSync(join(outside, 'x.png'), join(root, 'link.png'))
    const { call } = await connect(['--root', root])
    for (const path of [join(outside, 'x.png'), 'link.png', '../x.png', '/etc/passwd']) {
      const result = await call('upload_image', { path })
      expect(result.isError).toBe(true)
      expect(sentenceOf(result)).toBe(`${path}: files outside of ${root} are not read (--root)`)
    }
    expect((await call('upload_image', { path: 'a.png' })).isError).toBe(false)
    expect((await call('upload_image', { path: '..b.png' })).isError).toBe(false)
  })

  test('must be there', async () => {
    expect(await runCli(['mcp', '--root', '/nowhere'])).toMatchObject({
      code: 2,
      stderr: 'tintype-cli: --root must be a folder: "/nowhere" is not there\n',
    })
  })
})

test('a cancelled request gets no response, and the next one is served', async () => {
  const begun = Promise.withResolvers<void>()
  const proxy = await startProxy(async (_, index): Promise<Fate> => {
    if (index > 0) return 'pass'
    begun.resolve()
    await new Promise(() => {})
    return 'cut'
  })
  const { request, write, call, messages } = await connect(['--url', proxy.url])
  void request('tools/call', { name: 'upload_image', arguments: { path: 'a.png' }, ...STATELESS }, 'slow')
  await begun.promise
  write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } })
  expect((await call('upload_image', { path: 'b.png' })).isError).toBe(false)
  expect(messages.filter(({ id }) => id === 'slow')).toEqual([])
})

test('requests that run at the end of the input are finished', async () => {
  const line = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'upload_image', arguments: { data: Buffer.from(SMALL_PNG).toString('base64') }, ...STATELESS },
  })
  const { code, stdout } = await runCli(['mcp'], { stdin: line })
  expect(code).toBe(0)
  expect(await statusOf(api, JSON.parse(stdout).result.structuredContent.show_url)).toBe('available')
})

test('the key, defaults and the history of the command line hold for tools', async () => {
  const proxy = await startProxy()
  const state = await folderWith({})
  const args = ['--url', proxy.url, '--key', 'the-key', '--optimize', '--history', 'private']
  const { call } = await connect(args, { env: { XDG_STATE_HOME: state } })
  expect(structured(await call('upload_image', { path: 'a.png' }))).not.toHaveProperty('manage_url')
  expect(proxy.requests[0]?.authorization).toBe('Bearer the-key')
  expect(proxy.requests[0]?.body.toString()).toContain('name="optimize_for_web"\r\n\r\n1\r\n')
  expect(readFileSync(join(state, 'tintype/history.jsonl'), 'utf8')).toMatch(/"manageUrl":"[^"]+\/manage\/[\w-]{43}"/)
})
