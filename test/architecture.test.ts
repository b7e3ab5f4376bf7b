import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Files that every folder may import. They import only each other. */
const LEAVES = [
  'bytes.ts',
  'errors.ts',
  'forms.ts',
  'limits.ts',
  'multipart-delimiter.ts',
  'packed.ts',
  'responses.ts',
  'routes.ts',
  'turnstile.ts',
  'units.ts',
]

/** Folders that the decoder and the encoder of a format share with all other formats. */
const CODEC_SHARED = ['codec/assembly', 'codec/assembly/arena', 'codec/assembly/colour', 'codec/assembly/pipeline']
const FORMATS = 'codec/assembly/formats'
const AVIF = `${FORMATS}/avif/decoder`

/**
 * The folders that a folder may import from, besides itself and the leaves. Likewise for the files at the top of src/
 * and tools/.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'index.ts': ['app.ts', 'domain', 'env.ts', 'http', 'http/cache', 'rate-limiter.ts', 'storage', 'time.ts'],
  'app.ts': ['env.ts', 'http', 'http/handlers', 'http/limits', 'http/media', 'http/middleware', 'http/responses'],
  'settings.ts': ['domain', 'storage/files'],
  'env.ts': ['settings.ts', 'rate-limiter.ts', 'storage', 'time.ts'],
  'rate-limiter.ts': ['domain', 'time.ts'],
  'time.ts': [],
  'retry.ts': ['time.ts'],
  'fair-queue.ts': [],
  'speed.ts': [],
  ...Object.fromEntries(
    LEAVES.map((leaf) => [leaf, ['errors.ts', 'limits.ts', 'responses.ts'].includes(leaf) ? ['codec/src'] : []]),
  ),

  http: ['domain', 'env.ts', 'http/body', 'retry.ts', 'storage', 'time.ts'],
  'http/body': ['domain', 'fair-queue.ts', 'speed.ts', 'time.ts'],
  'http/cache': ['domain', 'env.ts', 'http', 'retry.ts', 'storage', 'time.ts'],
  'http/handlers': [
    ...['http', 'http/body', 'http/cache', 'http/limits', 'http/middleware', 'http/responses'],
    ...['pages/docs', 'pages/gallery', 'pages/image', 'pages/manage', 'pages/shell', 'pages/upload'],
    ...['api', 'codec/src', 'domain', 'image', 'integrations', 'time.ts'],
  ],
  'http/limits': ['codec/src', 'domain', 'http', 'http/cache', 'time.ts'],
  'http/media': [
    ...['http', 'http/cache', 'http/handlers', 'http/limits', 'http/middleware', 'http/responses'],
    ...['codec/src', 'domain', 'env.ts', 'storage', 'storage/files', 'time.ts'],
  ],
  'http/middleware': [
    ...['http', 'http/body', 'http/cache', 'http/limits', 'http/responses'],
    ...['codec/src', 'domain', 'env.ts', 'fair-queue.ts', 'storage', 'time.ts'],
  ],
  'http/responses': ['domain', 'http', 'pages/shell'],
  api: ['codec/src'],
  integrations: ['codec/src'],
  // From the top down: a folder imports only from those below it.
  'domain/uploads': [
    ...['domain', 'domain/content', 'domain/galleries', 'domain/idempotency', 'domain/ids', 'domain/moderation'],
    ...['domain/settings', 'domain/shards', 'codec/src', 'image', 'storage'],
  ],
  'domain/maintenance': [
    ...['domain', 'domain/content', 'domain/ids', 'domain/shards'],
    ...['codec/src', 'image', 'storage'],
  ],
  'domain/moderation': [
    ...['domain', 'domain/content', 'domain/ids', 'domain/shards'],
    ...['codec/src', 'image', 'storage'],
  ],
  'domain/galleries': [
    ...['domain', 'domain/content', 'domain/idempotency', 'domain/ids', 'domain/shards'],
    ...['codec/src', 'storage'],
  ],
  'domain/content': [
    ...['domain', 'domain/idempotency', 'domain/ids', 'domain/settings', 'domain/shards'],
    ...['codec/src', 'storage'],
  ],
  'domain/idempotency': ['domain', 'domain/ids', 'storage'],
  'domain/shards': ['domain/ids', 'storage'],
  'domain/ids': ['storage'],
  'domain/settings': [],
  domain: ['storage'],
  'storage/maintenance': ['storage', 'storage/content', 'storage/files'],
  'storage/moderation': ['storage'],
  'storage/content': ['storage'],
  storage: ['retry.ts', 'storage/files', 'time.ts'],
  'storage/files': ['time.ts'],

  image: ['codec/src', 'fair-queue.ts', 'speed.ts', 'time.ts'],

  // The types of the texts are derived from English.
  'pages/shell': ['codec/src', 'pages/messages'],
  'pages/messages': [],
  'pages/upload': ['codec/src', 'pages/messages', 'pages/shell'],
  'pages/image': ['pages/shell'],
  'pages/gallery': ['pages/image', 'pages/shell'],
  'pages/manage': ['codec/src', 'pages/messages', 'pages/shell', 'pages/upload'],
  'pages/docs': ['pages/shell'],
  // Scripts of the pages, in browsers.
  'pages/shell/script': ['pages/shell'],
  'pages/docs/script': ['pages/upload'],
  'pages/image/script': ['pages/image/script/viewer', 'pages/shell/script'],
  'pages/manage/script': ['pages/manage', 'pages/shell', 'pages/shell/script', 'pages/upload'],
  'pages/image/script/viewer': ['pages/shell', 'pages/shell/script'],
  'pages/upload/script': [
    ...['pages/messages', 'pages/shell', 'pages/shell/script', 'pages/upload'],
    ...['pages/upload/script/files', 'pages/upload/script/service', 'pages/upload/script/share'],
    'codec/src',
  ],
  // The page checks and strips files with the code of the service.
  'pages/upload/script/files': ['codec/src', 'pages/shell/script', 'pages/upload'],
  'pages/upload/script/service': ['pages/shell', 'pages/shell/script', 'pages/upload'],
  'pages/upload/script/share': [],

  // The package: the host's side,
  'codec/src': ['codec/src/colours', 'codec/src/container', 'codec/src/pixels', 'codec/src/probe', 'codec/src/strip'],
  'codec/src/colours': ['codec/assembly/colour', 'codec/src', 'codec/src/container', 'codec/src/probe'],
  'codec/src/container': ['codec/src'],
  'codec/src/container/zlib': ['codec/src'],
  'codec/src/probe': ['codec/src', 'codec/src/container'],
  'codec/src/strip': ['codec/src', 'codec/src/container', 'codec/src/container/zlib', 'codec/src/probe'],
  'codec/src/pixels': [
    ...['codec/assembly', 'codec/assembly/arena', 'codec/assembly/pipeline'],
    ...['codec/src', 'codec/src/colours', 'codec/src/container', 'codec/src/probe'],
  ],

  // and the WebAssembly module, whose top folder exports decoders and encoders.
  'codec/assembly': [
    ...['avif', 'gif', 'jpeg', 'png', 'webp-alpha', 'webp-lossless', 'webp-lossy'].map(
      (format) => `${FORMATS}/${format}/decoder`,
    ),
    ...['jpeg', 'png', 'webp-alpha', 'webp-lossless', 'webp-lossy'].map((format) => `${FORMATS}/${format}/encoder`),
    ...['codec/assembly/arena', 'codec/assembly/colour', 'codec/assembly/pipeline'],
  ],
  'codec/assembly/arena': [],
  'codec/assembly/colour': ['codec/assembly', 'codec/assembly/arena'],
  'codec/assembly/pipeline': ['codec/assembly', 'codec/assembly/arena', 'codec/assembly/colour'],
  // From the top down: a folder imports only from those below it.
  [AVIF]: [
    ...['blocks', 'filters', 'frames', 'modes', 'prediction', 'transform'].map((room) => `${AVIF}/${room}`),
    ...[...CODEC_SHARED, `${FORMATS}/avif/tables`],
  ],
  ...Object.fromEntries(
    Object.entries({
      filters: ['blocks', 'frames', 'modes'],
      prediction: ['blocks', 'frames', 'modes'],
      transform: ['blocks', 'frames'],
      modes: ['blocks', 'frames'],
      blocks: ['frames'],
      frames: [],
    }).map(([room, below]) => [
      `${AVIF}/${room}`,
      [...below.map((name) => `${AVIF}/${name}`), ...CODEC_SHARED, `${FORMATS}/avif/tables`],
    ]),
  ),
  [`${FORMATS}/avif/tables`]: [],
  [`${FORMATS}/gif/decoder`]: CODEC_SHARED,
  [`${FORMATS}/jpeg`]: [],
  [`${FORMATS}/jpeg/decoder`]: [...CODEC_SHARED, `${FORMATS}/jpeg`],
  [`${FORMATS}/jpeg/encoder`]: [...CODEC_SHARED, `${FORMATS}/jpeg`],
  [`${FORMATS}/png`]: [],
  [`${FORMATS}/png/decoder`]: [...CODEC_SHARED, `${FORMATS}/png`],
  [`${FORMATS}/png/encoder`]: [...CODEC_SHARED, `${FORMATS}/png`],
  [`${FORMATS}/webp-lossy`]: ['codec/assembly/arena'],
  [`${FORMATS}/webp-lossy/decoder`]: [...CODEC_SHARED, `${FORMATS}/webp-lossy`],
  [`${FORMATS}/webp-lossy/encoder`]: [...CODEC_SHARED, `${FORMATS}/webp-lossy`],
  [`${FORMATS}/webp-lossless`]: [],
  [`${FORMATS}/webp-lossless/decoder`]: [...CODEC_SHARED, `${FORMATS}/webp-lossless`],
  [`${FORMATS}/webp-lossless/encoder`]: [...CODEC_SHARED, `${FORMATS}/webp-lossless`],
  [`${FORMATS}/webp-alpha/decoder`]: [
    ...CODEC_SHARED,
    `${FORMATS}/webp-lossy/decoder`,
    `${FORMATS}/webp-lossless/decoder`,
  ],
  [`${FORMATS}/webp-alpha/encoder`]: [...CODEC_SHARED, `${FORMATS}/webp-lossless/encoder`],

  // The commands.
  'tools/commands.ts': ['tools/verify'],
  'tools/tintype.ts': ['tools/commands.ts', 'tools/deploy', 'tools/install', 'tools/shared'],
  'tools/install': [],
  'tools/shared': ['settings.ts', 'tools/install'],
  // Fixtures are built from container formats.
  'tools/build': ['codec/src/container', 'tools/install', 'tools/shared'],
  'tools/serve/data': ['codec/src', 'domain', 'storage/files', 'tools/shared'],
  'tools/serve': ['settings.ts', 'storage/files', 'tools/build', 'tools/install', 'tools/serve/data', 'tools/shared'],
  'tools/operate': ['domain', 'tools/build', 'tools/install', 'tools/serve/data', 'tools/shared'],
  'tools/deploy': ['tools/install', 'tools/shared'],
  'tools/move': [
    ...['storage/files', 'tools/build', 'tools/deploy', 'tools/install', 'tools/serve/data', 'tools/shared'],
  ],
  'tools/publish': ['tools/install', 'tools/shared'],
  'tools/verify': ['tools/build', 'tools/deploy', 'tools/install', 'tools/operate', 'tools/shared'],
}

/** Folders that know nothing of HTTP, Workers or the database. */
const PURE = ['domain', 'image', 'codec']
const FOREIGN = /^(?:hono|cloudflare:|drizzle-orm)/
const WORKERS_TYPES = /\b(?:R2Bucket|D1Database|DurableObject|ExecutionContext|Request|Response|Headers)\b/

