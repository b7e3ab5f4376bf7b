import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { HEALTH_FRESH_MS } from '../../../src/limits.ts'
import { faultyBindings } from '../../support/faulty-bindings.ts'

/**
 * Never moves back, because a later check would seem earlier. It begins ahead of the clocks that other files set: the isolate's clock
 * is the latest that it saw.
 */
let nowMs = Date.now() + 60_000
const logged: string[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  logged.length = 0
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Returns the response of /healthz with some bindings replaced, after the previous response has expired. */
async function checkHealth(bindings: Partial<Bindings> = {}, afterMs = HEALTH_FRESH_MS) {
  nowMs += afterMs
  vi.setSystemTime(nowMs)
  const context = createExecutionContext()
  const request = new Request('http://d.example/healthz')
  const response = await handleRequest(request, { ...env, PUBLIC_DOMAINS: 'd.example', ...bindings }, context)
  await waitOnExecutionContext(context)
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: await response.json() }
}

const failing = (part: string) => ({
  status: 503,
  retryAfter: '1',
  body: {
    status: 'failing',
    checks: expect.objectContaining({ [part]: 'failing' }),
    shards: { 0: part === 'database' ? 'failing' : 'ok' },
  },
})
const faulty = (binding: string, fault: 'hangs' | 'throws before') => {
  const { DB, FILES } = faultyBindings(env, { fault, strikes: (_, name) => name.startsWith(binding) })
  return { DB, FILES }
}
/** Returns a disk that responds with this status. */
const disk = (status: number) => {
  const fetch = async () => new Response(null, { status, headers: { 'Free-Bytes': '1' } })
  return new Proxy<Fetcher>(env.RATE_LIMITER.getByName('disk'), { get: () => fetch })
}

test('it is 200 if all parts work; a Worker has no disk', async () => {
  expect(await checkHealth()).toEqual({
    status: 200,
    retryAfter: null,
    body: { status: 'ok', checks: { database: 'ok', files: 'ok', limiter: 'ok' }, shards: { 0: 'ok' } },
  })
  expect((await checkHealth({ DISK: disk(204) })).body).toMatchObject({ checks: { disk: 'ok' } })
})

test.each([
  ['database', faulty('D1', 'throws before')],
  ['database', faulty('D1', 'hangs')],
  ['files', faulty('R2', 'throws before')],
  ['files', faulty('R2', 'hangs')],
  ['disk', { DISK: disk(507) }],
])('it is 503 if the %s fails, and the log says why', async (part, bindings) => {
  expect(await checkHealth(bindings)).toEqual(failing(part))
  // Work of another test may log its own end here.
  const lines = logged.filter((line) => line.startsWith('health of'))
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^health of the ${part}(?:, shard 0)?: `))])
  expect((await checkHealth()).status).toBe(200)
})

test('it checks at most once a second, with one call of each', async () => {
  const { DB, FILES, calls } = faultyBindings(env)
  await checkHealth({ DB, FILES })
  for (let i = 0; i < 5; i++) await checkHealth({ DB, FILES }, HEALTH_FRESH_MS / 6)
  expect(calls.toSorted()).toEqual(['D1.raw', 'R2.head'])
  await checkHealth({ DB, FILES }, HEALTH_FRESH_MS / 6)
  expect(calls).toHaveLength(4)
})
