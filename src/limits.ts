import { DAY_MS, DAY_S, HOUR_MS, HOUR_S, KIB, MEGAPIXEL, MIB, MINUTE_MS, SECOND_MS } from './units.ts'

/**
 * Every number of the service, once. First those of the specification ("Limits"), in its order;
 * then the safety numbers that are our own, each with its arithmetic.
 *
 * Two kinds stand elsewhere, beside what they bound, for they follow from it and change with it: what a format may take of the
 * memory for pictures (image/pixels/budget.ts), and how many boxes, chunks or items a file may have (image/container).
 */

// The specification's limits.
export const UPLOAD_MAX_BYTES = 10 * MIB
export const THUMBNAIL_MIN_SIZE_PX = 150
export const THUMBNAIL_MAX_SIZE_PX = 500
export const THUMBNAIL_DEFAULT_SIZE_PX = 200
export const OPTIMIZED_MAX_EDGE_PX = 3840
export const OPTIMIZED_WEBP_QUALITY = 90
export const GALLERY_NAME_MAX_CHARACTERS = 255
export const UPLOAD_TOKEN_LIFETIME_MS = 24 * HOUR_MS
export const STATUS_MAX_URLS = 100
export const STATUS_URL_MAX_BYTES = 512
export const STATUS_BODY_MAX_BYTES = 64 * KIB
export const STATUS_RATE_BURST = 5
export const STATUS_RATE_INTERVAL_MS = 6 * SECOND_MS
/** After this time, an empty bucket is full again. */
export const STATUS_RATE_WINDOW_S = (STATUS_RATE_BURST * STATUS_RATE_INTERVAL_MS) / SECOND_MS
export const MANAGEMENT_TOKEN_LENGTH = 43

// Tokens (D9): 71 and 256 bits in letters and digits.
export const GALLERY_HASH_LENGTH = 12
export const UPLOAD_TOKEN_LENGTH = 43

// Pictures (D30, D35, D36).
export const THUMBNAIL_WEBP_QUALITY = 80
export const COVER_JPEG_QUALITY = 90
export const IMAGE_NAME_MAX_CHARACTERS = 100
// In each millisecond, an isolate begins at a random one of 4096 ids, and skips those that are taken.
export const IMAGE_ID_MAX_TRIES = 100
export const IMAGE_MAX_PIXELS = 100 * MEGAPIXEL
export const JPEG_MAX_SCANS = 100

