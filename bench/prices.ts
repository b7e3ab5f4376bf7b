// `npm run tintype -- bench:prices` measures the CPU of each endpoint of the price list, and of an empty Worker.
// The workerd of this machine runs SQLite and the limiter too, so Cloudflare bills less.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { SITEVERIFY_URL } from '../src/turnstile.ts'
import { ROOT } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import type { Ask } from './support/clients.ts'
import { addressOf, keepingAgent, send, uploadForm } from './support/clients.ts'
import { cpuMs, workerdOf } from './support/process.ts'
import { newDataFolder, startService, startTrivialService } from './support/service.ts'

type Asked = Omit<Ask, 'port' | 'address'>
/** A request that can be repeated, or a function that prepares another one each time. */
type Case = Asked | (() => Promise<Asked>)

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:prices [options]
Measures the CPU of each endpoint beside an empty Worker.
  --seconds N   time for each request (1)
  --help        this text`,
  numbers: { seconds: 1 },
})
runScript('build/build.ts')
const { seed } = await import('./support/seeded-data.ts')

const GALLERY_IMAGES = 10_000
/** Requests that need something new: so many, whatever time they take. */
const PREPARED = 30
const TOKEN = 'A'.repeat(43)
const BROWSER = { 'Accept-Encoding': 'gzip, br', 'Accept-Language': 'en' }
const URLENCODED = 'application/x-www-form-urlencoded'
const SMALL = readFileSync(path.join(ROOT, 'test/fixtures/valid/png/rgb.png'))
const LARGE = gunzipSync(readFileSync(path.join(ROOT, 'test/fixtures/large/100-megapixels.webp.gz')))
const SITEVERIFY_PORT = 18_815
const agent = keepingAgent()
let requests = 0
let clients = 0

async function measureAll() {
  const nothing = await cpuOf(trivial, { path: '/', method: 'GET' })
  console.log(`a Worker that does nothing: ${nothing.toFixed(3)} ms\n`)
  const print = async (endpoint: string, cases: readonly [Measured, Case][]) => {
    const ratios = []
    for (const [asked, one] of cases) ratios.push(rounded((await cpuOf(asked, one)) / nothing))
    console.log(`'${endpoint}': [${ratios.join(', ')}],`)
  }
  for (const [endpoint, cases] of Object.entries(await casesOf())) {
    await print(
      endpoint,
      cases.map((one) => [service, one] as const),
    )
  }
  await print('POST /human', [
    [service, form('/human', {})],
    [confirming, form('/human', { token: 'x'.repeat(600) })],
    [confirming, form('/human', { token: 'x' })],
  ])
}

/** Two digits: the next run has others after them. */
const rounded = (ratio: number) => Number(ratio.toPrecision(ratio < 1 ? 1 : 2))

async function casesOf(): Promise<Record<string, readonly [cheapest: Case, usual: Case, worst: Case]>> {
  const image = await upload()
  const large = pathOf(await upload({}, noise()))
  const inGallery = pathOf(await upload())
  const small = await smallGallery()
  const miss = '0/1_a.gif'
  const show = `http://localhost:${service.port}/show/${pathOf(image)}`
  const reported = `http://localhost:${service.port}/gallery/${gallery}`
  return {
    'POST /images': [form('/images', {}), uploading('/images', SMALL), uploading('/images', LARGE)],
    'POST /covers': [
      form('/covers', {}),
      uploading('/covers', SMALL, 'img_left'),
      uploading('/covers', LARGE, 'img_left'),
    ],
    'POST /images/status': [form('/images/status', {}), statusOf([show]), statusOf(Array(100).fill(show))],
    'POST /galleries': [
      form('/galleries', { gallery_name: '<' }),
      form('/galleries', { gallery_name: 'G' }),
      keyed(form('/galleries', { gallery_name: 'G', include_manage_url: '1' })),
    ],
    'POST /galleries/:gallery_hash/finalize': threeOf(
      form('/galleries/AAAAAAAAAAAA/finalize', { gallery_upload_hash: TOKEN }),
      async () => finalizing(await openGallery()),
    ),
    'POST /management/:token/rename': threeOf(
      form(`/management/${TOKEN}/rename`, { name: 'N' }),
      form(`/management/${galleryToken}/rename`, { name: 'N' }),
    ),
    'GET /openapi.json': fixed('/openapi.json'),
    'GET /openapi.yaml': fixed('/openapi.yaml'),
    'GET /.well-known/api-catalog': fixed('/.well-known/api-catalog'),
    'GET /images/:directory/:file': [get(`/images/${miss}`), get(`/images/${pathOf(image)}`), get(`/images/${large}`)],
    'GET /thumbs/:directory/:file': [get(`/thumbs/${miss}`), get(`/thumbs/${pathOf(image)}`), get(`/thumbs/${large}`)],
    'GET /show/:directory/:file': [
      get(`/show/${miss}`, BROWSER),
      get(`/show/${pathOf(image)}`, BROWSER),
      get(`/show/${inGallery}`),
    ],
    'GET /gallery/:gallery_hash': galleryCases('', small),
    'GET /gallery/:gallery_hash/codes': galleryCases('/codes', small),
    'GET /manage/:token': [
      get(`/manage/${TOKEN}`, BROWSER),
      get(`/manage/${tokenOf(image)}`, BROWSER),
      get(`/manage/${galleryToken}`),
    ],
    'GET /': fixed('/'),
    'POST /upload': [form('/upload', {}), uploading('/upload', SMALL), uploading('/upload', LARGE)],
    'POST /share': [form('/share', {}), uploading('/share', SMALL), sharing()],
    'GET /share-worker.js': fixed('/share-worker.js'),
    'GET /uploads': fixed('/uploads'),
    'GET /report': fixed('/report'),
    'POST /report': [form('/report', {}), reporting(show), reporting(reported)],
    'GET /docs': fixed('/docs'),
    'GET /docs/reference': fixed('/docs/reference'),
    'GET /docs/errors': fixed('/docs/errors'),
    'GET /oembed': [
      get(`/oembed?url=http://localhost:${service.port}/show/${miss}`),
      get(`/oembed?url=${show}`),
      get(`/oembed?url=${reported}&format=xml`),
    ],
    'GET /tools': fixed('/tools'),
    'GET /embed.js': fixed('/embed.js'),
    'GET /llms.txt': fixed('/llms.txt'),
    'GET /favicon.ico': fixed('/favicon.ico'),
    'GET /postman.json': fixed('/postman.json'),
    'GET /manifest.webmanifest': fixed('/manifest.webmanifest'),
    'GET /robots.txt': fixed('/robots.txt'),
    'GET /healthz': fixed('/healthz'),
    'POST /manage/:token': [
      form(`/manage/${TOKEN}`, {}),
      form(`/manage/${galleryToken}`, { action: 'rename', name: 'N' }),
      once(form(`/manage/${galleryToken}`, { action: 'delete', confirm: '1' })),
    ],
    'POST /management/:token/delete': threeOf(form(`/management/${TOKEN}/delete`, {}), async () =>
      form(`/management/${tokenOf(await upload())}/delete`, {}),
    ),
  }
}

