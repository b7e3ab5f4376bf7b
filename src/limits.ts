import { KIB, MIB } from 'tintype-codec/units'
import { DAY_MS, DAY_S, HOUR_MS, HOUR_S, MINUTE_MS, SECOND_MS } from './units.ts'

/**
 * The limits of the service: sizes, counts, rates, lifetimes and timeouts that clients and operators can observe, and the
 * budgets of memory and time behind them. First come those of the specification ("Limits"), in its order, then our own, each
 * with its arithmetic.
 *
 * A constant of one algorithm, format or page is not a limit, and is declared where it is used. Limits of image files are in the
 * codec, a package of its own: codec/src/limits.ts, codec/src/pixels/budget.ts and codec/src/container.
 */

// The specification's limits.

/** The largest file of an upload, inclusive (D10). */
export const UPLOAD_MAX_BYTES = 10 * MIB
/** The least that `max_th_size` may be, the box that a thumbnail is fitted into. */
export const THUMBNAIL_MIN_SIZE_PX = 150
/** The most that `max_th_size` may be. */
export const THUMBNAIL_MAX_SIZE_PX = 500
/** The box of a thumbnail where `max_th_size` is not sent, and of every cover. */
export const THUMBNAIL_DEFAULT_SIZE_PX = 200
/** The longest edge of an optimized image. */
export const OPTIMIZED_MAX_EDGE_PX = 3840
/** The WebP quality of an optimized image, from 0 to 100. */
export const OPTIMIZED_WEBP_QUALITY = 90
/** The longest name of a gallery, in Unicode characters (D18). */
export const GALLERY_NAME_MAX_CHARACTERS = 255
/** Fits on one line of the footer. */
export const OPERATOR_NAME_MAX_CHARACTERS = 100
/** Fits on two lines below the heading of the front page. */
export const TAGLINE_MAX_CHARACTERS = 200
/** A paragraph above the upload form. */
export const UPLOAD_NOTICE_MAX_CHARACTERS = 1000
/** Time after the creation of a gallery in which images can be added (D26). */
export const UPLOAD_TOKEN_LIFETIME_MS = 24 * HOUR_MS
/** URLs that one status request may ask about. */
export const STATUS_MAX_URLS = 100
/** The longest of these URLs, in UTF-8. */
export const STATUS_URL_MAX_BYTES = 512
/** The largest body of a status request. */
export const STATUS_BODY_MAX_BYTES = 64 * KIB
/** Status requests that a client may send at once: the size of its bucket (D24). */
export const STATUS_RATE_BURST = 5
/** The time in which the bucket refills by one request. */
export const STATUS_RATE_INTERVAL_MS = 6 * SECOND_MS
/** The time in which an empty bucket fills up. */
export const STATUS_RATE_WINDOW_S = (STATUS_RATE_BURST * STATUS_RATE_INTERVAL_MS) / SECOND_MS
/** The length of a management token in characters: 256 bits in base64url. */
export const MANAGEMENT_TOKEN_LENGTH = 43

// Tokens (D9).

/** The length of a gallery's public identifier: 71 bits in letters and digits. */
export const GALLERY_HASH_LENGTH = 12
/** The length of a gallery's upload token: 256 bits in letters and digits. */
export const UPLOAD_TOKEN_LENGTH = 43

// Images (D30, D35, D36).

/** The WebP quality of thumbnails, from 0 to 100. */
export const THUMBNAIL_WEBP_QUALITY = 80
/** The longest edge of a preview. */
export const PREVIEW_MAX_EDGE_PX = 1280
/** The quality of previews, from 0 to 100: a photograph has some 170 kB. */
export const PREVIEW_QUALITY = 80
/** The largest preview: WhatsApp shows no larger image of a link. Lower qualities are tried above it. */
export const PREVIEW_MAX_BYTES = 300_000
/** The longest stored file name, without its extension (D8). */
export const IMAGE_NAME_MAX_CHARACTERS = 100
/**
 * Maximum number of ids that are tried for a new image. In each millisecond an isolate begins at a random one of 4096,
 * and skips those that are taken.
 */
export const IMAGE_ID_MAX_TRIES = 100
/** The largest image, in pixels (D36): the codec's own limit. */
export { IMAGE_MAX_PIXELS } from 'tintype-codec/limits'

// Forms and bodies.

