-- The CRC-32 of the stored file, for the ZIP of a gallery (D45); NULL for pictures older than this column, whose files are read for it.
ALTER TABLE images ADD COLUMN crc32 INTEGER;
