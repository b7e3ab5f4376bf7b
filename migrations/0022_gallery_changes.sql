-- Galleries that change after they are finalized (D63). Captions of images, texts that screen readers read instead of them, and the image
-- that stands for its gallery in link previews.
ALTER TABLE images ADD COLUMN caption TEXT;
ALTER TABLE images ADD COLUMN alt TEXT;
ALTER TABLE galleries ADD COLUMN cover_image_id INTEGER;

-- The images of an arranged gallery are sorted by (sort_anchor, sort_rank, id), in place of their arrival. By default an image is
-- its own anchor, with rank 0. One that is moved takes the anchor of the image that it follows, and a higher rank: later uploads, whose
-- ids are higher, come after both. One that was uploaded with a position has an anchor below all ids. Other galleries have NULL in both
-- columns, and no row in this index: they cost nothing.
ALTER TABLE galleries ADD COLUMN arranged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE images ADD COLUMN sort_anchor INTEGER;
ALTER TABLE images ADD COLUMN sort_rank INTEGER;
CREATE INDEX images_of_arranged_gallery ON images (gallery_id, deleted_at, hidden_at, sort_anchor, sort_rank, id) WHERE sort_anchor IS NOT NULL;

-- The marks of arranged galleries, as gallery_marks are those of the order of arrival (0005_gallery_counts.sql). Both are kept, since older
-- versions, which may run during a deployment and after a rollback, read the order of arrival.
CREATE TABLE gallery_order_marks (
  gallery_id INTEGER NOT NULL REFERENCES galleries (id),
  sort_anchor INTEGER NOT NULL,
  sort_rank INTEGER NOT NULL,
  image_id INTEGER NOT NULL,
  images_before INTEGER NOT NULL,
  PRIMARY KEY (gallery_id, sort_anchor, sort_rank, image_id)
) STRICT, WITHOUT ROWID;

-- Whatever arranges a gallery, its images get their keys in the same statement.
CREATE TRIGGER gallery_arranged AFTER UPDATE OF arranged ON galleries WHEN old.arranged = 0 AND new.arranged = 1 BEGIN UPDATE images SET sort_anchor = id, sort_rank = 0 WHERE gallery_id = new.id AND sort_anchor IS NULL; INSERT INTO gallery_order_marks SELECT new.id, sort_anchor, sort_rank, id, before FROM (SELECT sort_anchor, sort_rank, id, row_number() OVER (ORDER BY sort_anchor, sort_rank, id) - 1 AS before FROM images WHERE gallery_id = new.id AND deleted_at IS NULL AND hidden_at IS NULL AND sort_anchor IS NOT NULL) WHERE before > 0 AND before % 100 = 0; END;

-- Before the image is there, so that the trigger below alone counts it.
CREATE TRIGGER image_with_position BEFORE INSERT ON images WHEN new.gallery_id IS NOT NULL AND new.sort_anchor IS NOT NULL BEGIN UPDATE galleries SET arranged = 1 WHERE id = new.gallery_id AND arranged = 0; END;

-- Images without a position, and those that older versions insert, have no key yet. image_count may be updated after this or before: a
-- mark comes an image earlier or later.
CREATE TRIGGER arranged_image_keyed AFTER INSERT ON images WHEN new.sort_anchor IS NULL AND (new.deleted_at IS NOT NULL OR new.hidden_at IS NOT NULL) AND EXISTS (SELECT 1 FROM galleries WHERE id = new.gallery_id AND arranged = 1) BEGIN UPDATE images SET sort_anchor = id, sort_rank = 0 WHERE id = new.id; END;

