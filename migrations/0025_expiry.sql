-- The time at which an image or a gallery is gone (D62), in milliseconds; NULL for content that stays. An image without a time of
-- its own is gone with its gallery. Reads compare it with their clock; maintenance deletes what is due. A deleted row keeps it.
ALTER TABLE images ADD COLUMN expires_at INTEGER;
ALTER TABLE galleries ADD COLUMN expires_at INTEGER;

-- Content that is due, the longest first. Images that were erased with their gallery have a path_digest.
CREATE INDEX images_expiring ON images (expires_at)
  WHERE expires_at IS NOT NULL AND deleted_at IS NULL AND path_digest IS NULL;
CREATE INDEX galleries_expiring ON galleries (expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;

-- The images of a gallery that expire before it: those that are over, but not deleted yet, are subtracted from its image_count.
CREATE INDEX images_of_gallery_expiring ON images (gallery_id, expires_at)
  WHERE gallery_id IS NOT NULL AND expires_at IS NOT NULL AND deleted_at IS NULL AND hidden_at IS NULL;

-- Expired images that could not be deleted, and when to try again. Galleries have gallery_retries.
CREATE TABLE image_retries (
  image_id INTEGER PRIMARY KEY,
  attempts INTEGER NOT NULL,
  retry_at INTEGER NOT NULL
) STRICT;

-- For the count of what fails.
CREATE INDEX image_retries_failing ON image_retries (attempts) WHERE attempts > 0;
