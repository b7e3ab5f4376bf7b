import type { CodecClock } from './clock.ts'
import { ImageRefusal } from './refusal.ts'

/** The number of jobs that may wait for their turn, and how long. */
export interface TurnRule {
  maxWaiting: number
  waitMs: number
  /** A job that has not yielded for this time belongs to a cancelled request. */
  jobMaxMs: number
  /** A waiting job that has not asked for its turn for this long belongs to a request that was cancelled. */
  lostMs: number
}

/** The state of a queue of jobs. */
export interface TurnState {
  /** The number of jobs that wait for their turn. */
  waiting: number
  /** The number that ended, well or not, since the queue was made, and how long they took together. */
  ended: number
  workedMs: number
}

/** The turn of a job that runs. */
export interface RunningTurn {
  /** Shows that the job still runs. Throws ImageRefusal ('busy') if its turn was given to another job. */
  renew(): void
}

interface Turn {
  /** When it last asked for its turn, or renewed it. */
  lastSeenMs: number
}

const POLL_MS = 4

/**
 * Runs one job at a time, in the order in which they came. Throws ImageRefusal ('busy') for one that would wait too long, and the
 * reason of a signal that is aborted while its job waits. `onLost` is called when the running job is taken for cancelled.
 *
 * Each waits by its own timer: a promise that another request resolves may never come once either of them is cancelled. Each
 * brings its clock to the present before its time is compared with that of another request.
 */
export function createTurns(rule: TurnRule, clock: CodecClock, onLost = () => {}) {
  /** In the order in which they came. */
  const waiting = new Set<Turn>()
  let running: Turn | undefined
  let ended = 0
  let workedMs = 0

  function forgetLost() {
    const nowMs = clock.nowMs()
    for (const other of waiting) if (nowMs - other.lastSeenMs > rule.lostMs) waiting.delete(other)
    if (running && nowMs - running.lastSeenMs > rule.jobMaxMs) {
      running = undefined
      onLost()
    }
  }

  /** Looks and begins in one step: between two, another could begin. */
  function tryBegin(own: Turn): boolean {
    own.lastSeenMs = clock.nowMs()
    forgetLost()
    // One that was taken for lost is not among them any more: it goes to the end.
    waiting.add(own)
    if (running || hasPredecessor(own)) return false
    waiting.delete(own)
    running = own
    return true
  }

  function hasPredecessor(own: Turn): boolean {
    const [first] = waiting
    return first !== own
  }

  async function begin(own: Turn, signal: AbortSignal | undefined) {
    if (waiting.size + (running ? 1 : 0) > rule.maxWaiting) throw busy()
    waiting.add(own)
    await clock.toPresent()
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    while (!tryBegin(own)) {
      if (signal?.aborted || clock.nowMs() >= giveUpAtMs) {
        waiting.delete(own)
        signal?.throwIfAborted()
        throw busy()
      }
      await clock.wait(hasPredecessor(own) ? 4 * POLL_MS : POLL_MS)
    }
  }

  const inTurn = async <Result>(job: (turn: RunningTurn) => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    const own: Turn = { lastSeenMs: clock.nowMs() }
    await begin(own, signal)
    const beganMs = clock.nowMs()
    const turn = {
      renew() {
        if (running !== own) throw busy()
        own.lastSeenMs = clock.nowMs()
      },
    }
    try {
      return await job(turn)
    } finally {
      if (running === own) running = undefined
      await clock.toPresent()
      ended++
      workedMs += clock.nowMs() - beganMs
    }
  }
  function state(): TurnState {
    forgetLost()
    return { waiting: waiting.size, ended, workedMs }
  }
  return Object.assign(inTurn, { state })
}

function busy(): ImageRefusal {
  return new ImageRefusal('busy', 'too many pictures wait to be decoded: try again in a while')
}
