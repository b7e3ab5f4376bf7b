import { Failure } from '../../domain/failure.ts'

/** What the bodies of an isolate may take together, and how long one waits for room. */
export interface AdmissionRule {
  budgetBytes: number
  /** What one client may hold of it while others wait. */
  clientBytes: number
  /** A body that holds less than this is in nobody's way. */
  smallBytes: number
  /** How long a sender may stand still while others wait: divided by how many times so many wait. */
  patienceMs: number
  patientlyWaiting: number
  waitMs: number
  maxWaiting: number
  /** When the sender of a body that found no room may come again. */
  retryAfterS: number
  /** A body that is not heard of for so long belongs to a request that was cancelled. */
  lostMs: number
}

/** A clock, and a way to wait by it. */
export interface AdmissionClock {
  nowMs(): number
  wait(ms: number): Promise<void>
}

/** The memory of one body: what it holds of the budget until it is closed. */
export interface BodyMemory {
  /** Waits until so many bytes more may be held. Throws `overloaded` when that takes too long, or too many wait already. */
  take(bytes: number): Promise<void>
  /** Gives bytes back that are not held any more, or did not come. */
  give(bytes: number): void
  /** Memory to be freed with the body, at once instead of when the garbage collector comes by. */
  own(bytes: Uint8Array<ArrayBuffer>): void
  /** The body has come whole: it asks for no more. */
  settle(): void
  /** How long its sender may stand still: the less, the more others wait for what this body holds. */
  patienceMs(): number
  /** Gives back all of it. */
  close(): void
}

/** Bounds the bytes of all bodies that an isolate holds. */
export interface Admission {
  /** The memory of a body of so many bytes, as far as can be told. */
  open(client: string, expectedBytes: number): BodyMemory
  /** What all bodies hold, in bytes. */
  heldBytes(): number
}

interface Holder {
  client: string
  expectedBytes: number
  heldBytes: number
  isSettled: boolean
  isWaiting: boolean
  heardOfMs: number
}

const POLL_MS = 20

/**
 * Counts bodies as they arrive. One may take more only if all that have begun can then still come to their end one after the
 * other, the oldest first (the banker's algorithm, in a fixed order), so nothing deadlocks. Those that find no room wait
 * unread in the order in which they came, except that a client that holds its share lets the others pass.
 *
 * Each waits by its own timer: a promise that another request resolves may never come once either of them is cancelled.
 */
export function createAdmission(rule: AdmissionRule, clock: AdmissionClock): Admission {
  /** In the order in which they came. */
  const holders = new Set<Holder>()

  function heldBytes(client?: string): number {
    let sum = 0
    for (const holder of holders) if (client === undefined || holder.client === client) sum += holder.heldBytes
    return sum
  }

  function hasItsShare({ client }: Holder): boolean {
    if (heldBytes(client) < rule.clientBytes) return false
    return [...holders].some((other) => other.isWaiting && other.client !== client)
  }

  /** How many wait that go before this one. */
  function waitingBefore(holder: Holder): number {
    let count = 0
    for (const earlier of holders) {
      if (earlier === holder) return count
      if (earlier.isWaiting && !hasItsShare(earlier)) count++
    }
    return count
  }

  /** Whether all that have begun could come to their end if this one took so many bytes. */
  function isSafe(taker: Holder, bytes: number): boolean {
    const arriving = [...holders]
      .map((holder) => ({ ...holder, heldBytes: holder.heldBytes + (holder === taker ? bytes : 0) }))
      .filter(hasBegun)
    let freeBytes = rule.budgetBytes - arriving.reduce((sum, holder) => sum + holder.heldBytes, 0)
    for (const holder of arriving) {
      if (holder.expectedBytes - holder.heldBytes > freeBytes) return false
      freeBytes += holder.heldBytes
    }
    return true
  }

  function forgetLost() {
    for (const holder of holders) if (clock.nowMs() - holder.heardOfMs > rule.lostMs) holders.delete(holder)
  }

  function mayTake(holder: Holder, bytes: number): boolean {
    if (heldBytes() + bytes > rule.budgetBytes || !isSafe(holder, bytes)) return false
    const oldest = [...holders].find(hasBegun)
    return holder === oldest || (!hasItsShare(holder) && waitingBefore(holder) === 0)
  }

  /** Looks and takes in one step: between two, another could take the same. */
  function tryTake(holder: Holder, bytes: number): boolean {
    holder.heardOfMs = clock.nowMs()
    forgetLost()
    const taken = mayTake(holder, bytes)
    if (taken) holder.heldBytes += bytes
    return taken
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    if ([...holders].filter(({ isWaiting }) => isWaiting).length >= rule.maxWaiting) throw overloaded(rule)
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    holder.isWaiting = true
    try {
      while (!tryTake(holder, bytes)) {
        if (clock.nowMs() >= giveUpAtMs) throw overloaded(rule)
        // The last in a long queue need not ask as often as the first.
        await clock.wait(POLL_MS * (1 + waitingBefore(holder)))
      }
    } finally {
      holder.isWaiting = false
    }
  }

  function open(client: string, expectedBytes: number): BodyMemory {
    const holder: Holder = {
      client,
      expectedBytes,
      heldBytes: 0,
      isSettled: false,
      isWaiting: false,
      heardOfMs: clock.nowMs(),
    }
    const owned: Uint8Array<ArrayBuffer>[] = []
    holders.add(holder)
    return {
      async take(bytes) {
        if (!tryTake(holder, bytes)) await waitForRoom(holder, bytes)
      },
      give(bytes) {
        holder.heldBytes -= bytes
        holder.heardOfMs = clock.nowMs()
      },
      own: (bytes) => owned.push(bytes),
      settle() {
        holder.isSettled = true
      },
      patienceMs() {
        const waiting = [...holders].filter((other) => other.isWaiting && other !== holder).length
        if (waiting === 0 || holder.heldBytes < rule.smallBytes) return Number.POSITIVE_INFINITY
        return rule.patienceMs / Math.ceil(waiting / rule.patientlyWaiting)
      },
      close() {
        holders.delete(holder)
        for (const { buffer } of owned) if (!buffer.detached) buffer.transfer(0)
      },
    }
  }

  return { open, heldBytes: () => heldBytes() }
}

/** Whether a body has come in part: it holds memory, and wants more. */
function hasBegun({ heldBytes, isSettled }: Holder): boolean {
  return heldBytes > 0 && !isSettled
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