const get = (at: string, headers: Record<string, string> = {}) => ({
  path: at,
  method: 'GET',
  headers,
})

const fixed = (at: string): readonly [Case, Case, Case] => [{ path: at, method: 'HEAD' }, get(at, BROWSER), get(at)]

const form = (at: string, texts: Record<string, string>) => ({
  path: at,
  type: URLENCODED,
  body: new URLSearchParams(texts).toString(),
})

const threeOf = (cheapest: Case, usual: Case): readonly [Case, Case, Case] => [cheapest, usual, usual]

const keyed = (asked: Asked) => async () => ({
  ...asked,
  headers: { 'Idempotency-Key': `key-${requests}-${Math.random()}` },
})

const galleryCases = (kind: string, small: string): readonly [Case, Case, Case] => [
  get(`/gallery/AAAAAAAAAAAA${kind}`, BROWSER),
  get(`/gallery/${small}${kind}`, BROWSER),
  get(`/gallery/${gallery}${kind}`),
]

function uploading(at: string, file: Buffer, field = 'img') {
  const { type, body } = uploadForm(file, { content_type: '0', include_manage_url: '1', optimize_for_web: '1' })
  const renamed = Buffer.from(body.toString('latin1').replace('name="img"', `name="${field}"`), 'latin1')
  return { path: at, type, body: renamed }
}

/** A share of as many images as a form may have. */
function sharing() {
  const { type, body } = uploadForm(SMALL, {})
  const end = body.lastIndexOf('\r\n------')
  const part = body.subarray(0, end + 2)
  return { path: '/share', type, body: Buffer.concat([...Array(99).fill(part), body.subarray(end + 2)]) }
}

const statusOf = (urls: string[]) => ({
  path: '/images/status',
  type: 'application/json',
  body: JSON.stringify({ urls }),
})

const reporting = (url: string) => form('/report', { url, reason: 'illegal', details: 'd', contact: '' })

/** A request that can be made only once. */
function once(asked: Asked) {
  return Object.assign(async () => asked, { times: 1 })
}

/** 10 MB that no cache holds. */
function noise() {
  return Buffer.concat([SMALL, Buffer.alloc(10_000_000 - SMALL.length)])
}

async function smallGallery() {
  const open = await openGallery()
  await sent(finalizing(open))
  return open.gallery_hash ?? ''
}

async function openGallery() {
  const open = JSON.parse((await sent(form('/galleries', { gallery_name: 'G' }))).text)
  await upload({ gallery_hash: open.gallery_hash, gallery_upload_hash: open.gallery_upload_hash })
  return open
}