/** The headers of one part. A browser sends some 200 bytes of them; a file name may be a long path. */
export const MULTIPART_MAX_HEADER_BYTES = 16 * KIB
/** The longest boundary (RFC 2046, 5.1.1). */
export const MULTIPART_BOUNDARY_MAX_CHARACTERS = 70
/** The white space that may follow a boundary on its line. */
export const MULTIPART_BOUNDARY_PADDING_MAX_BYTES = 64
/** The largest form of the contract has eight fields; programs add a few of their own. */
export const MULTIPART_MAX_PARTS = 100
/**
 * The longest field that is no file. All of them are numbers, tokens or names: 255 characters of at most 12 bytes
 * percent-encoded, and room.
 */
export const FORM_FIELD_MAX_BYTES = 16 * KIB
/** The largest form without files, or JSON body of a rename. */
export const FORM_BODY_MAX_BYTES = 64 * KIB
/**
 * Maximum length of a value in an error message: enough to recognise it, but shorter than the shortest token, in case
 * one was sent in the wrong field.
 */
export const QUOTED_MAX_CHARACTERS = 20
/** The largest form with files: the two of a cover, and the parts around them. */
export const MULTIPART_MAX_BYTES = 2 * UPLOAD_MAX_BYTES + 1 * MIB
/**
 * The pixels of all images that one request of the share sheet may bring: some 20 s of CPU for the slowest format. The rest is
 * reported as not uploaded.
 */
export const SHARED_MAX_PIXELS = 200_000_000
/** A body is read in pieces of at least this size, except at its beginning: each read costs as much as copying 100 KB. */
export const BODY_CHUNK_MIN_BYTES = 16 * KIB
/**
 * The buffer that a body is read through. It holds the longest part header as a whole; a larger one saves less than a tenth of
 * the time.
 */
export const BODY_WINDOW_BYTES = 256 * KIB
/** Initial reservation for a body of unknown length, with its buffers: most forms are smaller. */
export const UNKNOWN_BODY_BYTES = 256 * KIB
/**
 * Memory for all bodies of an isolate, 32 MiB of its 128 MB. The codecs have 72 MiB (codec/src/pixels/budget.ts). One
 * image at a time is optimized, and until one of its two files is chosen, both are in memory (10 MB).
 */
export const BODY_ADMISSION = {
  // Some 400 forms of a gallery, or ten images of 200 KB with their buffers.
  smallBudgetBytes: 6 * MIB,
  smallBytes: 640 * KIB,
  // Two images of 10 MB and one of 4, or a cover of two.
  largeBudgetBytes: 26 * MIB,
  beginningBytes: 4 * KIB,
  guaranteedShare: 1 / 8,
  // 10 MB at 6 Mbit/s.
  announcedMs: 13 * SECOND_MS,
  slowBytesPerMs: (8 * KIB) / SECOND_MS,
  graceMs: 1.5 * SECOND_MS,
  crowd: 8,
  // A line of 1 Mbit/s: 10 MB then take 80 s.
  pressedBytesPerMs: (128 * KIB) / SECOND_MS,
  pressedAfterMs: 10 * SECOND_MS,
  maxDebtMs: 3 * MINUTE_MS,
  debtorGraceMs: 0.3 * SECOND_MS,
  waitMs: MINUTE_MS,
  retryAfterS: 5,
  maxWaiting: 256,
  expectedBytesPerMs: (10 * MIB) / SECOND_MS,
  lostMs: 3 * MINUTE_MS,
}
/**
 * One image is decoded at a time: most take a tenth of a second, the largest two seconds. A client whose images would wait longer than
 * `waitMs` is refused at once. A turn is taken from a job that lasts too long, or whose request was cancelled.
 */
export const IMAGE_TURNS = {
  waitMs: MINUTE_MS,
  // An upload that waits holds its body, so memory bounds the number of waiting images long before.
  maxWaiting: 1000,
  jobMaxMs: 30 * SECOND_MS,
  lostMs: 5 * SECOND_MS,
}
/**
 * The time in which a body must bring BODY_FLOOR_BYTES, or it is given up with 408 (D41). Time in which the service itself does
 * not read is not counted.
 */
export const BODY_FLOOR_MS = 30 * SECOND_MS
/** Minimum number of bytes of a body in BODY_FLOOR_MS: 8 KiB/s. */
export const BODY_FLOOR_BYTES = 30 * 8 * KIB
/**
 * Maximum number of bytes of a refused body that are discarded: more than the rest of an upload that is slightly too
 * large.
 */
