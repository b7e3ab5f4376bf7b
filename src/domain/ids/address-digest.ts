import { addressSecret } from '../../storage/secrets.ts'
import { homeOf, type Store } from '../../storage/store.ts'
import { digestOf } from './digest.ts'

/** Not its promise: what another request waits for may never come. */
let knownSecret: string | undefined

/**
 * Returns the digest under which a client's network address is stored: without a secret, all addresses could be tried. The secret is
 * the OPERATOR_KEY or, without one, a random one of the records. Neither is stored where the digests are.
 */
export async function addressDigest(store: Store, operatorKey: string | undefined, address: string): Promise<string> {
  return digestOf(`${operatorKey || (await ownSecret(store))}\n${address}`)
}

async function ownSecret(store: Store): Promise<string> {
  knownSecret ??= await addressSecret(homeOf(store))
  return knownSecret
}
