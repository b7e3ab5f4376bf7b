import { KIB, MIB } from 'tintype-codec/units'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/units.ts'

/** The command line's own numbers. Those of the API are in the service's limits. */

export const DEFAULT_URL = 'http://localhost:8787'
export const DEFAULT_CONCURRENCY = 3
/** File name for standard input. The host adds the extension of its format. */
export const DEFAULT_NAME = 'image'
export const MAX_CONCURRENCY = 16
export const DEFAULT_RETRIES = 4
export const MAX_RETRIES = 20

/** The first wait before a retry; each further one is twice as long, up to the longest. */
export const FIRST_WAIT_MS = 500
export const LONGEST_WAIT_MS = 30 * SECOND_MS
/** A host that asks for a longer wait than this gets no further try. */
export const LONGEST_ASKED_WAIT_MS = 15 * MINUTE_MS

/** The host keeps the response to a key for a day; near its end nobody knows whether it still does. */
export const KEY_LIFETIME_MS = 23 * HOUR_MS
/** A second Ctrl-C so soon is the first again: npm and the terminal both send it to what `npm run` started. */
export const SAME_SIGNAL_MS = SECOND_MS / 2

/** A connection on which nothing moves for so long is given up. The service takes 30 s for an image at most. */
export const IDLE_TIMEOUT_MS = 90 * SECOND_MS
/** Far above any response of the API: a hundred status results are some 60 KB. */
export const RESPONSE_MAX_BYTES = 4 * MIB
/** Progress is told after each piece of a body. */
export const BODY_CHUNK_BYTES = 64 * KIB
/** Enough to detect the format: an AVIF names its brands in the first box, of which the service reads this much. */
export const SIGNATURE_BYTES = KIB
/** Between two drawings of the progress. */
export const REDRAW_MS = 100