export const DRAINED_MAX_BYTES = UPLOAD_MAX_BYTES + 1 * MIB
/** Time for which a refused body is read: DRAINED_MAX_BYTES arrive in 5 s at 18 Mbit/s. */
export const DRAINED_MAX_MS = 5 * SECOND_MS
/** A refused body that brings less than BODY_CHUNK_MIN_BYTES in this time is not read any further. */
export const DRAINED_IDLE_MS = SECOND_MS / 2
/** The buffer that a refused body is read into. It is not counted as memory of bodies: a hundred refused at once hold 6 MiB. */
export const DRAIN_CHUNK_BYTES = 64 * KIB

// Idempotency-Key.

/** The longest key, without its quotes. */
export const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255
/** Lifetime of a stored first response, which is returned to retries. */
export const IDEMPOTENCY_RESPONSE_LIFETIME_MS = 24 * HOUR_MS
/** Lifetime of a forwarding record on shard 0: longer than the response is stored, which is sealed up to IDEMPOTENCY_LEASE_MAX_MS later. */
export const IDEMPOTENCY_FORWARD_LIFETIME_MS = IDEMPOTENCY_RESPONSE_LIFETIME_MS + HOUR_MS
/** Interval at which a request renews its lease of a key. */
export const IDEMPOTENCY_RENEWAL_MS = 10 * SECOND_MS
/** Lifetime of a lease that is not renewed: its request has died, and another takes over. If it has not died, it can record nothing. */
export const IDEMPOTENCY_LEASE_MS = 40 * SECOND_MS
/** Maximum time for which one request renews its lease: the largest body at the least pace takes 22 minutes. That is 180 renewals of one query each. */
export const IDEMPOTENCY_LEASE_MAX_MS = 30 * MINUTE_MS
/** Timeout of a request that waits for another with the same key: longer than the lease, so that it takes over from one that died. */
export const IDEMPOTENCY_WAIT_MS = 45 * SECOND_MS
/** Delay before the waiters of an isolate read a key, one of them for all; doubled after each read. */
export const IDEMPOTENCY_POLL_MS = 250
/** The longest time between two reads: 45 s are 14 reads for each key and isolate. */
export const IDEMPOTENCY_POLL_MAX_MS = 4 * SECOND_MS
/** Requests of a client that may wait for one key. A client that repeats a request has one or two under way. */
export const IDEMPOTENCY_MAX_WAITERS = 8

// Retention of deleted data (docs/operating.md#data-retention, D47).

/**
 * Of the digests of an image's path and token, 64 bits are stored, in hexadecimal. Everything else is erased with its
 * files. Among 10^9 revoked tokens, one guess in 1.8 * 10^10 matches one of them. A wrong name never matches a deleted
 * image.
 */
export const STORED_DIGEST_CHARACTERS = 64 / 4
/**
 * Retention of a gallery that never had an image: as long as the request that created it may be retried with its
 * Idempotency-Key.
 */
export const REMOVED_GALLERY_LIFETIME_MS = 24 * HOUR_MS
/** Retention of the contact in a handled report: long enough to reply to the reporter, and for questions. */
export const HANDLED_CONTACT_LIFETIME_MS = 30 * DAY_MS

// Galleries and pages.

/** Shortest time after which content is gone, in seconds (D62): a minute. */
export const EXPIRY_MIN_S = MINUTE_MS / SECOND_MS
/** Longest time: ten years of 365 days. */
export const EXPIRY_MAX_S = 10 * 365 * DAY_S

/** Maximum number of images of a gallery: ten pages of D38. */
export const GALLERY_MAX_IMAGES = 10_000

/** The largest `position` of an upload: times in milliseconds fit. */
export const POSITION_MAX = Number.MAX_SAFE_INTEGER

/** Images that one request moves: those of a page. */
export const ORDERED_MAX_IMAGES = 1_000
/** The largest JSON body of a request that changes a gallery: ORDERED_MAX_IMAGES addresses of some 200 bytes. */
export const ORDER_BODY_MAX_BYTES = 256 * KIB
/** Images that one request removes: the caches of each are purged before the response. */
export const REMOVED_MAX_IMAGES = 20

/** The maximum of a caption or an alternative text. */
export const CAPTION_MAX_CHARACTERS = 1_000
/**
 * Images on a page of a gallery: published downloaders read only the first page (D38). Each takes some 0.5 KB, and on
 * the page of codes 1.5 KB: a page of 1.5 MB, compressed a tenth of that.
 */
export const GALLERY_PAGE_IMAGES = 1000
/** The longest time for which a guest link may be valid: a year. */
export const GUEST_LINK_MAX_S = 31_536_000

