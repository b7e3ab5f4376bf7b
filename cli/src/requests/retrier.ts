import { setTimeout as sleep } from 'node:timers/promises'
import { ERRORS, isErrorCode } from '../../../src/errors.ts'
import { SECOND_MS } from '../../../src/units.ts'
import { FIRST_WAIT_MS, LONGEST_ASKED_WAIT_MS, LONGEST_WAIT_MS } from '../limits.ts'
import { RequestFailed, Stopped } from '../problems.ts'
import { ConnectionFailed, type Response } from './http.ts'

/** Sends requests to one host with retries. All requests of a command share one. */
export interface Retrier {
  /** Retries until a response is final, and returns it. Throws `ConnectionFailed`, `Stopped`. */
  persist: (attempt: (tries: number) => Promise<Response>) => Promise<Response>
  /** Delays all requests of the command by this many milliseconds. */
  pauseFor: (ms: number) => void
}

/** `tell` gets a sentence for each long wait. */
export function createRetrier(retries: number, signal: AbortSignal, tell: (sentence: string) => void): Retrier {
  let notBefore = 0
  // After one request failed without a connection, the others do not wait between attempts until one succeeds.
  let cutOff = false

  const pauseFor = (ms: number) => {
    notBefore = Math.max(notBefore, Date.now() + ms)
  }

  const pause = async () => {
    for (let ms = notBefore - Date.now(); ms > 0; ms = notBefore - Date.now()) await wait(ms, signal)
  }

  const persist: Retrier['persist'] = async (attempt) => {
    for (let tries = 1; ; tries++) {
      await pause()
      const outcome = await attempt(tries).catch(passingFailure)
      const failed = outcome instanceof ConnectionFailed
      if (!failed) cutOff = false
      if (!isWorthAnother(outcome)) return finish(outcome)
      const askedMs = failed ? undefined : askedWait(outcome)
      const spent = tries > retries || (failed && cutOff) || (askedMs ?? 0) > LONGEST_ASKED_WAIT_MS
      if (spent) {
        if (failed) cutOff = true
        return finish(outcome)
      }
      const what = failed ? outcome.message : `the host responded with ${outcome.status}`
      const waitMs = askedMs ?? ownWait(tries)
      tell(`${what}; trying again in ${Math.ceil(waitMs / SECOND_MS)} s`)
      // A Retry-After applies to all requests of the command.
      if (askedMs !== undefined) pauseFor(askedMs)
      else await wait(waitMs, signal)
    }
  }
  return { persist, pauseFor }
}

/** Not implemented, and a version of HTTP that is not supported: the next try meets the same. */
const FINAL = [501, 505]

function isWorthAnother(outcome: Response | ConnectionFailed): boolean {
  if (outcome instanceof ConnectionFailed) return outcome.passing
  const { status, headers } = outcome
  if (isPassing(status, errorCodeOf(outcome))) return true
  // Services without error codes: the first request with the key is still in progress.
  return status === 409 && headers['retry-after'] !== undefined
}

/**
 * Whether a request with this response, or none, may succeed later: by its error code, or by its status where a proxy or another
 * service responded.
 */
export function isPassing(status: number | undefined, code?: string): boolean {
  if (status === undefined) return true
  if (code !== undefined && isErrorCode(code)) return ERRORS[code].retry !== 'never'
  return status === 429 || (status >= 500 && !FINAL.includes(status))
}

/** The stable code of an error, which every response of the service that is one has in this header. */
export function errorCodeOf({ headers }: Response): string | undefined {
  const code = headers['x-error-code']
  return typeof code === 'string' ? code : undefined
}

function passingFailure(error: unknown): ConnectionFailed {
  if (error instanceof ConnectionFailed) return error
  throw error
}

function finish(outcome: Response | ConnectionFailed): Response {
  if (outcome instanceof RequestFailed) throw outcome
  return outcome
}

/** The wait that Retry-After asks for, in milliseconds: seconds, or a date (RFC 9110, 10.2.3). */
function askedWait({ headers }: Response): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(value)) return Number(value) * SECOND_MS
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(date - Date.now(), 0)
}

/** Twice as long each time, and not in step with others. */
function ownWait(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS) * (0.75 + Math.random() / 2)
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    throw new Stopped()
  }
}
