-- The preview of an image: a file of some 1280 pixels for pages and link previews. All are NULL where none is stored: the original is
-- small enough, previews were off, or the image is older than this table's columns.
ALTER TABLE images ADD COLUMN preview_media_type TEXT;
ALTER TABLE images ADD COLUMN preview_bytes INTEGER;
ALTER TABLE images ADD COLUMN preview_width INTEGER;
ALTER TABLE images ADD COLUMN preview_height INTEGER;
ALTER TABLE images ADD COLUMN preview_crc32 INTEGER;