/** Images on a page of a gallery's management page, each with its own buttons. */
export const MANAGED_PAGE_IMAGES = 100

// Clients.

/** Maximum length of a client's address: IPv6 has at most 45 characters, and its zone some more. */
export const CLIENT_ADDRESS_MAX_CHARACTERS = 64

/**
 * The operator's hourly limits of one client (D40), which the setting CLIENT_LIMITS changes. The whole amount may be
 * used at once, and refills evenly. They allow to upload 1,000 images of 10 MB twice: 2,000 uploads, 20,000 MiB and the
 * forms around them. Galleries and covers are half as many, because no image needs one of its own. An Idempotency-Key
 * may be used for each of these, and for each delete.
 */
export const CLIENT_LIMITS_PER_HOUR = {
  uploads: 2000,
  upload_mib: 20 * KIB,
  // 1,000 photographs of 50 megapixels.
  megapixels: 50_000,
  covers: 1000,
  galleries: 1000,
  // Each gallery twice.
  finalizes: 2000,
  // Renames, moves, captions, covers, guest links.
  changes: 2000,
  // The largest gallery twice.
  download_files: 20_000,
  // Nobody mistypes a link of 43 characters so often, and a script that guesses finds nothing in any number of hours.
  unknown_tokens: 100,
  // A person does not paste a wrong key so often. Nobody guesses one of OPERATOR_KEY_MIN_CHARACTERS.
  operator_keys: 60,
  idempotency_keys: 5000,
}

/** The shortest key of an operator: nobody guesses 32 characters, at any number of tries. */
export const OPERATOR_KEY_MIN_CHARACTERS = 32

// Blocked images (D42).

/**
 * In how many of their 64 bits the fingerprints of two images may differ that count as the same. Of the images of the
 * corpus, re-encodings down to JPEG q30 and at half the size differ in at most 6 bits, and different images in 12 or more.
 * With 7, at least one of the eight bytes is the same, so that they can be found by an index.
 */
export const FINGERPRINT_MAX_DISTANCE = 7
/**
 * Maximum number of images that are blocked with their gallery: each needs two reads of R2 and a batch, of the 1000
 * calls of an invocation.
 */
export const BLOCK_MAX_IMAGES = 100

// Shards (docs/scaling.md).

/** Maximum number of databases. Five bits of an image's id, and one character of a hash or token, name one of them. */
export const SHARDS_MAX = 32
/** Time for which an isolate keeps new content off a shard that has failed. */
export const SHARD_BREAKER_MS = 10 * SECOND_MS
/** Shards that are tried for new content: if the first hangs for 4 s, there is a second each for two more. */
export const SHARD_MAX_TRIES = 3
/** An image that is younger is read from the primary: a replica may not have it yet. */
export const REPLICA_READS_FROM_MS = MINUTE_MS
/**
 * Maximum lag of a replica whose result is used. The cron writes the time into each database once a minute: a healthy replica
 * has the last one or, for a moment, the one before.
 */
export const REPLICA_MAX_LAG_MS = 3 * MINUTE_MS

// Reads of one machine (docs/architecture.md#hot-reads).

/** The cache of public facts and small files in the isolate of `npm start`: 8 MiB of the memory that bodies and codecs leave. */
export const READ_CACHE = {
  maxBytes: 8 * MIB,
  // Thumbnails of photographs take 5 to 40 KiB, compressed pages of images 5.
  entryMaxBytes: 64 * KIB,
  // A record, or the facts of a file or page, with its place in the index.
  overheadBytes: 2 * KIB,
  // A write is under way for milliseconds.
  maxUnsettled: 1000,
  rememberedWrites: 1000,
}

// Media (D29).

/** Browser cache lifetime of an image. */
export const MEDIA_BROWSER_CACHE_S = 4 * HOUR_S
/** Edge cache lifetime of an image, and so how long a deleted one stays visible without a purge. */
export const MEDIA_EDGE_CACHE_S = 300
/**
 * Purges through Cloudflare's API. A call takes 100 tags. Calls by tag are limited for each account: 5 a minute in a
 * bucket of 25 on the Free plan, and 5, 10 or 50 a second on the others. Source:
 * https://developers.cloudflare.com/cache/how-to/purge-cache/ (read 2026-11-23).
 */
