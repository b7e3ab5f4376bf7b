import type { D1Migration } from '@cloudflare/vitest-plugin'
import type { Bindings } from '../src/env.ts'

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      TEST_MIGRATIONS: D1Migration[]
      /** Variables of the environment that say how long tests look, and from which seed. */
      TEST_SETTINGS: { FAULTS?: string; FUZZ_ROUNDS?: string; HISTORIES?: string; TINTYPE_SEED?: string }
    }
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts')
    }
  }
}
