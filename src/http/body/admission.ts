import { release } from '../../bytes.ts'
import { Failure } from '../../domain/failure.ts'
import { createFairQueue, type FairQueue, type Job } from '../../fair-queue.ts'
import { createSpeed, type Speed } from '../../speed.ts'
import type { Clock } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { AdmissionRule } from './admission-rule.ts'
import { malformed } from './malformed.ts'

/** A body's client, and its greatest size. */
interface Sender {
  client: string
  expectedBytes: number
  /** The greatest size where no length was said: a body that outgrows `expectedBytes` waits as one of this size. */
  outgrownBytes?: number | undefined
  /** Aborted when the client hangs up. */
  signal: AbortSignal
}

/** A minimum data rate, and by how many milliseconds a sender may fall behind it. */
interface MinimumRate {
  bytesPerMs: number
  graceMs: number
}

/** The memory of one body: part of a budget until it is closed. */
export interface BodyMemory {
  /**
   * Waits until so many bytes more may be held. Throws `overloaded` when that takes too long, or would, and `malformed_request` when the
   * client hangs up meanwhile.
   */
  take(bytes: number): Promise<void>
  /** Returns bytes that are not held any more, or did not come. */
  give(bytes: number): void
  /** Has memory freed when the body is closed, instead of at the next garbage collection. */
  own(bytes: Uint8Array<ArrayBuffer>): void
  /** Returns what was reserved and is not held: the body is complete. */
  settle(): void
  /** Returns the least rate at which the body must come; undefined unless others wait for its memory. */
  minimumRate(): MinimumRate | undefined
  /** Charges the client for a body that stood still, or was broken off. Returns in how many seconds it may send it again. */
  stall(): number
  /** Returns all memory. */
  close(): void
}

/** Bounds the bytes of all bodies that an isolate holds. */
export interface Admission {
  /** Opens the memory of a body, which holds nothing yet. */
  open(sender: Sender): BodyMemory
  /** Returns the bytes that all bodies hold or have reserved. */
  heldBytes(): number
  /** Returns how many bodies wait for memory. */
  waiting(): number
}

/** A budget with the queue of the bodies that wait for it. */
interface Lane {
  budgetBytes: number
  /** Part of the budget that each client is guaranteed. */
  guaranteedBytes: number
  queue: FairQueue
  /** Time since when bodies wait for it. */
  contendedMs: number
  /** Rate at which memory is returned since then. */
  speed: Speed
  measuredMs: number
}

/** A body that uses, or waits for, part of a budget. */
interface Body extends Sender {
  /** The lane of the memory that it has. An outgrown body keeps it while it waits in the other one. */
  lane: Lane
  /** The body's job, and the lane that queues it. */
  job: Job | undefined
  queuedIn: Lane
  heldBytes: number
  /** Bytes reserved in the budget; 0 until it is admitted. */
  reservedBytes: number
  /** The reservation at admission. */
  admittedBytes: number
  waitingSinceMs: number | undefined
  waitsIn: Lane | undefined
  admittedMs: number
  completeMs: number | undefined
  lastSeenMs: number
  hasStalled: boolean
}

const POLL_MS = 20

/**
 * Admits bodies as a whole: the expected size is reserved before more than the beginning is read. So every admitted
 * body can be read to its end, and no two bodies wait for each other. Bodies without room wait unread, in a fair queue
 * of clients. They compete for memory over time, so the cost of a body is its reservation times how long it holds that.
 * It is expressed as the time that a client's guaranteed share needs for these byte-seconds.
 *
 * Each body polls with its own timer: in workerd, a promise that another request resolves may never settle once one of
 * the two requests is cancelled. Fifty waiting bodies poll some thousand times a second, so polls create no objects but
 * their promises.
 */
