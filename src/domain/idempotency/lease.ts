import {
  IDEMPOTENCY_FORWARD_LIFETIME_MS,
  IDEMPOTENCY_LEASE_MAX_MS,
  IDEMPOTENCY_LEASE_MS,
  IDEMPOTENCY_RENEWAL_MS,
  IDEMPOTENCY_RESPONSE_LIFETIME_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../../limits.ts'
import {
  acquireKey,
  forwardKey,
  type KeyLease,
  readKey,
  releaseKey,
  renewLease,
  type SealedResponse,
} from '../../storage/content/leases.ts'
import type { IdempotencyKey } from '../../storage/schema.ts'
import { homeOf, onFirstAvailable, type Shard, type Store, shardAt } from '../../storage/store.ts'
import { SECOND_MS } from '../../units.ts'
import { Failure } from '../failure.ts'
import { digestOf } from '../ids/digest.ts'
import type { ProblemLogger } from '../problem-logger.ts'
import type { SentFile } from '../sent-file.ts'
import {
  joinWaiters,
  type KeyWatch,
  mayAcquire,
  noteEnd,
  noteLease,
  pollKey,
  responseOf,
  shareRow,
  watchOf,
} from './key-watch.ts'
import { createLeaseId, fingerprint, keyDigest, openResponse, sealResponse } from './sealed-response.ts'

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  key: string
  operation: string
  /** The network of the client, of which a few requests may wait. */
  client?: string
}

/** The fields of a request: with the operation, they make it this request. */
export interface Fields {
  texts: ReadonlyMap<string, string>
  files: ReadonlyMap<string, SentFile>
}

/** A clock, two ways to wait by it, and the log. */
export interface Surroundings {
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  /** Calls `act` at this interval, and returns a function that stops it. */
  every: (ms: number, act: () => void) => () => void
  logProblem: ProblemLogger
}

/** Encrypts the response to a request, for the transaction that records what the request did. Undefined without a key. */
export type Seal<Made> = (made: Made) => Promise<SealedResponse | undefined>

/** A key that is bound to its request. */
export interface Bound {
  /** The response of an earlier request: this request must return it, and do nothing. */
  stored: string | undefined
  /** The shards to try for the record of this request: with a key, the one that the lease is on. */
  shards: Iterable<Shard>
}

/**
 * The exclusive, expiring right to process an Idempotency-Key, or the finding that its request was processed before. It renews itself
 * until it is disposed of, and disposal frees the key of a request that is not complete.
 */
export interface Lease extends AsyncDisposable {
  /** Whether the key has a response: then nothing is leased. */
  readonly isStored: boolean
  /**
   * Binds the key to this request, and moves the lease to the first of these shards that is available. Throws `idempotency_key_reused`
   * if the key has the response of another request.
   */
  bind(fields: Fields, shards: Iterable<Shard>): Promise<Bound>
  /** Seals the response under the key. */
  seal: Seal<string>
  /** Says that the request is recorded, with its response. */
  complete(): void
  /**
   * Returns, after disposal, the response that a failed request must return instead of its error; undefined if there is
   * none. Either another request took the lease over, or the response is stored although the reply was lost.
   */
  storedInstead(): Promise<string | undefined>
}

/** The lease of a request without an Idempotency-Key: nothing is leased, and nothing is sealed. */
export const NO_LEASE: Lease = {
  isStored: false,
  bind: async (_, shards) => ({ stored: undefined, shards }),
  seal: async () => undefined,
  complete() {},
  storedInstead: async () => undefined,
  async [Symbol.asyncDispose]() {},
}

/**
 * Acquires the lease of an Idempotency-Key, or finds the stored response. Of the requests with a key, one does the
 * work, and the others wait and return its response, for 24 hours. Only responses are stored: a request that fails
 * frees its key.
 *
 * Every key is leased on shard 0. A request that is recorded on another shard leases it there too, and leaves a
 * forwarding record on shard 0 (docs/scaling.md#idempotency-keys).
 *
 * Throws `request_in_progress` if the response takes too long, or if IDEMPOTENCY_MAX_WAITERS requests of the client
 * already wait.
 */
export async function acquireLease(store: Store, request: KeyedRequest, surroundings: Surroundings): Promise<Lease> {
  const digest = await keyDigest(request.key)
  const watch = watchOf(digest, surroundings.nowMs())
  const keyed: Keyed = { ...request, ...surroundings, store, digest, watch, giveUpAtMs: undefined }
  const turn = mayAcquire(watch, surroundings.nowMs()) ? await tryAcquire(keyed) : undefined
  return leaseOf(keyed, turn ?? (await waitForTurn(keyed)))
}

/** A request with its key, and what this isolate knows of that. */
interface Keyed extends KeyedRequest, Surroundings {
  store: Store
  digest: string
  watch: KeyWatch
  /** The end of all waiting; undefined until the request begins to wait. */
  giveUpAtMs: number | undefined
}

