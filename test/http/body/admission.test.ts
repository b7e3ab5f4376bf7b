import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { createAdmission } from '../../../src/http/body/admission.ts'
import type { AdmissionRule } from '../../../src/http/body/admission-rule.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { parametersOf } from '../../support/property.ts'

const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261122, 30)

const RULE: AdmissionRule = {
  smallBudgetBytes: 30,
  smallBytes: 10,
  largeBudgetBytes: 100,
  beginningBytes: 2,
  // A body of 50 costs a second.
  guaranteedShare: 0.5,
  announcedMs: 1000,
  slowBytesPerMs: 0.01,
  graceMs: 200,
  crowd: 4,
  pressedBytesPerMs: 0.05,
  pressedAfterMs: 500,
  maxDebtMs: 5000,
  debtorGraceMs: 50,
  waitMs: 1000,
  retryAfterS: 1,
  maxWaiting: 20,
  expectedBytesPerMs: 1,
  lostMs: 2000,
}

/** Creates an admission with a manual clock. */
function admissionByHand(rule = RULE) {
  const { clock, pass } = createManualClock(10, () => new Promise((resolve) => setTimeout(resolve, 0)))
  const admission = createAdmission(rule, clock)
  const open = (client: string, expectedBytes: number, { signal } = new AbortController()) =>
    admission.open({ client, expectedBytes, signal })
  /** Puts a client into debt, by a body that stalls. */
  async function stall(client: string, bytes: number) {
    const body = open(client, bytes)
    await body.take(bytes)
    body.stall()
    body.close()
  }
  return { ...admission, open, openSender: admission.open, pass, stall }
}

/** Returns the state of a reservation: its outcome, or that it waits. */
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

