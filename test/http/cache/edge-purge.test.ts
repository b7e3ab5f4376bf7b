import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bindings } from '../../../src/env.ts'
import { makeDuePurges, purgeSettings } from '../../../src/http/cache/edge-purge.ts'
import { EDGE_PURGE } from '../../../src/limits.ts'
import { dropLatePurges, queuePurges } from '../../../src/storage/maintenance/edge-purges.ts'
import { MINUTE_MS } from '../../../src/units.ts'
import { emptyStore, rows, shard, store } from '../../domain/store.ts'

const TOKEN = 'purge-token-of-the-operator'
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]
const SETTINGS = { ...env, PURGE_TOKEN: TOKEN, PURGE_ZONES: ONE }
const NOW_MS = Date.UTC(2026, 10, 23, 12)

/** The requests to the API, and the status of its responses. */
let asked: { url: string; tags: string[]; authorization: string | null }[]
let respond: (tags: readonly string[]) => number | Promise<number>
let problems: string[]

beforeEach(async () => {
  await emptyStore()
  asked = []
  problems = []
  respond = () => 200
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    const { tags } = JSON.parse(String(init?.body))
    asked.push({ url: String(url), tags, authorization: new Headers(init?.headers).get('Authorization') })
    return new Response(null, { status: await respond(tags) })
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(problems.join()).not.toContain(TOKEN)
})

const tags = (count: number, zone = ONE) => Array.from({ length: count }, (_, at) => ({ zone, tag: `t${at}` }))
const NO_CALL = { wanted: 0, limit: 0 }
const queue = (purges: { zone: string; tag: string }[], nowMs = NOW_MS) =>
  queuePurges(shard, purges, { nowMs, ...NO_CALL })
const tick = (nowMs: number, settings: Partial<Bindings> = {}) =>
  makeDuePurges(
    { ...SETTINGS, ...settings },
    store,
    nowMs,
    (what, error) => void problems.push(`${what}: ${String(error)}`),
  )
const left = () => rows('SELECT tag, due_at - deleted_at AS again, attempts FROM edge_purges ORDER BY tag')

test('a tag is purged twice: at the next tick, and when no earlier read can fill the cache any more', async () => {
  await queue(tags(1))
  await tick(NOW_MS + 1000)
  expect(asked).toEqual([
    {
      url: `https://api.cloudflare.com/client/v4/zones/${ONE}/purge_cache`,
      tags: ['t0'],
      authorization: `Bearer ${TOKEN}`,
    },
  ])
  await tick(NOW_MS + EDGE_PURGE.againMs - 1)
  expect(asked).toHaveLength(1)
  await tick(NOW_MS + EDGE_PURGE.againMs)
  await tick(NOW_MS + EDGE_PURGE.againMs + MINUTE_MS)
  expect([asked.length, await left(), problems]).toEqual([2, [], []])
})

test('repeated deletes are purged again', async () => {
  await queue(tags(1))
  await tick(NOW_MS)
  await queue(tags(1), NOW_MS + MINUTE_MS)
  await tick(NOW_MS + MINUTE_MS)
  expect(asked).toHaveLength(2)
})

test('a call has a hundred tags of one zone, and a minute has no more calls than the plan allows', async () => {
  await queue([...tags(550), ...tags(30, TWO)])
  await tick(NOW_MS)
  expect(asked.map(({ tags: { length } }) => length)).toHaveLength(5)
  for (const one of asked) expect(one.tags.length).toBeLessThanOrEqual(100)
  await tick(NOW_MS + 59_000)
  expect(asked).toHaveLength(5)
  await tick(NOW_MS + MINUTE_MS)
  const purged = asked.flatMap(({ url, tags: of }) => of.map((tag) => `${url} ${tag}`))
  expect([purged.length, new Set(purged).size]).toEqual([580, 580])
})

test('the rate is that of the account’s plan, and immediate purges leave some of it for the cron', async () => {
  await queue(tags(1000))
  await tick(NOW_MS, { PURGE_RATE: '300' })
  expect(asked).toHaveLength(10)
  const take = (wanted: number, limit: number) => queuePurges(shard, [], { nowMs: NOW_MS + MINUTE_MS, wanted, limit })
  expect([await take(2, 3), await take(2, 3), await take(2, 3), await take(9, 5)]).toEqual([2, 1, 0, 2])
})

test.each([
  [429, 'responded with 429'],
  [503, 'responded with 503'],
  [403, 'responded with 403'],
])('after %i the tags stay for the next minute', async (status, cause) => {
  respond = () => status
  await queue([...tags(1), ...tags(1, TWO)])
  await tick(NOW_MS)
  expect(problems).toEqual([`purge by Cloudflare's API: Error: the API ${cause}: 2 tags are left to the next minute`])
  respond = () => 200
  await tick(NOW_MS + MINUTE_MS)
  expect(await left()).toEqual(Array(2).fill({ tag: 't0', again: EDGE_PURGE.againMs, attempts: 0 }))
})

test('a zone that is rejected does not block another', async () => {
  respond = ([first]) => (first === 'bad' ? 404 : 200)
  await queue([{ zone: TWO, tag: 'bad' }, ...tags(3)])
  await tick(NOW_MS)
  expect(await left()).toMatchObject([{ tag: 'bad', again: 0, attempts: 1 }, ...Array(3).fill({ attempts: 0 })])
})

test('a tag that could not be purged before its entries expired is dropped, and counted', async () => {
  await queue(tags(3))
  expect(await dropLatePurges(shard, NOW_MS + EDGE_PURGE.uselessAfterMs - 1)).toBe(0)
  expect(await dropLatePurges(shard, NOW_MS + EDGE_PURGE.uselessAfterMs)).toBe(3)
  expect(await left()).toEqual([])
})

test('without a token, no request is sent', async () => {
  await queue(tags(1))
  await tick(NOW_MS, { PURGE_TOKEN: '' })
  expect(asked).toEqual([])
})

test.each(['', 'zone', `${ONE},`, `one.example:${ONE}`])('%j names no zone', (zones) => {
  expect(() => purgeSettings({ ...SETTINGS, PURGE_ZONES: zones })).toThrow(
    'PURGE_ZONES must be the id of a zone, or a list of domain=id with commas',
  )
})

test.each(['0', '-1', 'many', '5 a minute'])('%j is no rate', (rate) => {
  expect(() => purgeSettings({ ...SETTINGS, PURGE_RATE: rate })).toThrow(
    'PURGE_RATE must be the number of calls a minute, from 1 to 9999',
  )
})
