import { READ_ONLY_RETRY_AFTER_S, STORAGE_RETRY_AFTER_S } from '../limits.ts'
import { StorageFull, StorageReadOnly, StorageUnavailable } from '../storage/bounded-calls.ts'
import { Failure } from './failure.ts'

/** The failure of a request that there is no room for. */
export function storageFull(): Failure {
  return new Failure('storage_full')
}

/** The failure of a request that would change something while the service is read-only. */
export function readOnly(): Failure {
  return new Failure(
    'storage_unavailable',
    `the operator has made this service read-only for a while: try again in ${READ_ONLY_RETRY_AFTER_S} s`,
    READ_ONLY_RETRY_AFTER_S,
  )
}

/** The failure of a request that the storage could not serve; undefined if an error has another cause. */
export function storageFailure(error: unknown): Failure | undefined {
  if (error instanceof StorageFull) return storageFull()
  if (error instanceof StorageReadOnly) return readOnly()
  if (error instanceof StorageUnavailable) {
    return new Failure(
      'storage_unavailable',
      `the storage does not respond: try again in ${STORAGE_RETRY_AFTER_S} s`,
      STORAGE_RETRY_AFTER_S,
    )
  }
  // Drizzle wraps what a query was refused for.
  return error instanceof Error && error.cause !== undefined ? storageFailure(error.cause) : undefined
}
