import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, test, vi } from 'vitest'
import { longestRefusal, type RateRule, takeToken } from '../../src/domain/rate.ts'
import type { RateLimiter } from '../../src/rate-limiter.ts'
import { below, pick, type Random, seededRandom } from '../support/random.ts'

const ARRIVALS = 100_000
const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261122)
const START_MS = Date.UTC(2026, 10, 22)
/** The rules of the service, and two others. */
const RULES: [RateRule, RateRule, RateRule, ...RateRule[]] = [
  { burst: 5, intervalMs: 6000 },
  { burst: 10, intervalMs: 60_000 },
  { burst: 2000, intervalMs: 1800 },
  { burst: 7, intervalMs: 1 },
  { burst: 3, intervalMs: 250 },
]

afterEach(() => {
  vi.useRealTimers()
})

/**
 * A simple model of a bucket: it holds tokens, and time adds new ones up to its size. It counts parts of a token,
 * `intervalMs` each, of which one arrives each millisecond, so that nothing is rounded.
 */
class Bucket {
  readonly #size: bigint
  readonly #partsOfToken: bigint
  #parts: bigint
  #atMs: number

  constructor({ burst, intervalMs }: RateRule, nowMs: number) {
    this.#partsOfToken = BigInt(intervalMs)
    this.#size = BigInt(burst) * this.#partsOfToken
    this.#parts = this.#size
    this.#atMs = nowMs
  }

  take(nowMs: number, tokens: number) {
    this.#fill(nowMs)
    const all = BigInt(tokens) * this.#partsOfToken
    const wanted = all < this.#size ? all : this.#size
    const allowed = wanted <= this.#parts
    if (allowed) this.#parts -= wanted
    return {
      allowed,
      remaining: Number(this.#parts / this.#partsOfToken),
      resetS: this.#secondsUntil(this.#size),
      retryAfterS: this.#secondsUntil(wanted),
    }
  }

  /** Returns the whole seconds until this many can be taken. */
  secondsUntil(nowMs: number, tokens: number): number {
    this.#fill(nowMs)
    return this.#secondsUntil(BigInt(tokens) * this.#partsOfToken)
  }

  /** Returns whether this many can be taken. */
  has(nowMs: number, tokens: number): boolean {
    this.#fill(nowMs)
    return this.#parts >= BigInt(tokens) * this.#partsOfToken
  }

  #fill(nowMs: number): void {
    const parts = this.#parts + BigInt(nowMs - this.#atMs)
    this.#parts = parts < this.#size ? parts : this.#size
    this.#atMs = nowMs
  }

  /** Counts one by one: the first second at whose end there are enough. */
  #secondsUntil(parts: bigint): number {
    let seconds = 0
    for (let then = this.#parts; then < parts; then += 1000n) seconds++
    return seconds
  }
}

/** Returns the time until the next arrival: none, short, at the exact edge of a token, or long. */
function pauseMs(random: Random, intervalMs: number): number {
  return pick([0, 0, 1, below(intervalMs, random), intervalMs - 1, intervalMs, below(6 * intervalMs, random)], random)
}

test.each(RULES)(
  `${ARRIVALS / RULES.length} random arrivals at $burst tokens, one each $intervalMs ms, match a bucket's decisions and times (seed ${SEED})`,
  (rule) => {
    const random = seededRandom(SEED)
    let nowMs = START_MS
    let fullAtMs: number | undefined
    const bucket = new Bucket(rule, nowMs)
    for (let arrival = 0; arrival < ARRIVALS / RULES.length; arrival++) {
      nowMs += pauseMs(random, rule.intervalMs)
      const tokens = pick([1, 1, 1, 2, rule.burst, rule.burst + 1], random)
      const { fullAtMs: after, ...decision } = takeToken(rule, fullAtMs, nowMs, tokens)
      const expected = bucket.take(nowMs, tokens)
      if (JSON.stringify(decision) !== JSON.stringify(expected)) {
        expect(decision, `arrival ${arrival} of ${tokens} at ${nowMs}`).toEqual(expected)
      }
      fullAtMs = after
    }
  },
)

test(`the object that counts decides 5,000 arrivals of three clients at two buckets each like the model (seed ${SEED})`, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS })
  const random = seededRandom(SEED)
  const [one, , other] = RULES
  const clients = ['a', 'b', 'c'] as const
  const models = Object.fromEntries(
    clients.map((client) => [client, [new Bucket(one, START_MS), new Bucket(other, START_MS)]]),
  )
  await runInDurableObject(env.RATE_LIMITER.getByName('model'), async (limiter: RateLimiter) => {
    for (let arrival = 0; arrival < 5000; arrival++) {
      const nowMs = Date.now() + pauseMs(random, one.intervalMs)
      vi.setSystemTime(nowMs)
      // Rows are removed at any time.
      if (below(20, random) === 0) await limiter.alarm()
      const client = pick(clients, random)
      const buckets = models[client] ?? []
      const tokens = [1 + below(3, random), 1 + below(pick([10, 10, 10, 2000], random), random)] as const
      const decisions = await limiter.take(client, [
        { name: 'one', rule: one, tokens: tokens[0] },
        { name: 'other', rule: other, tokens: tokens[1] },
      ])
      const isAllowed = buckets.every((bucket, at) => bucket.has(nowMs, tokens[at] ?? 0))
      const waits = isAllowed ? [] : buckets.map((bucket, at) => bucket.secondsUntil(nowMs, tokens[at] ?? 0))
      if (isAllowed) for (const [at, bucket] of buckets.entries()) bucket.take(nowMs, tokens[at] ?? 0)
      const refusal = longestRefusal(decisions)
      const told = { isRefused: refusal !== undefined, retryAfterS: refusal?.retryAfterS ?? 0 }
      expect(told, `arrival ${arrival}`).toEqual({ isRefused: !isAllowed, retryAfterS: Math.max(0, ...waits) })
    }
  })
})
