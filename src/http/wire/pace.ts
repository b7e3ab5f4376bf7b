import { Failure } from '../../domain/failure.ts'
import { BODY_ADMISSION, BODY_FLOOR_BYTES, BODY_FLOOR_MS, BODY_PIECE_MIN_BYTES } from '../../limits.ts'
import { SECOND_MS } from '../../units.ts'
import { within } from './within.ts'

/** Waits for the next piece of a body, or throws `body_too_slow` or `overloaded`. */
export type Pace = (
  arriving: Promise<ReadableStreamReadResult<Uint8Array>>,
) => Promise<ReadableStreamReadResult<Uint8Array>>

/** How often it is looked whether others wait. */
const LOOK_MS = SECOND_MS / 5

/**
 * Gives up a body that hardly moves (D41): with `body_too_slow` after less than BODY_FLOOR_BYTES in BODY_FLOOR_MS, with
 * `overloaded` after nothing for longer than `patienceMs` says, which may be our machine's fault and not the sender's. Only the time counts in which a piece was waited for.
 */
export function createPace(patienceMs: () => number): Pace {
  let waitedMs = 0
  let arrivedBytes = 0

  return async (arriving) => {
    for (let idleMs = 0; ; ) {
      const startedMs = Date.now()
      const piece = await within(LOOK_MS, arriving)
      const elapsedMs = Date.now() - startedMs
      waitedMs += elapsedMs
      idleMs += elapsedMs
      arrivedBytes += piece?.value?.length ?? 0
      if (waitedMs >= BODY_FLOOR_MS) {
        // A piece that is not complete yet is not seen.
        if (arrivedBytes + BODY_PIECE_MIN_BYTES < BODY_FLOOR_BYTES) throw tooSlow()
        waitedMs = 0
        arrivedBytes = 0
      }
      if (piece) return piece
      if (idleMs > patienceMs()) throw inTheWay()
    }
  }
}

function inTheWay(): Failure {
  const { retryAfterS } = BODY_ADMISSION
  return new Failure(
    'overloaded',
    `the body stands still while other uploads wait for its memory: try again in ${retryAfterS} s`,
    retryAfterS,
  )
}

function tooSlow(): Failure {
  return new Failure(
    'body_too_slow',
    'the body hardly moves: send it again over a better connection, or make it smaller',
  )
}