/** Files of src/ by their path in it, and other files by their path in the repository. */
const files = ['src', 'codec/src', 'codec/assembly', 'tools'].flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
    .map((file) => (folder === 'src' ? file : `${folder}/${file}`)),
)
const isTool = (file: string) => file.startsWith('tools/')
/** The files of the service and of the codec. */
const served = files.filter((file) => !isTool(file))
const pathOf = (file: string) => path.join(ROOT, /^(?:codec|tools)\//.test(file) ? '' : 'src', file)
const fileAt = (target: string) => path.relative(ROOT, target).replace(/^src\//, '')
const textOf = (file: string) => readFileSync(pathOf(file), 'utf8')
const importsOf = (file: string) =>
  [...textOf(file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, from = '']) => from)

/** Removes comments and strings. */
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '')

const CODEC_EXPORTS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(path.join(ROOT, 'codec/package.json'), 'utf8'),
).exports

/** Returns the source of the codec that its package exports under this name. */
function codecSource(name: string): string[] {
  return Object.entries(CODEC_EXPORTS).flatMap(([subpath, source]) => {
    const [before = '', after = ''] = path.join('tintype-codec', subpath).split('*')
    const isMatch = subpath.includes('*') ? name.startsWith(before) && name.endsWith(after) : name === before
    return isMatch ? path.join('codec', source.replace('*', name.slice(before.length))) : []
  })
}

