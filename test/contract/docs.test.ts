import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES, ERRORS } from '../../src/errors.ts'
import { apiAt, mayStartServices, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { type CodeBlock, readDocsBlocks } from './support/code-blocks.ts'
import { jpeg, photo } from './support/images.ts'
import { type Service, startService } from './support/service.ts'

const api = sharedApi()
/** The service as seen on this machine: links use the host of the request, with its port. */
const LOCAL = mayStartServices() ? [[new URL(api.baseUrl).host, api.baseUrl]] : []

describe('/openapi.json', () => {
  test('is OpenAPI 3.1, version 2.0.0, readable by programs and pages anywhere', async () => {
    const response = await api.get('/openapi.json')
    expect(response.status).toBe(200)
    expect(header(response, 'content-type')).toBe('application/json; charset=UTF-8')
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(JSON.parse(response.text)).toMatchObject({ openapi: '3.1.0', info: { version: '2.0.0' }, security: [] })
  })

  test.for([
    ['one.example', 'https://one.example'],
    ['api.two.example', 'https://two.example'],
    ['www.three.example', 'https://three.example'],
    ...LOCAL,
    ['unknown.example', 'https://one.example'],
  ])('on %s names %s alone', async ([host = '', origin = '']) => {
    const { text } = await api.get('/openapi.json', { host })
    expect(JSON.parse(text).servers).toEqual([expect.objectContaining({ url: origin })])
    expect(text).toContain(`"show_url":"${origin}/show/`)
    expect(text).not.toContain('pics.invalid')
  })

  test('is not sent again to clients that have it', async () => {
    const etag = header(await api.get('/openapi.json'), 'etag') ?? ''
    const again = await api.get('/openapi.json', { headers: { 'if-none-match': etag } })
    expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 })
    expect((await api.get('/openapi.json', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
  })
})

describe('/docs', () => {
  test.for(['/docs', '/docs/reference', '/docs/errors'])(
    '%s is a page whose resources come from our own origin alone',
    async (path) => {
      const response = await api.get(path)
      expect(response.status).toBe(200)
      expect(header(response, 'content-type')).toBe('text/html; charset=UTF-8')
      expect(header(response, 'content-security-policy')).toContain("script-src 'self'")
      const loaded = [...response.text.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]*)"/g)].map(
        ([, to]) => to,
      )
      expect(loaded.filter((to) => !/^[/#]/.test(to ?? ''))).toEqual([])
      expect(response.text).not.toContain('pics.invalid')
    },
  )

  test('the reference contains every operation and every schema of the document', async () => {
    const [page, document] = [await api.get('/docs/reference'), JSON.parse((await api.get('/openapi.json')).text)]
    const methods: { operationId: string }[] = Object.values<object>(document.paths).flatMap((path) =>
      Object.values(path),
    )
    const anchors = [
      ...methods.map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
    ]
    expect(anchors.length).toBeGreaterThan(20)
    expect(anchors.filter((anchor) => !page.text.includes(`id="${anchor}"`))).toEqual([])
  })

  test('every link within the documentation has a target', async () => {
    const texts = new Map<string, string>()
    for (const path of ['/docs', '/docs/reference', '/docs/errors']) texts.set(path, (await api.get(path)).text)
    const broken = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/href="([^"]*#[^"]+)"/g)].flatMap(([, href = '']) => {
        const [page = '', anchor = ''] = href.split('#')
        return texts.get(page || path)?.includes(`id="${anchor}"`) ? [] : [`${path}: ${href}`]
      }),
    )
    expect(broken).toEqual([])
  })
})

describe('/docs/errors', () => {
  test('each code has an anchor with its status, its cause and its fix', async () => {
    const { text } = await api.get('/docs/errors')
    for (const code of ERROR_CODES) {
      const [row = ''] = text.match(new RegExp(`<tr id="${code}".*?</tr>`, 's')) ?? []
      expect(row, code).toContain(`<td>${ERRORS[code].status}</td>`)
      expect(row.match(/<td>[^<]+\.<\/td>/g), code).toHaveLength(2)
    }
  })

  test.for([['one.example', 'https://one.example'], ['api.two.example', 'https://two.example'], ...LOCAL])(
    'an ApiError on %s links to %s',
    async ([host = '', origin = '']) => {
      const response = await api.remove('x', { host })
      expect(JSON.parse(response.text).documentation_url).toBe(`${origin}/docs/errors#management_token_not_found`)
    },
  )
})

/** On a service of its own, because clients without an address share the rate limit of the status operation. */
describe.skipIf(!mayStartServices())('the quick start (needs a service of its own)', () => {
  let service: Service
  let blocks: CodeBlock[]
  let folder = ''
  beforeAll(async () => {
    service = await startService({ domains: ['localhost'] })
    blocks = readDocsBlocks((await apiAt(service.baseUrl).get('/docs', { host: new URL(service.baseUrl).host })).text)
    folder = mkdtempSync(join(tmpdir(), 'tintype-docs-'))
    writeFileSync(join(folder, 'photo.jpg'), await jpeg(photo(640, 480)))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

  const LANGUAGES = [
    { language: 'curl', command: ['bash', '-euo', 'pipefail'], file: 'walk.sh', probe: ['curl', '--version'] },
    { language: 'curl', command: ['dash', '-eu'], file: 'walk-dash.sh', probe: ['dash', '-c', ':'] },
    { language: 'javascript', command: [process.execPath], file: 'walk.mjs', probe: [process.execPath, '--version'] },
    { language: 'python', command: ['python3'], file: 'walk.py', probe: ['python3', '-c', 'import requests'] },
    { language: 'powershell', command: ['pwsh', '-NoProfile', '-File'], file: 'walk.ps1', probe: ['pwsh', '-Version'] },
  ] as const

  test('has five blocks in each of these languages, and none in others', () => {
    const languages = new Set(LANGUAGES.map(({ language }) => language))
    const counts = [...languages].map((language) => blocks.filter((block) => block.language === language).length)
    expect(counts).toEqual([5, 5, 5, 5])
    expect(blocks).toHaveLength(20)
  })

  const OPTIONAL = ['dash', 'python3', 'pwsh']
  test.for(LANGUAGES)('in $language works as written ($file)', async ({ language, command, file, probe }, { skip }) => {
    const [tool, ...args] = probe
    const isThere = spawnSync(tool, args, { stdio: 'ignore' }).status === 0
    skip(!isThere && OPTIONAL.includes(tool), `needs ${tool}: ${probe.join(' ')} does not work on this machine`)
    const program = blocks.filter((block) => block.language === language).map(({ code }) => code)
    writeFileSync(join(folder, file), `${program.join('\n\n')}\n`)
    const { code, output } = await run([...command, join(folder, file)], folder)
    expect(code, output).toBe(0)
    expect(output).toContain(`${service.baseUrl}/show/`)
    expect(output).toContain(`${service.baseUrl}/gallery/`)
    expect(output).toContain('Summer holidays')
    expect(output).toContain('available')
    expect(output.match(/"?deleted"?'?\s*:\s*true/gi), output).toHaveLength(2)
  })
})

function run([program = '', ...args]: string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
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
