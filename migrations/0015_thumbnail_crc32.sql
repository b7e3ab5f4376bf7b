-- The CRC-32 of the thumbnail, by which `npm run reconcile -- --verify` finds one that the disk has changed; NULL for images older than
-- this column.
ALTER TABLE images ADD COLUMN thumbnail_crc32 INTEGER;
