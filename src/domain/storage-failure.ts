import { STORAGE_RETRY_AFTER_S } from '../limits.ts'
import { StorageFull, StorageUnavailable } from '../storage/bounded-calls.ts'
import { Failure } from './failure.ts'

/** The failure of a request that there is no room for. */
export function storageFull(): Failure {
  return new Failure('storage_full')
}

/** The failure of a request that the storage could not serve; undefined if an error has another cause. */
export function storageFailure(error: unknown): Failure | undefined {
  if (error instanceof StorageFull) return storageFull()
  if (error instanceof StorageUnavailable) {
    return new Failure(
      'storage_unavailable',
      `the storage does not answer: try again in ${STORAGE_RETRY_AFTER_S} s`,
      STORAGE_RETRY_AFTER_S,
    )
  }
  // Drizzle wraps what a query was refused for.
  return error instanceof Error && error.cause !== undefined ? storageFailure(error.cause) : undefined
}
