import { release } from '../../bytes.ts'
import { Failure } from '../../domain/failure.ts'
import { MIB } from '../../units.ts'
import { malformed } from './malformed.ts'
import { createStalls, STALL_SCORE } from './stalls.ts'

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

/** What the bodies of one client hold together of the budget that was counted last. */
interface Account {
  heldBytes: number
}

interface Holder extends Sender {
  account: Account
  arrivedMs: number
  /** It lets those pass that came this much later, for its size. */
  behindMs: number
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

/** The state of a budget: what is held in all and by clients that stalled recently. Each client's account has what that one holds. */
interface Lane {
  isSmall: boolean
  heldBytes: number
  stallersBytes: number
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
 * requests is cancelled. Fifty that wait look at each other some ten thousand times a second, so looking makes no objects: no arrays,
 * no iterators, and no numbers but small integers, of which none is an object. Half of what the heap had to be cleared of were such.
 */
export function createAdmission(rule: AdmissionRule, clock: AdmissionClock): Admission {
  const holders: Holder[] = []
  const lane: Lane = { isSmall: false, heldBytes: 0, stallersBytes: 0 }
  const stalls = createStalls()
  let begunMs: number | undefined
  /** The time of the present look, since the first body. */
  let lookMs = 0
  let opened = 0
  /** The last client that was admitted as one that did not stall of late. */
  let lastOther = { client: '', atMs: Number.NEGATIVE_INFINITY }

  /** Begins a look: what follows goes by this time. */
  function nowMs(): number {
    const ms = clock.nowMs()
    begunMs ??= ms
    lookMs = Math.trunc(ms - begunMs)
    return lookMs
  }

  const held = ({ heldBytes, reservedBytes }: Holder) => Math.max(heldBytes, reservedBytes)
  const isBegun = ({ reservedBytes, isOutgrown }: Holder) => reservedBytes > 0 && !isOutgrown
  /** The budget that it has its memory of, or waits for. */
  const wantsSmall = ({ isSmall, isOutgrown }: Holder) => isSmall && !isOutgrown
  const isStaller = ({ client }: Holder) => stalls.of(client, lookMs) > 0

  const othersCome = () => lookMs - lastOther.atMs <= RECENT_MS && stalls.of(lastOther.client, lookMs) === 0

  function holderAt(i: number): Holder {
    const holder = holders[i]
    if (!holder) throw new Error('there are no more')
    return holder
  }

  /** Counts the budget of small bodies, or of large ones. What it gives holds until the next count. */
  function countLane(isSmall: boolean): Lane {
    lane.isSmall = isSmall
    lane.heldBytes = 0
    lane.stallersBytes = 0
    for (let i = 0; i < holders.length; i++) holderAt(i).account.heldBytes = 0
    for (let i = 0; i < holders.length; i++) {
      const holder = holderAt(i)
      if (holder.isSmall !== isSmall) continue
      lane.heldBytes += held(holder)
      // The beginnings of waiting bodies do not count for their clients.
      if (!isBegun(holder)) continue
      holder.account.heldBytes += held(holder)
      if (isStaller(holder)) lane.stallersBytes += held(holder)
    }
    return lane
  }

  function waitsIn(isSmall: boolean, holder: Holder): boolean {
    return holder.waitingSinceMs !== undefined && wantsSmall(holder) === isSmall
  }

  function budgetOf(holder: Holder): number {
    return wantsSmall(holder) ? rule.smallBudgetBytes : rule.largeBudgetBytes
  }

  /** The place of a body in the queue: the lowest goes first. */
  function rank({ client, arrivedMs, behindMs }: Holder): number {
    return arrivedMs + behindMs + Math.trunc((stalls.of(client, lookMs) * rule.stallMs) / STALL_SCORE)
  }

  /** Whether a waiting body may have what another holds: a client that stalled has no claim on one that did not. */
  function concerns(holder: Holder, waiter: Holder): boolean {
    return isStaller(holder) || !isStaller(waiter)
  }

  function othersWait(holder: Holder, isSmall: boolean): boolean {
    for (let i = 0; i < holders.length; i++) {
      const other = holderAt(i)
      if (waitsIn(isSmall, other) && other.client !== holder.client && concerns(holder, other)) return true
    }
    return false
  }

  /** Whether a body must let others pass whatever its rank, since its client, or all clients that stalled, hold their share. */
  function isHeldBack(holder: Holder, { isSmall, stallersBytes }: Lane): boolean {
    if (isBegun(holder)) return false
    const ofClient = holder.account.heldBytes
    if (ofClient > 0 && ofClient + holder.expectedBytes > rule.clientShare * budgetOf(holder)) {
      if (othersWait(holder, isSmall)) return true
    }
    if (stallersBytes === 0 || !isStaller(holder) || !othersCome()) return false
    return stallersBytes + holder.expectedBytes > rule.stallersShare * budgetOf(holder)
  }

  /** How many waiting bodies of the same budget go before this one. */
  function waitingBefore(holder: Holder, lane: Lane): number {
    const ownRank = rank(holder)
    let before = 0
    for (let i = 0; i < holders.length; i++) {
      const other = holderAt(i)
      if (other === holder || !waitsIn(lane.isSmall, other)) continue
      const difference = isBegun(other) ? -1 : rank(other) - ownRank
      if (difference > 0 || (difference === 0 && other.order > holder.order)) continue
      if (!isHeldBack(other, lane)) before++
    }
    return before
  }

  function remember(holder: Holder) {
    if (!holders.includes(holder)) holders.push(holder)
  }

  function forget(holder: Holder) {
    const at = holders.indexOf(holder)
    if (at >= 0) holders.splice(at, 1)
  }

  function forgetLost() {
    const lostMs = lookMs - rule.lostMs
    for (let i = holders.length - 1; i >= 0; i--) if (holderAt(i).heardOfMs < lostMs) holders.splice(i, 1)
  }

  function expectBytes(holder: Holder, bytes: number) {
    holder.expectedBytes = bytes
    holder.behindMs = behindMsOf(bytes)
  }

  function behindMsOf(bytes: number): number {
    return Math.round((bytes / MIB) * rule.sizeMsPerMib)
  }

  /** Checks and takes without an await between: otherwise another body could take the same memory. */
  function tryTake(holder: Holder, bytes: number): boolean {
    holder.heardOfMs = nowMs()
    // It may have been taken for lost.
    remember(holder)
    forgetLost()
    const wantedBytes = holder.heldBytes + bytes
    if (wantedBytes > Math.max(holder.reservedBytes, rule.beginningBytes)) {
      if (holder.outgrownBytes !== undefined && wantedBytes > holder.expectedBytes) {
        holder.isOutgrown = holder.isSmall
        expectBytes(holder, holder.outgrownBytes)
      }
      const reservedBytes = Math.max(wantedBytes, holder.expectedBytes)
      const lane = countLane(wantsSmall(holder))
      const countedBytes = holder.isOutgrown ? 0 : held(holder)
      if (lane.heldBytes - countedBytes + reservedBytes > budgetOf(holder)) return false
      // A body that comes to more than it said goes before those that were not admitted yet.
      if (!isBegun(holder) && (isHeldBack(holder, lane) || waitingBefore(holder, lane) > 0)) return false
      if (holder.isOutgrown) Object.assign(holder, { isSmall: false, isOutgrown: false })
      holder.reservedBytes = reservedBytes
      if (!isStaller(holder)) lastOther = { client: holder.client, atMs: lookMs }
    }
    holder.heldBytes = wantedBytes
    return true
  }

  async function waitForRoom(holder: Holder, bytes: number) {
    holder.waitingSinceMs = nowMs()
    const giveUpAtMs = holder.waitingSinceMs + rule.waitMs
    try {
      // Where too many wait, the last in the queue is refused, which need not be the newest.
      while (!tryTake(holder, bytes)) {
        if (holder.isGone()) throw malformed('the body is incomplete: the client has hung up')
        const isLate = nowMs() >= giveUpAtMs
        const before = waitingBefore(holder, countLane(wantsSmall(holder)))
        // Small bodies do not wait for one that waits for large ones.
        const isInTheWay = holder.isOutgrown && holders.some((other) => waitsIn(true, other))
        if (isLate || before >= rule.maxWaiting || isInTheWay) throw overloaded(rule)
        // The back of a long queue polls less often than its front.
        await clock.wait(POLL_MS * (1 + before / 4))
      }
    } finally {
      holder.waitingSinceMs = undefined
    }
  }

  /** How many bodies wait that may have what one holds, whether one of another client has waited long, and whether all have stalled. */
  function crowdOf(holder: Holder): { waiting: number; hasLongWait: boolean; areStallers: boolean } {
    const longSinceMs = lookMs - rule.pressedAfterMs
    let waiting = 0
    let hasLongWait = false
    let areStallers = true
    for (let i = 0; i < holders.length; i++) {
      const other = holderAt(i)
      if (!waitsIn(holder.isSmall, other) || !concerns(holder, other)) continue
      waiting++
      if (other.client !== holder.client && (other.waitingSinceMs ?? longSinceMs + 1) <= longSinceMs) hasLongWait = true
      if (!isStaller(other)) areStallers = false
    }
    return { waiting, hasLongWait, areStallers }
  }

  function open(sender: Sender): BodyMemory {
    const arrivedMs = nowMs()
    const isSmall = sender.expectedBytes <= rule.smallBytes
    const holder: Holder = {
      ...sender,
      account: holders.find(({ client }) => client === sender.client)?.account ?? { heldBytes: 0 },
      arrivedMs,
      behindMs: behindMsOf(sender.expectedBytes),
      order: ++opened,
      isSmall,
      isOutgrown: false,
      heldBytes: 0,
      reservedBytes: 0,
      waitingSinceMs: undefined,
      heardOfMs: arrivedMs,
    }
    const owned: Uint8Array<ArrayBuffer>[] = []
    holders.push(holder)
    return {
      async take(bytes) {
        if (!tryTake(holder, bytes)) await waitForRoom(holder, bytes)
      },
      give(bytes) {
        holder.heldBytes -= bytes
        holder.heardOfMs = nowMs()
      },
      own: (bytes) => owned.push(bytes),
      settle() {
        if (isBegun(holder)) holder.reservedBytes = Math.max(holder.heldBytes, 1)
      },
      demand() {
        if (!isBegun(holder)) return undefined
        nowMs()
        const crowd = crowdOf(holder)
        if (crowd.waiting === 0) return undefined
        const bytesPerMs = isStaller(holder) || crowd.hasLongWait ? rule.pressedBytesPerMs : rule.slowBytesPerMs
        // Each body of those that stalled costs the time to read it: where they hold up none but themselves, they may be slow.
        if (isStaller(holder) && crowd.areStallers && othersCome()) return { bytesPerMs, patienceMs: rule.patienceMs }
        const leastMs = isStaller(holder) ? rule.leastPatienceMs : rule.patienceMs / 3
        const shrunkBy = 1 + (crowd.waiting - 1) / rule.crowd + stalls.of(sender.client, lookMs) / STALL_SCORE
        return { bytesPerMs, patienceMs: Math.max(leastMs, rule.patienceMs / shrunkBy) }
      },
      noteStall: () => stalls.note(sender.client, nowMs()),
      close() {
        forget(holder)
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
      nowMs()
      forgetLost()
      return holders.filter(({ waitingSinceMs }) => waitingSinceMs !== undefined).length
    },
  }
}

function overloaded({ retryAfterS }: AdmissionRule): Failure {
  return new Failure('overloaded', `the service is busy with other uploads: try again in ${retryAfterS} s`, retryAfterS)
}
