import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { CLIENT_LIMITS } from '../src/domain/settings/client-limits.ts'
import { ERROR_CODES, ERRORS, type Retry } from '../src/errors.ts'
import { CLIENT_LIMITS_PER_HOUR } from '../src/limits.ts'
import { SETTINGS } from '../src/settings.ts'
import { COMMANDS as TABLE } from '../tools/commands.ts'
import { priceTable } from './http/prices/price-list.ts'
import { anchorsOf, linksOf } from './markdown.ts'
import { withFieldTable } from './support/field-table.ts'
import { withSettingsTables } from './support/settings-tables.ts'

const COMMANDS = Object.values(TABLE).flatMap((section) => Object.keys(section))
const ROOT = path.resolve(import.meta.dirname, '..')
const README_MAX_LINES = 120
const OWN_ADDRESS = 'https://github.com/OWNER/tintype'
/** Illuminants of colorimetry, which are no decisions. */
const ILLUMINANTS = ['D50', 'D65']

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const files = trackedFiles()
const documents = files.filter((file) => file.endsWith('.md'))
const anchors = new Map(documents.map((file) => [file, anchorsOf(read(file))]))

describe('links', () => {
  test.for(documents)('of %s lead to existing targets', (file) => {
    expect(linksOf(read(file)).filter((link) => !leadsSomewhere(file, link))).toEqual([])
  })

  test('exist, so that the other tests check something', () => {
    expect(documents.flatMap((file) => linksOf(read(file))).length).toBeGreaterThan(100)
  })

  test('of the sources to the documents lead to existing targets', () => {
    const cited = sources().flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({ file, link })),
    )
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ link }) => !leadsSomewhere('README.md', link))).toEqual([])
  })

  test('lead from the README to every document', () => {
    const linked = linksOf(read('README.md'))
    const missing = documents.filter((file) => /^(?:docs\/)?[^/]+\.md$/.test(file) && !linked.includes(file))
    expect(missing).toEqual(['README.md'])
  })
})

test(`the README has at most ${README_MAX_LINES} lines`, () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(README_MAX_LINES)
})

test('the commands that check the guarantees exist', () => {
  const commands = read('docs/reliability.md').match(/`npm (?:run|test) [^`]+`/g) ?? []
  const tests = commands.flatMap((command) => command.match(/test\/[\w/-]+/g) ?? [])
  expect(tests.length).toBeGreaterThan(8)
  expect(tests.filter((file) => !existsSync(path.join(ROOT, `${file}.test.ts`)))).toEqual([])
  const scripts = commands.flatMap((command) => /npm run ([\w:]+)/.exec(command)?.[1] ?? [])
  expect(scripts.length).toBeGreaterThan(2)
  expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([])
})

test('the README quotes the benchmarks', () => {
  const readme = read('README.md')
  const row = (image: string, job: string) =>
    read('docs/benchmarks.md')
      .split('\n')
      .find((line) => line.startsWith(`| ${image} | ${job} |`))
      ?.split(' | ') ?? []
  const [, , , ours, jsquash, , , , , memory, theirs] = row('jpeg 48 MP', 'thumbnail')
  expect(readme).toContain(`**${ours} ms, ${memory} MB**`)
  expect(readme).toContain(`${jsquash} ms and ${Math.round(Number.parseFloat(theirs ?? ''))} MB`)
  const [, , , optimized, , , , , ofSharp] = row('jpeg 24 MP', 'optimize')
  expect(readme).toContain(`**${optimized} ms** | ${Number(ofSharp).toFixed(1)} of the time of native sharp`)
})

test('the results of long runs agree with the benchmarks', () => {
  const results = [...read('docs/reliability.md').matchAll(/^\| [^|]+ \| `npm[^|]*\| ([^|]+) \|$/gm)].map(
    ([, result = '']) => result,
  )
  const numbers = results.flatMap((result) => result.match(/\d[\d,]*/g) ?? [])
  expect(numbers.length).toBeGreaterThan(8)
  const benchmarks = read('docs/benchmarks.md')
  const missing = numbers.filter((digits) => !new RegExp(`(?<![\\d,.])${digits}(?![\\d,])`).test(benchmarks))
  expect(missing).toEqual([])
})

test('the codec is as small as documented', () => {
  const { length } = gzipSync(readFileSync(path.join(ROOT, 'codec/generated/codec.wasm')), { level: 9 })
  expect(length).toBeLessThan(172_000)
  expect(read('README.md')).toContain('less than **172 KB**')
  expect(read('docs/codec.md')).toContain('less than 172 KB gzip')
})

test('every named command of npm run tintype exists', () => {
  const files = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ]
  const texts = files.filter((name) => name.endsWith('.md')).map((name) => read(name))
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npm run tintype -- ([a-z][\w:-]*)/g)].map(([, name]) => name),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !COMMANDS.includes(name ?? ''))).toEqual([])
})

