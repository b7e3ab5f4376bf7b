-- When the cron last wrote to this database: one row. A replica that shows it has everything from before that moment, which tells
-- how far behind it is at most (docs/scaling.md#reads-near-the-reader).
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  beat_at INTEGER NOT NULL
) STRICT;

-- On shard 0, where every Idempotency-Key is claimed first: the other shard that its request has gone to, where the same key is
-- claimed too, and answered (docs/scaling.md#idempotency-keys). NULL if it has gone nowhere.
ALTER TABLE idempotency_keys ADD COLUMN shard INTEGER;
