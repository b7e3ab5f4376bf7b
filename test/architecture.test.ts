import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '../src')

/** Files that everybody may import, and that import one another alone. */
const LEAVES = ['forms.ts', 'limits.ts', 'routes.ts', 'units.ts']

/** What the decoder and the encoder of each format share with all others. */
const CODEC_SHARED = ['codec', 'codec/colour', 'codec/pipeline']

/** Which folders a folder may import from, beside itself and the leaves; the same for the files at the top of src/. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['app.ts', 'clock.ts', 'domain', 'env.ts', 'http', 'rate-limiter.ts', 'storage'],
  'app.ts': ['env.ts', 'http'],
  'env.ts': ['clock.ts', 'rate-limiter.ts'],
  'rate-limiter.ts': ['clock.ts', 'domain'],
  'clock.ts': [],
  ...Object.fromEntries(LEAVES.map((leaf) => [leaf, []])),

  http: ['api', 'clock.ts', 'domain', 'env.ts', 'http/wire', 'image', 'pages', 'settings', 'storage'],
  'http/wire': ['domain'],
  api: ['domain', 'image'],
  settings: [],
  domain: ['image', 'storage'],
  storage: [],

  image: ['image/container', 'image/pixels', 'image/probe', 'image/strip'],
  'image/container': ['image'],
  'image/probe': ['image', 'image/container'],
  'image/strip': ['image', 'image/container'],
  'image/pixels': ['codec', 'codec/pipeline', 'image', 'image/container', 'image/probe'],

  pages: ['pages/messages'],
  'pages/messages': ['pages'],
  'pages/client': ['pages', 'pages/client/upload', 'pages/client/viewer'],
  'pages/client/viewer': ['pages'],
  // Files are judged and stripped by the code that the service does it with.
  'pages/client/upload': ['image', 'pages', 'pages/client'],

  // The codec's own top exports its decoders and encoders, and holds what they share.
  codec: [
    ...['av1', 'gif', 'jpeg', 'png', 'vp8', 'vp8l', 'webp-alpha'].map((format) => `codec/${format}/decoder`),
    ...['jpeg', 'png', 'vp8', 'webp-alpha'].map((format) => `codec/${format}/encoder`),
    'codec/colour',
    'codec/pipeline',
  ],
  'codec/colour': ['codec'],
  'codec/pipeline': ['codec', 'codec/colour'],
  'codec/av1/decoder': [...CODEC_SHARED, 'codec/av1/tables'],
  'codec/av1/tables': [],
  'codec/gif/decoder': CODEC_SHARED,
  'codec/jpeg': [],
  'codec/jpeg/decoder': [...CODEC_SHARED, 'codec/jpeg'],
  'codec/jpeg/encoder': [...CODEC_SHARED, 'codec/jpeg'],
  'codec/png': [],
  'codec/png/decoder': [...CODEC_SHARED, 'codec/png'],
  'codec/png/encoder': [...CODEC_SHARED, 'codec/png'],
  'codec/vp8': [],
  'codec/vp8/decoder': [...CODEC_SHARED, 'codec/vp8'],
  'codec/vp8/encoder': [...CODEC_SHARED, 'codec/vp8'],
  'codec/vp8l': [],
  'codec/vp8l/decoder': [...CODEC_SHARED, 'codec/vp8l'],
  'codec/vp8l/encoder': [...CODEC_SHARED, 'codec/vp8l'],
  'codec/webp-alpha/decoder': [...CODEC_SHARED, 'codec/vp8/decoder', 'codec/vp8l/decoder'],
  'codec/webp-alpha/encoder': [...CODEC_SHARED, 'codec/vp8l/encoder'],
}

/** The rooms that know nothing of HTTP, Workers or the database. */
const PURE = ['domain', 'image', 'codec']
const FOREIGN = /^(?:hono|cloudflare:|drizzle-orm)/
const WORKERS_TYPES = /\b(?:R2Bucket|D1Database|DurableObject|ExecutionContext|Request|Response|Headers)\b/

/** The files of http/ that touch storage: one opens it, one streams out of it, one names its files as it does. */
const TOUCHES_STORAGE = ['context.ts', 'edge-cache.ts', 'gallery-download.ts', 'media.ts']

