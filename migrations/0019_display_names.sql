-- The name of an image as pages show it, in the case and script in which it was sent; NULL if that is its stored name, and for images
-- older than this column. The address has the stored name (D8).
ALTER TABLE images ADD COLUMN display_name TEXT;

-- Older versions, which may run during a deployment and after a rollback, erase deleted images without knowing this column.
CREATE TRIGGER display_names_erased AFTER UPDATE OF path_digest ON images WHEN new.path_digest IS NOT NULL AND new.display_name IS NOT NULL BEGIN UPDATE images SET display_name = NULL WHERE id = new.id; END;
