-- The first answers of requests that carried an Idempotency-Key, for the same requests to come again. Neither the keys nor
-- the answers, which may hold tokens, stand here in clear: src/domain/sealed-answer.ts says how.
CREATE TABLE idempotency_keys (
  -- SHA-256 of the key.
  digest TEXT PRIMARY KEY,
  -- Random, a new one whenever a request takes the key: it names the holder, and salts what is derived from the key.
  claim TEXT NOT NULL,
  -- Of the request, under the key: the same key with another request is refused.
  fingerprint TEXT NOT NULL,
  -- Encrypted under the key; NULL while the holder is at work.
  answer TEXT,
  -- When the key is as good as new: until there is an answer, the moment from which the holder must have died.
  free_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_free ON idempotency_keys (free_at);
