import type { StorageLimits } from '../limits.ts'
import { doublingFrom, retry } from '../retry.ts'
import { createTimeout, type Timeout } from '../time.ts'
import type { CallRunner } from './calls.ts'
import { isFull, isRetryable as isRetryableOfS3 } from './files/s3-error.ts'

/** The database or the files did not respond in time, or failed: nobody knows whether the call took effect. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  /** The number of the shard whose database it is; undefined for the files. */
  readonly shard: number | undefined

  constructor(message: string, { shard, ...options }: ErrorOptions & { shard?: number | undefined } = {}) {
    super(message, options)
    this.shard = shard
  }
}

/** The service is read-only: the call was not made. */
export class StorageReadOnly extends StorageUnavailable {
  override name = 'StorageReadOnly'
}

/** The database or the files have no room left. */
export class StorageFull extends StorageUnavailable {
  override name = 'StorageFull'
}

/**
 * The errors of D1 after which a statement may be sent again: https://developers.cloudflare.com/d1/observability/debug-d1/
 * and https://developers.cloudflare.com/d1/best-practices/retry-queries/. An overloaded database is not among them.
 */
const RETRYABLE_OF_DATABASE = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
]
/**
 * Errors of R2 after which a call may be retried: a lost connection, and the codes of temporary errors (internal error,
 * too many requests, service unavailable). Messages end with the code:
 * https://developers.cloudflare.com/r2/api/error-codes/.
 */
const RETRYABLE_OF_FILES = ['Network connection lost', '(10001)', '(10043)', '(10058)']
const FULL = [
  'SQLITE_FULL',
  'database or disk is full',
  'Exceeded maximum DB size',
  'ENOSPC',
  'EDQUOT',
  'No space left',
]
/** A statement that SQLite refuses is a mistake in this code, not a failure of the storage. */
const OWN_MISTAKE = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)|D1_TYPE_ERROR|D1_COLUMN_NOTFOUND/

/**
 * Returns a function that runs the calls of one request to a shard, or to the files.
 *
 * Limits the time of each call with its retries. It retries as Cloudflare recommends: every statement of this
 * service may be sent twice, and so may reads, deletes, and creations of files, which never overwrite (files.ts). After
 * one call hung, the others get little time, so that the response is sent in time. Throws `StorageUnavailable`.
 */
export function boundCalls(limits: StorageLimits): (shard?: number) => CallRunner {
  let hasDatabaseHung = false
  let hasFilesHung = false

  function limitOf(isDatabase: boolean): number {
    if (hasFilesHung || (isDatabase && hasDatabaseHung)) return limits.afterHangMs
    if (isDatabase) return limits.databaseMs
    return hasDatabaseHung ? limits.filesAfterHangMs : limits.filesMs
  }

  return (shard) => {
    const isDatabase = shard !== undefined

    async function runOnce<Result>(name: string, timeout: Timeout, call: () => Promise<Result>): Promise<Result> {
      const result = await timeout.limit(call())
      if (result) return result.value
      if (isDatabase) hasDatabaseHung = true
      else hasFilesHung = true
      throw new StorageUnavailable(`${nameOf(name, shard)} did not respond in time`, { shard })
    }

    return async (name, call) => {
      const timeout = createTimeout(limitOf(isDatabase), limits.tickMs)
      const words = isDatabase ? RETRYABLE_OF_DATABASE : RETRYABLE_OF_FILES
      const rule = {
        attempts: limits.attempts,
        pauseMs: doublingFrom(limits.retryMs),
        isRetryable: (error: unknown) => !timeout.isOver() && (says(error, words) || isRetryableOfS3(error)),
      }
      try {
        return await retry(() => runOnce(name, timeout, call), rule)
      } catch (error) {
        throw explain(name, shard, error)
      }
    }
  }
}

function explain(name: string, shard: number | undefined, error: unknown): unknown {
  if (error instanceof StorageUnavailable) return error
  const options = { cause: error, shard }
  if (says(error, FULL) || isFull(error)) return new StorageFull(`${nameOf(name, shard)} has no room`, options)
  if (error instanceof Error && OWN_MISTAKE.test(error.message)) return error
  return new StorageUnavailable(`${nameOf(name, shard)} failed`, options)
}

function nameOf(name: string, shard: number | undefined): string {
  return shard === undefined ? name : `${name} of shard ${shard}`
}

/** Returns the number of the shard that failed; undefined if an error has another cause. */
export function unavailableShardOf(error: unknown): number | undefined {
  if (error instanceof StorageUnavailable) return error.shard
  // Drizzle wraps what a query was refused for.
  return error instanceof Error && error.cause !== undefined ? unavailableShardOf(error.cause) : undefined
}

function says(error: unknown, words: readonly string[]): boolean {
  return error instanceof Error && words.some((word) => error.message.includes(word))
}
