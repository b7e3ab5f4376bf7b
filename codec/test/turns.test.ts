import { expect, test } from 'vitest'
import { createYielder } from '../src/pixels/yielder.ts'
import { ImageRefusal } from '../src/refusal.ts'
import { createTurns, type RunningTurn, type TurnRule } from '../src/turns.ts'
import { simulateIsolate } from './request-clocks.ts'

const RULE: TurnRule = { maxWaiting: 3, waitMs: 1000, jobMaxMs: 5000, lostMs: 500 }

/** Turns by a clock that tests advance. */
function turnsByHand() {
  let nowMs = 0
  let timers: { dueMs: number; resolve: () => void }[] = []
  const clock = {
    nowMs: () => nowMs,
    toPresent: async () => {},
    wait: (ms: number) => new Promise<void>((resolve) => timers.push({ dueMs: nowMs + ms, resolve })),
  }
  /** Lets time pass; `without` stops the timers, as those of a cancelled request. */
  async function pass(ms: number, without = false) {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 4) {
      const due = without ? [] : timers.filter(({ dueMs }) => dueMs <= nowMs)
      timers = timers.filter((timer) => !due.includes(timer))
      for (const { resolve } of due) resolve()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
  return { inTurn: createTurns(RULE, clock), pass, dropTimers: () => timers.splice(0) }
}

/** A job that ends when it is told to. */
function openJob() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { run: () => ended, end }
}

