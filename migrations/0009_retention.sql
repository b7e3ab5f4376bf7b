-- What is kept of what was deleted, and for how long: docs/operating.md#what-is-kept.

-- The first 64 bits of the SHA-256 of `<dir>/<id>_<name>`, in hexadecimal. A deleted picture has that in place of its name as
-- soon as its files are gone, and answers `deleted` for that path still; all else that told of the picture is emptied.
ALTER TABLE images ADD COLUMN path_digest TEXT;

-- Deleted pictures that have their name yet: nearly none, but all that were deleted before there was a digest.
CREATE INDEX images_named_yet ON images (deleted_at) WHERE deleted_at IS NOT NULL AND path_digest IS NULL;

-- 1 when all that can be forgotten of a deleted gallery is. One that never held a picture stays 0 until its row goes, too.
ALTER TABLE galleries ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
CREATE INDEX galleries_to_forget ON galleries (deleted_at) WHERE deleted_at IS NOT NULL AND forgotten = 0;

-- What is left of the management tokens of deleted content, which answer 410 for ever: 64 bits of each digest, and nothing that
-- says what it was for.
CREATE TABLE revoked_tokens (
  digest TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_of_image ON management_tokens (image_id) WHERE image_id IS NOT NULL;
CREATE INDEX tokens_of_gallery ON management_tokens (gallery_id) WHERE gallery_id IS NOT NULL;

-- Handled reports that know their reporter yet.
CREATE INDEX reports_with_contact ON reports (handled_at) WHERE handled_at IS NOT NULL AND contact <> '';
