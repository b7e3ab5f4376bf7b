import { expect, test } from 'vitest'
import { ImageRefusal } from '../src/refusal.ts'
import { createTurns, type TurnRule } from '../src/turns.ts'

const RULE: TurnRule = { maxWaiting: 3, waitMs: 1000, jobMaxMs: 5000, lostMs: 500 }

/** Turns by a clock that goes on when it is told to. */
function turnsByHand() {
  let nowMs = 0
  let timers: { dueMs: number; resolve: () => void }[] = []
  const clock = {
    nowMs: () => nowMs,
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

test('one whose client has hung up goes, and those behind it go on', async () => {
  const { inTurn, pass } = turnsByHand()
  const first = openJob()
  void inTurn(first.run)
  let isGone = false
  let isBegun = false
  const gone = inTurn(
    async () => {
      isBegun = true
    },
    () => isGone,
  ).catch((error) => error.message)
  const next = inTurn(async () => 'done')
  await pass(20)
  isGone = true
  await pass(100)
  expect([await gone, isBegun]).toEqual(['the client has hung up', false])
  first.end()
  await pass(100)
  expect(await next).toBe('done')
})
