import { MIB, MINUTE_MS } from '../../units.ts'
import type { AdmissionRule } from './admission-rule.ts'
import { createStalls, STALL_SCORE } from './stalls.ts'

/** Whose body it is, and what it will come to at most. */
export interface Sender {
  client: string
  expectedBytes: number
  /** What it may come to where nobody said how long it is: once it outgrows `expectedBytes`, it waits as one of so many. */
  outgrownBytes?: number | undefined
  /** Whether the client has hung up, as far as is known. */
  isGone(): boolean
}

/** What the bodies of one client hold together of the budget that was counted last. */
interface Account {
  heldBytes: number
}

/** A body that holds memory, or waits for some. */
export interface Holder extends Sender {
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
export interface Lane {
  isSmall: boolean
  heldBytes: number
  stallersBytes: number
}

/** The bodies that wait for what one holds. */
export interface Crowd {
  waiting: number
  /** Whether one of another client has waited long. */
  hasLongWait: boolean
  /** Whether all of them are of clients that stalled. */
  areStallers: boolean
}

/** Clients that never stalled count as present if one of them was admitted within this time. */
const RECENT_MS = MINUTE_MS

/** What a body counts for: the bytes that it holds, or those that are set aside for it. */
export function countedBytes({ heldBytes, reservedBytes }: Holder): number {
  return Math.max(heldBytes, reservedBytes)
}

/** Whether a body was admitted. */
export function isBegun({ reservedBytes, isOutgrown }: Holder): boolean {
  return reservedBytes > 0 && !isOutgrown
}

/** The budget that a body has its memory of, or waits for. */
export function wantsSmall({ isSmall, isOutgrown }: Holder): boolean {
  return isSmall && !isOutgrown
}

/** The bodies of an isolate, in the order in which they are admitted (createQueue). */
export type Queue = ReturnType<typeof createQueue>

/**
 * The bodies of an isolate: what they hold, and which of those that wait goes next. They go in the order of arrival, except that
 * small ones go before large ones that have not waited long, that those of clients that stalled recently wait behind others, and
 * that a client that holds its share lets others pass.
 *
 * Fifty that wait look at each other some ten thousand times a second, so looking makes no objects: no arrays, no iterators, and no
 * numbers but small integers, of which none is an object. Half of what the heap had to be cleared of were such.
 */
export function createQueue(rule: AdmissionRule) {
  const holders: Holder[] = []
  const lane: Lane = { isSmall: false, heldBytes: 0, stallersBytes: 0 }
  const stalls = createStalls()
  let begunMs: number | undefined
  /** The time of the present look, since the first one. */
  let lookMs = 0
  let opened = 0
  /** The last client that was admitted as one that did not stall of late. */
  let lastOther = { client: '', atMs: Number.NEGATIVE_INFINITY }

  function isStaller({ client }: Holder): boolean {
    return stalls.of(client, lookMs) > 0
  }

  /** Whether clients come that did not stall. */
  function othersCome(): boolean {
    return lookMs - lastOther.atMs <= RECENT_MS && stalls.of(lastOther.client, lookMs) === 0
  }

  function holderAt(i: number): Holder {
    const holder = holders[i]
    if (!holder) throw new Error('there are no more')
    return holder
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

  function behindMsOf(bytes: number): number {
    return Math.round((bytes / MIB) * rule.sizeMsPerMib)
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

  function forget(holder: Holder) {
    const at = holders.indexOf(holder)
    if (at >= 0) holders.splice(at, 1)
  }

  return {
    budgetOf,
    isStaller,
    othersCome,
    isHeldBack,
    forget,

    /** Begins a look: what follows goes by this time, which it gives in milliseconds since the first look. */
    look(clockMs: number): number {
      begunMs ??= clockMs
      lookMs = Math.trunc(clockMs - begunMs)
      return lookMs
    },

    /** Adds a body, which holds nothing yet. */
    add(sender: Sender): Holder {
      const holder: Holder = {
        ...sender,
        account: holders.find(({ client }) => client === sender.client)?.account ?? { heldBytes: 0 },
        arrivedMs: lookMs,
        behindMs: behindMsOf(sender.expectedBytes),
        order: ++opened,
        isSmall: sender.expectedBytes <= rule.smallBytes,
        isOutgrown: false,
        heldBytes: 0,
        reservedBytes: 0,
        waitingSinceMs: undefined,
        heardOfMs: lookMs,
      }
      holders.push(holder)
      return holder
    },

    /** Hears of a body: it comes back if it was taken for lost, and others are forgotten that are. */
    hearOf(holder: Holder) {
      holder.heardOfMs = lookMs
      if (!holders.includes(holder)) holders.push(holder)
      this.forgetLost()
    },

    /** Forgets bodies that were not heard of for so long that their requests must have been cancelled. */
    forgetLost() {
      const lostMs = lookMs - rule.lostMs
      for (let i = holders.length - 1; i >= 0; i--) if (holderAt(i).heardOfMs < lostMs) holders.splice(i, 1)
    },

    /** Has a body wait as one of so many bytes. */
    expect(holder: Holder, bytes: number) {
      holder.expectedBytes = bytes
      holder.behindMs = behindMsOf(bytes)
    },

    /** Notes that a body was admitted. */
    noteAdmitted(holder: Holder) {
      if (!isStaller(holder)) lastOther = { client: holder.client, atMs: lookMs }
    },

    /** Notes that a client stood still, or hung up. */
    noteStall: ({ client }: Holder) => stalls.note(client, lookMs),

    /** How often a client stalled of late, the older the less. */
    stallsOf: ({ client }: Holder) => stalls.of(client, lookMs) / STALL_SCORE,

    /** Counts the budget of small bodies, or of large ones. What it gives holds until the next count. */
    countLane(isSmall: boolean): Lane {
      lane.isSmall = isSmall
      lane.heldBytes = 0
      lane.stallersBytes = 0
      for (let i = 0; i < holders.length; i++) holderAt(i).account.heldBytes = 0
      for (let i = 0; i < holders.length; i++) {
        const holder = holderAt(i)
        if (holder.isSmall !== isSmall) continue
        lane.heldBytes += countedBytes(holder)
        // The beginnings of waiting bodies do not count for their clients.
        if (!isBegun(holder)) continue
        holder.account.heldBytes += countedBytes(holder)
        if (isStaller(holder)) lane.stallersBytes += countedBytes(holder)
      }
      return lane
    },

    /** How many waiting bodies of the same budget go before this one. */
    waitingBefore(holder: Holder, lane: Lane): number {
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
    },

    /** Whether any small body waits. */
    doSmallWait: () => holders.some((other) => waitsIn(true, other)),

    /** Those that wait and may have what this body holds. */
    crowdOf(holder: Holder): Crowd {
      const longSinceMs = lookMs - rule.pressedAfterMs
      let waiting = 0
      let hasLongWait = false
      let areStallers = true
      for (let i = 0; i < holders.length; i++) {
        const other = holderAt(i)
        if (!waitsIn(holder.isSmall, other) || !concerns(holder, other)) continue
        waiting++
        const isOther = other.client !== holder.client
        if (isOther && (other.waitingSinceMs ?? longSinceMs + 1) <= longSinceMs) hasLongWait = true
        if (!isStaller(other)) areStallers = false
      }
      return { waiting, hasLongWait, areStallers }
    },

    /** What all bodies count for, in bytes. */
    totalBytes: () => holders.reduce((total, holder) => total + countedBytes(holder), 0),

    /** How many bodies wait. */
    waiting: () => holders.filter(({ waitingSinceMs }) => waitingSinceMs !== undefined).length,
  }
}
