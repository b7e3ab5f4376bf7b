import { askDatabase, askFiles } from '../storage/health.ts'
import type { Store } from '../storage/store.ts'

/** Dependencies of the service. The disk is that of `npm start`. */
export type Part = 'database' | 'files' | 'limiter' | 'disk'

/** For each part that is there, what throws while the part does not work. */
export type Checks = Readonly<Partial<Record<Part, () => Promise<void>>>>

/** For each part that is there, what it threw; undefined where it works. */
export type Health = ReadonlyMap<string, unknown>

/** The checks of the storage. Each is one cheap call, and writes nothing. */
export function storageChecks(store: Store): Checks {
  return { database: () => askDatabases(store), files: () => askFiles(store) }
}

async function askDatabases({ shards }: Store): Promise<void> {
  await Promise.all(shards.map(askDatabase))
}

/** Makes all checks at once. */
export async function checkHealth(checks: Checks): Promise<Health> {
  const found = Object.entries(checks).map(async ([part, check]): Promise<[string, unknown]> => {
    try {
      await check()
      return [part, undefined]
    } catch (error) {
      return [part, error]
    }
  })
  return new Map(await Promise.all(found))
}