// Forms. A browser sends some 200 bytes of headers a part; a file name may be a long path.
export const MULTIPART_MAX_HEADER_BYTES = 16 * KIB
// RFC 2046, 5.1.1; what follows a boundary on its line is white space, and little of it.
export const MULTIPART_BOUNDARY_MAX_CHARACTERS = 70
export const MULTIPART_BOUNDARY_PADDING_MAX_BYTES = 64
// The largest form of the contract has eight fields; programs add a few of their own.
export const MULTIPART_MAX_PARTS = 100
// Every field but the files is a number, a token or a name: 255 characters of at most 12 bytes percent-encoded, and room.
export const FORM_FIELD_MAX_BYTES = 16 * KIB
export const FORM_BODY_MAX_BYTES = 64 * KIB
// Enough to recognise a value in a message, but less than the shortest token, in case one was sent in the wrong field.
export const QUOTED_MAX_CHARACTERS = 20
// Two files of a cover, and the parts around them.
export const MULTIPART_MAX_BYTES = 2 * UPLOAD_MAX_BYTES + 1 * MIB
// A body is read in pieces of this size at least, once as much has come.
export const BODY_PIECE_MIN_BYTES = 16 * KIB
// It is read through a window that holds the longest part header as a whole. A larger one saves less than a tenth of the time.
export const BODY_WINDOW_BYTES = 256 * KIB
// What all bodies of an isolate may hold together. Of its 128 MB the codecs have 72 MiB (image/pixels/budget.ts), a file that is
// made one of its pieces is there twice for a moment (10), and what is stored in place of it is no larger (10).
export const BODY_ADMISSION = {
  // Some 400 forms of a gallery, or ten pictures of 200 KB.
  smallBudgetBytes: 6 * MIB,
  smallBytes: 640 * KIB,
  // Two pictures of 10 MB and one of 4, or a cover of two.
  largeBudgetBytes: 26 * MIB,
  beginningBytes: 4 * KIB,
  // One picture of 10 MB, or five of 2.
  clientShare: 0.5,
  stallersShare: 0.5,
  // Fifty that stall after 10 MB, two at a time, hold up what is as large for 20 s the first time, and for 8 s if they are not told
  // from others by their addresses.
  patienceMs: 1.5 * SECOND_MS,
  leastPatienceMs: 0.3 * SECOND_MS,
  crowd: 8,
  sizeMsPerMib: 4 * SECOND_MS,
  stallMs: 10 * SECOND_MS,
  waitMs: MINUTE_MS,
  maxWaiting: 256,
  retryAfterS: 5,
  lostMs: 3 * MINUTE_MS,
}
// While others wait for its memory, a body moves as fast as over a line of 1 Mbit/s.
export const PRESSED_BYTES_PER_MS = (128 * KIB) / SECOND_MS
// One picture is decoded at a time. Most take a tenth of a second, the largest two.
export const PICTURE_TURNS = {
  maxWaiting: 256,
  waitMs: MINUTE_MS,
  jobMaxMs: 30 * SECOND_MS,
  retryAfterS: 5,
  lostMs: 5 * SECOND_MS,
}
// A body that we are ready for moves at 8 KiB/s at least.
export const BODY_FLOOR_MS = 30 * SECOND_MS
export const BODY_FLOOR_BYTES = 30 * 8 * KIB
// How much of a refused body is read and discarded: more than the rest of an upload that is a little too large. That takes 5 s at
// 18 Mbit/s; a sender that gives less than BODY_PIECE_MIN_BYTES in half a second is not waited for.
export const DRAINED_MAX_BYTES = UPLOAD_MAX_BYTES + 1 * MIB
export const DRAINED_MAX_MS = 5 * SECOND_MS
export const DRAINED_IDLE_MS = SECOND_MS / 2
// Not counted among the memory of bodies: a hundred refused at once hold 6 MiB.
export const DRAINED_PIECE_BYTES = 64 * KIB

// Idempotency-Key: the first answer is kept for a day.
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255
export const IDEMPOTENCY_ANSWER_LIFETIME_MS = 24 * HOUR_MS
// A request that holds a key extends its claim every ten seconds: one that has not for 40 s has died. If it had not, its work
// would be lost, but nothing would be stored twice.
export const IDEMPOTENCY_HEARTBEAT_MS = 10 * SECOND_MS
export const IDEMPOTENCY_CLAIM_LIFETIME_MS = 40 * SECOND_MS
// The largest body at the least pace takes 22 minutes. 180 extensions of one query each.
export const IDEMPOTENCY_HOLD_MAX_MS = 30 * MINUTE_MS
// Longer than the claim, so that a request that waits for one that died takes over. 180 polls of 2 queries, of the 1000 an invocation may make.
export const IDEMPOTENCY_WAIT_MS = 45 * SECOND_MS
export const IDEMPOTENCY_POLL_MS = 250

// What is kept of what was deleted (docs/operating.md#what-is-kept, D47). What is known of a picture goes with its files. Of its
// path and of its token 64 bits of a digest stay: among a thousand million tokens that were revoked, one guess in 18 thousand
// million is taken for one of them, and a wrong name for that of a deleted picture never.
export const KEPT_DIGEST_CHARACTERS = 64 / 4
// A gallery that never held a picture: as long as a request that made it may come again with its Idempotency-Key.
export const REMOVED_GALLERY_LIFETIME_MS = 24 * HOUR_MS
// Long enough to answer who reported, and for them to ask back.
export const HANDLED_CONTACT_LIFETIME_MS = 30 * DAY_MS

// Galleries and pages. Ten pages of D38; whatever is done with all pictures of a gallery is done with so many at most.
export const GALLERY_MAX_IMAGES = 10_000
// Published downloaders read the first page alone (D38). Some 0.5 KB a picture, and on the page of codes 1.5 KB: a page of
// 1.5 MB, compressed a tenth of that.
export const GALLERY_PAGE_IMAGES = 1000

