-- Times are milliseconds since 1970-01-01 UTC. Tokens are kept as SHA-256 digests in hexadecimal, never in clear.

-- A gallery's state lives here alone: finalizing or deleting it writes this one row, however many pictures it holds.
CREATE TABLE galleries (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  upload_token_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  finalized_at INTEGER,
  deleted_at INTEGER
) STRICT;

-- What maintenance looks for: galleries nobody finalized, the oldest first.
CREATE INDEX galleries_unfinished ON galleries (created_at) WHERE finalized_at IS NULL AND deleted_at IS NULL;

-- The id holds the moment the request arrived (src/domain/image-id.ts): its order is the order of the pictures in a gallery.
CREATE TABLE images (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  thumbnail_bytes INTEGER NOT NULL,
  thumbnail_width INTEGER NOT NULL,
  thumbnail_height INTEGER NOT NULL,
  nsfw INTEGER NOT NULL,
  gallery_id INTEGER REFERENCES galleries (id),
  deleted_at INTEGER
) STRICT;

CREATE INDEX images_of_gallery ON images (gallery_id, id) WHERE gallery_id IS NOT NULL;

-- Whether a token is still good is told by what it points at: deleted content has no good token.
CREATE TABLE management_tokens (
  digest TEXT PRIMARY KEY,
  image_id INTEGER REFERENCES images (id),
  gallery_id INTEGER REFERENCES galleries (id),
  CHECK ((image_id IS NULL) <> (gallery_id IS NULL))
) STRICT, WITHOUT ROWID;

-- Files in R2 that must go when due: an upload writes its row before its files and drops it with the record,
-- a delete writes it with the mark. `claimed` is set by the sweep before it touches R2, so that a slow upload and the
-- sweep can never both win.
CREATE TABLE file_cleanup (
  image_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  claimed INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX file_cleanup_due ON file_cleanup (due_at);

-- Deleted galleries whose files must go: swept by pages, `after_image_id` remembers how far it got.
CREATE TABLE gallery_cleanup (
  gallery_id INTEGER PRIMARY KEY REFERENCES galleries (id),
  after_image_id INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL
) STRICT;

CREATE INDEX gallery_cleanup_due ON gallery_cleanup (due_at);
