import {
  acquireLease,
  type Fields,
  type KeyedRequest,
  type Lease,
  type Surroundings,
} from '../../src/domain/idempotency/lease.ts'
import { homeOf, type Shard, type Store } from '../../src/storage/store.ts'

/** A request with an Idempotency-Key, how it is read, and the shard that records it: shard 0 if left out. */
export interface ReadRequest extends KeyedRequest {
  read: () => Promise<Fields>
  shard?: Shard
}

/** The response to a request, and whether it repeats the response to an earlier one. */
export interface OnceResponse {
  response: string
  replayed: boolean
}

/** Performs a request, and returns its response, which is stored with the record. */
export type Work = (seal: Lease['seal'], shard: Shard) => Promise<string>

/** Performs a request with a key as the handlers do. */
export async function performOnce(
  store: Store,
  request: ReadRequest,
  surroundings: Surroundings,
  work: Work,
): Promise<OnceResponse> {
  const lease = await acquireLease(store, request, surroundings)
  try {
    return await perform(lease, { shard: homeOf(store), ...request }, work)
  } catch (error) {
    const response = await lease.storedInstead()
    if (response === undefined) throw error
    return { response, replayed: true }
  }
}

async function perform(acquired: Lease, { read, shard }: ReadRequest & { shard: Shard }, work: Work) {
  await using lease = acquired
  const { stored } = await lease.bind(await read(), [shard])
  if (stored !== undefined) return { response: stored, replayed: true }
  const response = await work(lease.seal, shard)
  lease.complete()
  return { response, replayed: false }
}