test('CONTRIBUTING.md names every command', () => {
  const text = read('CONTRIBUTING.md')
  const names = [...Object.keys(packageJson.scripts), ...COMMANDS]
  const unnamed = names.filter((name) => !new RegExp(`(?:npm (?:run )?(?:tintype -- )?|\`)${name}\\b`).test(text))
  expect(unnamed).toEqual([])
})

test('every dependency is listed with its licence', () => {
  const { dependencies, devDependencies, optionalDependencies } = packageJson
  const { devDependencies: editors } = JSON.parse(read('test/browser/editors/package.json'))
  const { devDependencies: plugins } = JSON.parse(read('test/cli/plugins/package.json'))
  const own = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const needed = Object.keys({ ...own, ...editors, ...plugins })
  const rows = [...read('docs/dependencies.md').matchAll(/^\| (`[^|]*`) \| ([^|]*) \|/gm)]
  const licences = new Map(
    rows.flatMap(([, names = '', licence]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, licence]),
    ),
  )
  expect([...licences.keys()].toSorted()).toEqual(needed.toSorted())
  // Optional packages are for other machines.
  const installed = needed.filter((name) => existsSync(path.join(ROOT, 'node_modules', name)))
  for (const name of installed) {
    expect(JSON.parse(read(`node_modules/${name}/package.json`)).license, name).toBe(licences.get(name))
  }
})

test('every cited decision has an anchor', () => {
  const cited = new Set(sources().flatMap((file) => read(file).match(/\bD[1-9]\d?\b/g) ?? []))
  for (const illuminant of ILLUMINANTS) cited.delete(illuminant)
  const decided = anchors.get('docs/decisions.md')
  expect(cited.size).toBeGreaterThan(20)
  expect([...cited].filter((number) => !decided?.has(number.toLowerCase()))).toEqual([])
})

test('the map of the architecture lists every folder and file, and nothing else', () => {
  const map = architecture('The map')
  const listed = [...map.matchAll(/^\| `([^`]+)` \|/gm)].flatMap(([, folder = '']) => folder)
  expect(listed.toSorted()).toEqual([...foldersToList()].toSorted())
})

test('the walk through an upload names existing functions', () => {
  const section = architecture('One upload')
  const named = [...section.matchAll(/(?:^\|[^|]*?)`([a-z]\w+)` \|/gm)].map(([, name = '']) => name)
  const files = [...section.matchAll(/\(\.\.\/(src\/[^)]+\.ts)\)/g)].map(([, file = '']) => file)
  const code = files.map(read).join('')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !code.includes(` ${name}(`))).toEqual([])
})

test('docs/operating.md lists every client limit with its number', () => {
  const rows = [...read('docs/operating.md').matchAll(/^\| `([a-z_]+)` \| ([\d,]+) \|/gm)]
  const listed = rows.map(([, name, number = '']) => [name, Number(number.replaceAll(',', ''))])
  expect(listed).toEqual(Object.entries(CLIENT_LIMITS_PER_HOUR))
  expect(Object.keys(CLIENT_LIMITS_PER_HOUR)).toEqual([...CLIENT_LIMITS])
})

/** `npm test -- --project unit-node test/documents -u` writes docs/errors.md. */
test('docs/errors.md says what /docs/errors says', async () => {
  const sections = ERROR_CODES.map((code) => {
    const { status, cause, fix, retry } = ERRORS[code]
    return `## ${code}\n\n**${status}.** ${cause}\n\n${fix}\n\nRetry: ${RETRIES[retry]}.`
  })
  await expect(`${[ERRORS_HEAD, ...sections].join('\n\n')}\n`).toMatchFileSnapshot('../docs/errors.md')
})

test('the documented check of a signature accepts the example of Standard Webhooks', (context) => {
  const [, script = ''] =
    /with `\$id` and `\$timestamp`[\s\S]*?```sh\n([\s\S]*?)```/.exec(read('docs/operating.md')) ?? []
  const found = spawnSync('sh', ['-c', script.replace('cat body.json', 'printf %s \'{"test": 2432232314}\'')], {
    encoding: 'utf8',
    env: {
      ...process.env,
      WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: '1614265330',
    },
  })
  if (found.stderr.includes('not found')) context.skip('this machine has no openssl')
  expect(found.stdout).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=\n')
})

/** `npm test -- --project unit-node test/documents -u` writes the tables. */
test('docs/operating.md has every setting and every option of npm start', async () => {
  await expect(withSettingsTables(read('docs/operating.md'))).toMatchFileSnapshot('../docs/operating.md')
})

test('docs/using-the-api.md has every field of an upload', async () => {
  await expect(withFieldTable(read('docs/using-the-api.md'))).toMatchFileSnapshot('../docs/using-the-api.md')
})