// An IPv6 address has at most 45 characters, and its zone some more.
export const CLIENT_ADDRESS_MAX_CHARACTERS = 64

// The operator's limits of one client (D40): so much at once, refilled evenly within an hour; the setting CLIENT_LIMITS changes
// each. A person who sends 1,000 pictures of 10 MiB may send each of them twice: 2,000 uploads, 20,000 MiB and the forms around
// them. Half as many galleries and covers: no picture needs one of its own. A key for each of these, and for each delete.
export const CLIENT_LIMITS_PER_HOUR = {
  uploads: 2000,
  upload_mib: 20 * KIB,
  covers: 1000,
  galleries: 1000,
  // Nobody mistypes a link of 43 characters so often, and a script that guesses finds nothing in any number of hours.
  unknown_tokens: 100,
  idempotency_keys: 5000,
}

// Blocked pictures (D42). Of the pictures of the corpus, re-encodings down to JPEG q30 and at half the size differ in at most 6 of
// 64 bits, and different pictures in 12 or more. With 7 at least one of the eight bytes is the same, so that these are indexed.
export const FINGERPRINT_MAX_DISTANCE = 7
// Of a gallery that is blocked: each picture is two reads of R2 and a batch, of the 1000 an invocation may make.
export const BLOCK_MAX_IMAGES = 100

// Media (D29).
export const MEDIA_BROWSER_CACHE_S = 4 * HOUR_S
export const MEDIA_EDGE_CACHE_S = 300
// The purge by Cloudflare's API after a delete ends within the 30 s that an invocation lives on after its answer. The API takes 100
// addresses a call, and 800 a second: https://developers.cloudflare.com/cache/how-to/purge-cache/. A gallery of 10,000 pictures is
// 200 calls for each domain; an invocation may make 1000, and the sweep of such a gallery makes some hundred.
export const EDGE_PURGE = {
  filesPerCall: 100,
  callsAtOnce: 4,
  maxCalls: 700,
  callMs: 5 * SECOND_MS,
  totalMs: 20 * SECOND_MS,
  attempts: 3,
  retryMs: 500,
}
export const CORS_MAX_AGE_S = DAY_S

// A year, as browsers' own lists of such domains ask for.
export const HSTS_MAX_AGE_S = 365 * DAY_S

// Pages. The address of a style or script changes with it, so that it may be kept for a year.
export const ASSET_CACHE_S = 365 * DAY_S
// Browsers send up to some 200 characters; a much longer Accept-Language is an attempt to waste CPU.
export const ACCEPT_LANGUAGE_MAX_CHARACTERS = 1000
// RFC 9116, 2.5.5: security.txt should expire in less than a year.
export const SECURITY_TXT_VALID_DAYS = 180

/** How long each call to D1 and R2 may take with its retries, and how often it is tried. */
export interface StorageLimits {
  databaseMs: number
  filesMs: number
  /** Once one call hung. */
  afterHangMs: number
  tickMs: number
  attempts: number
  retryMs: number
}
// Whatever hangs, a request is answered within 10 s (D41): the longest way is 7 s for a file, and then a second each for what
// cleans up after it. D1 answers within milliseconds, and R2 takes some 2 s for 10 MB.
export const REQUEST_STORAGE_LIMITS: StorageLimits = {
  databaseMs: 4 * SECOND_MS,
  filesMs: 7 * SECOND_MS,
  afterHangMs: 1 * SECOND_MS,
  tickMs: 250,
  attempts: 3,
  retryMs: 50,
}
// Nobody waits for a tick: D1 itself ends a statement after 30 s.
export const MAINTENANCE_STORAGE_LIMITS: StorageLimits = {
  ...REQUEST_STORAGE_LIMITS,
  databaseMs: 35 * SECOND_MS,
  filesMs: 35 * SECOND_MS,
  afterHangMs: 5 * SECOND_MS,
}
// The rate limiter answers in milliseconds; within this time a new object starts, too.
export const LIMITER_MAX_MS = 3 * SECOND_MS
// When a client whose request the storage could not serve may come again.
export const STORAGE_RETRY_AFTER_S = 5
// How long it counts what the disk of `npm start` said of its room: a disk takes some 100 MB in that time, half of what is kept free.
export const DISK_ROOM_FRESH_MS = 1 * SECOND_MS

