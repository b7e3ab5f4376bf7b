import { Failure } from '../../domain/failure.ts'
import { acquireLease as acquireKeyLease, type Lease, NO_LEASE } from '../../domain/idempotency/lease.ts'
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../limits.ts'
import { every, nowMs, wait } from '../../time.ts'
import type { AppContext } from '../context.ts'
import { clientKey } from '../limits/client-address.ts'
import { jsonText } from '../responses/json.ts'

const QUOTED = /^"((?:[!#-[\]-~]|\\["\\])*)"$/
const KEY = new RegExp(`^[!-~]{1,${IDEMPOTENCY_KEY_MAX_CHARACTERS}}$`)

/**
 * Returns the Idempotency-Key of a request, sent bare or as a quoted string (RFC 8941); both mean the same. Undefined if there is
 * none. Throws `invalid_idempotency_key`. The message does not repeat the key, which is a secret.
 */
export function readIdempotencyKey(request: Request): string | undefined {
  const header = request.headers.get('Idempotency-Key')
  if (header === null) return undefined
  const key = header.startsWith('"') ? QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') : header
  if (key !== undefined && KEY.test(key)) return key
  throw new Failure('invalid_idempotency_key')
}

/** Acquires the lease of a request's Idempotency-Key, before its body is read. Without a key, the lease does nothing. */
export async function acquireLease(c: AppContext, operation: string, key: string | undefined): Promise<Lease> {
  if (key === undefined) return NO_LEASE
  const request = { key, operation, client: clientKey(c.req.raw) }
  const surroundings = { nowMs: () => nowMs(c.env), wait, every, logProblem: c.var.logProblem }
  const lease = await acquireKeyLease(c.var.store, request, surroundings)
  c.set('lease', lease)
  return lease
}

/** Responds with the stored response of an earlier request with the same key. */
export function replay(c: AppContext, stored: string): Response {
  return jsonText(c, stored, { 'Idempotent-Replayed': 'true' })
}

/** Responds to a request that failed: with the response that its key has all the same, or else as `respond` does. */
export async function replayOr(
  respond: (c: AppContext, error: unknown) => Response,
  c: AppContext,
  error: unknown,
): Promise<Response> {
  try {
    const stored = await c.var.lease?.storedInstead()
    return stored === undefined ? respond(c, error) : replay(c, stored)
  } catch (later) {
    return respond(c, later)
  }
}