export function createAdmission(rule: AdmissionRule, clock: Clock): Admission {
  const bodies: Body[] = []
  const small = createLane(rule.smallBudgetBytes)
  const large = createLane(rule.largeBudgetBytes)
  let begunMs: number | undefined
  /** Monotonic time of the current pass, since the first one: a small integer, which is no object. */
  let passMs = 0

  function createLane(budgetBytes: number): Lane {
    const guaranteedBytes = rule.guaranteedShare * budgetBytes
    const queue = createFairQueue({
      virtualTime: 'real',
      waitingMs: rule.lostMs,
      runningMs: rule.lostMs,
      maxLead: rule.maxDebtMs,
    })
    const lane = { budgetBytes, guaranteedBytes, queue, speed: expectedSpeed(guaranteedBytes), contendedMs: 0 }
    return { ...lane, measuredMs: 0 }
  }

  function expectedSpeed(guaranteedBytes: number): Speed {
    const expectedBytes = rule.expectedBytesPerMs * SECOND_MS
    return createSpeed({ cost: (expectedBytes * rule.announcedMs) / guaranteedBytes, ms: SECOND_MS })
  }

  function pass(): number {
    const clockMs = clock.nowMs()
    begunMs ??= clockMs
    passMs = Math.trunc(clockMs - begunMs)
    return passMs
  }

  function costOf(bytes: number, ms: number, { guaranteedBytes }: Lane): number {
    return Math.trunc((bytes * ms) / guaranteedBytes) + 1
  }

  /** Returns what a body cost while others waited: memory that nobody waits for costs nothing. */
  function heldCostOf({ admittedBytes, admittedMs, completeMs }: Body, job: Job, lane: Lane): number {
    const areOthersWaiting = lane.queue.waiting() > job.flow.waiting.length
    const heldMs = areOthersWaiting ? (completeMs ?? passMs) - Math.max(admittedMs, lane.contendedMs) : 0
    return costOf(admittedBytes, Math.max(0, heldMs), lane)
  }

  /** Returns the cost of a body that is completed at the minimum rate. */
  function slowestCostOf({ admittedBytes }: Body, lane: Lane): number {
    return costOf(admittedBytes, admittedBytes / rule.pressedBytesPerMs, lane)
  }

  function see(body: Body) {
    body.lastSeenMs = pass()
    if (!bodies.includes(body)) bodies.push(body)
    forgetCancelled()
  }

  function forgetCancelled() {
    for (let i = bodies.length - 1; i >= 0; i--) {
      const body = bodies[i]
      if (body && passMs - body.lastSeenMs > rule.lostMs) forget(body)
    }
  }

  function forget(body: Body) {
    const at = bodies.indexOf(body)
    if (at >= 0) bodies.splice(at, 1)
    leave(body)
  }

  /** Ends the job of a body, or cancels it. */
  function leave(body: Body) {
    const { job, queuedIn: lane } = body
    if (!job) return
    body.job = undefined
    if (!job.isRunning) {
      lane.queue.cancel(job)
      return
    }
    const heldCost = heldCostOf(body, job, lane)
    lane.queue.end(job, body.hasStalled ? Math.max(heldCost, job.cost, slowestCostOf(body, lane)) : heldCost)
    if (lane.queue.waiting() === 0) return
    lane.speed.note(job.cost, passMs - lane.measuredMs)
    lane.measuredMs = passMs
  }

  function countedIn(lane: Lane): number {
    let bytes = 0
    for (let i = 0; i < bodies.length; i++) {
      const body = bodies[i]
      if (body?.lane === lane) bytes += countedBytes(body)
    }
    return bytes
  }

  /** Returns whether a body that has begun waits for memory to complete: it precedes those that have not begun. */
  function hasBegunWaiter(lane: Lane): boolean {
    for (let i = 0; i < bodies.length; i++) {
      const body = bodies[i]
      if (body?.waitsIn === lane && body.lane === lane && isBegun(body)) return true
    }
    return false
  }

  /** Returns the lane that a body has, or waits for, memory of. An outgrown body leaves the queue of the small ones. */
  function laneFor(body: Body, wantedBytes: number): Lane {
    if (body.outgrownBytes !== undefined && wantedBytes > body.expectedBytes) {
      if (body.lane === small && body.queuedIn === small) leave(body)
      body.expectedBytes = body.outgrownBytes
    }
    return body.expectedBytes > rule.smallBytes ? large : body.lane
  }

  /** Checks and takes without an await between: otherwise another body could take the same memory. */
  function tryTake(body: Body, bytes: number): boolean {
    see(body)
    const wantedBytes = body.heldBytes + bytes
    if (wantedBytes > Math.max(body.reservedBytes, rule.beginningBytes)) {
      const lane = laneFor(body, wantedBytes)
      const isOwn = lane === body.lane
      const reservedBytes = Math.max(wantedBytes, body.expectedBytes)
      const hasRoom = countedIn(lane) - (isOwn ? countedBytes(body) : 0) + reservedBytes <= lane.budgetBytes
      if (isOwn && isBegun(body)) {
        if (!hasRoom) return false
      } else {
        if (!body.job) {
          body.job = lane.queue.add(body.client, costOf(reservedBytes, rule.announcedMs, lane), passMs)
          body.queuedIn = lane
        }
        lane.queue.poll(body.job, passMs)
        if (!hasRoom || hasBegunWaiter(lane) || lane.queue.head() !== body.job) return false
        lane.queue.start(body.job)
        body.admittedMs = passMs
        body.admittedBytes = reservedBytes
      }
      body.lane = lane
      body.reservedBytes = reservedBytes
    }
    if (body.job) body.queuedIn.queue.poll(body.job, passMs)
    body.heldBytes = wantedBytes
    return true
  }

  /** Returns in how many milliseconds a body would be admitted that its client sends now. */
  function waitMsOf(body: Body, lane: Lane): number {
    const cost = costOf(body.expectedBytes, rule.announcedMs, lane)
    const own = body.job && body.queuedIn === lane ? body.job.cost : 0
    return lane.speed.msOf(Math.max(0, lane.queue.workBefore(body.client, cost) - own))
  }

  async function waitForRoom(body: Body, bytes: number) {
    const lane = laneFor(body, body.heldBytes + bytes)
    if (lane.queue.waiting() <= 1) {
      lane.contendedMs = passMs
      lane.measuredMs = passMs
      lane.speed = expectedSpeed(lane.guaranteedBytes)
    }
    body.waitingSinceMs = passMs
    body.waitsIn = lane
    try {
      const waitMs = waitMsOf(body, lane)
      if (waitMs > rule.waitMs) throw overloaded(waitMs, rule)
      await clock.toPresent()
      const giveUpAtMs = pass() + rule.waitMs
      while (!tryTake(body, bytes)) {
        if (body.signal.aborted) throw malformed('the body is incomplete: the client has hung up')
        // Where too many wait, the last in the queue is rejected, which need not be the newest.
        const isExcess = lane.queue.waiting() > rule.maxWaiting && lane.queue.last() === body.job
        // Small bodies do not wait for one that waits for large ones.
        const isInTheWay = body.lane === small && lane === large && small.queue.waiting() > 0
        if (pass() >= giveUpAtMs || isExcess || isInTheWay) throw overloaded(waitMsOf(body, lane), rule)
        // The back of a long queue polls less often than its front.
        const before = body.job && !body.job.isRunning ? lane.queue.position(body.job) : 0
        await clock.wait(POLL_MS * (1 + before / 4))
      }
    } catch (error) {
      if (body.job && !body.job.isRunning) leave(body)
      throw error
    } finally {
      body.waitingSinceMs = undefined
      body.waitsIn = undefined
    }
  }

  /** Returns how fast a body must come while others wait for what it holds. A client in debt has no claim on what another one holds. */
  function minimumRateOf(body: Body): MinimumRate | undefined {
    if (!isBegun(body) || !body.job) return undefined
    const { lane, job, client } = body
    const longSinceMs = pass() - rule.pressedAfterMs
    const isDebtor = lane.queue.debtOf(job) > 0
    let waiting = 0
    let isPressed = false
    for (let i = 0; i < bodies.length; i++) {
      const other = bodies[i]
      if (other?.waitsIn !== lane || other.waitingSinceMs === undefined) continue
      if (!isDebtor && other.job && lane.queue.debtOf(other.job) > 0) continue
      waiting++
      if (other.client !== client && (isDebtor || other.waitingSinceMs <= longSinceMs)) isPressed = true
    }
    if (waiting === 0) return undefined
    const leastGraceMs = isDebtor ? rule.debtorGraceMs : rule.graceMs / 3
    return {
      bytesPerMs: isPressed ? rule.pressedBytesPerMs : rule.slowBytesPerMs,
      graceMs: Math.max(leastGraceMs, rule.graceMs / (1 + (waiting - 1) / rule.crowd)),
    }
  }

  return {
    open(sender) {
      const lane = sender.expectedBytes <= rule.smallBytes ? small : large
      const body: Body = {
        ...sender,
        lane,
        queuedIn: lane,
        job: undefined,
        heldBytes: 0,
        reservedBytes: 0,
        admittedBytes: 0,
        waitingSinceMs: undefined,
        waitsIn: undefined,
        admittedMs: pass(),
        completeMs: undefined,
        lastSeenMs: passMs,
        hasStalled: false,
      }
      bodies.push(body)
      const owned: Uint8Array<ArrayBuffer>[] = []
      return {
        async take(bytes) {
          if (!tryTake(body, bytes)) await waitForRoom(body, bytes)
        },
        give(bytes) {
          body.heldBytes -= bytes
          body.lastSeenMs = pass()
        },
        own: (bytes) => owned.push(bytes),
        settle() {
          if (!isBegun(body)) return
          body.completeMs ??= pass()
          body.reservedBytes = Math.max(body.heldBytes, 1)
        },
        minimumRate: () => minimumRateOf(body),
        stall() {
          body.hasStalled = true
          pass()
          return retryAfterS(waitMsOf(body, body.lane), rule)
        },
        close() {
          pass()
          forget(body)
          for (const bytes of owned) release(bytes)
        },
      }
    },
    heldBytes: () => bodies.reduce((total, body) => total + countedBytes(body), 0),
    waiting() {
      pass()
      forgetCancelled()
      return bodies.filter(({ waitsIn }) => waitsIn !== undefined).length
    },
  }
}

/** Returns the bytes that a body holds, or those that are reserved for it. */
function countedBytes({ heldBytes, reservedBytes }: Body): number {
  return Math.max(heldBytes, reservedBytes)
}

function isBegun({ reservedBytes }: Body): boolean {
  return reservedBytes > 0
}

/** Returns after how many seconds a body may wait that would have to wait for so long now. */
function retryAfterS(waitMs: number, rule: AdmissionRule): number {
  const excessMs = Math.min(waitMs - rule.waitMs, rule.waitMs)
  return Math.max(rule.retryAfterS, Math.ceil(excessMs / SECOND_MS))
}

function overloaded(waitMs: number, rule: AdmissionRule): Failure {
  const seconds = retryAfterS(waitMs, rule)
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${seconds} s`, seconds)
}
