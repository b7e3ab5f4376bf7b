import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { START_OPTIONS } from '../../src/settings.ts'
import { parseDeployment } from '../../tools/deploy/deployment.ts'
import { apiAt, mayStartServices, sharedApi } from './support/api.ts'
import { type CodeBlock, readMarkdownBlocks } from './support/code-blocks.ts'
import { jpeg, photo } from './support/images.ts'
import { freePort, type Service, startService } from './support/service.ts'
import { uploadImage } from './support/steps.ts'

const ROOT = join(import.meta.dirname, '../..')
const LOCAL = 'http://localhost:8787'
const GUIDES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
const WALK_THROUGH = /<!-- walk-through -->(.*?)<!-- end of walk-through -->/gs
const WALKS = GUIDES.flatMap(({ file, text }) =>
  [...text.matchAll(WALK_THROUGH)].map(([, walk = '']) => ({ file, walk })),
)

/** Kinds of tested blocks, by their language and beginning. A block of no kind fails. */
const KINDS: readonly (readonly [kind: string, language: RegExp, begins: RegExp])[] = [
  ['the command line', /^(?:sh)?$/, /^npm run (?:-s )?cli -- /],
  ['npm', /^(?:sh)?$/, /^(?:export [A-Z_]+=.*\n)?npm (?:run|start|test)\b/],
  ['curl', /^sh$/, /^curl /],
  [
    'a server',
    /^(?:sh)?$/,
    /^(?:git (?:clone|pull)|certbot|useradd|systemctl|docker|apt|nginx -t|cd \/opt|install|openssl|rclone|npx wrangler|curl -X (?:PUT|POST)|echo)\b/,
  ],
  ['a program in Node.js', /^js$/, /^import /],
  ['a Worker of another zone', /^js$/, /^export default \{\n {2}fetch\(request\)/],
  ['settings of nginx', /^nginx$/, /^/],
  ['a unit of systemd', /^ini$/, /^\[Unit\]/],
  ['a deployment', /^json$/, /^\{\s*"domains"/],
  ['a line of a request', /^json$/, /^\{"event":"request"/],
  ['health', /^json$/, /^\{"status"/],
  ['an error', /^json$/, /^\{/],
  ['a signature of a webhook', /^sh$/, /^key=\$\(printf /],
  ['an event of a webhook', /^$/, /^\{"type":"upload/],
  ['a gallery as JSON', /^$/, /^\{\n {2}"name"/],
  ['settings of Prometheus', /^yaml$/, /^scrape_configs:/],
  ['a compose file', /^yaml$/, /^services:/],
  ['headers', /^$/, /^RateLimit-Policy: /],
  ['a line of the log', /^$/, /^maintenance backlog: /],
  ['a damaged file', /^$/, /^damaged images\//],
  ['a drawing, or a file to fill in', /^text$/, /^/],
  ['arrows between folders', /^$/, /^index\.ts, app\.ts {2}→/],
]
const blocks = GUIDES.flatMap(({ file, text }) =>
  readMarkdownBlocks(text.replaceAll(WALK_THROUGH, '')).map((block) => ({
    file,
    code: block.code,
    kind: kindOf(block),
  })),
)
const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind)

// A service of its own, because clients without an address share the rate limit of the status operation.
const skips = !mayStartServices()
let service: Service
let folder = ''
beforeAll(async () => {
  if (skips) return
  service = await startService({ domains: ['localhost'] })
  folder = mkdtempSync(join(tmpdir(), 'tintype-guides-'))
  const image = await jpeg(photo(320, 240))
  mkdirSync(join(folder, 'photos'))
  for (const name of ['photo.jpg', 'holiday.jpg', 'a.jpg', 'b.jpg', 'photos/1.jpg', 'photos/2.jpg'])
    writeFileSync(join(folder, name), image)
})
afterAll(async () => {
  if (skips) return
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

test('every block has a tested kind', () => {
  expect(blocks.filter(({ kind }) => kind === undefined)).toEqual([])
  expect(KINDS.filter(([kind]) => ofKind(kind).length === 0).map(([kind]) => kind)).toEqual([])
})

test('there is a walk-through with commands and their output', () => {
  expect(WALKS.map(({ file }) => file)).toEqual(['docs/using-the-api.md'])
  const languages = WALKS.flatMap(({ walk }) => readMarkdownBlocks(walk)).map(({ language }) => language)
  expect(languages).toEqual(expect.arrayContaining(['sh', '']))
})

describe.skipIf(skips)('the walk-through', () => {
  test.for(WALKS)('of $file prints the documented output', async ({ walk }) => {
    const parts = readMarkdownBlocks(walk)
    const text = (language: string) =>
      parts.filter((block: CodeBlock) => block.language === language).map(({ code }) => code)
    const { code, output } = await shell(text('sh').join('\n'), ROOT)
    expect(code, output).toBe(0)
    expect(linesOf(output).map(withoutNames)).toEqual(linesOf(text('').join('\n')).map(withoutNames))
  })
})

describe.skipIf(skips)('the log', () => {
  test.for(ofKind('a line of the log'))('has lines like: $code', async ({ code }) => {
    // The first tick runs at the start, when no work is due.
    const last = linesOf(code).at(-1) ?? expect.fail('no line')
    await expect.poll(() => linesOf(service.output()), { timeout: 60_000 }).toContain(last)
  })
})

describe('npm', () => {
  const commands = [...ofKind('npm'), ...ofKind('the command line')].flatMap(({ code }) =>
    code
      .replaceAll(/\\\n\s*/g, '')
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('export ')),
  )
  test.for([...new Set(commands)])('%s', (command) => {
    const [, script = ''] = command.match(/^npm (?:run (?:-s )?)?([\w:-]+)/) ?? []
    expect(Object.keys(packageJson.scripts)).toContain(script)
  })

  test('start accepts the documented options', () => {
    const units = ofKind('a unit of systemd').flatMap(({ code }) => code.match(/npm start .*/g) ?? [])
    const shown = [...commands.filter((command) => command.startsWith('npm start')), ...units].join(' ')
    const options = shown.match(/--[a-z][\w-]*/g) ?? []
    expect(options.length).toBeGreaterThan(0)
    const known = Object.keys(START_OPTIONS).map((name) => `--${name}`)
    expect(options.filter((option) => !known.includes(option))).toEqual([])
  })

  test('run deploy accepts the documented options', () => {
    const shown = commands.filter((command) => command.startsWith('npm run deploy')).join(' ')
    const options = shown.match(/--[a-z][\w-]*/g) ?? []
    expect(options.length).toBeGreaterThan(2)
    const script = readFileSync(join(ROOT, 'tools/deploy/deploy.ts'), 'utf8')
    expect(options.filter((option) => !new RegExp(`^ *${option} `, 'm').test(script))).toEqual([])
  })

  test('run names existing scripts, in every document', () => {
    const named = GUIDES.flatMap(({ text }) => [...text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)])
    const missing = named.map(([, script = '']) => script).filter((script) => !(script in packageJson.scripts))
    expect(missing).toEqual([])
  })
})

describe.skipIf(skips)('the blocks of curl', () => {
  test.for(ofKind('curl'))('$code', async ({ code: block }) => {
    const { code, output } = await shell(block.replaceAll('curl ', 'curl -sS --fail-with-body '), folder)
    expect(code, `${block}\n${output}`).toBe(0)
    expect(output).toContain('"show_url"')
  })
})

test.skipIf(skips)('the blocks of the command line work as written', async () => {
  const { managementToken } = await uploadImage(apiAt(service.baseUrl), { include_manage_url: '1' })
  for (const { code: block } of ofKind('the command line')) {
    // A terminal would ask for confirmation of the delete, but there is none here.
    const { code, output } = await shell(block.replaceAll('TOKEN', `${managementToken} --yes`), folder)
    expect(code, `${block}\n${output}`).toBe(0)
  }
})

test.for(ofKind('a server'))('a shell can read $code', async ({ code: block }) => {
  const { code, output } = await run('bash', ['-n', '-c', block], ROOT)
  expect(code, output).toBe(0)
})

describe.skipIf(skips)('the uploader', () => {
  test.for(ofKind('a program in Node.js'))(
    'of $file copes with a rejection and a broken connection',
    async ({ code }) => {
      const outcomes: ('refuse' | 'break' | 'answer and break')[] = ['refuse', 'break', 'answer and break']
      const keys: unknown[] = []
      const proxy = createServer((request, response) => {
        keys.push(request.headers['idempotency-key'])
        const outcome = outcomes.shift()
        if (outcome === 'refuse') return response.writeHead(503, { 'Retry-After': '0' }).end()
        if (outcome === 'break') return request.socket.destroy()
        const { method, headers, url } = request
        const onward = forward(`${service.baseUrl}${url}`, { method, headers }, (incoming) => {
          if (outcome !== undefined) return request.socket.destroy()
          return incoming.pipe(response.writeHead(incoming.statusCode ?? 0, incoming.headers))
        })
        return request.pipe(onward)
      })
      const port = await freePort()
      await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
      const program = join(folder, 'upload.mjs')
      writeFileSync(program, code.replaceAll(LOCAL, `http://127.0.0.1:${port}`))
      const result = await run(process.execPath, [program], folder)
      proxy.close()
      expect(result.code, result.output).toBe(0)
      expect(result.output).toMatch(/\/show\/\d+\/\d+_photo\.jpg$/m)
      expect(keys).toHaveLength(4)
      expect(new Set(keys).size).toBe(1)
    },
  )
})

test('deployment.json accepts the documented content', () => {
  for (const { code } of ofKind('a deployment')) expect(parseDeployment(code)).toMatchObject(JSON.parse(code))
})

test('an error looks as documented', async () => {
  const response = await sharedApi().remove('x')
  for (const { code } of ofKind('an error')) {
    expect(Object.keys(JSON.parse(response.text))).toEqual(Object.keys(JSON.parse(code)))
    expect(JSON.parse(response.text).error).toBe(JSON.parse(code).error)
  }
})

test.skipIf(skips)('the headers of the rate limit are as documented', async () => {
  for (const { code } of ofKind('headers')) {
    const { headers } = await sharedApi().status(['x'])
    for (const line of linesOf(code)) {
      const [name = '', value] = line.split(': ')
      expect(headers[name.toLowerCase()]).toBe(value)
    }
  }
})

function kindOf({ language, code }: CodeBlock): string | undefined {
  return KINDS.find(([, of, begins]) => of.test(language) && begins.test(code))?.[0]
}

/** Runs a program of the documents against the service under test. Every npm command runs in the repository. */
function shell(program: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const script = `
    npm() { command npm --prefix '${ROOT}' "$@"; }
    command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }
    ${program.replaceAll(LOCAL, service.baseUrl)}`
  return run('bash', ['-euo', 'pipefail', '-c', script], cwd)
}

function run(program: string, args: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, TINTYPE_URL: skips ? '' : service.baseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** Returns the lines of an output. */
function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line.trim() !== '')
}

/** Returns a line without its tokens and addresses, which differ in each run. */
function withoutNames(line: string): string {
  return line
    .replace(/https?:\/\/[^"]*/g, 'URL')
    .replace(/"(gallery_hash|gallery_upload_hash)":"[\w-]+"/g, '"$1":"TOKEN"')
}
