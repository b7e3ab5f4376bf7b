import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '../src')

/** Files that everybody may import, and that import nothing. */
const LEAVES = ['limits.ts', 'routes.ts']
/** What is made of other sources. */
const GENERATED = '..'

/** Which rooms a room may import from, beside the leaves. */
const ARROWS: Record<string, readonly string[]> = {
  'index.ts': ['app.ts', 'clock.ts', 'domain', 'env.ts', 'http', 'rate-limiter.ts', 'storage'],
  'app.ts': ['env.ts', 'http'],
  'clock.ts': [],
  'env.ts': ['clock.ts', 'rate-limiter.ts'],
  'rate-limiter.ts': ['clock.ts', 'domain'],
  http: ['api', 'clock.ts', 'domain', 'env.ts', 'image', 'pages', 'settings', 'storage'],
  api: ['domain', 'image'],
  domain: ['image', 'storage'],
  image: ['codec'],
  settings: [],
  storage: [],
  pages: [],
  ...Object.fromEntries(LEAVES.map((leaf) => [leaf, []])),
}

const FOREIGN = /^(?:hono|cloudflare:|drizzle-orm)/
const WORKERS_TYPES = /\b(?:R2Bucket|D1Database|DurableObject|ExecutionContext|Request|Response|Headers)\b/

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
const roomOf = (file: string) => file.split(path.sep)[0] ?? ''
const importsOf = (file: string) =>
  [...readFileSync(path.join(SRC, file), 'utf8').matchAll(/(?:from|import)\s+'([^']+)'/g)].map(([, from = '']) => from)

test.each(files)('%s imports along the arrows only', (file) => {
  const room = roomOf(file)
  const reached = importsOf(file)
    .filter((from) => from.startsWith('.'))
    .map((from) => roomOf(path.join(path.dirname(file), from)))
    .filter((target) => target !== room && target !== GENERATED && !LEAVES.includes(target))
  expect(ARROWS[room]).toEqual(expect.arrayContaining(reached))
})

test.each(files.filter((file) => ['domain', 'image', 'codec'].includes(roomOf(file))))(
  '%s knows nothing of HTTP, Workers or the database',
  (file) => {
    expect(importsOf(file).filter((from) => FOREIGN.test(from))).toEqual([])
    const code = readFileSync(path.join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '')
    expect(code).not.toMatch(WORKERS_TYPES)
  },
)