describe('memory for bodies', () => {
  test('small bodies have a share of their own, in which they do not wait for large ones', async () => {
    const { open, pass, heldBytes, waiting: countWaiting } = admissionByHand()
    await open('large', 100).take(100)
    for (let i = 0; i < 3; i++) await open('small', 10).take(10)
    expect(countWaiting()).toBe(0)
    const waiting = watch(open('small', 5).take(5))
    await pass(100)
    expect([waiting.state, heldBytes(), countWaiting()]).toEqual(['waits', 130, 1])
  })

  test('is reserved for a whole body, so that it always completes; its first bytes need none', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 60)
    await first.take(3)
    const second = open('b', 60)
    await second.take(2)
    const waiting = watch(second.take(1))
    await pass(100)
    await first.take(57)
    expect(waiting.state).toBe('waits')
    first.close()
    await pass(100)
    expect(waiting.state).toBe('taken')
  })

  test('is released by a complete body that did not need it', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 100)
    await first.take(40)
    first.settle()
    const second = watch(open('b', 60).take(60))
    await pass(20)
    expect(second.state).toBe('taken')
  })

  test('goes to a body that is longer than announced before those that have not begun', async () => {
    const { open, pass } = admissionByHand()
    const longer = open('a', 50)
    await longer.take(50)
    const other = open('b', 50)
    await other.take(50)
    const waiting = watch(open('c', 40).take(40))
    const rest = watch(longer.take(20))
    await pass(100)
    other.close()
    await pass(200)
    expect([rest.state, waiting.state]).toEqual(['taken', 'waits'])
  })

  test("goes to the smaller of two, but not to one that came later than the larger one's cost", async () => {
    const { open, pass } = admissionByHand({ ...RULE, waitMs: 5000 })
    await open('a', 60).take(60)
    const large = watch(open('b', 60).take(60))
    const smaller = open('c', 20)
    const fitting = watch(smaller.take(20))
    await pass(100)
    expect([large.state, fitting.state]).toEqual(['waits', 'taken'])
    smaller.close()
    // The larger one has a finish tag of 1200, and this one of 1300.
    await pass(800)
    const later = watch(open('d', 20).take(20))
    await pass(500)
    expect([large.state, later.state]).toEqual(['waits', 'waits'])
  })

  test('goes to a body that has waited for its cost, however many new clients come', async () => {
    const { open, pass } = admissionByHand({ ...RULE, waitMs: 60_000, lostMs: 60_000 })
    let holding = [open('a', 100)]
    await holding[0]?.take(100)
    const large = watch(open('large', 90).take(90))
    let passed = 0
    for (let round = 0; round < 40 && large.state === 'waits'; round++) {
      for (const body of holding) body.close()
      holding = []
      for (const one of [1, 2]) {
        const body = open(`new ${round} ${one}`, 45)
        void body.take(45).then(() => {
          passed++
          holding.push(body)
        })
      }
      await pass(100)
    }
    expect(large.state).toBe('taken')
    // Its cost is 1.8 s and theirs 0.9 s, and two come in 0.1 s.
    expect(passed).toBeGreaterThanOrEqual(16)
    expect(passed).toBeLessThanOrEqual(20)
  })

  test('goes to other clients before one that holds more', async () => {
    const { open, pass } = admissionByHand()
    const other = open('other', 50)
    await other.take(50)
    await open('greedy', 50).take(50)
    const third = watch(open('greedy', 20).take(20))
    const modest = watch(open('modest', 20).take(20))
    await pass(100)
    other.give(30)
    other.settle()
    await pass(100)
    expect([third.state, modest.state]).toEqual(['waits', 'taken'])
    await pass(100)
    expect(third.state).toBe('waits')
  })

  test('goes to other clients before one in debt for a stalled body', async () => {
    const { open, pass } = admissionByHand()
    const stalling = open('stalls', 60)
    await stalling.take(60)
    const again = watch(open('stalls', 60).take(60))
    await pass(100)
    const later = watch(open('honest', 60).take(60))
    stalling.stall()
    stalling.close()
    await pass(100)
    expect([again.state, later.state]).toEqual(['waits', 'taken'])
  })

  test('is charged by the time that a body held it: a quick client owes less', async () => {
    const { open, pass } = admissionByHand({ ...RULE, waitMs: 5000 })
    const [slow, quick] = [open('slow', 70), open('quick', 20)]
    await slow.take(70)
    await quick.take(20)
    const patient = watch(open('patient', 100).take(100))
    quick.close()
    await pass(600)
    const again = watch(open('slow', 60).take(60))
    const other = watch(open('quick', 60).take(60))
    slow.close()
    await pass(40)
    expect([patient.state, again.state, other.state]).toEqual(['waits', 'waits', 'taken'])
  })

  test('costs nothing while nobody else waits for it', async () => {
    const { open, pass } = admissionByHand({ ...RULE, waitMs: 5000 })
    const slow = open('slow', 70)
    await slow.take(70)
    await pass(600)
    const again = watch(open('slow', 60).take(60))
    const other = watch(open('other', 60).take(60))
    slow.close()
    await pass(40)
    expect([again.state, other.state]).toEqual(['taken', 'waits'])
  })

  test('that is not available in time is a rejection with the time of a retry', async () => {
    const { open, pass } = admissionByHand()
    await open('a', 100).take(100)
    const waiting = watch(open('b', 20).take(20))
    await pass(RULE.waitMs - 20)
    expect(waiting.state).toBe('waits')
    await pass(100)
    expect(waiting.state).toBe('overloaded')
    expect(waiting.failure?.retryAfterS).toBe(1)
  })

  test('is denied at once to a client whose own bodies would take too long, and not to another', async () => {
    const { open, pass } = admissionByHand({ ...RULE, waitMs: 4000, maxWaiting: 200 })
    await open('a', 100).take(100)
    // The hundred that are held, and fifty of each of the others before: 4 s at one a millisecond.
    const busy = Array.from({ length: 120 }, () => watch(open('busy', 50).take(50)))
    await pass(20)
    const refused = busy.filter(({ state }) => state === 'overloaded')
    expect(refused.length).toBe(120 - 78)
    expect(refused[0]?.failure?.retryAfterS).toBe(1)
    const quiet = watch(open('quiet', 50).take(50))
    await pass(20)
    expect(quiet.state).toBe('waits')
  })

  test('has a queue of bounded length: the last of the queue are rejected at once', async () => {
    const { open, pass } = admissionByHand()
    await open('a', 100).take(100)
    const modest = watch(open('modest', 20).take(20))
    const waiting = Array.from({ length: RULE.maxWaiting + 1 }, () => watch(open('b', 20).take(20)))
    await pass(200)
    const later = watch(open('later', 20).take(20))
    await pass(200)
    expect([modest, ...waiting, later].map(({ state }) => state)).toEqual([
      'waits',
      ...Array(RULE.maxWaiting - 2).fill('waits'),
      ...Array(3).fill('overloaded'),
      'waits',
    ])
  })

  test('is not reserved for a client that has disconnected', async () => {
    const { open, pass } = admissionByHand()
    const first = open('a', 100)
    await first.take(100)
    const client = new AbortController()
    const aborted = watch(open('b', 90, client).take(90))
    const next = watch(open('c', 80).take(80))
    await pass(100)
    client.abort()
    await pass(100)
    expect(aborted.state).toBe('malformed_request')
    first.close()
    await pass(100)
    expect(next.state).toBe('taken')
  })

  test('of a cancelled request is released when the request stops polling', async () => {
    const { open, pass, heldBytes } = admissionByHand()
    await open('a', 100).take(100)
    await pass(RULE.lostMs + 20)
    const late = watch(open('b', 60).take(60))
    await pass(100)
    expect([late.state, heldBytes()]).toEqual(['taken', 60])
  })
})