/** A lease that this request has. */
interface Held {
  lease: KeyLease
  /** The shards that it is on: shard 0, and the one it moved to. */
  shards: Shard[]
  stopRenewal: () => void
}

/** The end of waiting: this request has the lease, or another one has stored its response. */
type Turn = { held: Held; stored?: undefined } | { held?: undefined; stored: StoredResponse }

/** A row of a key that has a response. */
type StoredResponse = IdempotencyKey & { response: string }

function leaseOf(keyed: Keyed, first: Turn): Lease {
  let { held, stored }: { held?: Held | undefined; stored?: StoredResponse | undefined } = first
  let description: string | undefined
  let isComplete = false
  let wasTaken = false
  return {
    get isStored() {
      return stored !== undefined
    },

    async bind(fields, shards) {
      description = await describe(keyed.operation, fields)
      let candidates = shards
      while (held) {
        const { shard, isLeased } = await move(keyed, held, candidates)
        if (isLeased) return { stored: undefined, shards: [shard] }
        candidates = [shard]
        held = undefined
        ;({ held, stored } = await waitForTurn(keyed))
      }
      return { stored: stored && (await open(keyed, stored, description)), shards: [] }
    },

    async seal(response) {
      if (!held || description === undefined) throw new Error('a response is sealed for a key that is not leased')
      const { digest, leaseId } = held.lease
      return {
        digest,
        leaseId,
        fingerprint: await fingerprint(keyed.key, leaseId, description),
        response: await sealResponse(keyed.key, leaseId, response),
        expiresAt: keyed.nowMs() + IDEMPOTENCY_RESPONSE_LIFETIME_MS,
      }
    },

    complete() {
      isComplete = true
    },

    async storedInstead() {
      if (!wasTaken || description === undefined) return undefined
      const turn = await waitForTurn(keyed)
      if (turn.stored) return open(keyed, turn.stored, description)
      await release(keyed, turn.held)
      return undefined
    },

    async [Symbol.asyncDispose]() {
      if (!held) return
      if (isComplete) endRenewal(keyed, held)
      else wasTaken = !(await release(keyed, held))
      held = undefined
    },
  }
}

/** Acquires the lease on shard 0, or finds the response; undefined while another request has the lease. */
async function tryAcquire(keyed: Keyed): Promise<Turn | undefined> {
  const { store, watch, digest, nowMs } = keyed
  const home = homeOf(store)
  const lease = newLease(digest, nowMs())
  let isOurs = true
  try {
    const current = await acquireKey(home, lease, nowMs())
    isOurs = current.leaseId === lease.leaseId
    if (isOurs) return { held: hold(keyed, lease, [home]) }
    const row = current.shard === null ? current : await follow(store, current, nowMs())
    shareRow(watch, row)
    return storedIn(row)
  } catch (error) {
    if (isOurs) noteEnd(watch)
    throw error
  }
}

/** Waits until this request acquires the lease, or another one has stored its response. Throws `request_in_progress`. */
async function waitForTurn(keyed: Keyed): Promise<Turn> {
  const { store, watch, client = '', digest, nowMs, wait } = keyed
  const waiter = joinWaiters(watch, client, nowMs())
  if (!waiter) throw stillInProgress(watch.intervalMs)
  keyed.giveUpAtMs ??= nowMs() + IDEMPOTENCY_WAIT_MS
  const { giveUpAtMs } = keyed
  try {
    for (;;) {
      const { row, isFree } = await pollKey(watch, waiter, { nowMs, wait, giveUpAtMs }, () =>
        readFollowing(store, digest, nowMs()),
      )
      const turn = isFree && mayAcquire(watch, nowMs()) ? await tryAcquire(keyed) : storedIn(row)
      if (turn) return turn
      if (nowMs() >= giveUpAtMs) throw stillInProgress(watch.intervalMs)
    }
  } finally {
    watch.waiters.delete(waiter)
  }
}

function storedIn(row: IdempotencyKey | undefined): Turn | undefined {
  const stored = responseOf(row)
  return stored && { stored }
}

/** Decrypts a stored response. Throws `idempotency_key_reused` if it is that of another request. */
async function open({ key }: Keyed, { leaseId, response, ...row }: StoredResponse, description: string) {
  if (row.fingerprint !== (await fingerprint(key, leaseId, description))) throw new Failure('idempotency_key_reused')
  return openResponse(key, leaseId, response)
}

