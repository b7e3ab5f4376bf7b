-- What failed is tried again later and later, so that it never stands in the way of what would not fail. Files carry that
-- in their own rows: `due_at` moves. A gallery does not: the very row may be what fails.
CREATE TABLE gallery_retries (
  gallery_id INTEGER PRIMARY KEY REFERENCES galleries (id),
  attempts INTEGER NOT NULL,
  retry_at INTEGER NOT NULL
) STRICT;

ALTER TABLE file_cleanup ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE gallery_cleanup ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;

-- For the count of what fails.
CREATE INDEX file_cleanup_failing ON file_cleanup (attempts) WHERE attempts > 0;
CREATE INDEX gallery_cleanup_failing ON gallery_cleanup (attempts) WHERE attempts > 0;
