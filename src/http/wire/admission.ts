import { Failure } from '../../domain/failure.ts'
import { MIB } from '../../units.ts'
import { malformed } from './malformed.ts'
import { createStalls } from './stalls.ts'

/** What the bodies of an isolate may hold together, and how long one waits for room. */
export interface AdmissionRule {
  /** For bodies that come to at most `smallBytes`: they never wait for large ones. */
  smallBudgetBytes: number
  smallBytes: number
  largeBudgetBytes: number
  /** So much of a body is read before it has been admitted: a sender of nothing keeps nobody waiting. */
  beginningBytes: number
  /** What one client may hold of either budget while others wait: a share of it. */
  clientShare: number
  /** What all that stalled of late may hold of either together, as long as others come. */
  stallersShare: number
  /** How far a sender may fall behind while one other waits: a third of it while many do, and ever less if it stalled of late. */
  patienceMs: number
  leastPatienceMs: number
  /** So many more that wait halve it. */
  crowd: number
  /** A body of so much more goes first that came by so much later. */
  sizeMsPerMib: number
  /** And one of a client that stalled once more goes behind all that came by so much later. */
  stallMs: number
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

/** Whose body it is, and what it will come to at most. */
export interface Sender {
  client: string
  expectedBytes: number
  /** Whether the client has hung up, as far as is known. */
  isGone(): boolean
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
  /** Memory to be freed with the body, at once instead of when the garbage collector comes by. */
  own(bytes: Uint8Array<ArrayBuffer>): void
  /** The body has come whole: it asks for no more. */
  settle(): void
  /** How far its sender may fall behind: for ever, unless others wait for what this body holds. */
  patienceMs(): number
  /** The body did not come: its sender stood still, or hung up. The next ones of its client wait behind those of others. */
  noteStall(): void
  /** Gives back all of it. */
  close(): void
}

/** Bounds the bytes of all bodies that an isolate holds. */
export interface Admission {
  open(sender: Sender): BodyMemory
  /** What all bodies hold or were promised, in bytes. */
  heldBytes(): number
}

interface Holder extends Sender {
  arrivedMs: number
  /** The number of its arrival: several come in one millisecond. */
  order: number
  isSmall: boolean
  heldBytes: number
  /** What it has of its budget, come or still to come; 0 for one that is not admitted. */
  reservedBytes: number
  isWaiting: boolean
  heardOfMs: number
}

/** All that share a budget: what they hold together, each client, and those that stalled of late; and who waits for it. */
interface Lane {
  heldBytes: number
  clientBytes: Map<string, number>
  stallersBytes: number
  waiting: Holder[]
}

const POLL_MS = 20
/** Clients that did not stall come as long as one was admitted within this time. */
const RECENT_MS = 60_000

/**
 * A body is admitted as a whole, for what it says that it will come to, so it always comes to its end and nothing deadlocks. Those
 * that find no room wait unread: first who came first, except that small ones go before large ones that have not waited long,
 * clients that stalled of late wait behind others, and one that holds its share lets others pass.
 *
 * Each waits by its own timer: a promise that another request resolves may never come once either of them is cancelled.
 */
export function createAdmission(rule: AdmissionRule, clock: AdmissionClock): Admission {
  const holders = new Set<Holder>()
  const stalls = createStalls(clock.nowMs)
  let opened = 0
  /** When a client that did not stall was admitted. */
  let otherMs = Number.NEGATIVE_INFINITY

  const held = ({ heldBytes, reservedBytes }: Holder) => Math.max(heldBytes, reservedBytes)
  const isBegun = ({ reservedBytes }: Holder) => reservedBytes > 0
  const isStaller = ({ client }: Holder) => stalls.of(client) > 0

  /** Who shares a budget. */
  function laneOf({ isSmall }: Holder): Lane {
    const lane: Lane = { heldBytes: 0, clientBytes: new Map(), stallersBytes: 0, waiting: [] }
    for (const holder of holders) {
      if (holder.isSmall !== isSmall) continue
      lane.heldBytes += held(holder)
      if (holder.isWaiting) lane.waiting.push(holder)
      // The beginnings of those that wait are nobody's share.
      if (!isBegun(holder)) continue
      lane.clientBytes.set(holder.client, held(holder) + (lane.clientBytes.get(holder.client) ?? 0))
      if (isStaller(holder)) lane.stallersBytes += held(holder)
    }
    return lane
  }

  function budgetOf({ isSmall }: Holder): number {
    return isSmall ? rule.smallBudgetBytes : rule.largeBudgetBytes
  }

  /** The lower, the sooner. */
  function rank({ client, arrivedMs, expectedBytes }: Holder): number {
    return arrivedMs + (expectedBytes / MIB) * rule.sizeMsPerMib + stalls.of(client) * rule.stallMs
  }

  /** Whether what one holds is for another that waits: what one that did not stall gives up is for others that did not. */
  function concerns(holder: Holder, waiter: Holder): boolean {
    return isStaller(holder) || !isStaller(waiter)
  }

  /** Whether one that waits must let others pass, whatever its rank: its client holds its share, or those that stalled hold theirs. */
  function isHeldBack(holder: Holder, lane: Lane): boolean {
    if (isBegun(holder)) return false
    const ofClient = lane.clientBytes.get(holder.client) ?? 0
    if (ofClient > 0 && ofClient + holder.expectedBytes > rule.clientShare * budgetOf(holder)) {
      if (lane.waiting.some((other) => other.client !== holder.client && concerns(holder, other))) return true
    }
    if (!isStaller(holder) || clock.nowMs() - otherMs > RECENT_MS) return false
    return lane.stallersBytes > 0 && lane.stallersBytes + holder.expectedBytes > rule.stallersShare * budgetOf(holder)
  }

  /** How many wait for the same that go before this one. */
  function waitingBefore(holder: Holder, lane: Lane): number {
    const ownRank = rank(holder)
    const goesBefore = (other: Holder) => {
      const difference = rank(other) - ownRank
      return isBegun(other) || difference < 0 || (difference === 0 && other.order < holder.order)
    }
    return lane.waiting.filter((other) => other !== holder && goesBefore(other) && !isHeldBack(other, lane)).length
  }

  function forgetLost() {
    for (const holder of holders) if (clock.nowMs() - holder.heardOfMs > rule.lostMs) holders.delete(holder)
  }

  /** Looks and takes in one step: between two, another could take the same. */
  function tryTake(holder: Holder, bytes: number): boolean {
    holder.heardOfMs = clock.nowMs()
    // One that was taken for lost was not.
    holders.add(holder)
    forgetLost()
    const wantedBytes = holder.heldBytes + bytes
    if (wantedBytes > Math.max(holder.reservedBytes, rule.beginningBytes)) {
      const reservedBytes = Math.max(wantedBytes, holder.expectedBytes)
      const lane = laneOf(holder)
      if (lane.heldBytes - held(holder) + reservedBytes > budgetOf(holder)) return false
      // One that has come to more than it said goes before those that have not begun.
      if (!isBegun(holder) && (isHeldBack(holder, lane) || waitingBefore(holder, lane) > 0)) return false
      holder.reservedBytes = reservedBytes
      if (!isStaller(holder)) otherMs = clock.nowMs()
    }
    holder.heldBytes = wantedBytes
    return true
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    holder.isWaiting = true
    try {
      // The last one goes where too many wait, which need not be the one that came last.
      while (!tryTake(holder, bytes)) {
        if (holder.isGone()) throw malformed('the body is incomplete: the client has hung up')
        const before = waitingBefore(holder, laneOf(holder))
        if (clock.nowMs() >= giveUpAtMs || before >= rule.maxWaiting) throw overloaded(rule)
        // The last in a long queue need not ask as often as the first.
        await clock.wait(POLL_MS * (1 + before / 4))
      }
    } finally {
      holder.isWaiting = false
    }
  }

  function open(sender: Sender): BodyMemory {
    const nowMs = clock.nowMs()
    const isSmall = sender.expectedBytes <= rule.smallBytes
    const holder: Holder = {
      ...sender,
      arrivedMs: nowMs,
      order: ++opened,
      isSmall,
      heldBytes: 0,
      reservedBytes: 0,
      isWaiting: false,
      heardOfMs: nowMs,
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
        if (isBegun(holder)) holder.reservedBytes = Math.max(holder.heldBytes, 1)
      },
      patienceMs() {
        if (!isBegun(holder)) return Number.POSITIVE_INFINITY
        const waiting = laneOf(holder).waiting.filter((other) => concerns(holder, other)).length
        if (waiting === 0) return Number.POSITIVE_INFINITY
        const least = isStaller(holder) ? rule.leastPatienceMs : rule.patienceMs / 3
        return Math.max(least, rule.patienceMs / (1 + (waiting - 1) / rule.crowd + stalls.of(sender.client)))
      },
      noteStall: () => stalls.note(sender.client),
      close() {
        holders.delete(holder)
        for (const { buffer } of owned) if (!buffer.detached) buffer.transfer(0)
      },
    }
  }

  return {
    open,
    heldBytes() {
      let total = 0
      for (const holder of holders) total += held(holder)
      return total
    },
  }
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