// Maintenance: an upload takes seconds, so one that reserved its id an hour ago has died.
export const CLEANUP_INTENT_LIFETIME_MS = HOUR_MS
// A put that landed after its file was swept: no invocation lives for so long.
export const SECOND_LOOK_MS = HOUR_MS
// One R2 delete takes at most 1000 keys; an image has two.
export const CLEANUP_BATCH_IMAGES = 500
// Half of what a tick sweeps, so that what is deleted meanwhile does not wait.
export const SWEPT_AGAIN_IMAGES = 5000
// A tick finalizes 20 batches of galleries, 333 a second: some 230 a second can be made by one client.
export const MAINTENANCE_BATCH_GALLERIES = 1000
// Where a batch fails it is cut in halves: to find one bad row in a thousand takes 20 tries, a hundred side by side 200.
export const MAINTENANCE_MAX_SPLITS = 250
// What failed is tried again after a minute, two, four, and so on, up to 8.5 hours.
export const RETRY_FIRST_MS = MINUTE_MS
export const RETRY_MAX_DOUBLINGS = 9
// A larger backlog is logged as this.
export const BACKLOG_MAX_COUNTED = 100_000
// What is forgotten by itself is a few rows each: galleries that never held a picture go as fast as they can be finalized.
export const MAINTENANCE_BATCH_FORGOTTEN = 1000
// A kept answer is about 1 KB: a batch frees a megabyte, and a tick's batches 20,000 answers, some 300 a second.
export const MAINTENANCE_BATCH_ANSWERS = 1000
// A tick does at most this many batches of each kind: 20 * 4 queries stay far below the 1000 an invocation may make.
export const MAINTENANCE_MAX_BATCHES = 20

// Reconciliation of R2 with D1 by the operator. A request for a thousand files is a list, a query, and where it finds orphans a
// second list and a delete, which take a thousand keys each. One for 200 records is at most 130 lists and 400 heads, of the 1000
// calls an invocation may make, 50 at once.
export const RECONCILE_BATCH_FILES = 1000
export const RECONCILE_BATCH_RECORDS = 200
export const RECONCILE_HEADS = 50
// The body of an upload takes 30 minutes at most, and from then on it has an hour before it is swept: what is younger may become
// a picture.
export const RECONCILE_MIN_AGE_MS = IDEMPOTENCY_HOLD_MAX_MS + CLEANUP_INTENT_LIFETIME_MS

// Reports. Characters are UTF-16 code units, as browsers count them: at most 9 bytes each percent-encoded, so that 1500 of
// details fit into FORM_FIELD_MAX_BYTES, and the whole form of some 20 KB into FORM_BODY_MAX_BYTES.
export const REPORT_DETAILS_MAX_CHARACTERS = 1500
export const REPORT_CONTACT_MAX_CHARACTERS = 200
// The longest address of a picture has some 200 characters: a domain, two numbers and a name of IMAGE_NAME_MAX_CHARACTERS.
export const CONTENT_URL_MAX_CHARACTERS = 512
// A person may report ten pictures at once, a script at most 1440 a day.
export const REPORT_RATE_BURST = 10
export const REPORT_RATE_INTERVAL_MS = MINUTE_MS
// What one answer to the operator holds: 500 reports of at most 3 * 1700 bytes of text are 2.5 MB.
export const OPERATOR_LISTED_REPORTS = 500
// A URL, and the JSON around it.
export const OPERATOR_BODY_MAX_BYTES = 4 * KIB

// Problems of requests whose paths may not be logged, until they are: lines of some 500 characters each, the rest is counted.
export const KEPT_PROBLEMS = 100

// oEmbed: consumers may cache an answer as long as browsers cache a picture.
export const OEMBED_CACHE_AGE_S = MEDIA_BROWSER_CACHE_S