describe('a minimum data rate is required', () => {
  const least = { bytesPerMs: RULE.slowBytesPerMs, graceMs: RULE.graceMs }

  test('while others wait for the memory of a body: the more they are, the shorter the grace period', async () => {
    const { open, pass } = admissionByHand({ ...RULE, expectedBytesPerMs: 10 })
    const large = open('a', 90)
    await large.take(80)
    const small = open('a', 3)
    await small.take(3)
    expect([large.minimumRate(), small.minimumRate()]).toEqual([undefined, undefined])
    watch(open('b', 50).take(50))
    await pass(20)
    expect([large.minimumRate(), small.minimumRate()]).toEqual([least, undefined])
    for (let i = 0; i < 2; i++) watch(open('b', 50).take(50))
    expect(large.minimumRate()?.graceMs).toBeLessThan(RULE.graceMs)
    for (let i = 0; i < 10; i++) watch(open('b', 50).take(50))
    expect(large.minimumRate()?.graceMs).toBe(RULE.graceMs / 3)
  })

  test('a higher one once a body of another client has waited long, but not for one of the same client', async () => {
    const { open, pass } = admissionByHand()
    const slow = open('a', 90)
    await slow.take(80)
    const own = watch(open('a', 50).take(50))
    await pass(RULE.pressedAfterMs + 20)
    expect([own.state, slow.minimumRate()]).toEqual(['waits', least])
    watch(open('b', 50).take(50))
    await pass(RULE.pressedAfterMs - 100)
    expect(slow.minimumRate()?.bytesPerMs).toBe(RULE.slowBytesPerMs)
    await pass(120)
    expect(slow.minimumRate()?.bytesPerMs).toBe(RULE.pressedBytesPerMs)
  })

  test('the highest for a client in debt, and none for other clients because of it', async () => {
    const { open, stall } = admissionByHand({ ...RULE, expectedBytesPerMs: 10 })
    await stall('stalls', 40)
    const honest = open('honest', 40)
    await honest.take(40)
    const stalling = open('stalls', 40)
    await stalling.take(40)
    watch(open('stalls', 40).take(40))
    expect(honest.minimumRate()).toBe(undefined)
    expect(stalling.minimumRate()).toEqual(least)
    for (let i = 0; i < 20; i++) watch(open('b', 40).take(40))
    expect(honest.minimumRate()).toEqual({ bytesPerMs: RULE.slowBytesPerMs, graceMs: RULE.graceMs / 3 })
    expect(stalling.minimumRate()).toEqual({ bytesPerMs: RULE.pressedBytesPerMs, graceMs: RULE.debtorGraceMs })
  })
})

describe('a body of unknown length', () => {
  const unknown = { client: 'a', expectedBytes: 10, outgrownBytes: 100, signal: new AbortController().signal }

  test('counts as small until it is longer; then it waits for large ones, and its present bytes count as small', async () => {
    const { openSender, open, pass, heldBytes } = admissionByHand()
    const large = open('b', 60)
    await large.take(60)
    const [first, second] = [openSender(unknown), openSender(unknown)]
    await first.take(8)
    await second.take(8)
    expect(heldBytes()).toBe(80)
    const outgrown = watch(first.take(5))
    await pass(100)
    expect([outgrown.state, heldBytes()]).toEqual(['waits', 80])
    large.close()
    await pass(100)
    expect([outgrown.state, heldBytes()]).toEqual(['taken', 110])
  })

  test('does not block small ones when it is longer: it is rejected with the time of a retry', async () => {
    const { openSender, open, pass } = admissionByHand()
    await open('b', 100).take(100)
    const bodies = [1, 2, 3].map(() => openSender(unknown))
    for (const body of bodies) await body.take(8)
    const outgrown = bodies.map((body) => watch(body.take(5)))
    await pass(100)
    expect(outgrown.map(({ state }) => state)).toEqual(['waits', 'waits', 'waits'])
    const small = watch(open('c', 5).take(5))
    await pass(100)
    expect(outgrown.map(({ state }) => state)).toEqual(['overloaded', 'overloaded', 'overloaded'])
    for (const body of bodies) body.close()
    await pass(100)
    expect(small.state).toBe('taken')
  })
})

test('closing releases the memory of a body at once', () => {
  const { open } = admissionByHand()
  const memory = open('a', 10)
  const bytes = new Uint8Array(10)
  memory.own(bytes)
  memory.close()
  expect(bytes.length).toBe(0)
})

test(`the budget holds in every order, and everybody gets a response, seed ${PARAMETERS.seed}`, async () => {
  const body = fc.record({
    client: fc.nat({ max: 2 }),
    chunks: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6, size: 'max' }),
  })
  const property = fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 15, size: 'max' }), async (all) => {
    const { open, pass, heldBytes } = admissionByHand({ ...RULE, waitMs: 10_000 })
    const most = RULE.smallBudgetBytes + RULE.largeBudgetBytes + all.length * RULE.beginningBytes
    const bodies = all.map(async ({ client, chunks }) => {
      const size = chunks.reduce((sum, chunk) => sum + chunk, 0)
      const memory = open(`client ${client}`, size)
      try {
        for (const chunk of chunks) {
          await memory.take(chunk)
          expect(heldBytes()).toBeLessThanOrEqual(most)
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
    let responses: string[] | undefined
    void Promise.all(bodies).then((all) => {
      responses = all
    })
    for (let turn = 0; turn < 100 && !responses; turn++) await pass(100)
    expect(responses).toEqual(Array(bodies.length).fill('read'))
  })
  await fc.assert(property, PARAMETERS)
})
