import { release } from '../../bytes.ts'
import { Failure } from '../../domain/failure.ts'
import { MIB } from '../../units.ts'
import { malformed } from './malformed.ts'
import { createStalls } from './stalls.ts'

/** How the bodies of an isolate share its memory, and how long one waits for some. */
export interface AdmissionRule {
  /** What all small bodies may hold together. They never wait for large ones. */
  smallBudgetBytes: number
  /** The largest expected size of a small body. */
  smallBytes: number
  /** What all other bodies may hold together. */
  largeBudgetBytes: number
  /** How much of a body is read before it is admitted, so that a sender of nothing takes no room from others. */
  beginningBytes: number
  /** The share of a budget that one client may hold while others wait, from 0 to 1. */
  clientShare: number
  /** The share of a budget that all clients that stalled recently may hold together, as long as others come. */
  stallersShare: number
  /**
   * How far a sender may fall behind `slowBytesPerMs` while one other body waits. It shrinks to a third of that with the number of
   * waiting bodies, and further for a client that stalled recently.
   */
  patienceMs: number
  /** How fast a body must come while others wait for its memory. */
  slowBytesPerMs: number
  /** How fast once a body of another client has waited for `pressedAfterMs`, and always for a client that stalled recently. */
  pressedBytesPerMs: number
  pressedAfterMs: number
  /** The least patience with a client that stalled recently. */
  leastPatienceMs: number
  /** With this many more waiting bodies, the patience is halved. */
  crowd: number
  /** For each MiB of its size, a body lets those pass that came this much later. */
  sizeMsPerMib: number
  /** For each recent stall of its client, a body lets those pass that came this much later. */
  stallMs: number
  /** How long a body waits for memory. */
  waitMs: number
  /** How many bodies may wait before one; the others are refused. */
  maxWaiting: number
  /** When the sender of a refused body may come again. */
  retryAfterS: number
  /** A body that has not asked for memory, nor given any back, for this long belongs to a request that was cancelled. */
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
  /** What it may come to where nobody said how long it is: once it outgrows `expectedBytes`, it waits as one of so many. */
  outgrownBytes?: number | undefined
  /** Whether the client has hung up, as far as is known. */
  isGone(): boolean
}

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

interface Holder extends Sender {
  arrivedMs: number
  /** The order of arrival, for bodies that came in the same millisecond. */
  order: number
  /** The budget that it is counted in. */
  isSmall: boolean
  /** Whether it has outgrown the small budget, where it stays until the large one has room for it. */
  isOutgrown: boolean
  heldBytes: number
  /** What is set aside for it in its budget, for bytes that came or will come; 0 until it is admitted. */
  reservedBytes: number
  waitingSinceMs: number | undefined
  heardOfMs: number
}

/** The state of a budget: what is held in all, by each client and by clients that stalled recently, and which bodies wait. */
interface Lane {
  heldBytes: number
  clientBytes: Map<string, number>
  stallersBytes: number
  waiting: Holder[]
}

const POLL_MS = 20
/** Clients that never stalled count as present if one of them was admitted within this time. */
const RECENT_MS = 60_000

/**
 * A body is admitted as a whole: its expected size is reserved before more than its beginning is read, so that it can always be
 * read to its end and no two bodies wait for each other. Bodies that find no room wait unread, in the order of arrival, except that
 * small ones go before large ones that have not waited long, that those of clients that stalled recently wait behind others, and
 * that a client that holds its share lets others pass.
 *
 * Each body polls with its own timer: in workerd, a promise that another request resolves may never settle once one of the two
 * requests is cancelled.
 */