/** Returns the files of src/ and codec/ that a file imports. AssemblyScript omits the extension. */
const sourcesOf = (file: string) =>
  importsOf(file)
    .flatMap((from) =>
      from.startsWith('.') ? fileAt(path.resolve(path.dirname(pathOf(file)), from)) : codecSource(from),
    )
    .flatMap((target) => files.find((known) => [target, `${target}.ts`].includes(known)) ?? [])

/** Returns the folder of a file, or the file itself at the top of src/ or tools/. */
const roomOf = (file: string) => (['.', 'tools'].includes(path.dirname(file)) ? file : path.dirname(file))

/** Folders whose own folders are open to all that may import from them. Among these, each has an arrow of its own. */
const OPEN = ['domain', 'storage']
const CLOSED = ['storage/files']

/** Returns the folder of a target as the row of another folder names it. */
function arrowTo(target: string, room: string): string {
  const folder = roomOf(target)
  const top = OPEN.find((name) => folder.startsWith(`${name}/`) && !CLOSED.includes(folder))
  return top === undefined || room.split('/')[0] === top ? folder : top
}

test.each(files)('%s imports only where an arrow leads', (file) => {
  const room = roomOf(file)
  const reached = sourcesOf(file)
    .filter((target) => !LEAVES.includes(target))
    .map((target) => arrowTo(target, room))
    .filter((target) => target !== room)
  expect(ARROWS).toHaveProperty([room])
  expect(ARROWS[room]).toEqual(expect.arrayContaining(reached))
})