export const EDGE_PURGE = {
  // Where PURGE_RATE does not say otherwise: those of the Free plan.
  callsPerMinute: 5,
  // 6,000 tags a minute. The API as a whole takes 1,200 calls in five minutes, of everything that the operator's tools do.
  maxCallsPerMinute: 60,
  // Deletes take half of the calls at once; the others are for the cron.
  shareAtOnce: 0.5,
  tagsPerCall: 100,
  callsAtOnce: 4,
  callMs: 5 * SECOND_MS,
  // Until then a replica may be REPLICA_MAX_LAG_MS behind, and a request that read it may fill the cache for 35 s.
  againMs: REPLICA_MAX_LAG_MS + MINUTE_MS,
  // Five minutes after that every entry has expired.
  uselessAfterMs: REPLICA_MAX_LAG_MS + MINUTE_MS + MEDIA_EDGE_CACHE_S * SECOND_MS,
}
/** Timeout of one call to the edge cache of a data centre. It responds in milliseconds. */
export const EDGE_CACHE_MAX_MS = SECOND_MS
/** The number of attempts to delete an entry from it, or to leave a tombstone. */
export const EDGE_CACHE_DELETE_ATTEMPTS = 3
/**
 * Timeout of filling it with a file. Within AFTER_RESPONSE_MAX_MS there is then time to look for a tombstone and to delete the entry.
 */
export const EDGE_CACHE_PUT_MAX_MS = 20 * SECOND_MS
/**
 * Larger files are read again for the cache, smaller ones are cloned: 50 slow clients hold 6.4 MB of clones at most. A thumbnail has
 * some 10 KB.
 */
export const EDGE_CACHE_CLONE_MAX_BYTES = 128 * KIB
/**
 * The lifetime of a tombstone. It outlives every entry that was filled, up to AFTER_RESPONSE_MAX_MS later, with what was read before
 * the delete; and the time that a replica may be behind.
 */
export const EDGE_CACHE_TOMBSTONE_S = MEDIA_EDGE_CACHE_S + MINUTE_MS / SECOND_MS
/**
 * Timeout of all work after a response. The runtime cancels it after 30 s and logs the URL of the request:
 * https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */
export const AFTER_RESPONSE_MAX_MS = 25 * SECOND_MS
/** Lifetime of a preflight response in browsers (D20). */
export const CORS_MAX_AGE_S = DAY_S

/** HSTS max-age: one year, the minimum of the browsers' preload lists. */
export const HSTS_MAX_AGE_S = 365 * DAY_S

// Pages.

/** Cache lifetime of a style or script. Its address changes with its content. */
export const ASSET_CACHE_S = 365 * DAY_S
/**
 * Maximum length of Accept-Language that is parsed. Browsers send up to some 200 characters; a much longer one is an
 * attempt to waste CPU.
 */
export const ACCEPT_LANGUAGE_MAX_CHARACTERS = 1000
/** Maximum length of Accept that is parsed. */
export const ACCEPT_MAX_CHARACTERS = 1000
/** The longest address that a page repeats in its links to other languages and themes, some thirty times. */
export const PAGE_ADDRESS_MAX_CHARACTERS = 1 * KIB
/**
 * The files of one share that the service worker of the installed app stores on the device; the page reports the others. A person
 * selects that many in a gallery of a phone.
 */
export const SHARED_MAX_FILES = 100
/** Their total size: 20 large photographs, or 100 of the usual 2 MB. */
export const SHARED_MAX_BYTES = 200 * MIB
/** Timeout of a share of which nothing arrives or is stored. Chromium would end its service worker after 5 minutes. */
export const SHARE_STALL_TIMEOUT_MS = 30_000
/** The shares that wait on a device in all its windows. A further one replaces the oldest: a closed window leaves its own. */
export const SHARES_WAITING_MAX = 10
/** When security.txt expires: RFC 9116, 2.5.5 recommends less than a year. */
export const SECURITY_TXT_VALID_DAYS = 180

/** Timeout of each call to D1 and R2 with its retries, and the number of attempts. */
export interface StorageLimits {
  /** For a call to D1, with its retries. */
  databaseMs: number
  /** For a call to R2, with its retries. */
  filesMs: number
  /** For each further call of a request in which one hung. */
  afterHangMs: number
  /** For the first call to the files of a request in which only a database hung. */
  filesAfterHangMs: number
  /** Interval at which the time is checked. */
  tickMs: number
  attempts: number
  /** The pause before the second attempt, more or less; twice as long before each further one. */
  retryMs: number
}

// Storage and other services.

