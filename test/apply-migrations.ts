import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { bindShards, emptyStore } from './domain/store.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
// A worker runs several files with one storage: content that an earlier file blocked would be refused in the next, and shards
// that it left would be counted.
await emptyStore()
await bindShards(1)
