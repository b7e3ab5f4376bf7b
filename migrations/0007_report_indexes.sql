-- The open reports of one picture, and all of one gallery: what the operator decides settles them.
CREATE INDEX reports_of_image ON reports (image_id) WHERE handled_at IS NULL AND image_id IS NOT NULL;
CREATE INDEX reports_of_gallery ON reports (gallery_id) WHERE gallery_id IS NOT NULL;

-- For the count of galleries that fail.
CREATE INDEX gallery_retries_failing ON gallery_retries (attempts) WHERE attempts > 0;
