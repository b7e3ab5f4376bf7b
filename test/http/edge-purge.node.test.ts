import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { publicSite, singleHostSite } from '../../src/domain/links.ts'
import { type PurgeLimits, purgeEverywhere, purgeSettings } from '../../src/http/edge-purge.ts'
import { EDGE_PURGE } from '../../src/limits.ts'

const TOKEN = 'purge-token-of-the-operator'
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]
const SITES = [publicSite('one.example'), publicSite('two.example')]
const LIMITS: PurgeLimits = { ...EDGE_PURGE, retryMs: 1 }

/** What the stand-in for the API was asked, and what it answers: by default 200. */
interface Asked {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  files: string[]
}

let server: Server
let asked: Asked[]
let answerWith: (files: readonly string[], number: number) => number | 'nothing'
let problems: string[]

beforeEach(async () => {
  asked = []
  problems = []
  answerWith = () => 200
  server = createServer(async (request, response) => {
    const { files } = JSON.parse(await textOf(request))
    asked.push({ method: request.method, url: request.url, authorization: request.headers.authorization, files })
    const status = answerWith(files, asked.length)
    if (status === 'nothing') return
    response.writeHead(status, { location: '/elsewhere' }).end(`{"echo":"${request.headers.authorization}"}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
  // Whatever went wrong, the token is not told.
  expect(problems.join()).not.toContain(TOKEN)
})

function api(): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

const pictures = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1, name: 'a.gif' }))

/** So long nothing takes, however busy the machine is. */
const PATIENT_MS = 120_000
/** So long it is waited for what does not come: the server hears of the call before. */
const SHORT_MS = 1500

interface Purging {
  zones?: string
  sites?: typeof SITES
  limits?: Partial<PurgeLimits>
  /** How long the call of this number may take. */
  callMs?: (number: number) => number
}

async function purge(count: number, { zones = ONE, sites = SITES, limits, callMs }: Purging = {}): Promise<void> {
  const settings = purgeSettings({ PURGE_TOKEN: TOKEN, PURGE_ZONES: zones, PURGE_API: api() })
  if (!settings) return expect.unreachable()
  const log = (what: string, error: unknown) => void problems.push(`${what}: ${String(error)}`)
  let calls = 0
  await purgeEverywhere(settings, sites, pictures(count), log, {
    ...LIMITS,
    totalMs: PATIENT_MS,
    ...limits,
    get callMs() {
      return callMs?.(++calls) ?? PATIENT_MS
    },
  })
}

const purged = () => asked.flatMap(({ files }) => files).toSorted()

test('the links of a picture on each domain are purged with the token', async () => {
  await purge(1)
  expect(asked).toEqual([
    {
      method: 'POST',
      url: `/zones/${ONE}/purge_cache`,
      authorization: `Bearer ${TOKEN}`,
      files: [
        'https://img1.one.example/images/0/1_a.gif',
        'https://t1.one.example/thumbs/0/1_a.gif',
        'https://img1.two.example/images/0/1_a.gif',
        'https://t1.two.example/thumbs/0/1_a.gif',
      ],
    },
  ])
  expect(problems).toEqual([])
})

test('each domain has a zone of its own if the setting says so; one without a zone is left alone', async () => {
  const sites = [...SITES, publicSite('three.example')]
  await purge(1, { zones: `one.example=${ONE}, Two.Example=${TWO}`, sites })
  expect(asked.map(({ url, files }) => [url, files.length])).toEqual([
    [`/zones/${ONE}/purge_cache`, 2],
    [`/zones/${TWO}/purge_cache`, 2],
  ])
})

test('nothing is asked for this machine, and for workers.dev', async () => {
  const sites = ['http://localhost:8787', 'https://my-tintype.me.workers.dev'].map(singleHostSite)
  await purge(1, { sites })
  expect(asked).toEqual([])
})

test('a file is named once, and no call has more than the API takes', async () => {
  await purge(130, { sites: [...SITES, ...SITES] })
  expect(asked.map(({ files }) => files.length).toSorted((a, b) => b - a)).toEqual([100, 100, 100, 100, 100, 20])
  expect(new Set(purged()).size).toBe(520)
})

test.each([429, 500, 503, 'nothing'] as const)('%s passes: the call is made again', async (trouble) => {
  answerWith = (_, number) => (number <= 2 ? trouble : 200)
  await purge(1, { callMs: (number) => (trouble === 'nothing' && number <= 2 ? SHORT_MS : PATIENT_MS) })
  expect(asked).toHaveLength(3)
  expect(problems).toEqual([])
})

test.each([
  [429, 3, 'the API answered 429'],
  ['nothing', 3, 'the API did not answer'],
  [403, 1, 'the API answered 403'],
  [302, 1, 'the API answered 302'],
] as const)('%s for good is given up after %i calls, and told', async (trouble, calls, sentence) => {
  answerWith = () => trouble
  await purge(1, { callMs: () => (trouble === 'nothing' ? SHORT_MS : PATIENT_MS) })
  expect(asked).toHaveLength(calls)
  expect(problems).toEqual([`purge by Cloudflare's API: Error: 4 addresses are left to expire: ${sentence}`])
})

test('one address that is refused spoils no other', async () => {
  const bad = 'https://t1.two.example/thumbs/0/37_a.gif'
  answerWith = (files) => (files.includes(bad) ? 400 : 200)
  const done = new Set<string>()
  const judge = answerWith
  answerWith = (files, number) => {
    const status = judge(files, number)
    if (status === 200) for (const file of files) done.add(file)
    return status
  }
  await purge(50)
  expect([done.size, done.has(bad)]).toEqual([199, false])
  expect(asked.length).toBeLessThan(20)
  expect(problems).toEqual([`purge by Cloudflare's API: Error: 1 addresses are left to expire: the API refused them`])
})

test.each([
  ['calls', { maxCalls: 3 }, 'there are too many for one request'],
  ['time', { totalMs: 0 }, 'there was no time for them'],
])('%s are bounded', async (_, limits, sentence) => {
  await purge(100, { sites: SITES.slice(0, 1), limits: { filesPerCall: 10, ...limits } })
  expect(asked.length).toBeLessThanOrEqual(3)
  expect(problems).toEqual([
    `purge by Cloudflare's API: Error: ${200 - 10 * asked.length} addresses are left to expire: ${sentence}`,
  ])
})

describe('settings', () => {
  test('without a token nothing is purged', () => {
    expect(purgeSettings({ PURGE_ZONES: ONE })).toBeUndefined()
    expect(purgeSettings({ PURGE_TOKEN: '', PURGE_ZONES: ONE })).toBeUndefined()
  })

  test.each([undefined, '', 'zone', `${ONE},`, `one.example:${ONE}`])('%j names no zone', (zones) => {
    expect(() => purgeSettings({ PURGE_TOKEN: TOKEN, ...(zones === undefined ? {} : { PURGE_ZONES: zones }) })).toThrow(
      'PURGE_ZONES must be the id of a zone, or a list of domain=id with commas',
    )
  })

  test('the API is that of Cloudflare unless another is named', () => {
    expect(purgeSettings({ PURGE_TOKEN: TOKEN, PURGE_ZONES: ONE })?.api).toBe('https://api.cloudflare.com/client/v4')
  })
})

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