/** Renews the lease on the last of its shards, until the renewal is stopped or the request takes too long. */
function hold(keyed: Keyed, lease: KeyLease, shards: Shard[]): Held {
  const { watch, nowMs, every, logProblem } = keyed
  noteLease(watch, lease.expiresAt)
  const lastMs = nowMs() + IDEMPOTENCY_LEASE_MAX_MS
  const held: Held = { lease, shards, stopRenewal: () => {} }
  held.stopRenewal = every(IDEMPOTENCY_RENEWAL_MS, () => {
    const shard = held.shards.at(-1)
    const expiresAt = nowMs() + IDEMPOTENCY_LEASE_MS
    if (!shard || nowMs() >= lastMs) return
    noteLease(watch, expiresAt)
    renewLease(shard, lease, expiresAt).catch((error) => logProblem('renew the lease of an Idempotency-Key', error))
  })
  return held
}

/**
 * Acquires the key on the first available of these shards too, and then leaves the forwarding record on shard 0. In
 * this order, a request that finds the record finds the lease.
 *
 * The shard is not leased if either is impossible, because another request held the key before, or holds it by now.
 * Then the key is released, or leads to its response.
 */
async function move(keyed: Keyed, held: Held, shards: Iterable<Shard>): Promise<{ shard: Shard; isLeased: boolean }> {
  const { store, nowMs } = keyed
  const home = homeOf(store)
  const lease = { ...held.lease, expiresAt: nowMs() + IDEMPOTENCY_LEASE_MS }
  const { shard, row } = await onFirstAvailable(shards, async (tried) => ({
    shard: tried,
    row: tried === home ? undefined : await acquireKey(tried, lease, nowMs()),
  }))
  if (!row) return { shard, isLeased: true }
  const isOurs = row.leaseId === lease.leaseId
  if (isOurs) held.shards.push(shard)
  // A response that shard 0 does not know of is from after the backup that shard 0 was restored from.
  const isThere = isOurs || row.response !== null
  if (isThere && (await forwardKey(home, lease, shard.number, nowMs() + IDEMPOTENCY_FORWARD_LIFETIME_MS))) {
    if (!isOurs) endRenewal(keyed, held)
    return { shard, isLeased: isOurs }
  }
  await release(keyed, held)
  return { shard, isLeased: false }
}

/**
 * Frees the key, unless another request has taken it over, or there is a response after all: then it returns false. A key that cannot
 * be freed now is free when the lease expires, so that is no error of the request.
 */
async function release(keyed: Keyed, held: Held): Promise<boolean> {
  endRenewal(keyed, held)
  for (const shard of held.shards.toReversed()) {
    const isFree = await releaseKey(shard, held.lease).catch((error) => {
      keyed.logProblem('release an Idempotency-Key', error)
      return true
    })
    if (!isFree) return false
  }
  return true
}

function endRenewal({ watch }: Keyed, held: Held): void {
  held.stopRenewal()
  noteEnd(watch)
}

/** Returns the row of a key, on the shard that its request has gone to; undefined if the key is free. It writes nothing. */
async function readFollowing(store: Store, digest: string, nowMs: number): Promise<IdempotencyKey | undefined> {
  const row = await readKey(homeOf(store), digest, nowMs)
  if (!row || row.shard === null) return row
  return readKey(shardAt(store, row.shard), digest, nowMs)
}

/**
 * Follows a forwarding record, and returns the row of the key on the shard that its request went to. Undefined if the key is free
 * there: that request died, or its response has expired. It can record nothing any more then, and the key is freed on shard 0.
 */
async function follow(store: Store, forward: IdempotencyKey, nowMs: number): Promise<IdempotencyKey | undefined> {
  const shard = shardAt(store, forward.shard ?? 0)
  const lease = newLease(forward.digest, nowMs)
  const existing = await acquireKey(shard, lease, nowMs)
  if (existing.leaseId !== lease.leaseId) return existing
  await releaseKey(homeOf(store), forward)
  await releaseKey(shard, lease)
  return undefined
}

function newLease(digest: string, nowMs: number): KeyLease {
  return { digest, leaseId: createLeaseId(), fingerprint: '', expiresAt: nowMs + IDEMPOTENCY_LEASE_MS }
}

/**
 * Returns what makes two requests the same: the operation, its fields as parsed, and the bytes of its files. The encoding of the body,
 * the order of the fields, and unknown or empty fields make no difference (D11, D12).
 */
async function describe(operation: string, { texts, files }: Fields): Promise<string> {
  const sentTexts = [...texts].filter(([, text]) => text !== '')
  const sentFiles = [...files].map(async ([name, { filename, bytes }]) => [name, filename, await digestOf(bytes)])
  return JSON.stringify([operation, sentTexts.sort(byName), (await Promise.all(sentFiles)).sort(byName)])
}

function byName([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1
}

function stillInProgress(nextReadMs: number): Failure {
  const retryAfterS = Math.ceil(nextReadMs / SECOND_MS)
  return new Failure(
    'request_in_progress',
    `the first request with this Idempotency-Key is still in progress: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}
