import { unavailableShardOf } from '../../storage/bounded-calls.ts'
import type { Shard } from '../../storage/store.ts'

/** A shard that did not respond, by its number, and why. */
export interface UnavailableShard {
  number: number
  error: unknown
}

/** The results of the shards that responded, and the others. */
export interface FromShards<Result> {
  results: { shard: Shard; result: Result }[]
  unavailable: UnavailableShard[]
}

/** Asks shards at once. */
export async function askShards<Result>(
  shards: readonly Shard[],
  ask: (shard: Shard) => Promise<Result>,
): Promise<FromShards<Result>> {
  const from: FromShards<Result> = { results: [], unavailable: [] }
  const settled = await Promise.allSettled(shards.map(ask))
  for (const [at, shard] of shards.entries()) {
    const outcome = settled[at]
    if (outcome?.status === 'fulfilled') from.results.push({ shard, result: outcome.value })
    else if (unavailableShardOf(outcome?.reason) !== shard.number) throw outcome?.reason
    else from.unavailable.push({ number: shard.number, error: outcome?.reason })
  }
  return from
}

/** Returns what `askShards` returned. Throws if no shard responded. */
export function requireResponse<Result>(from: FromShards<Result>): FromShards<Result> {
  const [first] = from.unavailable
  if (first && from.results.length === 0) throw first.error
  return from
}

/** Returns each of these shards once, in the order of their numbers. */
export function uniqueShards(...lists: readonly (readonly UnavailableShard[])[]): UnavailableShard[] {
  const byNumber = new Map(lists.flat().map((shard) => [shard.number, shard]))
  return [...byNumber.values()].sort((one, other) => one.number - other.number)
}
