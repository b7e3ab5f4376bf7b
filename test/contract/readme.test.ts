import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { apiAt, mayStartServices } from './support/api.ts'
import { type CodeBlock, readMarkdownBlocks } from './support/code-blocks.ts'
import { jpeg, photo } from './support/pictures.ts'
import { type Service, startService } from './support/service.ts'
import { uploadImage } from './support/steps.ts'

const ROOT = join(import.meta.dirname, '../..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const [, WALK = ''] = README.match(/<!-- walk-through -->(.*?)<!-- end of walk-through -->/s) ?? []
const LOCAL = 'http://localhost:8787'

/** How a block is put to the test, by what it begins with. A block that none of these knows has no test, and fails. */
const KINDS: readonly (readonly [kind: string, begins: RegExp, why?: string])[] = [
  ['the command line', /^npm run (?:-s )?cli -- /],
  ['npm', /^npm (?:run|start|test)\b/],
  ['curl', /^curl /],
  ['a map of files', /^src\/index\.ts /],
  ['settings of nginx', /^location \/ \{/],
]
const blocks = readMarkdownBlocks(README.replace(WALK, '')).map(({ code }) => ({ code, kind: kindOf(code) }))
const ofKind = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ code }) => code)

// A service of its own: clients without an address share the rate limit of the status operation.
const skips = !mayStartServices()
let service: Service
let folder = ''
beforeAll(async () => {
  if (skips) return
  service = await startService({ domains: ['localhost'] })
  folder = mkdtempSync(join(tmpdir(), 'tintype-readme-'))
  const picture = await jpeg(photo(320, 240))
  mkdirSync(join(folder, 'photos'))
  for (const name of ['photo.jpg', 'holiday.jpg', 'photos/1.jpg', 'photos/2.jpg'])
    writeFileSync(join(folder, name), picture)
})
afterAll(async () => {
  if (skips) return
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

test('every block is of a kind that is tested', () => {
  expect(blocks.filter(({ kind }) => kind === undefined).map(({ code }) => code)).toEqual([])
  expect(readMarkdownBlocks(WALK).map(({ language }) => language)).toEqual(expect.arrayContaining(['sh', '']))
})

test.skipIf(skips)('the walk-through prints what it says it prints', async () => {
  const parts = readMarkdownBlocks(WALK)
  const text = (language: string) =>
    parts.filter((block: CodeBlock) => block.language === language).map(({ code }) => code)
  const { code, output } = await shell(text('sh').join('\n'), ROOT)
  expect(code, output).toBe(0)
  expect(linesOf(output).map(shapeOf)).toEqual(linesOf(text('').join('\n')).map(shapeOf))
})

describe('npm', () => {
  const commands = [...ofKind('npm'), ...ofKind('the command line')].flatMap((block) => block.trim().split('\n'))
  test.for(commands)('%s', (command) => {
    const [, script = ''] = command.match(/^npm (?:run (?:-s )?)?([\w:]+)/) ?? []
    expect(Object.keys(packageJson.scripts)).toContain(script)
  })

  test('start takes the options it is shown with', () => {
    const shown = commands.filter((command) => command.startsWith('npm start')).join(' ')
    const options = shown.match(/--[a-z][\w-]*/g) ?? []
    expect(options.length).toBeGreaterThan(0)
    const service = readFileSync(join(ROOT, 'scripts/serve.mjs'), 'utf8')
    expect(options.filter((option) => !service.includes(`${option} `))).toEqual([])
  })
})

test.skipIf(skips)('the blocks of curl work as written', async () => {
  expect(ofKind('curl').length).toBeGreaterThan(0)
  for (const block of ofKind('curl')) {
    const { code, output } = await shell(block.replaceAll('curl ', 'curl -sS --fail-with-body '), folder)
    expect(code, `${block}\n${output}`).toBe(0)
    expect(output).toContain('"show_url"')
  }
})

test.skipIf(skips)('the blocks of the command line work as written', async () => {
  const { managementToken } = await uploadImage(apiAt(service.baseUrl), { include_manage_url: '1' })
  for (const block of ofKind('the command line')) {
    // At a terminal the delete is asked for: there is none here.
    const { code, output } = await shell(block.replaceAll('TOKEN', `${managementToken} --yes`), folder)
    expect(code, `${block}\n${output}`).toBe(0)
  }
})

test('the map names files and folders that are there', () => {
  const [map = ''] = ofKind('a map of files')
  const named = map.split('\n').flatMap((line) => line.split(/\s/)[0] || [])
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('nginx is told to pass on what the service goes by', () => {
  const [settings = ''] = ofKind('settings of nginx')
  for (const header of ['Host $host', 'CF-Connecting-IP $remote_addr']) {
    expect(settings).toContain(`proxy_set_header ${header};`)
  }
})

function kindOf(code: string): string | undefined {
  return KINDS.find(([, begins]) => begins.test(code))?.[0]
}

/** Runs a program of the README against the service under test; npm is that of the repository, wherever it is called. */
function shell(program: string, cwd: string): Promise<{ code: number | null; output: string }> {
  const script = `
    npm() { command npm --prefix '${ROOT}' "$@"; }
    command -v uuidgen >/dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }
    ${program.replaceAll(LOCAL, service.baseUrl)}`
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd,
      env: { ...process.env, TINTYPE_URL: service.baseUrl },
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

/** Lines of an output, and JSON objects that follow each other without a line break. */
function linesOf(output: string): string[] {
  return output.split(/\n|(?<=\})(?=\{|\d)/).filter((line) => line.trim() !== '')
}

/** What of a line is the same in each run: the names in JSON and the words; not tokens, addresses and numbers. */
function shapeOf(line: string): string {
  return line
    .replace(/https?:\/\/[^"]*/g, 'URL')
    .replace(/"(gallery_hash|gallery_upload_hash)":"\w+"/g, '"$1":"TOKEN"')
    .replace(/"(\w*(?:bytes|width|height))":\d+/g, '"$1":0')
    .replace(/\d+ bytes/g, '0 bytes')
}
