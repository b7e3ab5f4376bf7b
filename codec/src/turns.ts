import { ImageRefusal } from './refusal.ts'

/** How many jobs may wait for their turn, and how long. */
export interface TurnRule {
  maxWaiting: number
  waitMs: number
  /** A job that has not ended after this time belongs to a request that was cancelled. */
  jobMaxMs: number
  /** A waiting job that has not asked for its turn for this long belongs to a request that was cancelled. */
  lostMs: number
}

/** A clock, and a way to wait by it. */
export interface TurnClock {
  nowMs(): number
  wait(ms: number): Promise<void>
}

/** How a queue of jobs is doing. */
export interface TurnState {
  /** How many jobs wait for their turn. */
  waiting: number
  /** How many ended, well or not, since the queue was made, and how long they took together. */
  ended: number
  workedMs: number
}

interface Turn {
  /** When it last asked for its turn; that of the running one began then. */
  heardOfMs: number
}

const POLL_MS = 4

/**
 * One job at a time, in the order in which they came. Throws ImageRefusal ('busy') for one that would wait too long, or that waits
 * when nobody wants it any more.
 *
 * Each waits by its own timer: a promise that another request resolves may never come once either of them is cancelled.
 */
export function createTurns(rule: TurnRule, clock: TurnClock) {
  /** In the order in which they came. */
  const waiting = new Set<Turn>()
  let running: Turn | undefined
  let ended = 0
  let workedMs = 0

  function forgetLost() {
    const nowMs = clock.nowMs()
    for (const other of waiting) if (nowMs - other.heardOfMs > rule.lostMs) waiting.delete(other)
    if (running && nowMs - running.heardOfMs > rule.jobMaxMs) running = undefined
  }

  /** Looks and begins in one step: between two, another could begin. */
  function tryBegin(own: Turn): boolean {
    own.heardOfMs = clock.nowMs()
    forgetLost()
    // One that was taken for lost is not among them any more: it goes to the end.
    waiting.add(own)
    if (running || isBehind(own)) return false
    waiting.delete(own)
    running = own
    return true
  }

  function isBehind(own: Turn): boolean {
    const [first] = waiting
    return first !== own
  }

  async function begin(own: Turn, isGone: () => boolean) {
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    if (waiting.size >= rule.maxWaiting) throw busy()
    while (!tryBegin(own)) {
      if (isGone() || clock.nowMs() >= giveUpAtMs) {
        waiting.delete(own)
        throw isGone() ? gone() : busy()
      }
      await clock.wait(isBehind(own) ? 4 * POLL_MS : POLL_MS)
    }
  }

  const inTurn = async <Result>(job: () => Promise<Result>, isGone = () => false): Promise<Result> => {
    const own: Turn = { heardOfMs: clock.nowMs() }
    await begin(own, isGone)
    const beganMs = clock.nowMs()
    try {
      return await job()
    } finally {
      ended++
      workedMs += clock.nowMs() - beganMs
      if (running === own) running = undefined
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

function gone(): ImageRefusal {
  return new ImageRefusal('busy', 'the client has hung up')
}
