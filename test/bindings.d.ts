import type { D1Migration } from '@cloudflare/vitest-plugin'
import type { Bindings } from '../src/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      FILES: R2Bucket
      FILES_FOLDER: Fetcher
      FILES_SERVICE: Fetcher
      TEST_MIGRATIONS: D1Migration[]
      /** Environment variables with the length of random tests, and their seed. */
      TEST_SETTINGS: {
        FAULTS?: string
        FUZZ_ROUNDS?: string
        HISTORIES?: string
        INTERLEAVINGS?: string
        THOROUGH?: string
        TINTYPE_SEED?: string
      }
      /** Further databases, which tests may bind as shards. */
      SPARE_1: D1Database
      SPARE_2: D1Database
      SPARE_3: D1Database
      SPARE_4: D1Database
      SPARE_5: D1Database
      SPARE_6: D1Database
      SPARE_7: D1Database
    }
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts')
    }
  }
}
