import { Failure } from '../../domain/failure.ts'
import { BODY_CHUNK_MIN_BYTES, BODY_FLOOR_BYTES, BODY_FLOOR_MS } from '../../limits.ts'
import { within } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { BodyMemory } from './admission.ts'

/** Waits for the next chunk of a body, or throws `body_too_slow` or `overloaded`. */
type RateGuard = (
  arriving: Promise<ReadableStreamReadResult<Uint8Array>>,
) => Promise<ReadableStreamReadResult<Uint8Array>>

/** Time between two checks: long while nobody waits, short to notice soon that the body falls behind. */
const CHECK_MS = SECOND_MS / 5
const CLOSE_CHECK_MS = SECOND_MS / 20

/**
 * Ends a body that stays below a minimum data rate for longer than a grace period, like `MinRequestBodyDataRate` of
 * Kestrel and `MinRate` of Apache's mod_reqtimeout (D41). The error is `body_too_slow` after less than BODY_FLOOR_BYTES
 * in BODY_FLOOR_MS. It is `overloaded` while others wait for its memory, because the cause may be this machine instead
 * of the sender.
 *
 * The lag behind the rate is a leaky bucket: bytes that came quickly do not allow for a pause later. Only time spent
 * waiting for a chunk counts, and of each check at most twice the time that it should take.
 */
export function createRateGuard({ minimumRate, stall }: Pick<BodyMemory, 'minimumRate' | 'stall'>): RateGuard {
  let waitedMs = 0
  let arrivedBytes = 0
  let lagMs = 0
  let checkMs = CHECK_MS

  return async (arriving) => {
    for (;;) {
      const startedMs = Date.now()
      const chunk = await within(checkMs, arriving)
      const elapsedMs = Date.now() - startedMs
      const chunkBytes = chunk?.value?.length ?? 0
      waitedMs += elapsedMs
      arrivedBytes += chunkBytes
      if (waitedMs >= BODY_FLOOR_MS) {
        // A chunk that is not complete yet is not seen.
        if (arrivedBytes + BODY_CHUNK_MIN_BYTES < BODY_FLOOR_BYTES) {
          stall()
          throw new Failure('body_too_slow')
        }
        waitedMs = 0
        arrivedBytes = 0
      }
      const required = minimumRate()
      const countedMs = Math.min(elapsedMs, 2 * checkMs)
      checkMs = required ? CLOSE_CHECK_MS : CHECK_MS
      lagMs = required ? Math.max(0, lagMs + countedMs - chunkBytes / required.bytesPerMs) : 0
      if (required && lagMs > required.graceMs) throw inTheWay(stall())
      if (chunk) return chunk
    }
  }
}

function inTheWay(retryAfterS: number): Failure {
  return new Failure(
    'overloaded',
    `the body arrives too slowly while other uploads wait for its memory: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}
