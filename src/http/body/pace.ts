import { Failure } from '../../domain/failure.ts'
import { BODY_ADMISSION, BODY_FLOOR_BYTES, BODY_FLOOR_MS, BODY_PIECE_MIN_BYTES } from '../../limits.ts'
import { within } from '../../time.ts'
import { SECOND_MS } from '../../units.ts'
import type { BodyMemory } from './admission.ts'

/** Waits for the next piece of a body, or throws `body_too_slow` or `overloaded`. */
export type Pace = (
  arriving: Promise<ReadableStreamReadResult<Uint8Array>>,
) => Promise<ReadableStreamReadResult<Uint8Array>>

/** How often `demand` is asked: seldom while nobody waits, often to notice soon that the body falls behind. */
const LOOK_MS = SECOND_MS / 5
const CLOSE_LOOK_MS = SECOND_MS / 20

/**
 * Gives up a body that hardly moves (D41): with `body_too_slow` after less than BODY_FLOOR_BYTES in BODY_FLOOR_MS; with
 * `overloaded` once it is further behind than `demand` allows, which may be the fault of this machine and not of the sender.
 * Only time spent waiting for a piece counts, and of each look at most twice the time that it should take.
 */
export function createPace({ demand, noteStall }: Pick<BodyMemory, 'demand' | 'noteStall'>): Pace {
  let waitedMs = 0
  let arrivedBytes = 0
  let behindMs = 0
  let lookMs = LOOK_MS

  return async (arriving) => {
    for (;;) {
      const startedMs = Date.now()
      const piece = await within(lookMs, arriving)
      const elapsedMs = Date.now() - startedMs
      const pieceBytes = piece?.value?.length ?? 0
      waitedMs += elapsedMs
      arrivedBytes += pieceBytes
      if (waitedMs >= BODY_FLOOR_MS) {
        // A piece that is not complete yet is not seen.
        if (arrivedBytes + BODY_PIECE_MIN_BYTES < BODY_FLOOR_BYTES) {
          noteStall()
          throw tooSlow()
        }
        waitedMs = 0
        arrivedBytes = 0
      }
      const demanded = demand()
      const countedMs = Math.min(elapsedMs, 2 * lookMs)
      lookMs = demanded ? CLOSE_LOOK_MS : LOOK_MS
      behindMs = demanded ? Math.max(0, behindMs + countedMs - pieceBytes / demanded.bytesPerMs) : 0
      if (demanded && behindMs > demanded.patienceMs) {
        noteStall()
        throw inTheWay()
      }
      if (piece) return piece
    }
  }
}

function inTheWay(): Failure {
  const { retryAfterS } = BODY_ADMISSION
  return new Failure(
    'overloaded',
    `the body hardly moves while other uploads wait for its memory: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}

function tooSlow(): Failure {
  return new Failure('body_too_slow')
}
