import { expect, test } from 'vitest'
import { createFairQueue, type FairQueue, type Job } from '../src/fair-queue.ts'
import { createTurns } from '../src/image/turns.ts'
import { createManualClock } from './support/manual-clock.ts'
import { below, pick, seededRandom } from './support/random.ts'

const SEED = Number(process.env.TINTYPE_SEED ?? 20261123)
const FOREVER = {
  virtualTime: 'self-clocked' as const,
  waitingMs: Number.POSITIVE_INFINITY,
  runningMs: Number.POSITIVE_INFINITY,
}

/** Serves the whole first job at the cost that it announced, or at another. Returns the job. */
function serve(queue: FairQueue, actualCost?: number): Job {
  const job = queue.head() ?? expect.fail('nothing waits')
  queue.start(job)
  queue.end(job, actualCost ?? job.cost)
  return job
}

const VIRTUAL_TIMES = ['self-clocked', 'real'] as const

test.for(VIRTUAL_TIMES)(
  `%s: the work of backlogged flows differs by at most one largest job of each, seed ${SEED}`,
  (virtualTime) => {
    const random = seededRandom(SEED)
    for (let round = 0; round < 20; round++) {
      const queue = createFairQueue({ ...FOREVER, virtualTime })
      const flows = Array.from({ length: 2 + below(5, random) }, (_, i) => ({
        key: `flow ${i}`,
        largest: 1 + below(pick([5, 50, 500], random), random),
        work: 0,
      }))
      let nowMs = 0
      const refill = (flow: (typeof flows)[number]) => queue.add(flow.key, 1 + below(flow.largest, random), nowMs)
      for (const flow of flows) for (let i = 0; i < 3; i++) refill(flow)
      /** The smallest and the largest lead of one flow over another. Their difference bounds every interval. */
      const ahead = new Map<string, { least: number; most: number }>()
      for (let step = 0; step < 400; step++) {
        // Other flows join and leave.
        if (below(4, random) === 0) queue.add(`passing ${step}`, 1 + below(100, random), nowMs)
        const served = serve(queue)
        const flow = flows.find(({ key }) => key === served.flow.key)
        if (!flow) continue
        // Each flow uses more than its share of real time, so all of them lag.
        nowMs += served.cost / (2 * flows.length)
        flow.work += served.cost
        refill(flow)
        for (const one of flows) {
          for (const other of flows) {
            const pair = `${one.key} and ${other.key}`
            const seen = ahead.get(pair) ?? { least: 0, most: 0 }
            const difference = one.work - other.work
            ahead.set(pair, { least: Math.min(seen.least, difference), most: Math.max(seen.most, difference) })
            const { least, most } = ahead.get(pair) ?? seen
            const bound = one.largest + other.largest
            // Calling expect in every step would take longer than all else.
            const isFair = most - least <= bound
            if (!isFair) expect.fail(`${pair}, round ${round}: ${most - least} of at most ${bound}`)
          }
        }
      }
    }
  },
)

test(`real: no job is overtaken by one that arrives later than its cost, however many clients there are, seed ${SEED}`, () => {
  const random = seededRandom(SEED)
  const queue = createFairQueue({ ...FOREVER, virtualTime: 'real' })
  const waiting = new Map<Job, number>()
  let passed = 0
  for (let step = 0; step < 3000; step++) {
    const nowMs = step
    for (let i = below(3, random); i > 0; i--) {
      waiting.set(queue.add(`new ${step} ${i}`, 1 + below(200, random), nowMs), nowMs)
    }
    if (below(3, random) === 0) continue
    const job = queue.head()
    if (!job) continue
    queue.start(job)
    queue.end(job, below(400, random))
    const cameMs = waiting.get(job) ?? expect.fail('it is one of these')
    waiting.delete(job)
    for (const [other, otherMs] of waiting) {
      if (cameMs <= otherMs) continue
      passed++
      const isInTime = cameMs - otherMs <= other.cost - job.cost
      if (!isInTime) expect.fail(`${cameMs - otherMs} ms later, and cheaper by only ${other.cost - job.cost}`)
    }
  }
  expect(passed, 'jobs that passed others').toBeGreaterThan(100)
})

test('real: a client that always has jobs waiting, which in the end cost nothing, overtakes a job only for as long as it costs', () => {
  const queue = createFairQueue({ ...FOREVER, virtualTime: 'real' })
  const large = queue.add('large', 100, 0)
  for (let i = 0; i < 2; i++) queue.add('quick', 10, 0)
  let nowMs = 0
  for (; !large.isRunning; nowMs += 5) {
    queue.forgetCancelled(nowMs)
    const job = queue.head() ?? expect.fail('one waits')
    queue.start(job)
    if (job === large) break
    queue.end(job, 0)
    queue.add('quick', 10, nowMs)
    if (nowMs > 1000) expect.fail('it starves')
  }
  expect(nowMs).toBeLessThanOrEqual(105)
})