export function createAdmission(rule: AdmissionRule, clock: AdmissionClock): Admission {
  const holders = new Set<Holder>()
  const stalls = createStalls(clock.nowMs)
  let opened = 0
  /** The last client that was admitted as one that did not stall of late. */
  let lastOther = { client: '', atMs: Number.NEGATIVE_INFINITY }

  const held = ({ heldBytes, reservedBytes }: Holder) => Math.max(heldBytes, reservedBytes)
  const isBegun = ({ reservedBytes, isOutgrown }: Holder) => reservedBytes > 0 && !isOutgrown
  /** The budget that it has its memory of, or waits for. */
  const wantsSmall = ({ isSmall, isOutgrown }: Holder) => isSmall && !isOutgrown
  const isStaller = ({ client }: Holder) => stalls.of(client) > 0

  const othersCome = () => clock.nowMs() - lastOther.atMs <= RECENT_MS && stalls.of(lastOther.client) === 0

  /** The state of the budget of small bodies, or of large ones. */
  function laneOf(isSmall: boolean): Lane {
    const lane: Lane = { heldBytes: 0, clientBytes: new Map(), stallersBytes: 0, waiting: [] }
    for (const holder of holders) {
      if (holder.waitingSinceMs !== undefined && wantsSmall(holder) === isSmall) lane.waiting.push(holder)
      if (holder.isSmall !== isSmall) continue
      lane.heldBytes += held(holder)
      // The beginnings of waiting bodies do not count for their clients.
      if (!isBegun(holder)) continue
      lane.clientBytes.set(holder.client, held(holder) + (lane.clientBytes.get(holder.client) ?? 0))
      if (isStaller(holder)) lane.stallersBytes += held(holder)
    }
    return lane
  }

  function budgetOf(holder: Holder): number {
    return wantsSmall(holder) ? rule.smallBudgetBytes : rule.largeBudgetBytes
  }

  /** The place of a body in the queue: the lowest goes first. */
  function rank({ client, arrivedMs, expectedBytes }: Holder): number {
    return arrivedMs + (expectedBytes / MIB) * rule.sizeMsPerMib + stalls.of(client) * rule.stallMs
  }

  /** Whether a waiting body may have what another holds: a client that stalled has no claim on one that did not. */
  function concerns(holder: Holder, waiter: Holder): boolean {
    return isStaller(holder) || !isStaller(waiter)
  }

  /** Whether a body must let others pass whatever its rank, since its client, or all clients that stalled, hold their share. */
  function isHeldBack(holder: Holder, lane: Lane): boolean {
    if (isBegun(holder)) return false
    const ofClient = lane.clientBytes.get(holder.client) ?? 0
    if (ofClient > 0 && ofClient + holder.expectedBytes > rule.clientShare * budgetOf(holder)) {
      if (lane.waiting.some((other) => other.client !== holder.client && concerns(holder, other))) return true
    }
    if (!isStaller(holder) || !othersCome()) return false
    return lane.stallersBytes > 0 && lane.stallersBytes + holder.expectedBytes > rule.stallersShare * budgetOf(holder)
  }

  /** How many waiting bodies of the same budget go before this one. */
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

  /** Checks and takes without an await between: otherwise another body could take the same memory. */
  function tryTake(holder: Holder, bytes: number): boolean {
    holder.heardOfMs = clock.nowMs()
    // It may have been taken for lost.
    holders.add(holder)
    forgetLost()
    const wantedBytes = holder.heldBytes + bytes
    if (wantedBytes > Math.max(holder.reservedBytes, rule.beginningBytes)) {
      if (holder.outgrownBytes !== undefined && wantedBytes > holder.expectedBytes) {
        holder.isOutgrown = holder.isSmall
        holder.expectedBytes = holder.outgrownBytes
      }
      const reservedBytes = Math.max(wantedBytes, holder.expectedBytes)
      const lane = laneOf(wantsSmall(holder))
      const countedBytes = holder.isOutgrown ? 0 : held(holder)
      if (lane.heldBytes - countedBytes + reservedBytes > budgetOf(holder)) return false
      // A body that comes to more than it said goes before those that were not admitted yet.
      if (!isBegun(holder) && (isHeldBack(holder, lane) || waitingBefore(holder, lane) > 0)) return false
      if (holder.isOutgrown) Object.assign(holder, { isSmall: false, isOutgrown: false })
      holder.reservedBytes = reservedBytes
      if (!isStaller(holder)) lastOther = { client: holder.client, atMs: clock.nowMs() }
    }
    holder.heldBytes = wantedBytes
    return true
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    const giveUpAtMs = clock.nowMs() + rule.waitMs
    holder.waitingSinceMs = clock.nowMs()
    try {
      // Where too many wait, the last in the queue is refused, which need not be the newest.
      while (!tryTake(holder, bytes)) {
        if (holder.isGone()) throw malformed('the body is incomplete: the client has hung up')
        const before = waitingBefore(holder, laneOf(wantsSmall(holder)))
        // Small bodies do not wait for one that waits for large ones.
        const isInTheWay = holder.isOutgrown && laneOf(true).waiting.length > 0
        if (clock.nowMs() >= giveUpAtMs || before >= rule.maxWaiting || isInTheWay) throw overloaded(rule)
        // The back of a long queue polls less often than its front.
        await clock.wait(POLL_MS * (1 + before / 4))
      }
    } finally {
      holder.waitingSinceMs = undefined
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
      isOutgrown: false,
      heldBytes: 0,
      reservedBytes: 0,
      waitingSinceMs: undefined,
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
      demand() {
        if (!isBegun(holder)) return undefined
        const waiting = laneOf(holder.isSmall).waiting.filter((other) => concerns(holder, other))
        if (waiting.length === 0) return undefined
        const isLongWait = ({ client, waitingSinceMs = Number.POSITIVE_INFINITY }: Holder) =>
          client !== holder.client && clock.nowMs() - waitingSinceMs >= rule.pressedAfterMs
        const isPressed = isStaller(holder) || waiting.some(isLongWait)
        const bytesPerMs = isPressed ? rule.pressedBytesPerMs : rule.slowBytesPerMs
        // Each body of those that stalled costs the time to read it: where they hold up none but themselves, they may be slow.
        if (isStaller(holder) && othersCome() && waiting.every(isStaller)) {
          return { bytesPerMs, patienceMs: rule.patienceMs }
        }
        const leastMs = isStaller(holder) ? rule.leastPatienceMs : rule.patienceMs / 3
        const shrunkBy = 1 + (waiting.length - 1) / rule.crowd + stalls.of(sender.client)
        return { bytesPerMs, patienceMs: Math.max(leastMs, rule.patienceMs / shrunkBy) }
      },
      noteStall: () => stalls.note(sender.client),
      close() {
        holders.delete(holder)
        for (const bytes of owned) release(bytes)
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
    waiting() {
      forgetLost()
      return [...holders].filter(({ waitingSinceMs }) => waitingSinceMs !== undefined).length
    },
  }
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