/** The codec's public interface. No file outside of the package imports anything else. */
const INTERFACE = ['bytes', 'interface', 'limits', 'units', 'workers'].map((name) => `codec/src/${name}.ts`)

test('the service uses the codec through its public interface', () => {
  const outside = served.filter((file) => !file.startsWith('codec/')).flatMap(sourcesOf)
  const reached = new Set(outside.filter((target) => target.startsWith('codec/')))
  expect([...reached].toSorted()).toEqual(INTERFACE)
})

test('workspaces are imported by name', () => {
  const folders = ['bench', 'cli/src', 'src', 'test', 'tools']
  const importing = folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .map((name) => path.join(folder, name)),
  )
  const byPath = importing.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)]
      .map(([, from = '']) => path.join(path.dirname(file), from))
      .filter((target) => target.startsWith('codec/'))
      .map((target) => `${file} imports ${target}`),
  )
  expect(byPath).toEqual([])
})

test("the codec's tests are of the package alone", () => {
  const folder = path.join(ROOT, 'codec/test')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:ts|mjs)$/.test(name))
  const reached = names.flatMap((name) => {
    const target = path.join(folder, name)
    const imported = readFileSync(target, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)
    return [...imported].map(([, from = '']) => path.relative(ROOT, path.resolve(path.dirname(target), from)))
  })
  const foreign = reached.filter((target) => !/^(?:codec|tools|test\/support|test\/browser\/support)\//.test(target))
  expect(foreign).toEqual([])
})