/**
 * Limits that ensure a response within 10 s, even if storage hangs (D41). The longest way is 7 s for a file, and a
 * second each for cleanup. Another is 4 s for a shard, a second for another shard, and 2 s for its files. D1 responds
 * within milliseconds, and R2 takes some 2 s for 10 MB.
 */
export const REQUEST_STORAGE_LIMITS: StorageLimits = {
  databaseMs: 4 * SECOND_MS,
  filesMs: 7 * SECOND_MS,
  afterHangMs: 1 * SECOND_MS,
  filesAfterHangMs: 2 * SECOND_MS,
  tickMs: 250,
  attempts: 3,
  retryMs: 50,
}
/** Nobody waits for a tick: D1 itself ends a statement after 30 s. */
export const MAINTENANCE_STORAGE_LIMITS: StorageLimits = {
  ...REQUEST_STORAGE_LIMITS,
  databaseMs: 35 * SECOND_MS,
  filesMs: 35 * SECOND_MS,
  afterHangMs: 5 * SECOND_MS,
  filesAfterHangMs: 5 * SECOND_MS,
}
/** The longest XML of an S3 service: a list of a thousand keys takes some 400 KB. */
export const S3_XML_MAX_BYTES = 2 * MIB
/** When a request to an S3 service is given up: after all that waits for it. */
export const S3_CALL_MAX_MS = 40 * SECOND_MS
/** Timeout of a file read from an S3 service, which takes as long as its client: 10 MB at 12 KB/s. */
export const S3_BODY_MAX_MS = 15 * MINUTE_MS
/** Timeout of a file read whose store sends nothing. */
export const S3_STALL_MAX_MS = 30 * SECOND_MS
/** Files that are deleted at once where the service deletes one by one. An invocation has 6 connections. */
export const S3_DELETES_AT_ONCE = 6
/** Timeout of the rate limiter. It responds in milliseconds; a new object starts within this time. */
export const LIMITER_MAX_MS = 3 * SECOND_MS
/**
 * The number of objects that count what clients do. On Cloudflare 9 regions have 4,608, each of which serves some 1,000 requests a second
 * (https://developers.cloudflare.com/durable-objects/platform/limits/). On one machine more than one would gain nothing: all run on
 * one thread, each is a file, and commits of one object share a sync.
 */
export const LIMITER_OBJECTS = { perRegion: 512, ofOneMachine: 1 }
/**
 * Interval at which such an object removes rows of full buckets. 1,000 new clients a second leave 300,000 rows of some
 * 100 bytes, and those not yet full.
 */
export const LIMITER_SWEEP_INTERVAL_MS = 5 * MINUTE_MS
/** Rows that it removes at once: a few milliseconds. Requests are served before the next ones. */
export const LIMITER_SWEEP_ROWS = 1000
/** Refused clients that an isolate remembers: some 300 bytes each. */
export const LIMITER_REMEMBERED_CLIENTS = 1000
/** The greatest difference between clocks of Cloudflare's machines: refusals are not decided by an isolate's clock so close to their end. */
export const LIMITER_SKEW_MS = 1 * SECOND_MS
/** Timeout of a static asset of the Worker, with all attempts. */
export const STATIC_ASSET_MAX_MS = 5 * SECOND_MS
/** Attempts to read one. */
export const STATIC_ASSET_ATTEMPTS = 2
/** When a client may come again whose request the storage could not serve. */
export const STORAGE_RETRY_AFTER_S = 5
/** Retry-After of changes while the service is read-only: the last pass of a move takes minutes. */
export const READ_ONLY_RETRY_AFTER_S = 60
/**
 * Lifetime of the known free disk space of `npm start`. A disk writes some 100 MB in that time, half of the reserve.
 */
export const DISK_ROOM_FRESH_MS = 1 * SECOND_MS

/**
 * Lifetime of the known size of all files, where STORAGE_MAX is set: one query of one row on each shard. Each isolate may
 * accept uploads for as long after the limit is reached.
 */
export const STORED_BYTES_FRESH_MS = 10 * SECOND_MS

// Maintenance.

/**
 * When the files of an upload that reserved its id, and was never recorded, are removed: uploads take seconds, so it has died.
 */
export const CLEANUP_INTENT_LIFETIME_MS = HOUR_MS
/** The path of a removed file is rechecked after this time for a late put: no invocation lives longer. */
export const RECHECK_MS = HOUR_MS
/** Images whose files one call deletes: R2 accepts at most 1000 keys, and an image has three. */
export const CLEANUP_BATCH_IMAGES = 333
/** Paths that a tick looks at again: half of what it sweeps, so that what is deleted meanwhile does not wait. */
export const SWEPT_AGAIN_IMAGES = 5000
/** Galleries that one batch finalizes. A tick's 20 batches are 333 a second; one client can make some 230 a second. */
export const MAINTENANCE_BATCH_GALLERIES = 1000
/**
 * Expired galleries or images that one batch deletes: as many images as the files of one batch of the sweep. Each image of a large
 * gallery changes up to a hundred marks.
 */
