import { expect, test } from 'vitest'
import { takeToken } from '../../src/domain/rate.ts'
import { seededRandom } from '../support/random.ts'

const RULE = { burst: 5, intervalMs: 6000 }
const START_MS = 1_800_000_000_000

/** Returns which of the requests at these milliseconds after the start pass. */
function run(moments: readonly number[]) {
  let fullAtMs: number | undefined
  return moments.map((moment) => {
    const decision = takeToken(RULE, fullAtMs, START_MS + moment)
    fullAtMs = decision.fullAtMs
    return decision
  })
}

test('five pass at once, the sixth does not (D24)', () => {
  const decisions = run([0, 0, 0, 0, 0, 0])
  expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false])
  expect(decisions.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0])
  expect(decisions.map(({ retryAfterS }) => retryAfterS)).toEqual([0, 0, 0, 0, 6, 6])
})

test.each([
  [5999, false, 1],
  [6000, true, 6],
  [11_999, true, 1],
])('an empty bucket after %i ms: allowed is %s, the next passes after %i s', (moment, allowed, retryAfterS) => {
  const last = run([0, 0, 0, 0, 0, moment]).at(-1)
  expect(last).toMatchObject({ allowed, retryAfterS })
})

test('waiting Retry-After is enough, and a second less is not', () => {
  const random = seededRandom(20261121)
  let fullAtMs: number | undefined
  let nowMs = START_MS
  for (let i = 0; i < 5000; i++) {
    nowMs += Math.floor(random() * 9000)
    const decision = takeToken(RULE, fullAtMs, nowMs)
    fullAtMs = decision.fullAtMs
    if (decision.allowed) continue
    expect(takeToken(RULE, fullAtMs, nowMs + decision.retryAfterS * 1000).allowed).toBe(true)
    expect(takeToken(RULE, fullAtMs, nowMs + (decision.retryAfterS - 1) * 1000).allowed).toBe(false)
  }
})

test('rejections take nothing', () => {
  expect(run([0, 0, 0, 0, 0, 1, 2, 3, 6000]).at(-1)?.allowed).toBe(true)
})

test('a clock that was set back blocks nobody for longer than a full bucket takes', () => {
  const ahead = takeToken(RULE, undefined, START_MS + 86_400_000)
  expect(takeToken(RULE, ahead.fullAtMs, START_MS)).toMatchObject({ allowed: false, retryAfterS: 6 })
})

test('several tokens are taken at once, or none', () => {
  const first = takeToken(RULE, undefined, START_MS, 3.5)
  expect(first).toMatchObject({ allowed: true, remaining: 1 })
  expect(takeToken(RULE, first.fullAtMs, START_MS, 2)).toMatchObject({ allowed: false, remaining: 1, retryAfterS: 3 })
  expect(takeToken(RULE, first.fullAtMs, START_MS, 1.5)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a request for more than a bucket holds waits for a full one', () => {
  const all = takeToken(RULE, undefined, START_MS, 7)
  expect(all).toMatchObject({ allowed: true, remaining: 0 })
  expect(takeToken(RULE, all.fullAtMs, START_MS, 7)).toMatchObject({ allowed: false, retryAfterS: 30 })
})
