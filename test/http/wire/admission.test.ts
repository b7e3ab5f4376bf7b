import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { type AdmissionRule, createAdmission } from '../../../src/http/wire/admission.ts'
import { below, seededRandom } from '../../support/random.ts'

const SEED = 20261122

const RULE: AdmissionRule = {
  smallBudgetBytes: 30,
  smallBytes: 10,
  largeBudgetBytes: 100,
  clientBytes: 50,
  patienceMs: 200,
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
  test('a small one takes what it holds, of a budget for small ones alone', async () => {
    const { open, pass, heldBytes } = admissionByHand()
    await open('large', 100).take(100)
    for (let i = 0; i < 3; i++) await open('small', 100).take(10)
    const waiting = watch(open('small', 5).take(5))
    await pass(100)
    expect([waiting.state, heldBytes()]).toEqual(['waits', 130])
  })

  test('a large one is admitted as a whole, so it always comes to its end', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 60)
    await first.take(11)
    const second = open('b', 60)
    await second.take(10)
    const waiting = watch(second.take(1))
    await pass(100)
    await first.take(49)
    expect(waiting.state).toBe('waits')
    first.close()
    await pass(100)
    expect(waiting.state).toBe('taken')
  })

  test('one that came whole gives back what it did not need', async () => {
    const { open } = admissionByHand()
    const first = open('a', 100)
    await first.take(40)
    first.settle()
    await open('b', 60).take(60)
  })

  test('one that comes to more than it said goes before those that have not begun', async () => {
    const { open, pass } = admissionByHand()
    const longer = open('a', 50)
    await longer.take(50)
    const other = open('b', 50)
    await other.take(50)
    const waiting = watch(open('c', 20).take(20))
    const rest = watch(longer.take(20))
    await pass(100)
    other.close()
    await pass(200)
    expect([rest.state, waiting.state]).toEqual(['taken', 'taken'])
  })

  test('is given in the order in which bodies came, also where a later one would fit', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 80)
    await first.take(80)
    const large = watch(open('b', 50).take(50))
    const fitting = watch(open('c', 20).take(20))
    await pass(200)
    expect([large.state, fitting.state]).toEqual(['waits', 'waits'])
    first.close()
    await pass(500)
    expect([large.state, fitting.state]).toEqual(['taken', 'taken'])
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
    const waiting = watch(open('b', 20).take(20))
    await pass(RULE.waitMs - 20)
    expect(waiting.state).toBe('waits')
    await pass(100)
    expect(waiting.state).toBe('overloaded')
    expect(waiting.failure?.retryAfterS).toBe(RULE.retryAfterS)
  })

  test('is waited for by so many at most: one more is refused at once', async () => {
    const { open, pass } = admissionByHand()
    await open('a', 100).take(100)
    const waiting = Array.from({ length: RULE.maxWaiting + 1 }, () => watch(open('b', 20).take(20)))
    await pass(20)
    expect(waiting.map(({ state }) => state)).toEqual([...Array(RULE.maxWaiting).fill('waits'), 'overloaded'])
  })

  test('that a cancelled request holds comes back when it is not heard of any more', async () => {
    const { open, pass, heldBytes } = admissionByHand()
    await open('a', 100).take(100)
    await pass(RULE.lostMs + 20)
    const late = watch(open('b', 60).take(60))
    await pass(100)
    expect([late.state, heldBytes()]).toEqual(['taken', 60])
  })
})

test('a sender may stand still until others wait for what its body holds', async () => {
  const { open, pass } = admissionByHand()
  const large = open('a', 90)
  await large.take(80)
  const small = open('a', 3)
  await small.take(1)
  expect([large.patienceMs(), small.patienceMs()]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  watch(open('b', 50).take(50))
  await pass(20)
  expect([large.patienceMs(), small.patienceMs()]).toEqual([RULE.patienceMs, Number.POSITIVE_INFINITY])
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
          expect(heldBytes()).toBeLessThanOrEqual(RULE.smallBudgetBytes + RULE.largeBudgetBytes)
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
