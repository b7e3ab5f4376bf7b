-- Which operation marked a picture or a gallery deleted: a random id of its own. Whoever reads the row back after a reply that
-- was lost, or within a batch that came twice, sees whether the mark is theirs.
ALTER TABLE images ADD COLUMN deleted_by TEXT;
ALTER TABLE galleries ADD COLUMN deleted_by TEXT;

-- Files of an upload that was never recorded are removed twice, an hour apart: a slow put may land after the first time.
ALTER TABLE file_cleanup ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;
