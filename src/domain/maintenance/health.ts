import { askDatabase, askFiles } from '../../storage/maintenance/health.ts'
import type { Store } from '../../storage/store.ts'

/** Dependencies of the service. The disk is that of `npm start`. */
export type Part = 'database' | 'files' | 'limiter' | 'disk'

/** The check of each part that exists. */
export type Checks = readonly (readonly [Exclude<Part, 'database'>, Check])[]

/** Throws while its part does not work. */
type Check = () => Promise<void>

/** The error of each part and of each shard; undefined where it works. The database works if all shards do. */
export interface Health {
  parts: ReadonlyMap<Part, unknown>
  shards: ReadonlyMap<number, unknown>
}

/** Checks the files: one cheap call, which writes nothing. */
export function checkFiles(store: Store): Promise<void> {
  return askFiles(store)
}

/** Makes all checks at once, and one cheap call to each shard. `bounded` limits the time of each. */
export async function checkHealth(
  { shards }: Store,
  checks: Checks,
  bounded: (what: string, check: Check) => Promise<void>,
): Promise<Health> {
  const [ofShards, parts] = await Promise.all([
    problemsOf(
      shards.map((shard) => [shard.number, () => bounded(`shard ${shard.number}`, () => askDatabase(shard))] as const),
    ),
    problemsOf(checks.map(([part, check]) => [part, () => bounded(part, check)] as const)),
  ])
  const failing = [...ofShards.values()].find((problem) => problem !== undefined)
  return { shards: ofShards, parts: new Map<Part, unknown>([['database', failing], ...parts]) }
}

async function problemsOf<Key>(checks: readonly (readonly [Key, Check])[]): Promise<Map<Key, unknown>> {
  const found = checks.map(async ([key, check]): Promise<[Key, unknown]> => {
    try {
      await check()
      return [key, undefined]
    } catch (error) {
      return [key, error]
    }
  })
  return new Map(await Promise.all(found))
}
