/**
 * Every number of the service, once. First those of the specification ("Limits"), in its order;
 * then the safety numbers that are our own, each with its arithmetic.
 */

const KIB = 1024
const MIB = 1024 * KIB
const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const MEGAPIXEL = 1_000_000

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
export const MANAGEMENT_TOKEN_LENGTH = 43

// Pictures (D30, D35, D36).
export const THUMBNAIL_WEBP_QUALITY = 80
export const COVER_JPEG_QUALITY = 90
export const IMAGE_NAME_MAX_CHARACTERS = 100
export const IMAGE_MAX_PIXELS = 100 * MEGAPIXEL
export const JPEG_MAX_SCANS = 100

// Forms. A browser sends some 200 bytes of headers a part; a file name may be a long path.
export const MULTIPART_MAX_HEADER_BYTES = 16 * KIB
// The largest form of the contract has eight fields; programs add a few of their own.
export const MULTIPART_MAX_PARTS = 100
// Every field but the files is a number, a token or a name: 255 characters of at most 12 bytes percent-encoded, and room.
export const FORM_FIELD_MAX_BYTES = 16 * KIB
export const FORM_BODY_MAX_BYTES = 64 * KIB
// Two files of a cover, and the parts around them.
export const MULTIPART_MAX_BYTES = 2 * UPLOAD_MAX_BYTES + 1 * MIB

// Galleries and pages.
export const GALLERY_PAGE_IMAGES = 100

// Media (D29).
export const MEDIA_BROWSER_CACHE_S = 4 * 3600
export const MEDIA_EDGE_CACHE_S = 300
export const CORS_MAX_AGE_S = 24 * 3600

// Maintenance: an upload takes seconds, so an intent an hour old belongs to one that died.
export const CLEANUP_INTENT_LIFETIME_MS = HOUR_MS
// One R2 delete takes at most 1000 keys; an image has two.
export const CLEANUP_BATCH_IMAGES = 500
export const MAINTENANCE_BATCH_GALLERIES = 100
// A tick does at most this many batches of each kind: 20 * 4 queries stay far below the 1000 an invocation may make.
export const MAINTENANCE_MAX_BATCHES = 20
