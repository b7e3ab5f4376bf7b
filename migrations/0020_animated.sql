-- Whether an image is an animation, so that pages show the preview of one that is not; NULL for images older than this column, and of
-- deleted ones.
ALTER TABLE images ADD COLUMN animated INTEGER;
