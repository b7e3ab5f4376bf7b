import { IDEMPOTENCY_MAX_WAITERS, IDEMPOTENCY_POLL_MAX_MS, IDEMPOTENCY_POLL_MS } from '../../limits.ts'
import type { IdempotencyKey } from '../../storage/schema.ts'

/** State of a key, shared by the requests of an isolate: data, since a promise of another request may never resolve. */
export interface KeyWatch {
  /** Until then another request acquires the key, or has it leased: nobody else tries to. */
  leasedUntilMs: number
  /** The row that was read last; undefined if the key was free. */
  row: IdempotencyKey | undefined
  /** Counts reads. */
  version: number
  /** Counts leases that ended in this isolate. */
  ended: number
  /** The request that reads now. */
  reader: Waiter | undefined
  intervalMs: number
  readonly waiters: Set<Waiter>
}

/** A request that waits for another with the same key. */
interface Waiter {
  client: string
  lastSeenMs: number
}

/** A clock and a way to wait by it. */
interface Timer {
  nowMs: () => number
  wait: (ms: number) => Promise<void>
}

/** A waiter that is not seen for so long was cancelled, and so was a request that has been acquiring a key for so long. */
const CANCELLED_MS = 10_000
const MAX_WATCHES = 1000

const watches = new Map<string, KeyWatch>()

/** Returns what this isolate knows of a key, by its digest. */
export function watchOf(digest: string, nowMs: number): KeyWatch {
  const known = watches.get(digest)
  if (known) return known
  if (watches.size >= MAX_WATCHES) {
    for (const [other, { leasedUntilMs, waiters }] of watches) {
      if (leasedUntilMs <= nowMs && waiters.size === 0) watches.delete(other)
    }
    const [oldest] = watches.keys()
    if (watches.size >= MAX_WATCHES && oldest !== undefined) watches.delete(oldest)
  }
  const watch: KeyWatch = {
    leasedUntilMs: 0,
    row: undefined,
    version: 0,
    ended: 0,
    reader: undefined,
    intervalMs: IDEMPOTENCY_POLL_MS,
    waiters: new Set(),
  }
  watches.set(digest, watch)
  return watch
}

/** Returns whether this request may acquire the key: no other of this isolate does, and no lease is known. */
export function mayAcquire(watch: KeyWatch, nowMs: number): boolean {
  if (nowMs < watch.leasedUntilMs) return false
  watch.leasedUntilMs = nowMs + CANCELLED_MS
  return true
}

/** Returns a row that has a response. */
export function responseOf(row: IdempotencyKey | undefined): (IdempotencyKey & { response: string }) | undefined {
  return row && row.response !== null ? { ...row, response: row.response } : undefined
}

/** Shares a row that was read, or that the key is free. */
export function shareRow(watch: KeyWatch, row: IdempotencyKey | undefined) {
  watch.row = row
  watch.version++
  watch.leasedUntilMs = row && row.response === null ? row.expiresAt : 0
}

/** Notes that this request has the lease, until it expires. */
export function noteLease(watch: KeyWatch, expiresAt: number) {
  watch.leasedUntilMs = expiresAt
  watch.intervalMs = IDEMPOTENCY_POLL_MS
}

/** Notes that this request has no lease any more, or could not get one: the next waiter that wakes reads. */
export function noteEnd(watch: KeyWatch) {
  watch.leasedUntilMs = 0
  watch.ended++
}

/** Adds a request to those that wait; undefined if as many of its client wait already. */
export function joinWaiters(watch: KeyWatch, client: string, nowMs: number): Waiter | undefined {
  let ofClient = 0
  for (const other of watch.waiters) {
    if (nowMs - other.lastSeenMs > CANCELLED_MS) watch.waiters.delete(other)
    else if (other.client === client) ofClient++
  }
  if (ofClient >= IDEMPOTENCY_MAX_WAITERS) return undefined
  const waiter = { client, lastSeenMs: nowMs }
  watch.waiters.add(waiter)
  return waiter
}

/**
 * Waits by timers of its own, and returns the row of the key: one that another waiter has read meanwhile, or else one that `read`
 * returns. So one waiter reads for all, and the next one if that was cancelled. Undefined if the key is free: that only the waiter learns
 * who has read it, so that one request acquires the key.
 */
export async function pollKey(
  watch: KeyWatch,
  waiter: Waiter,
  { nowMs, wait, giveUpAtMs }: Timer & { giveUpAtMs: number },
  read: () => Promise<IdempotencyKey | undefined>,
): Promise<{ row: IdempotencyKey | undefined; isFree: boolean }> {
  const { version, ended, reader } = watch
  // A lease that expires sooner is not waited for longer.
  const leaseMs = Math.max(watch.leasedUntilMs - nowMs(), IDEMPOTENCY_POLL_MS)
  for (
    let leftMs = Math.min(watch.intervalMs, leaseMs, giveUpAtMs - nowMs());
    leftMs > 0;
    leftMs -= IDEMPOTENCY_POLL_MS
  ) {
    await wait(Math.min(leftMs, IDEMPOTENCY_POLL_MS))
    waiter.lastSeenMs = nowMs()
    if (watch.version !== version) return { row: watch.row, isFree: false }
    if (watch.ended !== ended) break
  }
  // One that has been reading all that time was cancelled.
  if (watch.reader && watch.reader !== reader) return { row: undefined, isFree: false }
  watch.reader = waiter
  try {
    const row = await read()
    shareRow(watch, row)
    watch.intervalMs = Math.min(2 * watch.intervalMs, IDEMPOTENCY_POLL_MAX_MS)
    return { row, isFree: row === undefined }
  } finally {
    if (watch.reader === waiter) watch.reader = undefined
  }
}
