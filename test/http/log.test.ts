import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import type { Bindings } from '../../src/env.ts'
import { logBacklog, logProblem } from '../../src/http/log.ts'
import { DEFERRED_PROBLEMS_MAX } from '../../src/limits.ts'
import { StorageFull } from '../../src/storage/bounded-calls.ts'
import { madeGallery, madeImage } from '../domain/made-content.ts'
import { emptyStore } from '../domain/store.ts'
import { faultyBindings } from '../support/faulty-bindings.ts'

const NO_BACKLOG = { results: [], unavailable: [] }
const METHODS = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

const lines: string[] = []
beforeEach(emptyStore)
beforeEach(() => {
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void lines.push(words.join(' ')))
  }
  // Flushes the lines of other tests.
  tick()
})
afterEach(() => vi.restoreAllMocks())

function tick(): string[] {
  lines.length = 0
  logBacklog(NO_BACKLOG, 0)
  return lines.splice(0)
}

/** Sends a request, and waits for all work after the response. */
async function ask(path: string, init: RequestInit, bindings: Partial<Bindings> = {}): Promise<number> {
  const context = createExecutionContext()
  const request = new Request(`http://d.example${path}`, init)
  const { status } = await handleRequest(request, { ...env, PUBLIC_DOMAINS: 'd.example', ...bindings }, context)
  await waitOnExecutionContext(context)
  return status
}

const broken = (name: string) =>
  faultyBindings(env, { fault: 'throws before', strikes: (_, call) => call.startsWith(name), message: 'D1_ERROR: odd' })
const post = (body = ''): RequestInit => ({ method: 'POST', headers: FORM, body })

describe('a request whose path contains a management token logs nothing, a later tick does', () => {
  type Row = [what: string, path: (token: string) => string, init: RequestInit, broken: string, status: number]
  test.each<Row>([
    ['a delete', (token) => `/management/${token}/delete`, post(), 'D1', 503],
    ['a rename', (token) => `/management/${token}/rename`, post('name=a'), 'D1', 503],
    ['the page', (token) => `/manage/${token}`, {}, 'D1', 503],
    ['the page of a guest', (token) => `/add/${token}`, {}, 'D1', 503],
    ['an upload of a guest', (token) => `/guests/${token}/images`, post(), 'D1', 503],
    ['its form', (token) => `/manage/${token}`, post('action=delete&confirm=1'), 'D1', 503],
    ['a delete, after its response', (token) => `/management/${token}/delete`, post(), 'R2.delete', 200],
    ['its form, after the response', (token) => `/manage/${token}`, post('action=delete&confirm=1'), 'R2.delete', 200],
  ])('%s', async (_, path, init, fault, status) => {
    const { token } = await madeGallery()
    const { DB, FILES } = broken(fault)
    expect(await ask(path(token), init, { DB, FILES })).toBe(status)
    expect(lines).toEqual([])
    const [line = ''] = tick()
    expect(line).toMatch(/^problems of earlier management requests: 1\n.*D1_ERROR: odd/)
    expect(line).not.toContain(token)
    expect(tick()).toEqual([])
  })

  test('the same for a request with such an address in its query, or in another spelling', async () => {
    const { DB, FILES } = broken('D1')
    for (const path of ['/oembed?url=https%3A%2F%2Fd.example%2Fmanage%2Fx&unused=/show/0/1_a.gif', '/MANAGE/x']) {
      await ask(path, {}, { DB, FILES })
    }
    expect(lines).toEqual([])
  })

  test('the withheld lines are logged with the first problem of another request; the rest is counted', async () => {
    const { DB, FILES } = broken('D1')
    const path = `/management/${'x'.repeat(43)}/delete`
    for (let i = 0; i < DEFERRED_PROBLEMS_MAX + 5; i++) await ask(path, post(), { DB, FILES })
    expect(await ask('/galleries', post(), { DB, FILES })).toBe(503)
    const [line = '', own] = lines.splice(0)
    expect(line).toMatch(new RegExp(`^problems of earlier management requests: ${DEFERRED_PROBLEMS_MAX + 5}\n`))
    expect(line.match(/^request /gm)).toHaveLength(DEFERRED_PROBLEMS_MAX)
    expect(own).toMatch(/^request .*: D1\.raw of shard 0 failed: D1_ERROR: odd$/)
  })
})

test('a delete uses no key with the token in the edge cache', async () => {
  const calls = [vi.spyOn(caches.default, 'put'), vi.spyOn(caches.default, 'delete'), vi.spyOn(caches.default, 'match')]
  const { token } = await madeImage()
  expect(await ask(`/management/${token}/delete`, post())).toBe(200)
  const keys = calls.flatMap(({ mock }) => mock.calls.map(([key]) => new Request(key).url))
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.filter((key) => key.includes(token))).toEqual([])
})

test('a tick that leaves nothing logs so once, after one that left something', () => {
  expect(tick()).toEqual([])
  logBacklog({ results: [], unavailable: [{ number: 2, error: undefined }] }, 0)
  expect(tick()).toEqual(['maintenance backlog: none'])
  expect(tick()).toEqual([])
})

test('storage that cannot be used is one line without a stack, however often it fails', () => {
  const full = new StorageFull('D1.batch of shard 0 has no room', { cause: new Error('database or disk is full') })
  logProblem('request 1', new Error('Failed query: secret', { cause: full }))
  expect(lines).toEqual(['request 1: D1.batch of shard 0 has no room: database or disk is full'])
})
