import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { finishAfterHangUp, type Invocation, runAfterResponse } from '../../src/http/after-response.ts'
import { AFTER_RESPONSE_MAX_MS } from '../../src/limits.ts'

const NEVER = new Promise<never>(() => {})

let pending: { promise: Promise<unknown>; isSettled: boolean }[]
let logged: string[]
let client: AbortController

beforeEach(() => {
  vi.useFakeTimers()
  pending = []
  logged = []
  client = new AbortController()
})

afterEach(() => vi.useRealTimers())

function invocation(): Invocation {
  return {
    executionCtx: {
      waitUntil(promise: Promise<unknown>) {
        const one = { promise, isSettled: false }
        pending.push(one)
        void promise.then(() => {
          one.isSettled = true
        })
      },
    },
    req: { raw: { signal: client.signal } },
    var: { logProblem: (what, error) => void logged.push(`${what}: ${String(error)}`) },
  }
}

const settled = () => pending.map(({ isSettled }) => isSettled)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('work after a response is abandoned in time, and logged', async () => {
  runAfterResponse(invocation(), 'sweep', () => NEVER)
  await pass(AFTER_RESPONSE_MAX_MS - 1)
  expect(settled()).toEqual([false])
  await pass(1)
  expect([settled(), logged]).toEqual([[true], ['sweep: Error: not done 25 s after the response']])
  expect(vi.getTimerCount()).toBe(0)
})

test('work that begins after the client disconnected ends with earlier work', async () => {
  finishAfterHangUp(invocation(), NEVER)
  client.abort()
  await pass(AFTER_RESPONSE_MAX_MS - 1000)
  runAfterResponse(invocation(), 'sweep', () => NEVER)
  await pass(1000)
  expect(settled()).toEqual([true, true])
})

test('work that fails is logged, and work that ends leaves no timer', async () => {
  runAfterResponse(invocation(), 'sweep', () => Promise.reject(new Error('no')))
  runAfterResponse(invocation(), 'sweep', async () => {})
  await pass(0)
  expect([settled(), logged]).toEqual([[true, true], ['sweep: Error: no']])
  expect(vi.getTimerCount()).toBe(0)
})

test('a response may take as long as its client waits, and a while longer', async () => {
  finishAfterHangUp(invocation(), NEVER)
  await pass(10 * AFTER_RESPONSE_MAX_MS)
  expect(settled()).toEqual([false])
  client.abort()
  await pass(AFTER_RESPONSE_MAX_MS)
  expect([settled(), logged]).toEqual([[true], []])
})
