-- The number of pictures that a gallery shows, so that no page counts them. The triggers below keep it, within the very
-- statement that adds or deletes a picture: whatever does so, a statement that comes twice too, the number is true.
ALTER TABLE galleries ADD COLUMN image_count INTEGER NOT NULL DEFAULT 0;

-- Deleted pictures stand apart, so that a page reads none of them. The rest of the index is in order of arrival.
DROP INDEX images_of_gallery;
CREATE INDEX images_of_gallery ON images (gallery_id, deleted_at, id) WHERE gallery_id IS NOT NULL;

-- Where the numbered pages of a gallery begin: a mark every 100 to 200 pictures, and how many stand before it. Page N begins
-- at the last mark that has not more than the pictures of the pages before, or less than 200 pictures after it. A number at
-- every picture would do too, but uploads end in another order than the one they arrived in, which is the one that is shown,
-- and pictures are deleted: each would renumber all that follow. This way at most the marks that follow are written, and for
-- a picture that comes last, as nearly all do, none.
CREATE TABLE gallery_marks (
  gallery_id INTEGER NOT NULL REFERENCES galleries (id),
  -- Stands for a place among the ids: it need not be a picture that is shown.
  image_id INTEGER NOT NULL,
  images_before INTEGER NOT NULL,
  PRIMARY KEY (gallery_id, image_id)
) STRICT, WITHOUT ROWID;

UPDATE galleries SET image_count = (
  SELECT count(*) FROM images WHERE gallery_id = galleries.id AND images.deleted_at IS NULL
);

INSERT INTO gallery_marks
SELECT gallery_id, id, before FROM (
  SELECT gallery_id, id, row_number() OVER (PARTITION BY gallery_id ORDER BY id) - 1 AS before
  FROM images WHERE gallery_id IS NOT NULL AND deleted_at IS NULL
) WHERE before > 0 AND before % 100 = 0;

-- The last statement sets a mark in the middle, where 200 pictures have come to stand between two.
CREATE TRIGGER image_added AFTER INSERT ON images WHEN new.gallery_id IS NOT NULL AND new.deleted_at IS NULL
BEGIN
  UPDATE galleries SET image_count = image_count + 1 WHERE id = new.gallery_id;
  UPDATE gallery_marks SET images_before = images_before + 1 WHERE gallery_id = new.gallery_id AND image_id > new.id;
  INSERT INTO gallery_marks
    SELECT new.gallery_id,
      (SELECT id FROM images WHERE gallery_id = new.gallery_id AND deleted_at IS NULL AND id >= mark.place
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

CREATE TRIGGER image_deleted AFTER UPDATE OF deleted_at ON images
  WHEN new.gallery_id IS NOT NULL AND old.deleted_at IS NULL AND new.deleted_at IS NOT NULL
BEGIN
  UPDATE galleries SET image_count = image_count - 1 WHERE id = new.gallery_id;
  UPDATE gallery_marks SET images_before = images_before - 1 WHERE gallery_id = new.gallery_id AND image_id > new.id;
END;
