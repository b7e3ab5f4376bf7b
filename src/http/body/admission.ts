import { release } from '../../bytes.ts'
import { Failure } from '../../domain/failure.ts'
import type { Clock } from '../../time.ts'
import { countedBytes, createQueue, type Holder, isBegun, type Sender, wantsSmall } from './admission-queue.ts'
import type { AdmissionRule } from './admission-rule.ts'
import { malformed } from './malformed.ts'

/** A rate, and by how many milliseconds a sender may fall behind it. */
export interface Demand {
  bytesPerMs: number
  patienceMs: number
}

/** The memory of one body: what it holds of the budget until it is closed. */
export interface BodyMemory {
  /**
   * Waits until so many bytes more may be held. Throws `overloaded` when that takes too long, or too many wait already, and
   * `malformed_request` when the client hangs up meanwhile.
   */
  take(bytes: number): Promise<void>
  /** Gives bytes back that are not held any more, or did not come. */
  give(bytes: number): void
  /** Has memory freed when the body is closed, instead of at the next garbage collection. */
  own(bytes: Uint8Array<ArrayBuffer>): void
  /** Gives back what was reserved and is not held: the body is complete. */
  settle(): void
  /** How fast the body must come; undefined unless others wait for what it holds. */
  demand(): Demand | undefined
  /** Notes that its sender stood still, or hung up: the next bodies of its client wait behind those of others. */
  noteStall(): void
  /** Gives back all memory. */
  close(): void
}

/** Bounds the bytes of all bodies that an isolate holds. */
export interface Admission {
  /** Opens the memory of a body, which holds nothing yet. */
  open(sender: Sender): BodyMemory
  /** What all bodies hold or have reserved, in bytes. */
  heldBytes(): number
  /** How many bodies wait for memory. */
  waiting(): number
}

const POLL_MS = 20

/**
 * A body is admitted as a whole: its expected size is reserved before more than its beginning is read, so that it can always be
 * read to its end and no two bodies wait for each other. Bodies that find no room wait unread, in the order of the queue.
 *
 * Each body polls with its own timer: in workerd, a promise that another request resolves may never settle once one of the two
 * requests is cancelled.
 */
export function createAdmission(rule: AdmissionRule, clock: Clock): Admission {
  const queue = createQueue(rule)
  const look = () => queue.look(clock.nowMs())

  /** Checks and takes without an await between: otherwise another body could take the same memory. */
  function tryTake(holder: Holder, bytes: number): boolean {
    look()
    queue.hearOf(holder)
    const wantedBytes = holder.heldBytes + bytes
    if (wantedBytes > Math.max(holder.reservedBytes, rule.beginningBytes)) {
      if (holder.outgrownBytes !== undefined && wantedBytes > holder.expectedBytes) {
        holder.isOutgrown = holder.isSmall
        queue.expect(holder, holder.outgrownBytes)
      }
      const reservedBytes = Math.max(wantedBytes, holder.expectedBytes)
      const lane = queue.countLane(wantsSmall(holder))
      const ownBytes = holder.isOutgrown ? 0 : countedBytes(holder)
      if (lane.heldBytes - ownBytes + reservedBytes > queue.budgetOf(holder)) return false
      // A body that comes to more than it said goes before those that were not admitted yet.
      if (!isBegun(holder) && (queue.isHeldBack(holder, lane) || queue.waitingBefore(holder, lane) > 0)) return false
      if (holder.isOutgrown) Object.assign(holder, { isSmall: false, isOutgrown: false })
      holder.reservedBytes = reservedBytes
      queue.noteAdmitted(holder)
    }
    holder.heldBytes = wantedBytes
    return true
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    holder.waitingSinceMs = look()
    try {
      await clock.toPresent()
      const giveUpAtMs = look() + rule.waitMs
      // Where too many wait, the last in the queue is refused, which need not be the newest.
      while (!tryTake(holder, bytes)) {
        if (holder.isGone()) throw malformed('the body is incomplete: the client has hung up')
        const isLate = look() >= giveUpAtMs
        const before = queue.waitingBefore(holder, queue.countLane(wantsSmall(holder)))
        // Small bodies do not wait for one that waits for large ones.
        const isInTheWay = holder.isOutgrown && queue.doSmallWait()
        if (isLate || before >= rule.maxWaiting || isInTheWay) throw overloaded(rule)
        // The back of a long queue polls less often than its front.
        await clock.wait(POLL_MS * (1 + before / 4))
      }
    } finally {
      holder.waitingSinceMs = undefined
    }
  }

  /** How fast a body must come while others wait for what it holds. */
  function demandOn(holder: Holder): Demand | undefined {
    if (!isBegun(holder)) return undefined
    look()
    const crowd = queue.crowdOf(holder)
    if (crowd.waiting === 0) return undefined
    const isStaller = queue.isStaller(holder)
    const bytesPerMs = isStaller || crowd.hasLongWait ? rule.pressedBytesPerMs : rule.slowBytesPerMs
    // Each body of those that stalled costs the time to read it: where they hold up none but themselves, they may be slow.
    if (isStaller && crowd.areStallers && queue.othersCome()) return { bytesPerMs, patienceMs: rule.patienceMs }
    const leastMs = isStaller ? rule.leastPatienceMs : rule.patienceMs / 3
    const shrunkBy = 1 + (crowd.waiting - 1) / rule.crowd + queue.stallsOf(holder)
    return { bytesPerMs, patienceMs: Math.max(leastMs, rule.patienceMs / shrunkBy) }
  }

  return {
    open(sender) {
      look()
      const holder = queue.add(sender)
      const owned: Uint8Array<ArrayBuffer>[] = []
      return {
        async take(bytes) {
          if (!tryTake(holder, bytes)) await waitForRoom(holder, bytes)
        },
        give(bytes) {
          holder.heldBytes -= bytes
          holder.heardOfMs = look()
        },
        own: (bytes) => owned.push(bytes),
        settle() {
          if (isBegun(holder)) holder.reservedBytes = Math.max(holder.heldBytes, 1)
        },
        demand: () => demandOn(holder),
        noteStall() {
          look()
          queue.noteStall(holder)
        },
        close() {
          queue.forget(holder)
          for (const bytes of owned) release(bytes)
        },
      }
    },
    heldBytes: queue.totalBytes,
    waiting() {
      look()
      queue.forgetLost()
      return queue.waiting()
    },
  }
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