test('each setting is declared once, and read by its own module alone', () => {
  const declaring = sources().filter((file) => {
    const code = file.startsWith('test/') ? '' : read(file)
    return Object.keys(SETTINGS).some(
      (name) => !/^(?:S3|AWS)_/.test(name) && new RegExp(`\\b${name}\\??: (?:string|\\{)`).test(code),
    )
  })
  expect(declaring).toEqual([
    'src/domain/settings/expiry-rules.ts',
    'src/domain/settings/site-settings.ts',
    'src/settings.ts',
  ])
})

/** `npm test -- --project unit-node test/documents -u` writes docs/prices.md. */
test('docs/prices.md has the price list', async () => {
  await expect(`${PRICES_HEAD}\n\n${priceTable()}\n`).toMatchFileSnapshot('../docs/prices.md')
})

const PRICES_HEAD = `# Prices

<!-- Made of test/http/prices/price-list.ts: npm test -- --project unit-node test/documents -u -->

This page lists the most that one request can cost, with the work that continues after its response. A test makes each request with
a real database and real files, counts its calls, and fails where a request exceeds its price or an endpoint has none.

- Cells have three numbers: the cheapest, the usual and the worst case. One number holds for all three. The last column names the cases.
- **queries**: SQL statements on D1; those of a batch count each. **rows written**: as D1 bills them, with indexes.
- **files**: calls to R2, to the disk or to S3. **limiter**: calls to the Durable Object. **edge cache**: calls to the Cache API.
- **static assets**: files of the binding \`ASSETS\`, which cost nothing ([platform.md](platform.md#assumptions)).
- **other services**: purges by Cloudflare's API, and the webhook of reports.
- **bytes sent per byte received**: an upper bound, a power of ten, with the headers of HTTP/1.1.
- **CPU**: the CPU time of workerd beside a Worker that does nothing, as [npm run tintype -- bench:prices](benchmarks.md#prices) measured it. It
  includes SQLite and the limiter, which run elsewhere on Cloudflare. The worst uploads there are images of 100 megapixels.
- **limits**: [limits of one client](operating.md#limits-of-one-client) that the worst case is charged to. \`status\` and \`reports\` have limits
  of their own. An expensive request is limited, needs a key of an operator, or can be made once for each upload.

The numbers are those of one database. With several [shards](scaling.md), lists of the operator and metrics ask each. A request that
waits for another with its \`Idempotency-Key\` costs up to 14 further queries in 45 seconds, for each key and isolate. On one machine
there is no edge cache.`

const RETRIES: Record<Retry, string> = {
  never: 'no, the same request fails again',
  later: 'yes, after a while',
  after: 'yes, after the seconds in Retry-After',
}

const ERRORS_HEAD = `# Errors

<!-- Made of src/errors.ts: npm test -- --project unit-node test/documents -u -->

The codes are stable. An ApiError names its own in \`error\`, and links to the same text on the service in \`documentation_url\`.
Uploads and finalize say it in one sentence of plain text. [How errors work](using-the-api.md#errors).`

/** Checks a link of a document: an external address, or a file and an anchor that exist. */
function leadsSomewhere(document: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return !link.startsWith(`${OWN_ADDRESS}/blob/`)
  const [target = '', anchor] = link.split('#')
  const file = target === '' ? document : path.join(path.dirname(document), target)
  if (!existsSync(path.join(ROOT, file))) return false
  return anchor === undefined || (anchors.get(file)?.has(anchor) ?? false)
}

/** Returns the section of docs/architecture.md whose heading starts with this text. */
function architecture(heading: string): string {
  return (
    read('docs/architecture.md')
      .split(/^## /m)
      .find((section) => section.startsWith(heading)) ?? ''
  )
}

/** Returns the files whose code may cite documents and decisions. */
function sources(): string[] {
  return files.filter((file) => /\.(?:tsx?|mjs|toml|sql|sh|css)$/.test(file) && file !== 'test/documents.test.ts')
}

/**
 * Returns the top folders, folders up to two levels deep in src/ and codec/, and the files at the top of src/. The
 * codec's tests count as one folder.
 */
function foldersToList(): Set<string> {
  const folders = files.flatMap((file) => {
    const [top = '', ...rest] = file.split('/')
    if (rest.length === 0) return []
    if (!['src', 'codec', 'tools'].includes(top)) return [`${top}/`]
    if (rest.length === 1) return top === 'src' ? [file] : top === 'tools' ? ['tools/'] : []
    if (file.startsWith('codec/test/')) return ['codec/test/']
    return rest
      .slice(0, -1)
      .slice(0, 2)
      .map((_, depth) => `${top}/${rest.slice(0, depth + 1).join('/')}/`)
  })
  return new Set(folders)
}

/** Returns the files that git tracks, so that untracked files do not matter. */
function trackedFiles(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error('the documents can be tested in a git repository only: clone it')
  return stdout.split('\0').filter((file) => file !== '' && existsSync(path.join(ROOT, file)))
}
