import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The tables as queries use them. `migrations/*.sql` defines them and says what each is for; a test compares the two. */

/** Galleries. */
export const galleries = sqliteTable('galleries', {
  id: integer().primaryKey(),
  hash: text().notNull().unique(),
  name: text().notNull(),
  uploadTokenDigest: text('upload_token_digest').notNull(),
  createdAt: integer('created_at').notNull(),
  finalizedAt: integer('finalized_at'),
  deletedAt: integer('deleted_at'),
  deletedBy: text('deleted_by'),
  imageCount: integer('image_count').notNull().default(0),
  forgotten: integer({ mode: 'boolean' }).notNull().default(false),
  hiddenAt: integer('hidden_at'),
  removedIfUnfinished: integer('removed_if_unfinished', { mode: 'boolean' }).notNull().default(false),
  coverImageId: integer('cover_image_id'),
  arranged: integer({ mode: 'boolean' }).notNull().default(false),
  expiresAt: integer('expires_at'),
})

/** Images and covers. */
export const images = sqliteTable(
  'images',
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    thumbnailBytes: integer('thumbnail_bytes').notNull(),
    thumbnailWidth: integer('thumbnail_width').notNull(),
    thumbnailHeight: integer('thumbnail_height').notNull(),
    nsfw: integer({ mode: 'boolean' }).notNull(),
    galleryId: integer('gallery_id').references(() => galleries.id),
    deletedAt: integer('deleted_at'),
    deletedBy: text('deleted_by'),
    sentDigest: text('sent_digest'),
    pathDigest: text('path_digest'),
    crc32: integer(),
    hiddenAt: integer('hidden_at'),
    thumbnailCrc32: integer('thumbnail_crc32'),
    previewMediaType: text('preview_media_type'),
    previewBytes: integer('preview_bytes'),
    previewWidth: integer('preview_width'),
    previewHeight: integer('preview_height'),
    previewCrc32: integer('preview_crc32'),
    displayName: text('display_name'),
    animated: integer({ mode: 'boolean' }),
    caption: text(),
    alt: text(),
    sortAnchor: integer('sort_anchor'),
    sortRank: integer('sort_rank'),
    expiresAt: integer('expires_at'),
  },
  (table) => [index('images_of_gallery').on(table.galleryId, table.deletedAt, table.hiddenAt, table.id)],
)

