import type { Bindings } from '../../env.ts'
import { ReadCache } from '../../storage/read-cache.ts'

export type { ReadCache }

let cache: ReadCache | undefined

/** The cache of this isolate; undefined unless the settings say that all writes go through it. */
export function readCacheOf({ READ_CACHE }: Pick<Bindings, 'READ_CACHE'>): ReadCache | undefined {
  if (READ_CACHE !== 'on') return undefined
  cache ??= new ReadCache()
  return cache
}

/** Forgets all that the cache holds, as a new isolate. Only tests call it. */
export function renewReadCache(): void {
  cache = undefined
}
