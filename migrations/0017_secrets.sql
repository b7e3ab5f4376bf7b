-- Random secrets that the service makes for itself: `addresses`, under which the rate limiter's digests of network addresses are made
-- where there is no OPERATOR_KEY. On shard 0.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
