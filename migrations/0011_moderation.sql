-- Content that the operator hides until it is decided on: not public, but not deleted either (D48).
ALTER TABLE images ADD COLUMN hidden_at INTEGER;
ALTER TABLE galleries ADD COLUMN hidden_at INTEGER;
CREATE INDEX images_hidden ON images (hidden_at) WHERE hidden_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX galleries_hidden ON galleries (hidden_at) WHERE hidden_at IS NOT NULL AND deleted_at IS NULL;

-- A gallery shows its pictures that are neither deleted nor hidden: those stand apart in the index, and the count and the marks
-- (0005_gallery_counts.sql) are of those alone.
DROP INDEX images_of_gallery;
CREATE INDEX images_of_gallery ON images (gallery_id, deleted_at, hidden_at, id) WHERE gallery_id IS NOT NULL;

DROP TRIGGER image_added;
CREATE TRIGGER image_added AFTER INSERT ON images
  WHEN new.gallery_id IS NOT NULL AND new.deleted_at IS NULL AND new.hidden_at IS NULL
BEGIN
  UPDATE galleries SET image_count = image_count + 1 WHERE id = new.gallery_id;
  UPDATE gallery_marks SET images_before = images_before + 1 WHERE gallery_id = new.gallery_id AND image_id > new.id;
  INSERT INTO gallery_marks
    SELECT new.gallery_id,
      (SELECT id FROM images
        WHERE gallery_id = new.gallery_id AND deleted_at IS NULL AND hidden_at IS NULL AND id >= mark.place
        ORDER BY id LIMIT 1 OFFSET 100),
      mark.before + 100
    FROM (
      SELECT coalesce(max(image_id), 0) AS place, coalesce(images_before, 0) AS before
      FROM gallery_marks WHERE gallery_id = new.gallery_id AND image_id <= new.id
    ) AS mark
    WHERE mark.before + 200 <= coalesce(
      (SELECT images_before FROM gallery_marks WHERE gallery_id = new.gallery_id AND image_id > new.id
        ORDER BY image_id LIMIT 1),
      (SELECT image_count FROM galleries WHERE id = new.gallery_id));
END;

DROP TRIGGER image_deleted;
CREATE TRIGGER image_gone AFTER UPDATE OF deleted_at, hidden_at ON images
  WHEN new.gallery_id IS NOT NULL
    AND (old.deleted_at IS NULL AND old.hidden_at IS NULL) AND NOT (new.deleted_at IS NULL AND new.hidden_at IS NULL)
BEGIN
  UPDATE galleries SET image_count = image_count - 1 WHERE id = new.gallery_id;
  UPDATE gallery_marks SET images_before = images_before - 1 WHERE gallery_id = new.gallery_id AND image_id > new.id;
END;

-- What image_added does, for a picture that is hidden no more.
CREATE TRIGGER image_back AFTER UPDATE OF hidden_at ON images
  WHEN new.gallery_id IS NOT NULL AND new.deleted_at IS NULL AND old.hidden_at IS NOT NULL AND new.hidden_at IS NULL
BEGIN
  UPDATE galleries SET image_count = image_count + 1 WHERE id = new.gallery_id;
  UPDATE gallery_marks SET images_before = images_before + 1 WHERE gallery_id = new.gallery_id AND image_id > new.id;
  INSERT INTO gallery_marks
    SELECT new.gallery_id,
      (SELECT id FROM images
        WHERE gallery_id = new.gallery_id AND deleted_at IS NULL AND hidden_at IS NULL AND id >= mark.place
        ORDER BY id LIMIT 1 OFFSET 100),
      mark.before + 100
    FROM (
      SELECT coalesce(max(image_id), 0) AS place, coalesce(images_before, 0) AS before
      FROM gallery_marks WHERE gallery_id = new.gallery_id AND image_id <= new.id
    ) AS mark
    WHERE mark.before + 200 <= coalesce(
      (SELECT images_before FROM gallery_marks WHERE gallery_id = new.gallery_id AND image_id > new.id
        ORDER BY image_id LIMIT 1),
      (SELECT image_count FROM galleries WHERE id = new.gallery_id));
END;

-- Who decided what about which content, and when. It is written before anything is done, so that nothing is done without it, and
-- completed after.
CREATE TABLE moderation_audit (
  id INTEGER PRIMARY KEY,
  -- Random: the statement may come twice.
  operation TEXT NOT NULL UNIQUE,
  decided_at INTEGER NOT NULL,
  -- The name of their key.
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  -- One of the two. They refer to no row: an unfinished gallery may go.
  image_id INTEGER,
  gallery_hash TEXT,
  -- What came of it: whether the content is in another state than before, and how many reports and pictures it concerned.
  completed INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  reports INTEGER NOT NULL DEFAULT 0,
  pictures INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX moderation_audit_times ON moderation_audit (decided_at);

-- The open reports, counted by what they are about.
CREATE INDEX reports_open_by_content ON reports (image_id, gallery_id, reason, created_at) WHERE handled_at IS NULL;

-- Blocks are listed by time, and taken back by picture.
CREATE INDEX blocked_files_times ON blocked_files (blocked_at);
CREATE INDEX blocked_files_of_image ON blocked_files (image_id);
CREATE INDEX blocked_fingerprints_of_image ON blocked_fingerprints (image_id);
