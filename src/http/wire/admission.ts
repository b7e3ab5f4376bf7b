import { Failure } from '../../domain/failure.ts'

/** What the bodies of an isolate may hold together, and how long one waits for room. */
export interface AdmissionRule {
  /** For bodies that hold at most `smallBytes`, each counted as it arrives. */
  smallBudgetBytes: number
  smallBytes: number
  /** For larger ones, each counted as a whole from then on. */
  largeBudgetBytes: number
  /** What one client may hold of both while others wait. */
  clientBytes: number
  /** How long a sender may stand still while others wait. */
  patienceMs: number
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
  /** How long its sender may stand still: for ever, unless others wait for what this body holds. */
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
  /** What a large body has of its budget, come or still to come; 0 for a small one. */
  reservedBytes: number
  waitsFor: 'small' | 'large' | undefined
  heardOfMs: number
}

const POLL_MS = 20

/**
 * Counts small bodies and the beginnings of all as they arrive; so senders that stop early keep nobody waiting. A body that
 * grows beyond that is admitted as a whole, so it always comes to its end and nothing deadlocks. Those that find no room wait
 * unread in the order in which they came, except that a client that holds its share lets the others pass.
 *
 * Each waits by its own timer: a promise that another request resolves may never come once either of them is cancelled.
 */
export function createAdmission(rule: AdmissionRule, clock: AdmissionClock): Admission {
  /** In the order in which they came. */
  const holders = new Set<Holder>()

  function sum(bytesOf: (holder: Holder) => number): number {
    let total = 0
    for (const holder of holders) total += bytesOf(holder)
    return total
  }
  const smallHeld = () => sum(({ heldBytes, reservedBytes }) => (reservedBytes === 0 ? heldBytes : 0))
  const largeReserved = () => sum(({ reservedBytes }) => reservedBytes)
  const held = ({ heldBytes, reservedBytes }: Holder) => Math.max(heldBytes, reservedBytes)

  function hasItsShare({ client }: Holder): boolean {
    if (sum((holder) => (holder.client === client ? held(holder) : 0)) < rule.clientBytes) return false
    return [...holders].some((other) => other.waitsFor && other.client !== client)
  }

  /** How many wait for the same that go before this one. */
  function waitingBefore(holder: Holder, budget: Holder['waitsFor']): number {
    let count = 0
    for (const earlier of holders) {
      if (earlier === holder) break
      if (earlier.waitsFor === budget && !hasItsShare(earlier)) count++
    }
    return count
  }

  function isNext(holder: Holder, budget: Holder['waitsFor']): boolean {
    return !hasItsShare(holder) && waitingBefore(holder, budget) === 0
  }

  function forgetLost() {
    for (const holder of holders) if (clock.nowMs() - holder.heardOfMs > rule.lostMs) holders.delete(holder)
  }

  /** Looks and takes in one step: between two, another could take the same. */
  function tryTake(holder: Holder, bytes: number): boolean {
    holder.heardOfMs = clock.nowMs()
    forgetLost()
    const wantedBytes = holder.heldBytes + bytes
    if (budgetOf(holder, bytes) === 'small') {
      if (smallHeld() + bytes > rule.smallBudgetBytes || !isNext(holder, 'small')) return false
    } else if (wantedBytes > holder.reservedBytes) {
      const reservedBytes = Math.max(wantedBytes, holder.expectedBytes)
      // One that has come to more than it said goes before those that have not begun.
      const mayReserve = holder.reservedBytes > 0 || isNext(holder, 'large')
      if (!mayReserve || largeReserved() - holder.reservedBytes + reservedBytes > rule.largeBudgetBytes) return false
      holder.reservedBytes = reservedBytes
    }
    holder.heldBytes = wantedBytes
    return true
  }

  function budgetOf({ reservedBytes, heldBytes }: Holder, bytes: number): 'small' | 'large' {
    return reservedBytes === 0 && heldBytes + bytes <= rule.smallBytes ? 'small' : 'large'
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    if ([...holders].filter(({ waitsFor }) => waitsFor).length >= rule.maxWaiting) throw overloaded(rule)
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    const budget = budgetOf(holder, bytes)
    holder.waitsFor = budget
    try {
      while (!tryTake(holder, bytes)) {
        if (clock.nowMs() >= giveUpAtMs) throw overloaded(rule)
        // The last in a long queue need not ask as often as the first.
        await clock.wait(POLL_MS * (1 + waitingBefore(holder, budget)))
      }
    } finally {
      holder.waitsFor = undefined
    }
  }

  function open(client: string, expectedBytes: number): BodyMemory {
    const holder: Holder = {
      client,
      expectedBytes,
      heldBytes: 0,
      reservedBytes: 0,
      waitsFor: undefined,
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
        if (holder.reservedBytes > 0) holder.reservedBytes = Math.max(holder.heldBytes, 1)
      },
      patienceMs() {
        const budget = holder.reservedBytes > 0 ? 'large' : 'small'
        const isWaitedFor = [...holders].some((other) => other !== holder && other.waitsFor === budget)
        return isWaitedFor ? rule.patienceMs : Number.POSITIVE_INFINITY
      },
      close() {
        holders.delete(holder)
        for (const { buffer } of owned) if (!buffer.detached) buffer.transfer(0)
      },
    }
  }

  return { open, heldBytes: () => sum(held) }
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
