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
/** Entries that `history --last` shows. */
export const MAX_LAST = 1_000_000

/** The first wait before a retry; each further one is twice as long, up to the longest. */
export const FIRST_WAIT_MS = 500
export const LONGEST_WAIT_MS = 30 * SECOND_MS
/** A host that asks for a longer wait than this gets no further try. */
export const LONGEST_ASKED_WAIT_MS = 15 * MINUTE_MS

/** The host keeps the response to a key for a day; near its end nobody knows whether it still does. */
export const KEY_LIFETIME_MS = 23 * HOUR_MS
/** A second Ctrl-C so soon is the first again: npm and the terminal both send it to what `npm run` started. */
export const SAME_SIGNAL_MS = SECOND_MS / 2

/** Timeout of a connection without traffic. The service takes 30 s for an image at most. */
export const IDLE_TIMEOUT_MS = 90 * SECOND_MS
/** Far above any response of the API: a hundred status results are some 60 KB. */
export const RESPONSE_MAX_BYTES = 4 * MIB
/** Progress is reported after each chunk of a body. */
export const BODY_CHUNK_BYTES = 64 * KIB
/** Enough to detect the format: an AVIF names its brands in the first box, of which the service reads this much. */
export const SIGNATURE_BYTES = KIB
/** Between two drawings of the progress. */
export const REDRAW_MS = 100
/** The longest base64 text of OSC 52 that terminals accept: xterm's limit. */
export const OSC52_MAX_BYTES = 74_994
/** Time for a program of the desktop to put a text on the clipboard or to open a page. */
export const TOOL_TIMEOUT_MS = 5 * SECOND_MS
/** File systems allow 255 bytes. The rest is for the number of a name, and for the ending of a part. */
export const FILE_NAME_MAX_BYTES = 220
/** Far more images than a gallery has: a host whose pages never end is not followed for ever. */
export const DOWNLOAD_MAX_IMAGES = 100_000
/** A gallery of base64 texts is one message. */
export const MCP_MESSAGE_MAX_BYTES = 64 * MIB
export const MCP_GALLERY_MAX_IMAGES = 100
/** Paths, names and links. */
export const MCP_TEXT_MAX_CHARACTERS = 4096