CREATE TRIGGER arranged_image_added AFTER INSERT ON images WHEN new.deleted_at IS NULL AND new.hidden_at IS NULL AND EXISTS (SELECT 1 FROM galleries WHERE id = new.gallery_id AND arranged = 1) BEGIN UPDATE images SET sort_anchor = id, sort_rank = 0 WHERE id = new.id AND sort_anchor IS NULL; UPDATE gallery_order_marks SET images_before = images_before + 1 WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) > (coalesce(new.sort_anchor, new.id), coalesce(new.sort_rank, 0), new.id); INSERT INTO gallery_order_marks SELECT new.gallery_id, split.sort_anchor, split.sort_rank, split.id, mark.before + 100 FROM (SELECT sort_anchor AS anchor, sort_rank AS rank, image_id AS id, images_before AS before FROM gallery_order_marks WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) <= (coalesce(new.sort_anchor, new.id), coalesce(new.sort_rank, 0), new.id) UNION ALL SELECT -9223372036854775807, 0, 0, 0 ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1) AS mark JOIN images AS split ON split.id = (SELECT id FROM images WHERE gallery_id = new.gallery_id AND deleted_at IS NULL AND hidden_at IS NULL AND sort_anchor IS NOT NULL AND (sort_anchor, sort_rank, id) >= (mark.anchor, mark.rank, mark.id) ORDER BY sort_anchor, sort_rank, id LIMIT 1 OFFSET 100) WHERE mark.before + 200 <= coalesce((SELECT images_before FROM gallery_order_marks WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) > (coalesce(new.sort_anchor, new.id), coalesce(new.sort_rank, 0), new.id) ORDER BY sort_anchor, sort_rank, image_id LIMIT 1), (SELECT image_count FROM galleries WHERE id = new.gallery_id)); END;

CREATE TRIGGER arranged_image_gone AFTER UPDATE OF deleted_at, hidden_at ON images WHEN new.sort_anchor IS NOT NULL AND (old.deleted_at IS NULL AND old.hidden_at IS NULL) AND NOT (new.deleted_at IS NULL AND new.hidden_at IS NULL) BEGIN UPDATE gallery_order_marks SET images_before = images_before - 1 WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) > (new.sort_anchor, new.sort_rank, new.id); END;

CREATE TRIGGER arranged_image_back AFTER UPDATE OF hidden_at ON images WHEN new.sort_anchor IS NOT NULL AND new.deleted_at IS NULL AND old.hidden_at IS NOT NULL AND new.hidden_at IS NULL BEGIN UPDATE gallery_order_marks SET images_before = images_before + 1 WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) > (new.sort_anchor, new.sort_rank, new.id); INSERT INTO gallery_order_marks SELECT new.gallery_id, split.sort_anchor, split.sort_rank, split.id, mark.before + 100 FROM (SELECT sort_anchor AS anchor, sort_rank AS rank, image_id AS id, images_before AS before FROM gallery_order_marks WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) <= (new.sort_anchor, new.sort_rank, new.id) UNION ALL SELECT -9223372036854775807, 0, 0, 0 ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1) AS mark JOIN images AS split ON split.id = (SELECT id FROM images WHERE gallery_id = new.gallery_id AND deleted_at IS NULL AND hidden_at IS NULL AND sort_anchor IS NOT NULL AND (sort_anchor, sort_rank, id) >= (mark.anchor, mark.rank, mark.id) ORDER BY sort_anchor, sort_rank, id LIMIT 1 OFFSET 100) WHERE mark.before + 200 <= coalesce((SELECT images_before FROM gallery_order_marks WHERE gallery_id = new.gallery_id AND (sort_anchor, sort_rank, image_id) > (new.sort_anchor, new.sort_rank, new.id) ORDER BY sort_anchor, sort_rank, image_id LIMIT 1), (SELECT image_count FROM galleries WHERE id = new.gallery_id)); END;

-- Older versions erase deleted images and galleries without knowing these columns and marks.
CREATE TRIGGER captions_erased AFTER UPDATE OF path_digest ON images WHEN new.path_digest IS NOT NULL AND (new.caption IS NOT NULL OR new.alt IS NOT NULL) BEGIN UPDATE images SET caption = NULL, alt = NULL WHERE id = new.id; END;
CREATE TRIGGER order_marks_forgotten AFTER UPDATE OF forgotten ON galleries WHEN new.forgotten = 1 BEGIN DELETE FROM gallery_order_marks WHERE gallery_id = new.id; END;
