import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { type AdmissionRule, createAdmission } from '../../../src/http/wire/admission.ts'
import { below, seededRandom } from '../../support/random.ts'

const SEED = 20261122

const RULE: AdmissionRule = {
  budgetBytes: 100,
  clientBytes: 50,
  smallBytes: 5,
  patienceMs: 200,
  patientlyWaiting: 2,
  waitMs: 1000,
  maxWaiting: 20,
  retryAfterS: 3,
  lostMs: 2000,
}

/** An admission by a clock that goes on when it is told to. */
function admissionByHand(rule = RULE) {
  let nowMs = 0
  let timers: { dueMs: number; resolve: () => void }[] = []
  const clock = {
    nowMs: () => nowMs,
    wait: (ms: number) => new Promise<void>((resolve) => timers.push({ dueMs: nowMs + ms, resolve })),
  }
  /** Lets time pass, and everybody do what they then do. */
  async function pass(ms: number) {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 10) {
      const due = timers.filter(({ dueMs }) => dueMs <= nowMs)
      timers = timers.filter(({ dueMs }) => dueMs > nowMs)
      for (const { resolve } of due) resolve()
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
  }
  return { ...createAdmission(rule, clock), pass }
}

/** What became of a wish for memory: it settles, or it waits. */
function watch(taking: Promise<void>) {
  const watched = { state: 'waits', failure: undefined as Failure | undefined }
  taking.then(
    () => {
      watched.state = 'taken'
    },
    (error) => {
      watched.state = error instanceof Failure ? error.code : 'broken'
      watched.failure = error
    },
  )
  return watched
}

describe('room for bodies', () => {
  test('is given while there is some, beside what the oldest can still come to', async () => {
    const { open, pass } = admissionByHand()
    const oldest = open('a', 40)
    await oldest.take(10)
    const second = open('b', 100)
    const taken = watch(second.take(60))
    const waiting = watch(open('c', 10).take(1))
    await pass(200)
    expect([taken.state, waiting.state]).toEqual(['taken', 'waits'])
    oldest.close()
    second.give(60)
    await pass(200)
    expect(waiting.state).toBe('taken')
  })

  test('is always there for the oldest that has begun', async () => {
    const { open, pass } = admissionByHand()
    const oldest = open('a', 60)
    await oldest.take(10)
    const settled = open('b', 30)
    await settled.take(30)
    const next = watch(open('c', 100).take(50))
    await pass(100)
    const rest = watch(oldest.take(50))
    await pass(500)
    expect([rest.state, next.state]).toEqual(['taken', 'waits'])
  })

  test('is given in the order in which bodies came, also where a later one would fit', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 90)
    await first.take(90)
    const large = watch(open('b', 50).take(50))
    const small = watch(open('c', 5).take(5))
    await pass(200)
    expect([large.state, small.state]).toEqual(['waits', 'waits'])
    first.close()
    await pass(500)
    expect([large.state, small.state]).toEqual(['taken', 'taken'])
  })

  test('goes to others first while a client holds its share', async () => {
    const { open, pass } = admissionByHand()
    await open('greedy', 25).take(25)
    await open('greedy', 25).take(25)
    const third = watch(open('greedy', 60).take(60))
    const modest = watch(open('modest', 40).take(40))
    await pass(200)
    expect([third.state, modest.state]).toEqual(['waits', 'taken'])
  })

  test('that does not come is a refusal which says when to come again', async () => {
    const { open, pass } = admissionByHand()
    await open('a', 100).take(100)
    const waiting = watch(open('b', 10).take(10))
    await pass(RULE.waitMs - 20)
    expect(waiting.state).toBe('waits')
    await pass(100)
    expect(waiting.state).toBe('overloaded')
    expect(waiting.failure?.retryAfterS).toBe(RULE.retryAfterS)
  })

  test('is waited for by so many at most: one more is refused at once', async () => {
    const { open, pass } = admissionByHand()
    await open('a', 100).take(100)
    const waiting = Array.from({ length: RULE.maxWaiting + 1 }, () => watch(open('b', 10).take(10)))
    await pass(20)
    expect(waiting.map(({ state }) => state)).toEqual([...Array(RULE.maxWaiting).fill('waits'), 'overloaded'])
  })

  test('that a cancelled request holds comes back when it is not heard of any more', async () => {
    const { open, pass, heldBytes } = admissionByHand()
    await open('a', 100).take(100)
    const waiting = watch(open('b', 50).take(50))
    await pass(RULE.waitMs - 100)
    expect([waiting.state, heldBytes()]).toEqual(['waits', 100])
    await pass(RULE.lostMs)
    const late = watch(open('c', 60).take(60))
    await pass(100)
    expect([late.state, heldBytes()]).toEqual(['taken', 60])
  })
})

test('patience with a sender that stands still: less, the more others wait for what it holds', async () => {
  const { open, pass } = admissionByHand()
  const large = open('a', 90)
  await large.take(80)
  const small = open('a', 3)
  await small.take(1)
  expect(large.patienceMs()).toBe(Number.POSITIVE_INFINITY)
  for (const expected of [200, 200, 100, 100]) {
    watch(open('b', 50).take(50))
    await pass(20)
    expect(large.patienceMs()).toBe(expected)
  }
  expect(small.patienceMs()).toBe(Number.POSITIVE_INFINITY)
})

test('closing frees at once what a body owns', () => {
  const { open } = admissionByHand()
  const memory = open('a', 10)
  const bytes = new Uint8Array(10)
  memory.own(bytes)
  memory.close()
  expect(bytes.length).toBe(0)
})

test(`whatever comes, the budget holds and everybody gets an answer, seed ${SEED}`, async () => {
  const random = seededRandom(SEED)
  for (let round = 0; round < 20; round++) {
    const { open, pass, heldBytes } = admissionByHand({ ...RULE, waitMs: 10_000 })
    const bodies = Array.from({ length: 15 }, async () => {
      const size = 1 + below(60, random)
      const memory = open(`client ${below(3, random)}`, size)
      try {
        for (let arrived = 0; arrived < size; ) {
          const piece = Math.min(1 + below(20, random), size - arrived)
          await memory.take(piece)
          arrived += piece
          expect(heldBytes()).toBeLessThanOrEqual(RULE.budgetBytes)
        }
        memory.settle()
        return 'read'
      } catch (error) {
        if (error instanceof Failure) return error.code
        throw error
      } finally {
        memory.close()
      }
    })
    let answers: string[] | undefined
    void Promise.all(bodies).then((all) => {
      answers = all
    })
    for (let turn = 0; turn < 100 && !answers; turn++) await pass(100)
    expect(answers).toEqual(Array(bodies.length).fill('read'))
  }
})