test('one at a time, in the order in which they came', async () => {
  const { inTurn, pass } = turnsByHand()
  const log: string[] = []
  const jobs = ['a', 'b', 'c'].map((name) => {
    const job = openJob()
    const done = inTurn(async () => {
      log.push(`${name} begins`)
      await job.run()
      log.push(`${name} ends`)
    })
    return { ...job, done }
  })
  for (const { end, done } of jobs) {
    await pass(100)
    end()
    await done
  }
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('it tells how many wait, how many ended and how long they took; what was lost does not count', async () => {
  const { inTurn, pass, dropTimers } = turnsByHand()
  const job = openJob()
  const done = inTurn(job.run)
  void inTurn(openJob().run)
  await pass(100)
  expect(inTurn.state()).toEqual({ waiting: 1, ended: 0, workedMs: 0 })
  dropTimers()
  await pass(RULE.lostMs + 100, true)
  expect(inTurn.state().waiting).toBe(0)
  job.end()
  await done
  expect(inTurn.state()).toEqual({ waiting: 0, ended: 1, workedMs: 100 + RULE.lostMs + 100 })
})

test('a job that fails frees its turn', async () => {
  const { inTurn } = turnsByHand()
  await expect(inTurn(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn(async () => 'done')).toBe('done')
})

test('too many, or too long: busy', async () => {
  const { inTurn, pass } = turnsByHand()
  void inTurn(openJob().run)
  const outcomes: string[] = []
  for (let i = 0; i < RULE.maxWaiting + 1; i++) {
    inTurn(async () => 'done').then(
      () => outcomes.push('done'),
      (error) => outcomes.push(error instanceof ImageRefusal ? error.reason : 'broken'),
    )
  }
  await pass(20)
  expect(outcomes).toEqual(['busy'])
  await pass(RULE.waitMs + 100)
  expect(outcomes).toEqual(['busy', 'busy', 'busy', 'busy'])
})

test('a job that never ends is taken for abandoned, and one that stopped waiting for gone', async () => {
  const { inTurn, pass, dropTimers } = turnsByHand()
  void inTurn(openJob().run)
  void inTurn(async () => 'cancelled while it waited')
  await pass(20)
  dropTimers()
  await pass(RULE.jobMaxMs)
  const outcome = inTurn(async () => 'done')
  await pass(100)
  expect(await outcome).toBe('done')
})

test('one whose client has hung up goes, and those behind it continue', async () => {
  const { inTurn, pass } = turnsByHand()
  const first = openJob()
  void inTurn(first.run)
  const client = new AbortController()
  let isBegun = false
  const abandoned = inTurn(async () => {
    isBegun = true
  }, client.signal).catch((error) => error.message)
  const next = inTurn(async () => 'done')
  await pass(20)
  client.abort(new Error('the client has hung up'))
  await pass(100)
  expect([await abandoned, isBegun]).toEqual(['the client has hung up', false])
  first.end()
  await pass(100)
  expect(await next).toBe('done')
})

/**
 * Turns of requests whose clocks are those of Cloudflare. The turns take the latest time of any of them, as the clock of an isolate
 * does.
 */
function turnsOfRequests() {
  const isolate = simulateIsolate()
  let latestMs = 0
  let current = isolate.createRequest()
  const clock = {
    nowMs: () => {
      latestMs = Math.max(latestMs, current.nowMs())
      return latestMs
    },
    toPresent: () => inRequest((request) => request.toPresent()),
    wait: (ms: number) => inRequest((request) => request.wait(ms)),
  }
  /** The clock of a request after a wait. */
  async function inRequest(act: (request: typeof current) => Promise<void>) {
    const request = current
    await act(request)
    current = request
  }
  let lost = 0
  const inTurn = createTurns(RULE, clock, () => lost++)
  let computing = 0
  let mostComputing = 0
  let pauses = 0
  /** A job of another request, which computes for so long in steps of 2 ms. */
  function run(ms: number): Promise<string> {
    const request = isolate.createRequest()
    current = request
    const job = async ({ renew }: RunningTurn) => {
      const yieldToOthers = () =>
        inRequest(() => {
          pauses++
          return request.yieldToOthers()
        })
      const yieldIfDue = createYielder(1000, { ...clock, yieldToOthers, renew })
      mostComputing = Math.max(mostComputing, ++computing)
      try {
        for (let done = 0; done < ms; done += 2) {
          request.compute(2)
          await yieldIfDue()
        }
        return 'done'
      } finally {
        computing--
      }
    }
    return inTurn(job).catch((error) => (error instanceof ImageRefusal ? error.reason : 'broken'))
  }
  const seen = () => ({ lost, mostComputing, pauses, worldMs: isolate.worldMs() })
  return { run, seen, passUntil: isolate.passUntil, state: inTurn.state }
}

test('where clocks do not advance, a job waits no longer than it may', async () => {
  const { run, seen, passUntil } = turnsOfRequests()
  void run(4 * RULE.waitMs)
  let endMs = 0
  const outcome = run(10).finally(() => {
    endMs = seen().worldMs
  })
  await passUntil(5 * RULE.waitMs)
  expect(await outcome).toBe('busy')
  expect(endMs).toBeLessThan(1.2 * RULE.waitMs)
})

test('where clocks do not advance, a job that computes is not taken for cancelled, and its time is counted', async () => {
  const { run, seen, passUntil, state } = turnsOfRequests()
  const long = run(2 * RULE.jobMaxMs)
  for (let ms = RULE.waitMs / 2; ms < 2 * RULE.jobMaxMs; ms += RULE.waitMs / 2) {
    void run(2)
    await passUntil(ms)
  }
  await passUntil(4 * RULE.jobMaxMs)
  expect(await long).toBe('done')
  expect(seen()).toMatchObject({ lost: 0, mostComputing: 1 })
  expect(state().workedMs).toBeGreaterThanOrEqual(2 * RULE.jobMaxMs)
})

test('where clocks do not advance, a job learns how often to yield', async () => {
  const { run, seen, passUntil } = turnsOfRequests()
  void run(4000)
  await passUntil(10_000)
  const { pauses } = seen()
  // Of 2 ms each, steps are taken to be slow at first: 250,000 pixels are 15 of them.
  expect(4000 / pauses).toBeGreaterThan(6)
  expect(4000 / pauses).toBeLessThan(40)
})

test('a job whose turn was given to another ends at its next pause', async () => {
  const { inTurn, pass } = turnsByHand()
  let renew = () => {}
  const stopped = openJob()
  const first = inTurn(async (turn) => {
    renew = turn.renew
    await stopped.run()
    turn.renew()
  }).catch((error) => error.reason)
  await pass(100)
  renew()
  await pass(RULE.jobMaxMs - 100)
  const other = inTurn(async () => 'done')
  await pass(50)
  expect(inTurn.state().waiting).toBe(1)
  await pass(200)
  expect(await other).toBe('done')
  stopped.end()
  expect(await first).toBe('busy')
})