/** The files at the top of http/ that are no handlers: they are about any request, or about any answer. */
const NO_HANDLERS = [
  'after-delete.ts',
  'client-bucket.ts',
  'content-url.ts',
  'context.ts',
  'disk-room.ts',
  'cors.ts',
  'edge-cache.ts',
  'edge-purge.ts',
  'failures.ts',
  'form-values.ts',
  'headers.ts',
  'hosts.ts',
  'idempotency.ts',
  'in-time.ts',
  'log.ts',
  'own-forms.ts',
  'page-response.ts',
  'rate-limit.ts',
  'report-webhook.ts',
  'representations.ts',
]

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
const textOf = (file: string) => readFileSync(path.join(SRC, file), 'utf8')
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, from = '']) => from)

/** Without comments and texts. */
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '')

/** The files of src/ that a file imports; AssemblyScript leaves the extension out. */
const sourcesOf = (file: string) =>
  importsOf(file)
    .filter((from) => from.startsWith('.'))
    .map((from) => path.join(path.dirname(file), from))
    .flatMap((target) => files.find((known) => [target, `${target}.ts`].includes(known)) ?? [])

/** A folder, or a file at the top of src/. */
const roomOf = (file: string) => (path.dirname(file) === '.' ? file : path.dirname(file))

test.each(files)('%s imports along the arrows only', (file) => {
  const room = roomOf(file)
  const reached = sourcesOf(file)
    .filter((target) => !LEAVES.includes(target))
    .map(roomOf)
    .filter((target) => target !== room)
  expect(ARROWS).toHaveProperty([room])
  expect(ARROWS[room]).toEqual(expect.arrayContaining(reached))
})

test('every row is of a folder that is there', () => {
  const rooms = new Set([...files.map(roomOf), ...LEAVES])
  expect(Object.keys(ARROWS).filter((row) => !rooms.has(row))).toEqual([])
})

test.each(files.filter((file) => PURE.includes(file.split(path.sep)[0] ?? '')))(
  '%s knows nothing of HTTP, Workers or the database',
  (file) => {
    expect(importsOf(file).filter((from) => FOREIGN.test(from))).toEqual([])
    expect(codeOf(file)).not.toMatch(WORKERS_TYPES)
  },
)

test('one file alone writes to the log: it knows which requests may', () => {
  expect(files.filter((file) => /\bconsole\b/.test(codeOf(file)))).toEqual([path.join('http', 'log.ts')])
})

test.each([...LEAVES, path.join('image', 'pixels', 'budget.ts')])('every constant of %s says what it is', (file) => {
  const lines = textOf(file).split('\n')
  const bare = lines.filter((line, at) => line.startsWith('export const ') && !lines[at - 1]?.endsWith('*/'))
  expect(bare).toEqual([])
})

test('no files import one another in a circle, not even for types', () => {
  expect(circlesAmong(new Map(files.map((file) => [file, sourcesOf(file)])))).toEqual([])
})

describe('in http/', () => {
  const inHttp = files.filter((file) => roomOf(file) === 'http').map((file) => path.basename(file))

  test('few files touch storage', () => {
    const touching = inHttp.filter((file) => sourcesOf(`http/${file}`).some((target) => roomOf(target) === 'storage'))
    expect(touching).toEqual(TOUCHES_STORAGE)
  })

  test('app.ts routes to every file at the top, apart from those about any request', () => {
    const routed = sourcesOf('app.ts').map((file) => path.basename(file))
    expect(inHttp.filter((file) => !routed.includes(file) && !NO_HANDLERS.includes(file))).toEqual([])
    expect(NO_HANDLERS.filter((file) => !inHttp.includes(file))).toEqual([])
  })
})

/** The circles of a graph: one for each of its strongly connected components of two nodes or more. */
function circlesAmong(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = new Map([...graph.keys()].map((node) => [node, reachableFrom(node, graph)]))
  const inCircle = [...graph.keys()].filter((node) => reach.get(node)?.has(node))
  const isTogether = (one: string, other: string) => reach.get(one)?.has(other) && reach.get(other)?.has(one)
  const circles = inCircle.map((node) => inCircle.filter((other) => isTogether(node, other)))
  return circles.filter(([first], i) => first === inCircle[i])
}

function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const left = [...(graph.get(start) ?? [])]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (reached.has(node)) continue
    reached.add(node)
    left.push(...(graph.get(node) ?? []))
  }
  return reached
}
