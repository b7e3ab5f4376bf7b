import {
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_CLAIM_LIFETIME_MS,
  IDEMPOTENCY_FORWARD_LIFETIME_MS,
  IDEMPOTENCY_HEARTBEAT_MS,
  IDEMPOTENCY_HOLD_MAX_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../limits.ts'
import {
  claimKey,
  extendClaim,
  forwardKey,
  type KeyClaim,
  readKey,
  releaseKey,
  type SealedAnswer,
} from '../storage/idempotency.ts'
import type { IdempotencyKey } from '../storage/schema.ts'
import { homeOf, onFirstAvailable, type Shard, type Store, shardAt } from '../storage/store.ts'
import { SECOND_MS } from '../units.ts'
import { digestOf } from './digest.ts'
import { Failure } from './failure.ts'
import { joinWaiters, mayClaim, noteEnd, noteLease, pollKey, shareRow, watchOf } from './key-watch.ts'
import type { ProblemLogger } from './problem-logger.ts'
import { createClaimId, fingerprint, keyDigest, openAnswer, sealAnswer } from './sealed-answer.ts'
import type { SentFile } from './sent-file.ts'

/** A request as it was read: what makes it this request, and what it wants. */
export interface ReadRequest<Wanted> {
  texts: ReadonlyMap<string, string>
  files: ReadonlyMap<string, SentFile>
  wanted: Wanted
}

/** A request with an Idempotency-Key. */
export interface KeyedRequest<Wanted> {
  key: string
  operation: string
  /** The network of the client, of which a few requests may wait. */
  client?: string
  /** Refuses, before `read`, what cannot be done now. It is not asked for an answer that is kept. */
  admit?: () => Promise<void>
  /** Reads and validates the request. It is not called while another request holds the key, so those that wait hold no body. */
  read: () => Promise<ReadRequest<Wanted>>
  /** Returns the shards to try for the record of what it does; shard 0 if left out. */
  shardsFor?: (wanted: Wanted) => Iterable<Shard>
}

/** A clock, two ways to wait by it, and whom to tell of problems: one request may have to wait for another. */
export interface Surroundings {
  nowMs: () => number
  wait: (ms: number) => Promise<void>
  /** Calls `act` again and again, until what it gives is called. */
  every: (ms: number, act: () => void) => () => void
  logProblem: ProblemLogger
}

/** Encrypts the answer to a request. It is written in the transaction that records what the request did. */
export type Seal<Made> = (made: Made) => Promise<SealedAnswer>

/** The answer to a request, and whether it repeats the answer to an earlier one. */
export interface OnceAnswer {
  answer: string
  replayed: boolean
}

/** Does what a request wants, on this shard. It passes its answer to `seal`, and stores the result together with its own record. */
export type Work<Wanted> = (wanted: Wanted, seal: Seal<string>, shard: Shard) => Promise<string>

/**
 * Performs a request once, however often and wherever it arrives: one request does the work, the others wait and get the
 * same answer, for 24 hours. Only answers are kept: if the request cannot be read, or `work` throws, the key is free again.
 * Every key is claimed on shard 0. What is done on another shard is answered there, in the transaction that records it: the key is
 * claimed there too, and its row on shard 0 says where (docs/scaling.md#idempotency-keys).
 * Throws `idempotency_key_reused` if the key came with another request, `request_in_progress` if the answer takes too long or
 * IDEMPOTENCY_MAX_WAITERS of the client wait already, and whatever `read` and `work` throw.
 */
export async function answerOnce<Wanted>(
  store: Store,
  request: KeyedRequest<Wanted>,
  surroundings: Surroundings,
  work: Work<Wanted>,
): Promise<OnceAnswer> {
  const { key, operation, client = '' } = request
  const { nowMs } = surroundings
  const home = homeOf(store)
  const digest = await keyDigest(key)
  let reading: Promise<ReadRequest<Wanted>> | undefined
  const read = () => (reading ??= request.read())
  const watch = watchOf(digest, nowMs())

  /** Returns the response if the row has one. */
  async function replay(row: IdempotencyKey | undefined): Promise<OnceAnswer | undefined> {
    if (!row || row.answer === null) return undefined
    const described = await describe(operation, await read())
    if (row.fingerprint !== (await fingerprint(key, row.claimId, described))) throw keyReused()
    return { answer: await openAnswer(key, row.claimId, row.answer), replayed: true }
  }

  /** Claims the key if it is free, and then does the work. */
  async function claimAndWork(): Promise<OnceAnswer | undefined> {
    const claim = newClaim(digest, nowMs())
    let isOurs = true
    try {
      const current = await claimKey(home, claim, nowMs())
      isOurs = current.claimId === claim.claimId
      if (!isOurs) {
        const row = current.shard === null ? current : await follow(store, current, nowMs())
        shareRow(watch, row)
        return await replay(row)
      }
      noteLease(watch, claim.expiresAt)
      const holder = { ...request, claim, read }
      const extended = { ...surroundings, every: noteEach(surroundings, watch) }
      const answer = await holding(home, claim, extended, () => readAndWork(home, holder, extended, work))
      // Undefined: the answer is stored though the reply was lost, or another request took the key over and has the answer.
      return answer === undefined ? undefined : { answer, replayed: false }
    } finally {
      if (isOurs) noteEnd(watch)
    }
  }

  if (mayClaim(watch, nowMs())) {
    const done = await claimAndWork()
    if (done) return done
  }
  const waiter = joinWaiters(watch, client, nowMs())
  if (!waiter) throw stillInProgress(watch.intervalMs)
  try {
    const giveUpAtMs = nowMs() + IDEMPOTENCY_WAIT_MS
    for (;;) {
      const { row, isFree } = await pollKey(watch, waiter, { ...surroundings, giveUpAtMs }, () =>
        readFollowing(store, digest, nowMs()),
      )
      const done = isFree && mayClaim(watch, nowMs()) ? await claimAndWork() : await replay(row)
      if (done) return done
      if (nowMs() >= giveUpAtMs) throw stillInProgress(watch.intervalMs)
    }
  } finally {
    watch.waiters.delete(waiter)
  }
}

/** Has the lease known for longer in this isolate with each heartbeat. */
function noteEach({ nowMs, every }: Surroundings, watch: ReturnType<typeof watchOf>): Surroundings['every'] {
  return (ms, act) =>
    every(ms, () => {
      noteLease(watch, nowMs() + IDEMPOTENCY_CLAIM_LIFETIME_MS)
      act()
    })
}

/** Returns the row of a key, on the shard that its request has gone to; undefined if the key is free. It writes nothing. */
async function readFollowing(store: Store, digest: string, nowMs: number): Promise<IdempotencyKey | undefined> {
  const row = await readKey(homeOf(store), digest, nowMs)
  if (!row || row.shard === null) return row
  return readKey(shardAt(store, row.shard), digest, nowMs)
}

/**
 * The row of a key on the shard that its request went to. Undefined if it is free there: that request has died, or its answer has
 * expired. It can record nothing any more then, and the key is freed on shard 0, for the next to claim it from the beginning.
 */
async function follow(store: Store, forward: IdempotencyKey, nowMs: number): Promise<IdempotencyKey | undefined> {
  const shard = shardAt(store, forward.shard ?? 0)
  const claim = newClaim(forward.digest, nowMs)
  const standing = await claimKey(shard, claim, nowMs)
  if (standing.claimId !== claim.claimId) return standing
  await releaseKey(homeOf(store), forward)
  await releaseKey(shard, claim)
  return undefined
}

function newClaim(digest: string, nowMs: number): KeyClaim {
  return { digest, claimId: createClaimId(), fingerprint: '', expiresAt: nowMs + IDEMPOTENCY_CLAIM_LIFETIME_MS }
}

async function readAndWork<Wanted>(
  home: Shard,
  holder: KeyedRequest<Wanted> & { claim: KeyClaim },
  surroundings: Surroundings,
  work: Work<Wanted>,
): Promise<string | undefined> {
  const { key, operation, admit, read, shardsFor } = holder
  const { digest, claimId } = holder.claim
  const { nowMs } = surroundings
  await admit?.()
  const request = await read()
  const described = await describe(operation, request)
  const workOn = (shard: Shard) =>
    work(
      request.wanted,
      async (answer) => ({
        digest,
        claimId,
        fingerprint: await fingerprint(key, claimId, described),
        answer: await sealAnswer(key, claimId, answer),
        expiresAt: nowMs() + IDEMPOTENCY_ANSWER_LIFETIME_MS,
      }),
      shard,
    )
  const claim = { ...holder.claim, expiresAt: nowMs() + IDEMPOTENCY_CLAIM_LIFETIME_MS }
  const { shard, row } = await onFirstAvailable(shardsFor?.(request.wanted) ?? [home], async (tried) => ({
    shard: tried,
    row: tried === home ? undefined : await claimKey(tried, claim, nowMs()),
  }))
  if (!row) return workOn(home)
  if (!(await forwardTo(shard, row, home, claim, nowMs()))) return undefined
  return holding(shard, claim, surroundings, () => workOn(shard))
}

/**
 * Writes the forwarding record on shard 0, after the key was claimed on the other shard: whoever finds the record finds the claim.
 * `row` is what the key has there. Returns false if another request held the key before, or holds it by now; the key is free again
 * then, or leads to its response.
 */
async function forwardTo(
  shard: Shard,
  row: IdempotencyKey,
  home: Shard,
  claim: KeyClaim,
  nowMs: number,
): Promise<boolean> {
  const isClaimed = row.claimId === claim.claimId
  // A response that shard 0 does not know of is one from after its backup.
  const isThere = isClaimed || row.answer !== null
  if (isThere && (await forwardKey(home, claim, shard.number, nowMs + IDEMPOTENCY_FORWARD_LIFETIME_MS)))
    return isClaimed
  if (isClaimed) await releaseKey(shard, claim)
  await releaseKey(home, claim)
  return false
}

/**
 * Works while holding the key, extends the claim meanwhile, and frees the key if the work fails. Undefined if the work gives
 * nothing, or the key was taken over, or has an answer.
 */
async function holding(
  shard: Shard,
  claim: KeyClaim,
  { nowMs, every, logProblem }: Surroundings,
  work: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const diesAtMs = nowMs() + IDEMPOTENCY_HOLD_MAX_MS
  const stop = every(IDEMPOTENCY_HEARTBEAT_MS, () => {
    if (nowMs() >= diesAtMs) return
    extendClaim(shard, claim, nowMs() + IDEMPOTENCY_CLAIM_LIFETIME_MS).catch((error) =>
      logProblem('extend the claim to an Idempotency-Key', error),
    )
  })
  try {
    return await work()
  } catch (error) {
    const isFree = await releaseKey(shard, claim).catch((problem) => {
      // It is free in less than a minute anyway. What the client must know is what was wrong with its request.
      logProblem('release an Idempotency-Key', problem)
      return true
    })
    if (isFree) throw error
    return undefined
  } finally {
    stop()
  }
}

/**
 * What makes two requests the same: the operation, its fields as parsed, and the bytes of its files. The encoding of the
 * body, the order of the fields, and unknown or empty fields make no difference (D11, D12).
 */
async function describe(
  operation: string,
  { texts, files }: Pick<ReadRequest<unknown>, 'texts' | 'files'>,
): Promise<string> {
  const sentTexts = [...texts].filter(([, text]) => text !== '')
  const sentFiles = [...files].map(async ([name, { filename, bytes }]) => [name, filename, await digestOf(bytes)])
  return JSON.stringify([operation, sentTexts.sort(byName), (await Promise.all(sentFiles)).sort(byName)])
}

function byName([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1
}

function keyReused(): Failure {
  return new Failure('idempotency_key_reused')
}

function stillInProgress(nextReadMs: number): Failure {
  const retryAfterS = Math.ceil(nextReadMs / SECOND_MS)
  return new Failure(
    'request_in_progress',
    `the first request with this Idempotency-Key is still in progress: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}
