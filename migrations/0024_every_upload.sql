-- The bytes of all stored files of recorded images: one row. Triggers keep it with the records, so that every version of the Worker does.
-- Images up to `counted_to` are counted. The cron counts those from before this table, batch by batch.
CREATE TABLE stored_bytes (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  bytes INTEGER NOT NULL,
  counted_to INTEGER NOT NULL
) STRICT;

INSERT INTO stored_bytes SELECT 1, 0, CASE WHEN EXISTS (SELECT 1 FROM images) THEN 0 ELSE 9007199254740991 END;

-- A record is erased with its files: its sizes become 0.
CREATE TRIGGER stored_bytes_added AFTER INSERT ON images BEGIN UPDATE stored_bytes SET bytes = bytes + new.bytes + new.thumbnail_bytes + coalesce(new.preview_bytes, 0) WHERE counted_to >= new.id; END;
CREATE TRIGGER stored_bytes_changed AFTER UPDATE OF bytes, thumbnail_bytes, preview_bytes ON images BEGIN UPDATE stored_bytes SET bytes = bytes + new.bytes + new.thumbnail_bytes + coalesce(new.preview_bytes, 0) - old.bytes - old.thumbnail_bytes - coalesce(old.preview_bytes, 0) WHERE counted_to >= new.id; END;
CREATE TRIGGER stored_bytes_removed AFTER DELETE ON images BEGIN UPDATE stored_bytes SET bytes = bytes - old.bytes - old.thumbnail_bytes - coalesce(old.preview_bytes, 0) WHERE counted_to >= old.id; END;

-- Stored uploads that the UPLOAD_WEBHOOK has not acknowledged, with the body to send.
CREATE TABLE upload_events (
  image_id INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX upload_events_due ON upload_events (due_at);
CREATE TRIGGER upload_events_erased AFTER UPDATE OF path_digest ON images WHEN new.path_digest IS NOT NULL BEGIN DELETE FROM upload_events WHERE image_id = new.id; END;

-- Imported block lists, on shard 0. A list is withdrawn as a whole, so its entries are apart from the operator's own blocks, and from
-- those of other lists.
CREATE TABLE block_lists (
  name TEXT PRIMARY KEY,
  imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_files (
  digest TEXT NOT NULL,
  list TEXT NOT NULL,
  PRIMARY KEY (digest, list)
) STRICT, WITHOUT ROWID;

CREATE INDEX listed_files_of_list ON listed_files (list, digest);

CREATE TABLE listed_fingerprints (
  band INTEGER NOT NULL,
  value INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  list TEXT NOT NULL,
  PRIMARY KEY (band, value, fingerprint, list)
) STRICT, WITHOUT ROWID;

CREATE INDEX listed_fingerprints_of_list ON listed_fingerprints (list, band, fingerprint);

-- The block list that a decision was about.
ALTER TABLE moderation_audit ADD COLUMN list TEXT;