export const MAINTENANCE_BATCH_EXPIRED = 333
/**
 * Maximum number of splits of failing batches in a tick: to find one bad row in a thousand takes 20 attempts, a hundred
 * adjacent ones 200.
 */
export const MAINTENANCE_MAX_SPLITS = 250
/** When what failed is tried again; then after twice as long each time, up to 8.5 hours. */
export const RETRY_FIRST_MS = MINUTE_MS
/** Maximum number of doublings. */
export const RETRY_MAX_DOUBLINGS = 9
/** A larger backlog is logged as this. */
export const BACKLOG_MAX_COUNTED = 100_000
/** Images without a count of their bytes that one run counts: 10 million within three hours, and some 100 ms of D1. */
export const MAINTENANCE_BATCH_COUNTED = 50_000
/**
 * Expired records that one batch removes, of a few rows each. Galleries that never had an image are removed as fast as
 * they can be finalized.
 */
export const MAINTENANCE_BATCH_FORGOTTEN = 1000
/**
 * Stored responses that one batch removes. Each is about 1 KB: a batch frees a megabyte, and a tick's batches 20,000
 * responses, some 300 a second.
 */
export const MAINTENANCE_BATCH_RESPONSES = 1000
/** Batches of each kind that a tick does: 20 * 4 queries stay far below the 1000 that an invocation may make. */
export const MAINTENANCE_MAX_BATCHES = 20
/**
 * After so many calls a tick begins with no other shard: one takes 600 at most, an idle one 13, and an invocation may make 1000.
 * The next tick begins with the shard after the one with which this one began.
 */
export const MAINTENANCE_MAX_CALLS = 400

// Reconciliation of R2 with D1 by the operator.

/**
 * Files that one request compares. That is a list, a query and, where it finds orphans, a second list and a delete, which
 * take a thousand keys each.
 */
export const RECONCILE_BATCH_FILES = 1000
/** Records that one request compares: at most 130 lists and 400 heads, of the 1000 calls that an invocation may make. */
export const RECONCILE_BATCH_RECORDS = 200
/** Records that one request for missing previews lists. It makes at most one preview. */
export const PREVIEWS_BATCH_RECORDS = 200
/** The number of these heads that are asked for at once. */
export const RECONCILE_HEADS = 50
/**
 * Bytes after which a request that verifies files ends, some 50 ms of CPU. What is under way then is read to its end: four files of at most
 * 10 MiB, streamed.
 */
export const VERIFY_BATCH_BYTES = 16 * MIB
/** Files that one request verifies at once. A Worker has six connections, and other calls need some. */
export const VERIFY_AT_ONCE = 4
/**
 * Younger files may belong to an upload in progress: the body of an upload takes 30 minutes at most, and its intent an
 * hour until it is swept.
 */
export const RECONCILE_MIN_AGE_MS = IDEMPOTENCY_LEASE_MAX_MS + CLEANUP_INTENT_LIFETIME_MS
/**
 * A replica that is believed has every image that is older: an upload is recorded RECONCILE_MIN_AGE_MS after it arrived at the latest. A minute
 * is for clocks that differ.
 */
export const REPLICA_COMPLETE_FROM_MS = RECONCILE_MIN_AGE_MS + REPLICA_MAX_LAG_MS + MINUTE_MS

// Reports.

/**
 * The longest details of a report, in UTF-16 code units, as browsers count them. Each is at most 9 bytes percent-encoded, so
 * that these fit into FORM_FIELD_MAX_BYTES, and the whole form of some 20 KB into FORM_BODY_MAX_BYTES.
 */
export const REPORT_DETAILS_MAX_CHARACTERS = 1500
/** The longest contact of a report, in UTF-16 code units. */
export const REPORT_CONTACT_MAX_CHARACTERS = 200
/**
 * Maximum length of a reported address. That of an image has at most some 200 characters: a domain, two numbers and a
 * name of IMAGE_NAME_MAX_CHARACTERS.
 */