test('a job waits for a bounded number of others, although each served job brings a new client', () => {
  const queue = createFairQueue(FOREVER)
  queue.add('older', 100, 0)
  const second = queue.add('older', 100, 0)
  let served = 0
  for (; !queue.head() || queue.head() !== second; served++) {
    if (served > 1000) expect.fail('it starves')
    queue.add(`new ${served}`, 1, 0)
    serve(queue)
  }
  // 100 until its first job. From then on one more waits, and virtual time advances with every second job.
  expect(served).toBeLessThanOrEqual(300)
})

test.for(VIRTUAL_TIMES)(
  `%s: after any arrivals, departures and cancellations, a job is next while one waits, seed ${SEED}`,
  (virtualTime) => {
    const random = seededRandom(SEED)
    const queue = createFairQueue({ virtualTime, waitingMs: 100, runningMs: 200 })
    let waiting: Job[] = []
    let running: Job[] = []
    let nowMs = 0
    let lost = 0
    for (let step = 0; step < 3000; step++) {
      nowMs += below(5, random)
      const what = below(10, random)
      if (what < 4) waiting.push(queue.add(`client ${below(8, random)}`, 1 + below(1000, random), nowMs))
      else if (what === 4 && waiting.length > 0) {
        const job = pick(waiting, random)
        queue.cancel(job)
        waiting = waiting.filter((other) => other !== job)
      } else if (what === 5 && waiting.length > 0 && below(5, random) === 0) {
        // The job stops polling.
        const job = pick(waiting, random)
        waiting = waiting.filter((other) => other !== job)
        lost++
      } else if (running.length < 3 && queue.head()) {
        const job = queue.head() ?? expect.fail()
        queue.start(job)
        waiting = waiting.filter((other) => other !== job)
        running.push(job)
      } else if (running.length > 0) {
        const job = pick(running, random)
        queue.end(job, below(2000, random))
        running = running.filter((other) => other !== job)
      }
      for (const job of [...waiting, ...running]) queue.poll(job, nowMs)
      running = running.filter(({ isRunning }) => isRunning)
      expect(queue.waiting(), 'waiting').toBeGreaterThanOrEqual(waiting.length)
      expect(queue.head() === undefined).toBe(queue.waiting() === 0)
    }
    expect(lost, 'jobs that stopped polling').toBeGreaterThan(5)
    for (const job of running) queue.end(job, job.cost)
    nowMs += 1000
    for (const job of waiting) queue.poll(job, nowMs)
    expect([queue.waiting(), queue.running()]).toEqual([waiting.length, 0])
    for (const _ of waiting) serve(queue)
    expect(queue.workBefore('anybody', 1)).toBe(0)
  },
)

test('a client pays afterwards for jobs that cost more than announced', () => {
  const queue = createFairQueue(FOREVER)
  for (let i = 0; i < 20; i++) for (const client of ['liar', 'honest']) queue.add(client, 10, 0)
  const order = Array.from({ length: 20 }, () => {
    const client = queue.head()?.flow.key ?? ''
    serve(queue, client === 'liar' ? 40 : 10)
    return client
  })
  expect(order.filter((client) => client === 'liar')).toHaveLength(4)
})

/** Creates turns with a manual clock, which a job advances by its cost, or which stops while jobs run. */
function turnsByHand(standsStill = false) {
  const { clock, pass } = createManualClock(4, async () => {
    for (let step = 0; step < 8; step++) await Promise.resolve()
  })
  const inTurn = createTurns({ waitMs: 60_000, maxWaiting: 1000, jobMaxMs: 30_000, lostMs: 5000 }, clock)
  const ended: string[] = []
  const send = (client: string, cost: number) =>
    inTurn({ client }, cost, async () => {
      await clock.wait(standsStill ? 0 : cost)
    }).then(
      () => ended.push(client),
      (error) => ended.push(`${client}: ${error.message}`),
    )
  return { inTurn, send, pass, ended }
}

test('a small image of a quiet client is next after the current one, however many large ones wait', async () => {
  const { send, pass, ended } = turnsByHand()
  for (let i = 0; i < 70; i++) void send('busy', 600)
  await pass(300)
  void send('quiet', 2)
  await pass(400)
  expect(ended).toEqual(['busy', 'quiet'])
})

test('a client with a queue longer than the timeout is rejected at once, with the time when it is shorter', async () => {
  const { send, pass, ended } = turnsByHand()
  for (let i = 0; i < 150; i++) void send('busy', 600)
  await pass(4)
  expect(ended.length, 'refused').toBe(49)
  expect(ended[0]).toMatch(/^busy: too many images of your network address wait: try again in 1 s$/)
  void send('quiet', 600)
  await pass(2500)
  expect(ended.filter((client) => client === 'quiet')).toHaveLength(1)
})

test('the order holds with a clock that stops while jobs run', async () => {
  const { send, pass, ended } = turnsByHand(true)
  for (let i = 0; i < 10; i++) void send('busy', 600)
  for (let i = 0; i < 5; i++) void send('quiet', 100)
  await pass(1000)
  expect(ended).toHaveLength(15)
  expect(ended.slice(0, 7).filter((client) => client === 'quiet').length).toBeGreaterThanOrEqual(5)
})
