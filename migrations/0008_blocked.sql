-- The SHA-256 of the upload a picture was made from, in hexadecimal; NULL where the stored file is that upload byte for byte, and
-- for pictures older than this column. Only `moderate remove --block` asks for it.
ALTER TABLE images ADD COLUMN sent_digest TEXT;

-- What the operator does not want again (D42): the SHA-256 of files, as sent and as stored.
CREATE TABLE blocked_files (
  digest TEXT PRIMARY KEY,
  image_id INTEGER NOT NULL,
  blocked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- And what such pictures look like (src/image/fingerprint.ts): each of the eight bytes of a fingerprint is a row. Two that differ
-- in at most seven bits have at least one of eight bytes in common, so that a look-up reads those alone.
CREATE TABLE blocked_fingerprints (
  band INTEGER NOT NULL,
  value INTEGER NOT NULL,
  -- The whole of it, in hexadecimal.
  fingerprint TEXT NOT NULL,
  image_id INTEGER NOT NULL,
  PRIMARY KEY (band, value, fingerprint)
) STRICT, WITHOUT ROWID;
