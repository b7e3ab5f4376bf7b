import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { sharedApi } from '../../contract/support/api.ts'
import { SMALL_PNG } from '../../contract/support/steps.ts'
import { folderWith } from '../support/folder.ts'
import { type Fate, startProxy } from '../support/proxy.ts'

const PLUGIN = join(import.meta.dirname, '../../../cli/picgo')
const PICGO = join(import.meta.dirname, 'node_modules/picgo')
const api = sharedApi()

/** Uploads files in PicGo-Core with these settings of the plugin. */
async function upload(settings: Record<string, unknown>, files: readonly string[] = ['a.png']) {
  const config = { picBed: { current: 'tintype', uploader: 'tintype', tintype: settings } }
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'фото 1.png': SMALL_PNG, 'config.json': JSON.stringify(config) })
  const script = `
    const { PicGo } = require(${JSON.stringify(PICGO)})
    const picgo = new PicGo('config.json')
    const notices = []
    picgo.on('notification', ({ body }) => notices.push(body))
    picgo.use(require(${JSON.stringify(PLUGIN)}), 'picgo-plugin-tintype')
    picgo.upload(${JSON.stringify(files)}).catch(() => []).then((output) => {
      const links = output.map(({ imgUrl, buffer }) => ({ imgUrl, buffer }))
      process.stdout.write('RESULT' + JSON.stringify({ links, notices }), () => process.exit())
    })`
  const child = spawn(process.execPath, ['-e', script], { cwd, env: { PATH: process.env.PATH, HOME: cwd } })
  const [printed, errors] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')])
  const text = printed.toString()
  const { links, notices } = JSON.parse(text.slice(text.indexOf('RESULT') + 'RESULT'.length))
  const urls: string[] = links.flatMap(({ imgUrl }: Record<string, unknown>) => imgUrl ?? [])
  return { urls, notices, printed: text + errors.toString() }
}

test.for([
  [undefined, '/images/', 'image/png'],
  ['original', '/images/', 'image/png'],
  // A small image is its own preview.
  ['preview', '/previews/', 'image/png'],
  ['thumbnail', '/thumbs/', 'image/webp'],
] as const)('the address %s is one below %s', async ([address, folder, mediaType]) => {
  const { urls, notices } = await upload({ url: `${inject('baseUrl')}/`, address }, ['a.png', 'фото 1.png'])
  expect(notices).toEqual([])
  expect(urls).toHaveLength(2)
  for (const url of urls) {
    expect(new URL(url).pathname).toContain(folder)
    const { status, headers } = await api.follow(url)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: mediaType })
  }
})

test('the request has the name, the options and the key', async () => {
  const proxy = await startProxy()
  const settings = { url: proxy.url, key: 'the-key', adult: true, optimize: true, thumbnail: 300 }
  await upload(settings, ['фото 1.png'])
  const body = proxy.requests[0]?.body.toString() ?? ''
  expect(body).toContain('name="img"; filename="фото 1.png"')
  expect([...body.matchAll(/name="(\w+)"\r\n\r\n(\w+)\r\n/g)].map(([, name, value]) => [name, value])).toEqual([
    ['content_type', '1'],
    ['max_th_size', '300'],
    ['optimize_for_web', '1'],
  ])
  expect(proxy.requests[0]?.authorization).toBe('Bearer the-key')
})

test('a busy host is asked again with the same key, and stores one image', async () => {
  const proxy = await startProxy((_, index): Fate => {
    if (index === 0) return { status: 503, headers: { 'retry-after': '1' } }
    return index === 1 ? 'cut-after' : 'pass'
  })
  const { urls } = await upload({ url: proxy.url })
  expect(urls).toHaveLength(1)
  expect(proxy.requests).toHaveLength(3)
  expect(new Set(proxy.requests.map(({ key }) => key)).size).toBe(1)
})

test.for([
  [{ url: 'pics.example' }, 'url must be an address such as https://pics.example'],
  [{ address: 'large' }, 'address must be one of original, preview, thumbnail'],
  [{ thumbnail: 3 }, 'max_th_size must be an integer from 150 to 500: received "3"'],
] as const)('a failure is a notice: %j', async ([settings, sentence]) => {
  const { urls, notices } = await upload({ url: inject('baseUrl'), ...settings })
  expect({ urls, notices }).toEqual({ urls: [], notices: [sentence] })
})

test('no failure prints the key', async () => {
  const refusing = await startProxy(() => ({ status: 401, body: '{"message":"this service needs a key"}' }))
  for (const url of [refusing.url, 'http://127.0.0.1:1']) {
    const { notices, printed } = await upload({ url, key: 'the-secret-key' })
    expect(notices).toEqual([expect.stringMatching(/needs a key|does not respond/)])
    expect(printed + notices).not.toContain('the-secret-key')
  }
})