const finalizing = ({ gallery_hash, gallery_upload_hash }: { gallery_hash: string; gallery_upload_hash: string }) =>
  form(`/galleries/${gallery_hash}/finalize`, { gallery_upload_hash })

async function upload(
  texts: Record<string, string> = { include_manage_url: '1' },
  file: Buffer = SMALL,
): Promise<Record<string, string>> {
  return JSON.parse((await sent({ path: '/images', ...uploadForm(file, { content_type: '0', ...texts }) })).text)
}

const pathOf = ({ show_url = '' }: Record<string, string>) => show_url.split('/show/')[1] ?? ''
const tokenOf = ({ manage_url = '' }: Record<string, string>) => manage_url.split('/').at(-1) ?? ''

async function sent(asked: Asked) {
  const outcome = await send({ ...asked, port: service.port, address: addressOf(++clients), agent })
  if (outcome.status !== 200) throw new Error(`${asked.path}: ${outcome.status} ${outcome.text}`)
  return outcome
}

/** A service to ask, and its process. */
interface Measured {
  port: number
  workerd: number
}

/** CPU of workerd for each request, in milliseconds. */
async function cpuOf({ port, workerd }: Measured, one: Case & { times?: number }) {
  const isPrepared = typeof one === 'function'
  const ready: Asked[] = []
  for (let count = 0; isPrepared && count < (one.times ?? PREPARED); count++) ready.push(await one())
  const endMs = performance.now() + numbers.seconds * 1000
  const before = cpuMs(workerd)
  let count = 0
  while (isPrepared ? count < ready.length : count === 0 || performance.now() < endMs) {
    const asked = isPrepared ? ready[count] : one
    if (asked === undefined) break
    const { status, text } = await send({ ...asked, port, address: addressOf(++clients), agent })
    if (status === 0 || status >= 429) throw new Error(`${asked.path}: ${status} ${text.slice(0, 200)}`)
    count++
    requests++
  }
  return (cpuMs(workerd) - before) / count
}

async function startTrivial() {
  const running = await startTrivialService(18_811)
  return { port: 18_811, workerd: workerdOf(running.pid), stop: running.stop }
}

/** Without the cache of one machine, which Cloudflare has not. */
async function start(folder: string) {
  const port = 18_812
  const running = await startService(port, {}, folder, ROOT, ['--read-cache', 'off'])
  return { port, workerd: workerdOf(running.pid), stop: running.stop }
}

/** With Turnstile, in whose place a server of this process confirms every token. */
async function startConfirming() {
  const siteverify = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('Content-Type', 'application/json').end('{"success":true}'))
  })
  await new Promise<void>((resolve) => siteverify.listen(SITEVERIFY_PORT, '127.0.0.1', resolve))
  const worker = mkdtempSync(path.join(tmpdir(), 'tintype-worker-'))
  cpSync(path.join(ROOT, 'generated/worker'), worker, { recursive: true })
  const program = path.join(worker, 'index.js')
  const [before, after, ...others] = readFileSync(program, 'utf8').split(SITEVERIFY_URL)
  if (after === undefined || others.length > 0) throw new Error(`the Worker does not name ${SITEVERIFY_URL} once`)
  writeFileSync(program, `${before}http://127.0.0.1:${SITEVERIFY_PORT}/${after}`)
  const port = 18_814
  const environment = { MEASURED_WORKER: worker, TURNSTILE_SECRET: 'secret' }
  const options = ['--read-cache', 'off', '--turnstile-site-key', 'key']
  const running = await startService(port, environment, undefined, ROOT, options)
  const stop = async () => {
    await running.stop()
    siteverify.close()
    rmSync(worker, { recursive: true })
  }
  return { port, workerd: workerdOf(running.pid), stop }
}

/** A public gallery as large as there are. */
async function seedGallery() {
  const port = 18_813
  const ask = (asked: Asked) => send({ ...asked, port, address: addressOf(++clients), agent })
  const before = await startService(port, {}, data)
  const open = JSON.parse((await ask(form('/galleries', { gallery_name: 'G', include_manage_url: '1' }))).text)
  await before.stop()
  seed(data, { images: 1000, gallery: open.gallery_hash, galleryImages: GALLERY_IMAGES })
  const after = await startService(port, {}, data)
  await ask(finalizing(open))
  await after.stop()
  return { gallery: open.gallery_hash, token: tokenOf(open) }
}

const data = newDataFolder()
const { gallery, token: galleryToken } = await seedGallery()
const trivial = await startTrivial()
const service = await start(data)
const confirming = await startConfirming()
try {
  await measureAll()
} finally {
  await trivial.stop()
  await service.stop()
  await confirming.stop()
  rmSync(data, { recursive: true, force: true })
}