/** Places in galleries, and the number of images before each: numbered pages are found by them. */
export const galleryMarkers = sqliteTable(
  'gallery_marks',
  {
    galleryId: integer('gallery_id')
      .notNull()
      .references(() => galleries.id),
    imageId: integer('image_id').notNull(),
    imagesBefore: integer('images_before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.galleryId, table.imageId] })],
)

/** The markers of arranged galleries, as `galleryMarkers` are those of the order of arrival. */
export const galleryOrderMarkers = sqliteTable(
  'gallery_order_marks',
  {
    galleryId: integer('gallery_id')
      .notNull()
      .references(() => galleries.id),
    sortAnchor: integer('sort_anchor').notNull(),
    sortRank: integer('sort_rank').notNull(),
    imageId: integer('image_id').notNull(),
    imagesBefore: integer('images_before').notNull(),
  },
  (table) => [primaryKey({ columns: [table.galleryId, table.sortAnchor, table.sortRank, table.imageId] })],
)

/** Galleries that could not be finalized, and when to try again. */
export const galleryRetries = sqliteTable('gallery_retries', {
  galleryId: integer('gallery_id')
    .primaryKey()
    .references(() => galleries.id),
  attempts: integer().notNull(),
  retryAt: integer('retry_at').notNull(),
})

/** The links by which guests add images to galleries. */
export const guestLinks = sqliteTable('guest_links', {
  galleryId: integer('gallery_id')
    .primaryKey()
    .references(() => galleries.id),
  digest: text().notNull().unique(),
  nonce: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at'),
  maxImages: integer('max_images'),
  imageCount: integer('image_count').notNull().default(0),
  closedAt: integer('closed_at'),
})

/** Expired images that could not be deleted, and when to try again. */
export const imageRetries = sqliteTable('image_retries', {
  imageId: integer('image_id').primaryKey(),
  attempts: integer().notNull(),
  retryAt: integer('retry_at').notNull(),
})

/** The digests of management tokens, and what each token addresses. */
export const managementTokens = sqliteTable('management_tokens', {
  digest: text().primaryKey(),
  imageId: integer('image_id').references(() => images.id),
  galleryId: integer('gallery_id').references(() => galleries.id),
})

/** The beginnings of the digests of management tokens whose content is deleted. */
export const revokedTokens = sqliteTable('revoked_tokens', { digest: text().primaryKey() })

/** Images whose files are to be removed when due. */
export const fileCleanup = sqliteTable('file_cleanup', {
  imageId: integer('image_id').primaryKey(),
  name: text().notNull(),
  dueAt: integer('due_at').notNull(),
  claimed: integer({ mode: 'boolean' }).notNull().default(false),
  swept: integer({ mode: 'boolean' }).notNull().default(false),
  attempts: integer().notNull().default(0),
})

/** Deleted galleries whose files are to be removed. */
export const galleryCleanup = sqliteTable('gallery_cleanup', {
  galleryId: integer('gallery_id')
    .primaryKey()
    .references(() => galleries.id),
  afterImageId: integer('after_image_id').notNull().default(0),
  dueAt: integer('due_at').notNull(),
  attempts: integer().notNull().default(0),
})

/** Cache tags to purge from Cloudflare's caches. */
export const edgePurges = sqliteTable(
  'edge_purges',
  {
    zone: text().notNull(),
    tag: text().notNull(),
    deletedAt: integer('deleted_at').notNull(),
    dueAt: integer('due_at').notNull(),
    attempts: integer().notNull().default(0),
  },
  ({ zone, tag }) => [primaryKey({ columns: [zone, tag] })],
)

/** The calls of Cloudflare's API that were made within one minute. */
export const edgePurgeCalls = sqliteTable('edge_purge_calls', {
  id: integer().primaryKey(),
  minute: integer().notNull(),
  calls: integer().notNull(),
})

/** When the cron last wrote to this database. */
export const heartbeats = sqliteTable('heartbeat', {
  id: integer().primaryKey(),
  beatAt: integer('beat_at').notNull(),
})

/** Idempotency-Keys, and the responses stored for them. */
export const idempotencyKeys = sqliteTable('idempotency_keys', {
  digest: text().primaryKey(),
  leaseId: text('claim').notNull(),
  /** Empty while there is no response: the owner of the lease has not read its request yet. */
  fingerprint: text().notNull(),
  response: text('answer'),
  expiresAt: integer('free_at').notNull(),
  shard: integer(),
})

/** Reports of unlawful content. */
export const reports = sqliteTable('reports', {
  id: integer().primaryKey(),
  imageId: integer('image_id').references(() => images.id),
  galleryId: integer('gallery_id').references(() => galleries.id),
  reason: text().notNull(),
  details: text().notNull(),
  contact: text().notNull(),
  createdAt: integer('created_at').notNull(),
  handledAt: integer('handled_at'),
})

/** The digests of files that the operator blocked. */
export const blockedFiles = sqliteTable('blocked_files', {
  digest: text().primaryKey(),
  imageId: integer('image_id').notNull(),
  blockedAt: integer('blocked_at').notNull(),
})

/** The fingerprints of images that the operator blocked, byte by byte. */
export const blockedFingerprints = sqliteTable(
  'blocked_fingerprints',
  {
    band: integer().notNull(),
    value: integer().notNull(),
    fingerprint: text().notNull(),
    imageId: integer('image_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.band, table.value, table.fingerprint] })],
)

/** The bytes of all stored files. */
export const storedBytes = sqliteTable('stored_bytes', {
  id: integer().primaryKey(),
  bytes: integer().notNull(),
  countedTo: integer('counted_to').notNull(),
})

/** Stored uploads that the UPLOAD_WEBHOOK has not acknowledged. */
export const uploadEvents = sqliteTable('upload_events', {
  imageId: integer('image_id').primaryKey(),
  body: text().notNull(),
  dueAt: integer('due_at').notNull(),
  attempts: integer().notNull().default(0),
})

/** Imported block lists. */
export const blockLists = sqliteTable('block_lists', {
  name: text().primaryKey(),
  importedAt: integer('imported_at').notNull(),
})

/** The digests of files in these lists. */
export const listedFiles = sqliteTable(
  'listed_files',
  { digest: text().notNull(), list: text().notNull() },
  (table) => [primaryKey({ columns: [table.digest, table.list] })],
)

/** The fingerprints in these lists, byte by byte. */
export const listedFingerprints = sqliteTable(
  'listed_fingerprints',
  {
    band: integer().notNull(),
    value: integer().notNull(),
    fingerprint: text().notNull(),
    list: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.band, table.value, table.fingerprint, table.list] })],
)

/** Random secrets that the service makes for itself. */
export const secrets = sqliteTable('secrets', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** Decisions of operators. */
export const moderationAudit = sqliteTable('moderation_audit', {
  id: integer().primaryKey(),
  operation: text().notNull(),
  decidedAt: integer('decided_at').notNull(),
  operator: text().notNull(),
  action: text().notNull(),
  imageId: integer('image_id'),
  galleryHash: text('gallery_hash'),
  completed: integer({ mode: 'boolean' }).notNull().default(false),
  changed: integer({ mode: 'boolean' }).notNull().default(false),
  reports: integer().notNull().default(0),
  images: integer('pictures').notNull().default(0),
  list: text(),
})

/** A row of `guest_links`. */
export type GuestLink = typeof guestLinks.$inferSelect
/** A row of `images`. */
export type Image = typeof images.$inferSelect
/** A row of `galleries`. */
export type Gallery = typeof galleries.$inferSelect
/** Content: an image or a gallery, each with what is known of it. */
export type ImageOrGallery<OfImage, OfGallery> = ({ kind: 'image' } & OfImage) | ({ kind: 'gallery' } & OfGallery)
/** The row of an image or a gallery. */
export type ContentRecord = ImageOrGallery<{ image: Image }, { gallery: Gallery }>
/** The ids of an image, with its gallery if it is in one, or of a gallery. */
export type ContentId = ImageOrGallery<{ imageId: number; galleryId: number | null }, { galleryId: number }>
/** A row of `moderation_audit`. */
export type ModerationEntry = typeof moderationAudit.$inferSelect
/** A row of `reports`. */
export type Report = typeof reports.$inferSelect
/** A row of `idempotency_keys`. */
export type IdempotencyKey = typeof idempotencyKeys.$inferSelect