test('every arrow is used, except some of what all formats of the codec share', () => {
  const used = new Set(
    files.flatMap((file) => sourcesOf(file).map((target) => `${roomOf(file)} -> ${arrowTo(target, roomOf(file))}`)),
  )
  const rows = Object.entries(ARROWS).filter(([room]) => !room.startsWith('codec/assembly/'))
  const arrows = rows.flatMap(([room, targets]) => targets.map((target) => `${room} -> ${target}`))
  expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([])
})

/**
 * Module variables of a file in codec/assembly/, at most. More are fields of a record, whose name and docstring say what they belong
 * to.
 */
const MAX_VARIABLES = 5

/** Files that have more. The numbers may only fall. */
const MORE_VARIABLES: Readonly<Record<string, number>> = {
  'codec/assembly/formats/webp-lossless/encoder/block-rows.ts': 9,
  'codec/assembly/formats/webp-lossless/encoder/image.ts': 16,
  'codec/assembly/formats/webp-lossless/encoder/matches.ts': 18,
  'codec/assembly/formats/webp-lossless/encoder/optimal-parse.ts': 7,
  'codec/assembly/formats/webp-lossless/encoder/pixel-coder.ts': 24,
  'codec/assembly/formats/webp-lossy/encoder/bool-encoder.ts': 8,
  'codec/assembly/formats/webp-lossy/encoder/encoder.ts': 6,
  'codec/assembly/formats/webp-lossy/encoder/modes.ts': 8,
}

test('the codec keeps its state in records', () => {
  const countOf = (file: string) => codeOf(file).match(/^(?:export )?let /gm)?.length ?? 0
  const sources = files.filter((file) => file.startsWith('codec/assembly/'))
  const above = sources.filter((file) => countOf(file) > (MORE_VARIABLES[file] ?? MAX_VARIABLES))
  expect(above.map((file) => `${file} has ${countOf(file)}`)).toEqual([])
  expect(Object.keys(MORE_VARIABLES).filter((file) => countOf(file) <= MAX_VARIABLES)).toEqual([])
})

test('a single file names the host of Turnstile', () => {
  const measured = path.join('..', 'bench', 'prices.ts')
  expect([...files, measured].filter((file) => textOf(file).includes('challenges.cloudflare'))).toEqual([
    'turnstile.ts',
  ])
})

test('every row names a folder that exists', () => {
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

test('a single file writes to the log, and decides which requests may', () => {
  expect(served.filter((file) => /\bconsole\b/.test(codeOf(file)))).toEqual([path.join('http', 'log.ts')])
})

test('a single file keeps an invocation alive after its response, for a bounded time', () => {
  const waiting = served.filter((file) => !file.startsWith('pages/') && /\bwaitUntil\(/.test(codeOf(file)))
  expect(waiting).toEqual([path.join('http', 'after-response.ts')])
})

test.each([...LEAVES, 'codec/src/limits.ts', 'codec/src/pixels/budget.ts'])(
  'every constant of %s has a comment',
  (file) => {
    const lines = textOf(file).split('\n')
    const bare = lines.filter((line, at) => line.startsWith('export const ') && !lines[at - 1]?.endsWith('*/'))
    expect(bare).toEqual([])
  },
)

test('no files import each other in a circle, not even for types', () => {
  expect(circlesAmong(new Map(files.map((file) => [file, sourcesOf(file)])))).toEqual([])
})

test.each(['http', 'domain', 'storage', 'tools', AVIF])(
  'the folders of %s/ do not import each other in a circle',
  (top) => {
    const rooms = Object.keys(ARROWS).filter((room) => `${room}/`.startsWith(`${top}/`))
    const graph = new Map(rooms.map((room) => [room, (ARROWS[room] ?? []).filter((target) => rooms.includes(target))]))
    expect(circlesAmong(graph)).toEqual([])
  },
)

test('app.ts routes to every handler', () => {
  const handlers = files.filter((file) => ['http/handlers', 'http/media'].includes(roomOf(file)))
  expect(handlers.filter((file) => !sourcesOf('app.ts').includes(file))).toEqual([])
})

/** Returns the cycles of a graph: its strongly connected components of two nodes or more. */
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
