import { Buffer } from 'node:buffer'
import {
  IDEMPOTENCY_ANSWER_LIFETIME_MS,
  IDEMPOTENCY_CLAIM_LIFETIME_MS,
  IDEMPOTENCY_POLL_MS,
  IDEMPOTENCY_WAIT_MS,
} from '../limits.ts'
import { claimKey, type KeyClaim, releaseKey, type SealedAnswer } from '../storage/idempotency.ts'
import type { Store } from '../storage/store.ts'
import { Failure } from './failure.ts'
import { createClaimId, fingerprint, keyDigest, openAnswer, sealAnswer } from './sealed-answer.ts'
import type { SentFile } from './sent-file.ts'

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  key: string
  operation: string
  texts: ReadonlyMap<string, string>
  files: ReadonlyMap<string, SentFile>
}

/** A clock, and a way to wait: one request may have to wait for another. */
export interface Clock {
  nowMs: () => number
  wait: (ms: number) => Promise<void>
}

/** Encrypts the answer to a request. It is written in the transaction that records what the request did. */
export type Seal<Made> = (made: Made) => Promise<SealedAnswer>

/** The answer to a request, and whether it repeats the answer to an earlier one. */
export interface OnceAnswer {
  answer: string
  replayed: boolean
}

/**
 * Performs a request once, however often and wherever it arrives: one request does the work, the others wait and get the
 * same answer, for 24 hours. Only answers are kept: if `work` throws, the key is free again. `work` passes its answer to
 * `seal` and must store the result together with its own record. Throws `idempotency_key_reused` if the key came with
 * another request, `request_in_progress` if the answer takes too long, and whatever `work` throws.
 */
export async function answerOnce(
  store: Store,
  request: KeyedRequest,
  clock: Clock,
  work: (seal: Seal<string>) => Promise<string>,
): Promise<OnceAnswer> {
  const { key } = request
  const digest = await keyDigest(key)
  const description = await describe(request)
  const giveUpAtMs = clock.nowMs() + IDEMPOTENCY_WAIT_MS
  for (;;) {
    const claim = await newClaim(key, digest, description, clock.nowMs())
    const current = await claimKey(store, claim, clock.nowMs())
    if (current.claimId === claim.claimId) {
      const answer = await workOrRelease(store, key, claim, clock, work)
      if (answer !== undefined) return { answer, replayed: false }
      // It took so long that another request took the key over: that one gives the answer.
    } else if (current.fingerprint !== (await fingerprint(key, current.claimId, description))) {
      throw keyReused()
    } else if (current.answer !== null) {
      return { answer: await openAnswer(key, current.claimId, current.answer), replayed: true }
    }
    if (clock.nowMs() >= giveUpAtMs) throw stillInProgress()
    await clock.wait(IDEMPOTENCY_POLL_MS)
  }
}

async function newClaim(key: string, digest: string, description: string, nowMs: number): Promise<KeyClaim> {
  const claimId = createClaimId()
  return {
    digest,
    claimId,
    fingerprint: await fingerprint(key, claimId, description),
    expiresAt: nowMs + IDEMPOTENCY_CLAIM_LIFETIME_MS,
  }
}

/** Does the work while holding the key, and frees the key if the work fails; undefined if the key was taken over. */
async function workOrRelease(
  store: Store,
  key: string,
  claim: KeyClaim,
  clock: Clock,
  work: (seal: Seal<string>) => Promise<string>,
): Promise<string | undefined> {
  try {
    return await work(async (answer) => ({
      digest: claim.digest,
      claimId: claim.claimId,
      answer: await sealAnswer(key, claim.claimId, answer),
      expiresAt: clock.nowMs() + IDEMPOTENCY_ANSWER_LIFETIME_MS,
    }))
  } catch (error) {
    if (await releaseKey(store, claim)) throw error
    return undefined
  }
}

/**
 * What makes two requests the same: the operation, its fields as parsed, and the bytes of its files. The encoding of the
 * body, the order of the fields, and unknown or empty fields make no difference (D11, D12).
 */
async function describe({ operation, texts, files }: KeyedRequest): Promise<string> {
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
  )
}
