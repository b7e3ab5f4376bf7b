import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { faultyBindings } from '../../support/faulty-bindings.ts'

const lines: string[] = []
beforeEach(() => {
  lines.length = 0
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
})
afterEach(() => vi.restoreAllMocks())

/** Sends requests with different random numbers. Returns how many of them logged a line. */
async function linesOf(path: string, bindings: Partial<Bindings>): Promise<number> {
  for (const random of [0, 0.2, 0.4, 0.6, 0.8]) {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const context = createExecutionContext()
    await handleRequest(
      new Request(`http://d.example${path}`),
      { ...env, PUBLIC_DOMAINS: 'd.example', ...bindings },
      context,
    )
    await waitOnExecutionContext(context)
  }
  return lines.filter((line) => line.startsWith('{"event":"request"')).length
}

test.each([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  ['0.3', 2],
  [' .5 ', 3],
  ['1', 5],
])('with LOG_REQUESTS %j, %i of five requests are logged', async (share, expected) => {
  expect(await linesOf('/robots.txt', share === undefined ? {} : { LOG_REQUESTS: share })).toBe(expected)
})

test('failures of the service are all logged, unless none are to be', async () => {
  const { DB } = faultyBindings(env, { fault: 'throws before', strikes: () => true, message: 'D1_ERROR: odd' })
  expect(await linesOf('/gallery/abcdefghijkl', { DB, LOG_REQUESTS: '0.000001' })).toBe(5)
  lines.length = 0
  expect(await linesOf('/gallery/abcdefghijkl', { DB, LOG_REQUESTS: '0' })).toBe(0)
})

test.each(['all', '2', '-1', '50%', '1e-1'])('an unreadable LOG_REQUESTS %j is logged once', async (setting) => {
  expect(await linesOf('/robots.txt', { LOG_REQUESTS: setting })).toBe(0)
  // Requests of other files may log in the meantime.
  expect(lines.filter((line) => line.includes('LOG_REQUESTS'))).toEqual([
    expect.stringMatching(/^no request is logged: LOG_REQUESTS must be the share of requests/),
  ])
})
