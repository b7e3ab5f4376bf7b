import { Buffer } from 'node:buffer'
import {
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_CLAIM_LIFETIME_MS,
  IDEMPOTENCY_HEARTBEAT_MS,
  IDEMPOTENCY_HOLD_MAX_MS,
  IDEMPOTENCY_POLL_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../limits.ts'
import { claimKey, extendClaim, type KeyClaim, releaseKey, type SealedAnswer } from '../storage/idempotency.ts'
import type { Store } from '../storage/store.ts'
import { Failure } from './failure.ts'
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
  /** Refuses, before `read`, what cannot be done now. It is not asked for an answer that is kept. */
  admit?: () => Promise<void>
  /** Reads and validates the request. It is not called while another request holds the key, so those that wait hold no body. */
  read: () => Promise<ReadRequest<Wanted>>
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

/** Does what a request wants. It passes its answer to `seal`, and stores the result together with its own record. */
export type Work<Wanted> = (wanted: Wanted, seal: Seal<string>) => Promise<string>

/**
 * Performs a request once, however often and wherever it arrives: one request does the work, the others wait and get the
 * same answer, for 24 hours. Only answers are kept: if the request cannot be read, or `work` throws, the key is free again.
 * Throws `idempotency_key_reused` if the key came with another request, `request_in_progress` if the answer takes too long,
 * and whatever `read` and `work` throw.
 */
export async function answerOnce<Wanted>(
  store: Store,
  request: KeyedRequest<Wanted>,
  surroundings: Surroundings,
  work: Work<Wanted>,
): Promise<OnceAnswer> {
  const { key, operation } = request
  const { nowMs, wait } = surroundings
  const digest = await keyDigest(key)
  let reading: Promise<ReadRequest<Wanted>> | undefined
  const read = () => (reading ??= request.read())
  const giveUpAtMs = nowMs() + IDEMPOTENCY_WAIT_MS
  for (;;) {
    const claim = newClaim(digest, nowMs())
    const current = await claimKey(store, claim, nowMs())
    if (current.claimId === claim.claimId) {
      const holder = { ...request, claim, read }
      const answer = await holding(store, claim, surroundings, () => readAndWork(holder, nowMs, work))
      if (answer !== undefined) return { answer, replayed: false }
      // The answer is stored though the database's reply was lost, or another request took the key over and gives the answer.
    } else if (current.answer !== null) {
      const described = await describe(operation, await read())
      if (current.fingerprint !== (await fingerprint(key, current.claimId, described))) throw keyReused()
      return { answer: await openAnswer(key, current.claimId, current.answer), replayed: true }
    }
    if (nowMs() >= giveUpAtMs) throw stillInProgress()
    await wait(IDEMPOTENCY_POLL_MS)
  }
}

function newClaim(digest: string, nowMs: number): KeyClaim {
  return { digest, claimId: createClaimId(), fingerprint: '', expiresAt: nowMs + IDEMPOTENCY_CLAIM_LIFETIME_MS }
}

async function readAndWork<Wanted>(
  holder: KeyedRequest<Wanted> & { claim: KeyClaim },
  nowMs: () => number,
  work: Work<Wanted>,
): Promise<string> {
  const { key, operation, admit, read } = holder
  const { digest, claimId } = holder.claim
  await admit?.()
  const request = await read()
  const described = await describe(operation, request)
  return work(request.wanted, async (answer) => ({
    digest,
    claimId,
    fingerprint: await fingerprint(key, claimId, described),
    answer: await sealAnswer(key, claimId, answer),
    expiresAt: nowMs() + IDEMPOTENCY_ANSWER_LIFETIME_MS,
  }))
}

/**
 * Works while holding the key, extends the claim meanwhile, and frees the key if the work fails. Undefined if the key was
 * taken over, or has an answer.
 */
async function holding(
  store: Store,
  claim: KeyClaim,
  { nowMs, every, logProblem }: Surroundings,
  work: () => Promise<string>,
): Promise<string | undefined> {
  const diesAtMs = nowMs() + IDEMPOTENCY_HOLD_MAX_MS
  const stop = every(IDEMPOTENCY_HEARTBEAT_MS, () => {
    if (nowMs() >= diesAtMs) return
    extendClaim(store, claim, nowMs() + IDEMPOTENCY_CLAIM_LIFETIME_MS).catch((error) =>
      logProblem('extend the claim to an Idempotency-Key', error),
    )
  })
  try {
    return await work()
  } catch (error) {
    const isFree = await releaseKey(store, claim).catch((problem) => {
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
  const sentFiles = [...files].map(async ([name, { filename, bytes }]) => [
    name,
    filename,
    Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex'),
  ])
  return JSON.stringify([operation, sentTexts.sort(byName), (await Promise.all(sentFiles)).sort(byName)])
}

function byName([a = '']: readonly string[], [b = '']: readonly string[]): number {
  return a < b ? -1 : 1
}

function keyReused(): Failure {
  return new Failure(
    'idempotency_key_reused',
    'this Idempotency-Key was sent with a different request before: repeat that request unchanged, or use a new key',
  )
}

function stillInProgress(): Failure {
  return new Failure(
    'request_in_progress',
    'the first request with this Idempotency-Key is still in progress: retry in a while',
    1,
  )
}
