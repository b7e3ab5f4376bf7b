import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { bindShards, emptyStore } from './domain/store.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
// A worker runs several files with one storage. Content that an earlier file blocked would be rejected in the next one,
// and its shards would be counted.
await emptyStore()
await bindShards(1)
