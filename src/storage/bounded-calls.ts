import type { StorageLimits } from '../limits.ts'
import type { CallRunner } from './calls.ts'

/** D1 or R2 did not answer in time, or failed: nobody knows whether the call took effect. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
}

/** D1 or R2 has no room left. */
export class StorageFull extends StorageUnavailable {
  override name = 'StorageFull'
}

/**
 * The errors of D1 after which a statement may be sent again: https://developers.cloudflare.com/d1/observability/debug-d1/
 * and https://developers.cloudflare.com/d1/best-practices/retry-queries/. An overloaded database is not among them.
 */
const RETRYABLE = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
]
const FULL = ['SQLITE_FULL', 'database or disk is full', 'Exceeded maximum DB size', 'ENOSPC', 'No space left']
/** A statement that SQLite refuses is a mistake of ours, and no trouble of the storage. */
const OWN_MISTAKE = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)|D1_TYPE_ERROR|D1_COLUMN_NOTFOUND/

/**
 * Bounds each call, and sends one to D1 again where Cloudflare says so: every statement of this service may be sent twice.
 * Once a call hung, the others are given little time, so that the request is answered. Throws `StorageUnavailable`.
 */
export function boundCalls(limits: StorageLimits): CallRunner {
  let hasHung = false

  async function runOnce<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
    const wantedMs = name.startsWith('D1') ? limits.databaseMs : limits.filesMs
    const { result } = await within(hasHung ? limits.afterHangMs : wantedMs, limits.tickMs, call())
    if (result) return result.value
    hasHung = true
    throw new StorageUnavailable(`${name} did not answer in time`)
  }

  return async (name, call) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce(name, call)
      } catch (error) {
        const mayRetry = name.startsWith('D1') && attempt < limits.attempts && says(error, RETRYABLE)
        if (!mayRetry) throw explain(name, error)
        await new Promise((resolve) => setTimeout(resolve, limits.retryMs * 2 ** (attempt - 1) * (0.5 + Math.random())))
      }
    }
  }
}

/**
 * What comes of a call within this time. It is counted in ticks, so that an isolate that was busy with a picture meanwhile
 * does not take its own delay for that of the storage.
 */
async function within<Result>(
  maxMs: number,
  tickMs: number,
  call: Promise<Result>,
): Promise<{ result?: { value: Result } }> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<{ result?: never }>((resolve) => {
    let ticksLeft = Math.ceil(maxMs / tickMs)
    const tick = () => {
      if (ticksLeft-- === 0) resolve({})
      else timer = setTimeout(tick, tickMs)
    }
    tick()
  })
  try {
    return await Promise.race([call.then((value) => ({ result: { value } })), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function explain(name: string, error: unknown): unknown {
  if (error instanceof StorageUnavailable) return error
  if (says(error, FULL)) return new StorageFull(`${name} has no room`, { cause: error })
  if (error instanceof Error && OWN_MISTAKE.test(error.message)) return error
  return new StorageUnavailable(`${name} failed`, { cause: error })
}

function says(error: unknown, words: readonly string[]): boolean {
  return error instanceof Error && words.some((word) => error.message.includes(word))
}