export const CONTENT_URL_MAX_CHARACTERS = 512
/** Reports that a client may send at once. A person may report ten images; a script can send 1440 a day. */
export const REPORT_RATE_BURST = 10
/** The time in which a client gets one more report. */
export const REPORT_RATE_INTERVAL_MS = MINUTE_MS
/**
 * Rows in a list for the operator: 500 reports of at most 3 * 1700 bytes of text are 2.5 MB. Images, blocks and
 * decisions have some 200 bytes each.
 */
export const OPERATOR_LISTED = 500
/** The time for which a visitor of the upload page counts as human. */
export const HUMAN_PASS_LIFETIME_MS = HOUR_MS
/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export const HUMAN_TOKEN_MAX_CHARACTERS = 2048
/** The longest UPLOAD_HOOK_TIMEOUT: with the storage, a response comes within 40 s. */
export const UPLOAD_HOOK_MAX_S = 20
/** The largest response of the UPLOAD_HOOK. */
export const UPLOAD_HOOK_RESPONSE_MAX_BYTES = 4 * KIB
/** The longest sentence of a denial. */
export const UPLOAD_DENIAL_MAX_CHARACTERS = 200
/** Calls of the UPLOAD_HOOK at once, of an isolate: each holds a thumbnail in base64, at most some 400 KB. */
export const UPLOAD_HOOK_AT_ONCE = 20
/** The shortest secret of Standard Webhooks. */
export const WEBHOOK_SECRET_MIN_BYTES = 24
/** The longest secret of Standard Webhooks. */
export const WEBHOOK_SECRET_MAX_BYTES = 64
/** When the cron sends an announcement of an upload again: after 1, 2, 4 minutes and so on. */
export const UPLOAD_EVENT_BACK_OFF = { firstMs: MINUTE_MS, maxMs: 8 * HOUR_MS }
/** Announcements are given up after so many attempts of the cron, within two days. */
export const UPLOAD_EVENT_MAX_ATTEMPTS = 14
/** Workers have six connections at once: https://developers.cloudflare.com/workers/platform/limits/ */
export const UPLOAD_EVENTS_AT_ONCE = 5
/** Time in which a run of the cron begins to send batches. */
export const UPLOAD_EVENTS_MAX_MS = 20 * SECOND_MS
/** Timeout of a webhook. For reports, with all attempts it is 20 s at most: after a response, an invocation has 30. */
export const WEBHOOK_TIMEOUT_MS = 5 * SECOND_MS
/** Pause before each further attempt. */
export const WEBHOOK_BACK_OFF_MS = [1 * SECOND_MS, 4 * SECOND_MS]
/** More concurrent reports are not posted. They are stored and listed. */
export const WEBHOOK_MAX_AT_ONCE = 20
/** A fingerprint in hexadecimal: 64 bits. */
export const FINGERPRINT_HEX_CHARACTERS = 16
/** Entries of a block list in one request, of 64 characters: three rows of D1 each. */
export const BLOCK_LIST_MAX_ENTRIES = 2000
/** The largest body of such a request. */
export const BLOCK_LIST_BODY_MAX_BYTES = 256 * KIB
/** The longest name of a block list. */
export const BLOCK_LIST_NAME_MAX_CHARACTERS = 63
/** Fingerprints of all block lists: an upload reads a thirty-second part of them, some 1,500 rows. */
export const BLOCK_LIST_MAX_FINGERPRINTS = 50_000
/** The largest body of an operator's request: a URL, and the JSON around it. */
export const OPERATOR_BODY_MAX_BYTES = 4 * KIB

// The log.

/**
 * The number of problems that are kept of requests whose paths may not be logged, until they are: lines of some 500 characters each. The
 * rest is counted.
 */
export const DEFERRED_PROBLEMS_MAX = 100

// Monitoring.

/** Lifetime of a health check's result. */
export const HEALTH_FRESH_MS = 1 * SECOND_MS
/** Timeout of each part in a health check. */
export const HEALTH_CHECK_MAX_MS = 2 * SECOND_MS
/** Timeout of all metrics from D1 together: Prometheus waits 10 s by default. */
export const METRICS_STORAGE_MAX_MS = 5 * SECOND_MS
/** Upper bounds of the histogram of response times, in seconds: from a cached page to an upload that waited. */
export const RESPONSE_TIME_BUCKETS_S = [0.025, 0.1, 0.25, 1, 2.5, 10, 30]

// oEmbed.

/** Lifetime of a response for consumers: the same as for an image in browsers. */
export const OEMBED_CACHE_AGE_S = MEDIA_BROWSER_CACHE_S
