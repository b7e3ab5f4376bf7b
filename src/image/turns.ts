import { ImageRefusal } from 'tintype-codec/interface'
import { createFairQueue, type Job } from '../fair-queue.ts'
import { createSpeed } from '../speed.ts'
import type { Clock } from '../time.ts'

/** Limits of the queue. */
export interface TurnRule {
  /** A job that would wait longer is refused at once. */
  waitMs: number
  maxWaiting: number
  /** A job that runs longer was cancelled. */
  jobMaxMs: number
  /** A job that has not polled for longer was cancelled. */
  lostMs: number
}

/** The client that is charged for the work. */
export interface Requester {
  /** The network of the client. Clients without one share a flow. */
  client?: string
  /** Aborted when the client hangs up. */
  signal?: AbortSignal
}

/** Thrown where the queue of a client is too long. */
export class TurnRefusal extends ImageRefusal {
  /** Whole seconds after which the client's queue is short enough. */
  readonly retryAfterS: number

  constructor(message: string, waitMs: number) {
    const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
    super('busy', `${message}: try again in ${retryAfterS} s`)
    this.retryAfterS = retryAfterS
  }
}

/** State of the codec's queue. */
export interface TurnState {
  waiting: number
  ended: number
  workedMs: number
}

const POLL_MS = 4
/** Without a running clock, no job is charged less than this share of its estimated cost. */
const LEAST_SHARE = 0.25

/**
 * Runs one job at a time, in the order of a fair queue of clients. The cost of a job is its processor time. Throws TurnRefusal for a
 * client whose queue is too long, and ImageRefusal ('busy') for one that has hung up.
 *
 * Each request polls by its own timer: a promise that another request resolves may stay pending once either of them is cancelled.
 */
export function createTurns(rule: TurnRule, clock: Clock) {
  const queue = createFairQueue({ virtualTime: 'self-clocked', waitingMs: rule.lostMs, runningMs: rule.jobMaxMs })
  const speed = createSpeed({ cost: 1000, ms: 1000 })
  let ended = 0
  let workedMs = 0

  /** Checks and starts without an await in between, in which another job could start. */
  function tryStart(job: Job): boolean {
    queue.poll(job, clock.nowMs())
    if (queue.running() > 0 || queue.head() !== job) return false
    queue.start(job)
    return true
  }

  /** Returns the milliseconds until a job of a client would start. */
  const waitMsOf = (client: string, cost: number) => speed.msOf(queue.workBefore(client, cost))

  async function start(job: Job, signal: AbortSignal | undefined) {
    let giveUpAtMs: number | undefined
    while (!tryStart(job)) {
      giveUpAtMs ??= clock.nowMs() + rule.waitMs
      if (signal?.aborted || clock.nowMs() >= giveUpAtMs) {
        queue.cancel(job)
        if (signal?.aborted) throw new ImageRefusal('busy', 'the client has hung up')
        throw new TurnRefusal('the service is busy with other images', waitMsOf(job.flow.key, job.cost))
      }
      await clock.wait(queue.head() === job ? POLL_MS : 4 * POLL_MS)
    }
  }

  const inTurn = async <Result>(
    { client = '', signal }: Requester,
    cost: number,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    queue.forgetCancelled(clock.nowMs())
    const waitMs = waitMsOf(client, cost)
    if (waitMs > rule.waitMs || queue.waiting() >= rule.maxWaiting) {
      throw new TurnRefusal('too many images of your network address wait', waitMs - rule.waitMs)
    }
    const job = queue.add(client, cost, clock.nowMs())
    await start(job, signal)
    const beganMs = clock.nowMs()
    try {
      return await run()
    } finally {
      // The clock of a Worker does not advance while it computes.
      await clock.toPresent()
      const tookMs = clock.nowMs() - beganMs
      queue.end(job, Math.max(tookMs, LEAST_SHARE * cost))
      speed.note(cost, tookMs)
      ended++
      workedMs += tookMs
    }
  }

  function state(): TurnState {
    queue.forgetCancelled(clock.nowMs())
    return { waiting: queue.waiting(), ended, workedMs }
  }
  return Object.assign(inTurn, { state })
}
