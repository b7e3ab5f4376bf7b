-- The link by which guests add images to a gallery (D64). A gallery has one at most: a new one replaces it. Its token is derived from the
-- management token and `nonce`, so only the holder of that token can show it again, and only its digest is stored.
-- `image_count` counts what guests added, and never goes down: a deleted image does not make room for another one.
CREATE TABLE guest_links (
  gallery_id INTEGER PRIMARY KEY REFERENCES galleries (id),
  digest TEXT NOT NULL UNIQUE,
  nonce TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  max_images INTEGER,
  image_count INTEGER NOT NULL DEFAULT 0,
  closed_at INTEGER
);

-- However a gallery is deleted, also by an older version: nothing is left of its link. So no row refers to a gallery whose row is erased later.
-- It does not cascade, because a move replaces rows of galleries (tools/move/records.ts).
CREATE TRIGGER guest_link_revoked AFTER UPDATE OF deleted_at ON galleries WHEN new.deleted_at IS NOT NULL BEGIN DELETE FROM guest_links WHERE gallery_id = new.id; END;
