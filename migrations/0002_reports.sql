-- What people report as unlawful, for the operator to judge (`npm run moderate`). It says nothing of who reported beyond the
-- contact they chose to give: no network address, no account. What is reported is a record of ours, not the text of an
-- address, so a report holds on every domain and after the content is gone.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY,
  image_id INTEGER REFERENCES images (id),
  gallery_id INTEGER REFERENCES galleries (id),
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  contact TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When the operator removed the content or dismissed the report; until then it is open.
  handled_at INTEGER,
  CHECK ((image_id IS NULL) <> (gallery_id IS NULL))
) STRICT;

-- What the operator asks for: the open ones, the oldest first. Handled ones stay as a record of what was decided.
CREATE INDEX reports_open ON reports (created_at, id) WHERE handled_at IS NULL;
