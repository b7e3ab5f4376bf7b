import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { emptyStore } from './domain/store.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
// A worker runs several files with one storage: content that an earlier one blocked would be refused in the next.
await emptyStore()
