import { createTurns } from 'tintype-codec/turns'
import { createYielder, yieldToOthers } from 'tintype-codec/yielder'
import { boundCalls } from '../../../src/storage/bounded-calls.ts'
import { createTimeout, every, isolateClock } from '../../../src/time.ts'
import type { SlowedBindings } from './slowed.ts'

const LIMITS = {
  databaseMs: 400,
  filesMs: 400,
  afterHangMs: 400,
  filesAfterHangMs: 400,
  tickMs: 25,
  attempts: 1,
  retryMs: 5,
}
/** Computing time of a job, longer than all the timers here. */
const WORK_MS = 500

/** Computes like any code: a chain of timers during which the clock of the request lags. */
async function compute(ms: number): Promise<void> {
  const endMs = Date.now() + ms
  while (Date.now() < endMs) {
    for (const chunkMs = Date.now() + 10; Date.now() < chunkMs; );
    await yieldToOthers()
  }
}

/** Returns the results of calls after work. */
async function storage({ DB, FILES, RATE_LIMITER }: SlowedBindings) {
  const calls: Record<string, () => Promise<unknown>> = {
    'D1.run': () => DB.prepare('SELECT 1').run(),
    'files.head': async () => FILES?.head('none'),
    limiter: () => RATE_LIMITER.getByName('test').ready(),
  }
  const results: Record<string, string> = {}
  for (const [name, call] of Object.entries(calls)) {
    const run = boundCalls(LIMITS)
    await compute(WORK_MS)
    results[name] = await run(name.startsWith('D1') ? 0 : undefined)(name, call).then(
      () => 'answered',
      (error: unknown) => String(error),
    )
  }
  return results
}

/** Returns the timeout of a hanging call after work. */
async function hanging() {
  await compute(WORK_MS)
  const setMs = Date.now()
  const result = await createTimeout(LIMITS.databaseMs, LIMITS.tickMs).limit(new Promise(() => {}))
  return { isOver: result === undefined, ms: Date.now() - setMs }
}

/** Computes as the codec does now. */
async function work(renew = () => {}): Promise<void> {
  const yieldIfDue = createYielder(1000, { ...isolateClock, yieldToOthers, renew })
  for (const endMs = Date.now() + WORK_MS; Date.now() < endMs; ) {
    for (const stepMs = Date.now() + 10; Date.now() < stepMs; );
    await yieldIfDue()
  }
}

/** Returns the shortest time between two renewals of a lease while the request works. */
async function lease() {
  const times: number[] = []
  const stop = every(200, () => times.push(Date.now()))
  await work()
  while (times.length < 3) await isolateClock.wait(50)
  stop()
  return { leastMs: Math.min(...times.slice(1).map((time, i) => time - (times[i] ?? 0))) }
}

const turns = createTurns({ maxWaiting: 9, waitMs: 60_000, jobMaxMs: 400, lostMs: 5000 }, isolateClock)
let working = 0
let mostWorking = 0

/** Runs a job that computes for longer than a stopped one may. */
async function turn() {
  await turns(async ({ renew }) => {
    mostWorking = Math.max(mostWorking, ++working)
    await work(renew)
    working--
  })
  return { mostWorking, workedMs: turns.state().workedMs }
}

export const SCENARIOS: Record<string, (env: SlowedBindings) => Promise<unknown>> = {
  storage,
  hanging,
  lease,
  turn,
}
